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

An item proves nothing by where it lay: its places count if their owner has signed them,
and only if they are newer than all before.  What is stale, another's or no item is
passed over.  A lie costs a call to where nobody is.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple, Protocol, TypeAlias

import trio
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from netplay.errors import Code, LocalError, PeerError
from netplay.finding.telling import Telling
from netplay.journal import Journal
from netplay.messages.link import Appointment, Places
from netplay.messages.node_questions import DhtStands
from netplay.peering.address import Address, several
from netplay.record.chance import number_bytes, tag
from netplay.record.log import SecretKey
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


# What is put, and where.


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


def spot(common: bytes, owner: bytes, epoch: int) -> Spot:
    """Return where an item of a day lies.

    Args:
        common: What only the two can work out.
        owner: The key of who leaves it.
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


def sealed(where: Spot, said: Appointment, nonce: bytes) -> bytes:
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


def opened(where: Spot, item: bytes) -> Appointment:
    """Return what an item says; whether its owner has signed that, others check.

    Raises:
        PeerError: BAD_FRAME, it is none of the pair's.
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
    said: Appointment = unpack(body, Appointment)
    return said


def fits(word: Places, call: int) -> Appointment | None:
    """Return what to say of our places; None if they are too long for an item."""
    said = Appointment(word.number, word.places, word.signature, call)
    return said if len(pack(said)) + LENGTH_BYTES <= TEXT_BYTES else None


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
        """Return the address from which our questions come, as the others see it."""
        ...


Opens: TypeAlias = Callable[[Sequence[Address]], AbstractAsyncContextManager[Dht]]
"""Joins the DHT by some nodes; raises a LocalError if none of them answers."""

ASK_SECONDS: Final = 5.0
"""For which a friend is missed before it is looked for: most cuts are shorter."""

SOON_SECONDS: Final = 5.0
"""Between the first looks; then twice as long each time, up to:"""

SOON: Final = 4
"""So many of these."""

MOST_SECONDS: Final = 40.0
LONG_SECONDS: Final = 300.0
"""After an hour."""

HOUR: Final = 3600.0

PUT_SECONDS: Final = 1800.0
"""After which an item is left once more: who keeps it may be gone."""

CALL_SECONDS: Final = 20
"""From one call at the same time to the next."""

AT_ONCE: Final = 4
"""Friends looked for at a time."""

LINGER_SECONDS: Final = 60.0
"""For which the DHT is not left when nobody is missing any more."""

TICK_SECONDS: Final = 1.0


class Missing:
    """A friend who is looked for."""

    def __init__(self, common: bytes, now: float) -> None:
        self.common: Final = common
        self.since: Final = now
        self.begin(now)
        self.calls: dict[bytes, int] = {}
        """Who said when both are to call."""
        self.called = 0
        """When we did last."""

    def begin(self, now: float) -> None:
        """Begin anew: with other nodes, or in another network."""
        self.due = max(now, self.since + ASK_SECONDS)
        self.tries = 0
        self.busy = False
        self.put: tuple[int, int] = (-1, -1)
        """The number of our word that lies there, and the day."""
        self.put_at = now

    def pause(self, now: float) -> float:
        """Return for how long not to look again."""
        if self.tries <= SOON:
            return SOON_SECONDS
        if now > self.since + HOUR:
            return LONG_SECONDS
        return float(min(MOST_SECONDS, SOON_SECONDS * 2 ** (self.tries - SOON)))


class Seeker(NamedTuple):
    """Who looks for friends."""

    key: bytes
    appointed: Callable[[bytes], bytes]
    """Returns what only this node and another can work out; empty for none."""
    unix: Callable[[], int]
    entropy: Callable[[int], bytes]
    words: Callable[[], tuple[str, ...]]
    """Returns our places of now."""


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
        self._missing: dict[bytes, Missing] = {}
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
        return "silent" if self._failed else "looks"

    @property
    def missing(self) -> int:
        """How many friends are looked for."""
        return len(self._missing)

    def switch(self, entries: Sequence[Address], *, on: bool) -> None:
        """Take whether the DHT is used, and by which nodes it is entered."""
        self.on, self.entries = on and bool(entries), tuple(entries)
        self.again()

    def again(self) -> None:
        """Join anew: nodes or network are others now."""
        self._scope.cancel()
        self._news.set()

    def miss(self, keys: Collection[bytes]) -> None:
        """Take who is missing, and waited for."""
        if keys == self._missing.keys():
            return
        if not self.on or not self.here:
            self._missing = {}
            return
        now, before = trio.current_time(), self._missing
        self._missing = {
            key: before.get(key) or Missing(self._me.appointed(key), now)
            for key in keys
        }
        self._news.set()

    async def run(self) -> None:
        """Be in the DHT while it is needed, until cancelled."""
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
                        await self._serve(dht)
            except LocalError as error:
                self._journal("dht.failed", why=error)
                self._stands(failed=True)
                with trio.move_on_after(MOST_SECONDS):
                    await self._news.wait()

    def _stands(self, *, failed: bool) -> None:
        if failed != self._failed:
            self._failed = failed
            self._changed()

    async def _serve(self, dht: Dht) -> None:
        """Look for who is missing, until nobody is."""
        needed, self._host = trio.current_time(), ""
        for one in self._missing.values():
            one.begin(needed)
        async with trio.open_nursery() as nursery:
            while trio.current_time() < needed + LINGER_SECONDS:
                if self._missing:
                    needed = trio.current_time()
                if dht.outside() != self._host:
                    self._host = dht.outside()
                    self.outside(self._host)
                for key, one in self._due():
                    one.busy = True
                    nursery.start_soon(self._look, dht, key, one)
                self._call()
                await trio.sleep(TICK_SECONDS)
            nursery.cancel_scope.cancel()

    def _due(self) -> list[tuple[bytes, Missing]]:
        """Return whom to look for now, who has waited longest first."""
        now = trio.current_time()
        number = self._telling.word(self._me.words()).number
        for one in self._missing.values():
            if one.put[0] not in {-1, number}:
                one.due = min(one.due, now)
        free = AT_ONCE - sum(one.busy for one in self._missing.values())
        found = [
            (key, one)
            for key, one in self._missing.items()
            if one.common and not one.busy and one.due <= now
        ]
        return sorted(found, key=lambda each: each[1].due)[: max(0, free)]

    async def _look(self, dht: Dht, key: bytes, one: Missing) -> None:
        """Leave our word for a friend, if it is another now, and look for theirs."""
        try:
            await self._put(dht, one)
            for day in epochs(self._me.unix()):
                where = spot(one.common, key, day)
                for item in await dht.get(where.key, where.salt):
                    self._take(where, item, one)
        finally:
            one.busy = False
            one.tries += 1
            now = trio.current_time()
            one.due = now + one.pause(now)

    async def _put(self, dht: Dht, one: Missing) -> None:
        now, unix, own = trio.current_time(), self._me.unix(), self._me.key
        word = self._telling.word(self._me.words())
        what = word.number, unix // EPOCH_SECONDS
        if one.put == what and now < one.put_at + PUT_SECONDS:
            return
        call = unix + CALL_SECONDS
        said = fits(word, call)
        if said is None:
            return  # such long names of places are nobody's outside address
        where = spot(one.common, own, what[1])
        item = sealed(where, said, self._me.entropy(NONCE_BYTES))
        if await dht.put(where.seed, where.salt, item):
            one.put, one.put_at, one.calls[own] = what, now, call

    def _take(self, where: Spot, item: bytes, one: Missing) -> None:
        """Take what lay there, if it is the friend's and no older than what we know."""
        try:
            said = opened(where, item)
        except PeerError as error:
            self._journal("dht.refused", why=error)
            return
        places = said.number, said.places, said.signature
        if self._telling.found(Places(where.owner, *places, ())):
            one.tries = 0
        if said.number == self._telling.number(where.owner):
            one.calls[where.owner] = said.call

    def _call(self) -> None:
        """Call whose time it is; they do the same.

        The smaller key's times count: twice as many would cut slow calls short.
        """
        unix = self._me.unix()
        for key, one in self._missing.items():
            if key not in one.calls or one.called == unix:
                continue
            at = one.calls[min(one.calls)]
            if unix >= at and (unix - at) % CALL_SECONDS == 0:
                one.called = unix
                self._telling.moved(key)
