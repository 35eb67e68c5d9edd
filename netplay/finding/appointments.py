"""Friends who have both moved find each other again: by items in a public DHT.

Theory of operation.  While a friend is missing, and only if the player has said yes,
the node leaves a small item in the mainline DHT (BitTorrent's BEP 5 and 44), and looks
for the friend's.  The item has the node's places, as it has signed them for its
friends, and when it calls; both then call at these moments, so that two routers let
each other's calls in.  While nobody is missing nothing is asked, and nothing runs.

Where an item lies, whose signature the DHT wants under it, and the key that it is
sealed with, come by HKDF from what only the two nodes can work out, and are others each
day.  So nobody else can find it, read it, put another in its place, or tell whose it
is; all items have one size.  Who keeps it, and who is asked, sees the addresses of both
computers, and that they ask for the same.

Strangers meet in the same way, by an invitation that has a secret.  Whoever pastes it
leaves word where all can look who have this line; for an hour after it was handed out
the inviter looks there, leaves word in return once there is any, and both call.  It is
as if the other's line had been pasted here, too: no key is trusted by that.

An item proves nothing by where it lay: its places count if their owner has signed them,
and only if they are newer than all before.  What is stale, another's or no item is
passed over.  A lie costs a call to where nobody is.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

import trio
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.finding.telling import Telling
from netplay.fingerprint import fingerprint, folded, is_fingerprint
from netplay.journal import Journal
from netplay.messages.link import Appointment, Introduction, Places
from netplay.messages.node_questions import DhtStands
from netplay.messages.types import PLACES
from netplay.peering import invitation
from netplay.peering.address import Address, several
from netplay.peering.net import to_be_called
from netplay.record.chance import number_bytes, tag
from netplay.record.log import SecretKey, check_signature
from netplay.wanted import Dial
from netplay.wire import pack, unpack

DHT: Final = "dht"
"""The setting that says whether the DHT is used."""

ENTRIES: Final = "dht-nodes"
"""The setting with the nodes by which it is entered."""

USUAL_ENTRIES: Final = (
    "dht.libtorrent.org:25401 router.bittorrent.com:6881 dht.transmissionbt.com:6881"
)
"""Other people's; the player can name others instead."""

MOST_ENTRIES: Final = 8

HANDED_OUT: Final = "dht-line"
"""The setting with the secret of the last invitation, and until when it is waited."""


# What is put, and where.

Said = TypeVar("Said", Appointment, Introduction)

Signs: TypeAlias = Callable[[bytes], bytes]


ITEM_BYTES: Final = 768
"""Of each item: the DHT takes up to 1000, and a datagram has to carry it."""

NONCE_BYTES: Final = 12
SEAL_BYTES: Final = 16
TEXT_BYTES: Final = ITEM_BYTES - NONCE_BYTES - SEAL_BYTES
SALT_BYTES: Final = 16
LENGTH_BYTES: Final = 2

EPOCH_SECONDS: Final = 86_400
"""For which an item lies in one place."""

SKEW_SECONDS: Final = 7200
"""By so much the clocks of two may differ, also about midnight."""


class Spot(NamedTuple):
    """Where one leaves what the other of a pair looks for, on one day."""

    seed: bytes
    """Of the Ed25519 key that the DHT wants to have signed the item."""
    key: bytes
    """The public one: anybody who keeps the item sees it."""
    salt: bytes
    cipher: bytes
    """The key that it is sealed with."""
    owner: bytes
    """Who leaves it; nobody sees that."""


GUEST: Final = b"guest"
"""Stands for the key of who has pasted an invitation: the inviter does not know it."""

HOST: Final = b"host"
"""Stands for the inviter's, where word is left for those."""


def spot(common: bytes, owner: bytes, epoch: int) -> Spot:
    """Return where an item of a day lies.

    Args:
        common: What only the two can work out, or those who have an invitation.
        owner: The key of who leaves it; or `GUEST`, or `HOST`.
        epoch: The day.
    """

    def derived(use: bytes, size: int, whose: bytes = b"") -> bytes:
        info = use + number_bytes(epoch) + whose
        return HKDF(SHA256(), size, None, info).derive(common)

    seed = derived(tag("dhtkey"), 32)
    salt = derived(tag("dhtsalt"), SALT_BYTES, owner)
    cipher = derived(tag("dhtseal"), 32, owner)
    return Spot(seed, SecretKey(seed).key, salt, cipher, owner)


def epochs(unix: int) -> tuple[int, ...]:
    """Return the days for which the item of a friend may be: about midnight two."""
    some = {(unix + by) // EPOCH_SECONDS for by in (-SKEW_SECONDS, SKEW_SECONDS)}
    return tuple(sorted(day for day in some if day >= 0))


def sealed(where: Spot, said: Appointment | Introduction, nonce: bytes) -> bytes:
    """Return an item.

    Args:
        where: Where it will lie.
        said: What it says: a few places, see `fits`.
        nonce: 12 random bytes, for this item alone.
    """
    body = pack(said)
    text = len(body).to_bytes(LENGTH_BYTES, "big") + body
    whole = text.ljust(TEXT_BYTES, b"\0")
    return nonce + ChaCha20Poly1305(where.cipher).encrypt(nonce, whole, where.key)


def read_item(where: Spot, item: bytes, kind: type[Said]) -> Said:
    """Return what an item says; whether its owner has signed that, others check.

    Raises:
        PeerError: BAD_FRAME, it is none that was left here.
    """
    if len(item) != ITEM_BYTES:
        raise PeerError(Code.BAD_FRAME, "no item")
    nonce, rest = item[:NONCE_BYTES], item[NONCE_BYTES:]
    try:
        text = ChaCha20Poly1305(where.cipher).decrypt(nonce, rest, where.key)
    except InvalidTag:
        raise PeerError(Code.BAD_FRAME, "an item that cannot be opened") from None
    size = int.from_bytes(text[:LENGTH_BYTES], "big")
    body, filling = text[LENGTH_BYTES:][:size], text[LENGTH_BYTES + size :]
    if any(filling):
        raise PeerError(Code.BAD_FRAME, "an item with more than it says")
    said: Said = unpack(body, kind)
    return said


def fits(word: Places, call: int) -> Appointment | None:
    """Return what to say of our places; None if they are too long for an item."""
    said = Appointment(word.number, word.places, word.signature, call)
    return said if len(pack(said)) + LENGTH_BYTES <= TEXT_BYTES else None


def introduction_data(where: Spot, call: int, places: tuple[str, ...]) -> bytes:
    """Return what one signs who leaves word for strangers: it counts there alone."""
    place = where.key + where.salt
    return tag("introduced") + place + number_bytes(call) + pack(places)


def introduced(
    where: Spot, owner: bytes, call: int, words: Sequence[str], sign: Signs
) -> Introduction:
    """Return what to say to strangers of our places: as many as an item takes."""
    places = tuple(words[:PLACES])
    while True:
        signature = sign(introduction_data(where, call, places))
        said = Introduction(owner, places, call, signature)
        if len(pack(said)) + LENGTH_BYTES <= TEXT_BYTES:
            return said
        places = places[:-1]


def entries_named(text: str) -> tuple[Address, ...]:
    """Return the nodes in a text, the usual ones for an empty one.

    Raises:
        LocalError: USAGE, one is no address.
    """
    return several(text, USUAL_ENTRIES, MOST_ENTRIES)


# Putting and looking.


class Dht(Protocol):
    """Where anybody may leave small items under keys of their own."""

    async def put(self, seed: bytes, salt: bytes, item: bytes) -> bool:
        """Leave an item in the place of the one before; return whether anybody has it.

        Args:
            seed: Of the Ed25519 key that signs it.
            salt: What tells items of one key apart.
            item: The bytes.
        """
        ...

    async def get(self, key: bytes, salt: bytes) -> Sequence[bytes]:
        """Return the items that lie there, as they are found: none, one, or more."""
        ...

    def outside(self) -> str:
        """Return the IPv4 address from which our questions come, as others see it."""
        ...


Opens: TypeAlias = Callable[[Sequence[Address]], AbstractAsyncContextManager[Dht]]
"""Joins the DHT by some nodes; raises a LocalError if none of them answers."""

ASK_SECONDS: Final = 5.0
"""For which a friend is missed before it is looked for: most cuts are shorter."""

SOON_SECONDS: Final = 5.0
"""Between the first looks; then twice as long each time, up to:"""

SOON: Final = 12
"""So many of these: a minute, in which both wake up, and learn where they are."""

MOST_SECONDS: Final = 40.0
LONG_SECONDS: Final = 300.0
"""After an hour."""

HOUR: Final = 3600.0

PUT_SECONDS: Final = 1800.0
"""After which an item is left once more: who keeps it may be gone."""

CALL_SECONDS: Final = 20
"""From one call at the same time to the next."""

AT_ONCE: Final = 4
"""Friends looked for at a time, and strangers called by one invitation."""

SECRET_BYTES: Final = 16

LINGER_SECONDS: Final = 60.0
"""For which the DHT is not left when nobody is missing any more."""

TICK_SECONDS: Final = 1.0


class Stranger(NamedTuple):
    """One who has left word for those who have an invitation."""

    line: str
    """An invitation made of what the stranger says: it leads to that key alone."""
    until: float
    """When it is called no more, unless it says again that it calls."""


class Missing:
    """A friend who is looked for; or whoever has an invitation, ours or the same."""

    def __init__(
        self,
        common: bytes,
        ends: tuple[bytes, bytes],
        now: float,
        line: invitation.Invitation | None = None,
    ) -> None:
        """Begin to miss somebody.

        Args:
            common: See `spot`.
            ends: Under whose key our word is left, and the other's looked for.
            now: Seconds.
            line: The invitation that the player has pasted.
        """
        self.common: Final = common
        self.mine, self.theirs = ends
        self.line: Final = line
        self.since = now
        self.strangers: Final[dict[bytes, Stranger]] = {}
        """Who may come or be called by an invitation, by key."""
        self.heard: Final[dict[bytes, int]] = {}
        """When each of them has said to call, the last time."""
        self.calls: Final[dict[bytes, int]] = {}
        """Who said when both are to call."""
        self.called: dict[bytes, int] = {}
        """When we did last, whom."""
        self.restart(now)

    @property
    def is_friend(self) -> bool:
        """Whether it is one whose key is known."""
        return self.mine not in {GUEST, HOST}

    @property
    def waits(self) -> bool:
        """Whether it is our own invitation, and nobody has left word yet."""
        return self.mine == HOST and not self.strangers

    def restart(self, now: float) -> None:
        """Begin anew: with other nodes, or in another network."""
        soon = 0.0 if self.mine == HOST else ASK_SECONDS
        self.due = max(now, self.since + soon)
        self.tries = 0
        self.busy = False
        self.put: tuple[int, int] = (-1, -1)
        """The number of our word that lies there, and the day."""
        self.put_at = now

    def pause(self, now: float) -> float:
        """Return for how long not to look again."""
        if self.mine == HOST:
            young = now < self.since + limits.INVITED_SOON_SECONDS
            few, many = limits.INVITED_LOOK_SECONDS, limits.INVITED_LATER_SECONDS
            return few if young or self.strangers else many
        if self.tries <= SOON:
            return SOON_SECONDS
        if now > self.since + HOUR:
            return LONG_SECONDS
        return float(min(MOST_SECONDS, SOON_SECONDS * 2 ** (self.tries - SOON)))

    @property
    def put_seconds(self) -> float:
        """After how long our word is left once more."""
        return PUT_SECONDS if self.is_friend else limits.INTRODUCED_SECONDS

    def forget_silent(self, now: float) -> None:
        """Forget strangers who have not said for long that they call."""
        for key in [k for k, one in self.strangers.items() if one.until <= now]:
            del self.strangers[key]
            self.calls.pop(key, None)
            self.called.pop(key, None)


class Seeker(NamedTuple):
    """Who looks for friends."""

    key: bytes
    appointed: Callable[[bytes], bytes]
    """Returns what only this node and another can work out; empty for none."""
    unix: Callable[[], int]
    entropy: Callable[[int], bytes]
    words: Callable[[], tuple[str, ...]]
    """Returns our places of now."""
    sign: Signs
    blocked: Callable[[bytes], bool]
    """Tells whether the player wants to hear nothing of somebody."""
    counted: Callable[[], int]
    """As `unix`, by a clock that nobody sets: so long an invitation lasts."""


class Appointments:
    """Leaves word for friends who are missing, and looks for theirs."""

    def __init__(
        self,
        me: Seeker,
        telling: Telling,
        opens: Opens | None,
        journal: Journal,
        changed: Callable[[], None],
    ) -> None:
        """Prepare.

        Args:
            me: This node.
            telling: What friends say of their places.
            opens: Joins the DHT; None where nothing is installed for that.
            journal: Where failures are noted.
            changed: Told when `stands` has.
        """
        self._me: Final = me
        self._telling: Final = telling
        self._opens: Final = opens
        self._journal: Final = journal
        self._changed: Final = changed
        self.on = False
        self.entries: tuple[Address, ...] = ()
        self.outside: Callable[[str], None] = lambda _host: None
        """Told of the address that the DHT sees, each time that it is another."""
        self.want: Callable[[], None] = lambda: None
        """Has it looked again whom to call."""
        self._keys: frozenset[bytes] = frozenset()
        self._lines: frozenset[invitation.Invitation] = frozenset()
        self._handed: tuple[str, int] = "", 0
        """The secret of the last invitation, and until when it is waited for, by
        `Seeker.counted`."""
        self._missing: dict[bytes, Missing] = {}
        self._runs = False
        self._news = trio.Event()
        self._scope = trio.CancelScope()
        self._failed = False
        self._host = ""

    @property
    def here(self) -> bool:
        """Whether what it takes is installed."""
        return self._opens is not None

    @property
    def stands(self) -> DhtStands:
        """How it stands."""
        if not self.on:
            return "off"
        if not self.here:
            return "lacks"
        if not self._missing:
            return "rests"
        if self._failed:
            return "silent"
        return "looks" if self.missing else "waits"

    @property
    def missing(self) -> int:
        """How many are looked for, besides whoever has our invitation."""
        return sum(one.mine != HOST for one in self._missing.values())

    def switch(self, entries: Sequence[Address], *, on: bool) -> None:
        """Take whether the DHT is used, and by which nodes it is entered."""
        self.on, self.entries = on and bool(entries), tuple(entries)
        self._renew()
        self.again()

    def again(self) -> None:
        """Join anew: nodes or network are others now."""
        self._scope.cancel()
        self._news.set()

    def miss(
        self, keys: Collection[bytes], lines: Collection[invitation.Invitation] = ()
    ) -> None:
        """Take who is missing, and waited for: friends, and who has invited."""
        keys, lines = frozenset(keys), frozenset(lines)
        if (keys, lines) != (self._keys, self._lines):
            self._keys, self._lines = keys, lines
            self._renew()

    def _renew(self) -> None:
        """Take whom to look for from now on."""
        before, self._missing = self._missing, {}
        if not (self.on and self.here and self._runs):
            return
        now, me = trio.current_time(), self._me
        found = [
            before.get(key) or Missing(me.appointed(key), (me.key, key), now)
            for key in self._keys
        ]
        lines = [(line, (GUEST, HOST)) for line in self._lines]
        if own := self.handed_out():
            print_ = folded(fingerprint(me.key))
            lines.append((invitation.Invitation((), print_, own), (HOST, GUEST)))
        for line, ends in lines:
            common = line.common()
            pasted = line if ends[0] == GUEST else None
            found.append(before.get(common) or Missing(common, ends, now, pasted))
        self._missing = {
            one.theirs if one.is_friend else one.common: one for one in found
        }
        self._news.set()

    # Our own invitation.

    def take_back(self, kept: str) -> None:
        """Wait for those who have the last invitation: it was handed out before."""
        secret, _, until = kept.partition(" ")
        with suppress(ValueError):  # written by hand
            if is_fingerprint(secret):
                self._handed = secret, int(until)

    def handed_out(self) -> str:
        """Return the secret of the last invitation, while it is waited for."""
        secret, until = self._handed
        now = self._me.counted()
        return secret if now < until <= now + limits.INVITED_SECONDS else ""

    def hand_out(self) -> str:
        """Return the secret of an invitation, and wait for whoever pastes it.

        The one before, as long as it is good.  Empty where the DHT is not used.
        """
        if not (self.on and self.here):
            return ""
        secret = self.handed_out()
        full = any(
            one.mine == HOST and len(one.heard) >= limits.INTRODUCED
            for one in self._missing.values()
        )
        if not secret or full:
            secret = invitation.new_secret(self._me.entropy(SECRET_BYTES))
        else:
            for one in self._missing.values():
                if one.mine == HOST:  # as soon as if it were another one
                    one.since = trio.current_time()
        self._handed = secret, self._me.counted() + limits.INVITED_SECONDS
        self._renew()
        return secret

    @property
    def kept(self) -> str:
        """Return what to keep of that for later starts."""
        secret, until = self._handed
        return f"{secret} {until}"

    # Whom to call by an invitation.

    def dials(self) -> Iterator[Dial]:
        """Yield the calls of strangers who call now.

        Whom our own line has brought here nobody here waits for, and whoever has the
        line may name places of others: these get a few packets.
        """
        for one in self._missing.values():
            for key, other in one.strangers.items():
                ours = one.mine == HOST
                yield Dial(other.line, key, calm=ours, eager=not ours, few=ours)

    def has_come(self, key: bytes) -> bool:
        """Tell whether somebody has come by our own invitation, as it seems."""
        return any(
            one.mine == HOST and key in one.heard for one in self._missing.values()
        )

    # In the DHT.

    async def run(self) -> None:
        """Be in the DHT while it is needed, until cancelled."""
        self._runs = True
        self._renew()
        pause = SOON_SECONDS
        while True:
            self._news = trio.Event()
            if not (self._opens and self.on and self._missing):
                await self._news.wait()
                continue
            first = min(one.due for one in self._missing.values())
            if trio.current_time() < first:
                with trio.move_on_at(first):
                    await self._news.wait()
                continue
            try:
                with trio.CancelScope() as self._scope:
                    async with self._opens(self.entries) as dht:
                        self._stands(failed=False)
                        pause = SOON_SECONDS
                        await self._serve(dht)
                if self._scope.cancelled_caught:
                    # Who has moved says so now, not when the old word was due again.
                    for one in self._missing.values():
                        one.restart(trio.current_time())
            except LocalError as error:
                self._journal("dht.failed", why=error)
                self._stands(failed=True)
                with trio.move_on_after(pause):
                    await self._news.wait()
                pause = min(MOST_SECONDS, 2 * pause)

    def _stands(self, *, failed: bool) -> None:
        if failed != self._failed:
            self._failed = failed
            self._changed()

    async def _serve(self, dht: Dht) -> None:
        """Look for who is missing, until nobody is."""
        needed, self._host = trio.current_time(), ""
        for one in self._missing.values():
            one.restart(needed)
        async with trio.open_nursery() as nursery:
            while trio.current_time() < needed + LINGER_SECONDS:
                # Strangers who call no more, and an invitation that is too old
                for one in self._missing.values():
                    one.forget_silent(trio.current_time())
                hosts = any(one.mine == HOST for one in self._missing.values())
                if hosts and not self.handed_out():
                    self._renew()
                    self._changed()
                if self._missing:
                    needed = trio.current_time()
                if dht.outside() != self._host:
                    self._host = dht.outside()
                    self.outside(self._host)
                for one in self._due():
                    one.busy = True
                    nursery.start_soon(self._look, dht, one)
                self._call()
                await trio.sleep(TICK_SECONDS)
            nursery.cancel_scope.cancel()

    def _due(self) -> list[Missing]:
        """Return whom to look for now, who has waited longest first."""
        now = trio.current_time()
        number = self._telling.word(self._me.words()).number
        for one in self._missing.values():
            if one.put[0] not in {-1, number}:
                one.due = min(one.due, now)
        free = AT_ONCE - sum(one.busy for one in self._missing.values())
        found = [
            one
            for one in self._missing.values()
            if one.common and not one.busy and one.due <= now
        ]
        return sorted(found, key=lambda each: each.due)[: max(0, free)]

    async def _look(self, dht: Dht, one: Missing) -> None:
        """Leave our word, if it is another now, and look for the other's."""
        try:
            if not one.waits:
                await self._put(dht, one)
            for day in epochs(self._me.unix()):
                where = spot(one.common, one.theirs, day)
                for item in await dht.get(where.key, where.salt):
                    self._take(where, item, one)
        finally:
            one.busy = False
            one.tries += 1
            now = trio.current_time()
            one.due = now + one.pause(now)

    async def _put(self, dht: Dht, one: Missing) -> None:
        now, unix = trio.current_time(), self._me.unix()
        words = self._me.words()
        word = self._telling.word(words)
        what = word.number, unix // EPOCH_SECONDS
        if one.put == what and now < one.put_at + one.put_seconds:
            return
        call = unix + CALL_SECONDS
        where = spot(one.common, one.mine, what[1])
        said = fits(word, call) if one.is_friend else introduced(
            where, self._me.key, call, words, self._me.sign
        )  # fmt: skip
        if said is None:
            return  # such long names of places are nobody's outside address
        item = sealed(where, said, self._me.entropy(NONCE_BYTES))
        if await dht.put(where.seed, where.salt, item):
            one.put, one.put_at, one.calls[self._me.key] = what, now, call

    def _take(self, where: Spot, item: bytes, one: Missing) -> None:
        """Take what lay there, if it is the friend's and no older than what we know."""
        try:
            if not one.is_friend:
                self._take_stranger(where, read_item(where, item, Introduction), one)
                return
            said = read_item(where, item, Appointment)
            places = said.number, said.places, said.signature
            if self._telling.found(Places(where.owner, *places, ())):
                one.tries = 0
            if said.number == self._telling.number(where.owner):
                if said.call > one.calls.get(where.owner, -1):
                    self._telling.signed(where.owner, trio.current_time())
                one.calls[where.owner] = said.call
        except PeerError as error:
            self._journal("dht.refused", why=error)

    def _take_stranger(self, where: Spot, said: Introduction, one: Missing) -> None:
        """Take a stranger's word, if it is newer than the one before.

        Raises:
            PeerError: BAD_SIGNATURE.
        """
        key, call = said.owner, said.call
        if key == self._me.key or self._me.blocked(key):
            return
        if one.line is not None and not one.line.fits(key):
            return
        late = abs(call - self._me.unix()) > SKEW_SECONDS
        if late or call <= one.heard.get(key, -1):
            return
        many = key not in one.heard and len(one.heard) >= limits.INTRODUCED
        if many or (key not in one.strangers and len(one.strangers) >= AT_ONCE):
            return
        data = introduction_data(where, call, said.places)
        check_signature(key, said.signature, data)
        one.heard[key] = call
        places = [place.text() for place in to_be_called(said.places)]
        if places:
            line = invitation.write(places, key, 0)
            until = trio.current_time() + limits.INTRODUCED_SECONDS
            one.strangers[key] = Stranger(line, until)
            one.calls[key] = call
            one.due = trio.current_time()
            self.want()

    def _call(self) -> None:
        """Call whose time it is; they do the same.

        The smaller key's times count: twice as many would cut slow calls short.
        """
        unix = self._me.unix()
        for one in self._missing.values():
            for key in (one.theirs,) if one.is_friend else tuple(one.strangers):
                if key not in one.calls or one.called.get(key) == unix:
                    continue
                at = one.calls[min(k for k in (key, self._me.key) if k in one.calls)]
                if unix >= at and (unix - at) % CALL_SECONDS == 0:
                    one.called[key] = unix
                    self._telling.moved(key)
