"""Where a node and its friends are: told to friends, and passed on among them.

Theory of operation.  Whom the player knows is told of all our places when a link opens
and whenever they change, in a word that is signed: so whoever has it can pass it on to
a friend that it has in common with us, and two who have both moved find each other by
a third who has stayed.  Who has whom in common nobody has to be told: each names to its
friends the pairs that it makes with the others, by names that only the two of a pair
can work out.  Where two have told us the same name they know each other, and each may
have the other's word; nobody else gets it, and no word goes over a link twice.

The newest word has the greatest number, by the clock of whoever signs it.  A clock that
was wrong locks nobody out: whom a node tells itself believes it whatever the number,
and answers with the greater one that it has; from there the owner counts on.

Who lies in a word of its own costs a call to where nobody is, as it always could.
"""

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple

import trio
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, LocalError, PeerError
from netplay.finding.beacon import is_loopback
from netplay.finding.places import useful
from netplay.journal import Journal
from netplay.messages.link import Places
from netplay.messages.types import LARGEST, PAIRS
from netplay.peering.address import parse
from netplay.peering.connection import Connection
from netplay.peering.line import Via, is_via, read_via
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers
from netplay.rate import Bucket
from netplay.record.chance import number_bytes, tag
from netplay.record.log import check_signature
from netplay.wanted import Dial
from netplay.wire import pack


class Owner(NamedTuple):
    """Whose places are told."""

    key: bytes
    sign: Callable[[bytes], bytes]
    pair: Callable[[bytes], bytes]
    """Returns what only this node and another can call the two; empty for none."""
    unix: Callable[[], int]


class Telling:
    """What is said to friends of our places, and what they say of theirs."""

    def __init__(
        self,
        me: Owner,
        links: Links,
        known: KnownPeers,
        is_friend: Callable[[bytes], bool],
        journal: Journal,
    ) -> None:
        """Prepare.

        Args:
            me: This node.
            links: Who is there.
            known: Where words of friends are kept.
            is_friend: Tells whether the player has called somebody, or plays with them.
            journal: Where failures are noted.
        """
        self._me: Final = me
        self.unix: Final = me.unix
        """The time of day in seconds."""
        self._links: Final = links
        self._known: Final = known
        self._is_friend: Final = is_friend
        self._journal: Final = journal
        self._own: Places | None = None
        self._least = 0
        """What our next word has to count at least."""
        self._names: Final[dict[bytes, bytes]] = {}
        """What we call the pairs that we make with others."""
        self._told: Final[dict[Connection, Places]] = {}
        """Our own word, as it was last said on each link."""
        self._passed: Final[dict[Connection, dict[bytes, int]]] = {}
        """Numbers of the words of others that went over each link, either way."""
        self._heard: Final[dict[Connection, tuple[Bucket, Bucket]]] = {}
        """How often each may tell of itself, and of others."""
        self.moved: Callable[[bytes | None], None] = lambda _key: None
        """Told who may be found elsewhere than before, by the word of another; None
        where all may be, for we are elsewhere."""
        self.signed: Callable[[bytes, float], None] = lambda _key, _now: None
        """Told who has signed something new, and when we have got it."""
        self.greet: Callable[[bytes, float], None] = lambda _key, _now: None
        """Told the same by a friend's word that another has brought: it is awake."""

    # Ours, and what we pass on.

    def tell(self, words: tuple[str, ...]) -> None:
        """Tell those whom the player knows, if there is news for them.

        Args:
            words: Our places of now.
        """
        self._links.forget_gone(self._told, self._passed, self._heard)
        own = self._word(words)
        here = self._links.here()
        for key, connection in tuple(here.items()):
            if not self._may_hear(key):
                continue
            if self._told.get(connection) != own:
                self._told[connection] = own
                self._links.send((key,), own)
            self._pass_on(key, connection)

    def _word(self, words: tuple[str, ...]) -> Places:
        """Return our word: the one before if nothing has changed."""
        old, key = self._own, self._me.key
        if old is None or old.places != words:
            least = max(self._least, old.number + 1 if old is not None else 0)
            number = min(max(self._me.unix(), least), LARGEST)
            signature = self._me.sign(places_data(key, number, words))
            old = Places(key, number, words, signature, ())
        friends = [key for key in self._known.friends() if self._may_hear(key)]
        for key in friends[-PAIRS:]:
            if key not in self._names:
                self._names[key] = self._me.pair(key)
        names = {self._names[key] for key in friends[-PAIRS:]}
        self._own = own = replace(old, pairs=tuple(sorted(filter(None, names))))
        return own

    def word(self, words: tuple[str, ...]) -> Places:
        """Return our word of our places, as others may pass it on."""
        return replace(self._word(words), pairs=())

    def _pass_on(self, key: bytes, connection: Connection) -> None:
        """Tell somebody of friends in common that may be elsewhere now."""
        theirs = self._known.word(key)
        if theirs is None or not theirs.pairs:
            return
        passed = self._passed.setdefault(connection, {})
        pairs = frozenset(theirs.pairs)
        for owner in self._known.friends():
            word = self._known.word(owner)
            if word is None or word.number <= passed.get(owner, -1):
                continue
            both = not pairs.isdisjoint(word.pairs)
            if both and owner != key and self._may_hear(owner):
                passed[owner] = word.number
                self._links.send((key,), replace(word, pairs=()))

    def _may_hear(self, key: bytes) -> bool:
        return self._is_friend(key) and key not in self._known.blocked

    # Theirs.

    def on_places(self, connection: Connection, message: Places) -> bool:
        """Take a friend's word of its places, or one that it passes on.

        Returns:
            Whether there may be something to be told now.

        Raises:
            PeerError: BAD_SIGNATURE, under what somebody says of itself.
        """
        key, now = connection.key, trio.current_time()
        if not self._may_hear(key):
            return False
        own = message.owner == key
        buckets = self._heard.setdefault(
            connection,
            (
                Bucket(limits.WORDS_A_SECOND, limits.WORDS_AT_ONCE, now),
                Bucket(limits.PASSED_A_SECOND, limits.PASSED_AT_ONCE, now),
            ),
        )
        if not buckets[0 if own else 1].take(now):
            return False
        if own:
            if not _is_signed(message):
                raise PeerError(Code.BAD_SIGNATURE)
            held = self._known.word(key)
            if held == message:
                return False
            if held is not None and held.number >= message.number:
                # Remind it of what it has said before
                before = replace(held, pairs=())
                if before != replace(message, pairs=()):
                    self._links.send((key,), before)
            self._keep(message)
            return True
        if message.owner == self._me.key:
            return self._count_on(message)
        return self._take_passed(connection, message)

    def _count_on(self, message: Places) -> bool:
        """Take back what we have said before by another clock: we go on from there."""
        own = self._own
        if own is None or message.number < own.number or not _is_signed(message):
            return False
        if replace(own, pairs=()) == message:
            return False
        self._least, self._own = message.number + 1, None
        return True

    def _take_passed(self, connection: Connection, message: Places) -> bool:
        """Take what a friend in common has said to another."""
        owner, number = message.owner, message.number
        held = self._known.word(owner)
        if not self._may_hear(owner) or not self._known.knows(owner):
            return False
        if held is not None and held.number >= number:
            # Whoever tells it has an older one than we, and may want ours.
            passed = self._passed.setdefault(connection, {})
            passed[owner] = max(number, passed.get(owner, -1))
            return held.number > number
        if not self.found(message):
            self._links.note_stranger("places.forged", ip=connection.address)
            return False
        self._passed.setdefault(connection, {})[owner] = number
        return True

    def found(self, message: Places) -> bool:
        """Take a friend's word that has come by others' hands, and call it there.

        Returns:
            Whether it is the friend's, and newer than all before.
        """
        owner, held = message.owner, self._known.word(message.owner)
        if not self._may_hear(owner) or not self._known.knows(owner):
            return False
        if held is not None and held.number >= message.number:
            return False
        if not _is_signed(message):
            return False
        self._keep(replace(message, pairs=held.pairs if held is not None else ()))
        if owner not in self._links.here():
            self.signed(owner, trio.current_time())
            self.moved(owner)
            self.greet(owner, trio.current_time())
        return True

    def number(self, key: bytes) -> int:
        """Return which word of a friend's is the newest, -1 if there is none."""
        held = self._known.word(key)
        return -1 if held is None else held.number

    def _keep(self, word: Places) -> None:
        own = self._own.places if self._own is not None else ()
        # Who listens on the loopback alone has met nobody elsewhere.
        inside = bool(own) and all(
            not is_via(text) and is_loopback(parse(text).host) for text in own
        )
        found = (useful_place(text, inside=inside) for text in word.places)
        told = filter(None, found)
        try:
            self._known.tells(word.owner, tuple(dict.fromkeys(told)), word)
        except LocalError as error:
            self._journal("disk.failed", why=error)


# Whom to ask, where somebody is missing.


ASK_SECONDS: Final = 3.0
"""For which somebody is missed before others are asked: most cuts are shorter."""

ASKED: Final = 8
"""Friends called at a time to ask them."""

TURN_SECONDS: Final = 60.0
"""For which these are called, before the next."""


GREET_GONE_SECONDS: Final = 10.0
"""After a friend has gone, before it is called: who starts anew calls by itself."""


class Asking:
    """Calls friends while somebody is missing who may have moved, as we may have.

    They are told nothing of who is missing: a link is all it takes for both sides'
    words to be passed on.
    """

    def __init__(
        self, links: Links, known: KnownPeers, want: Callable[[], None]
    ) -> None:
        """Prepare.

        Args:
            links: Who is there.
            known: The friends.
            want: Has the links looked for that are wanted now.
        """
        self._links: Final = links
        self._known: Final = known
        self._want: Final = want
        self._missed: dict[bytes, float] = {}
        """Since when each is missed."""
        self._turns = 1
        """Which friends are called changes so often, before it begins again."""
        self._news = trio.Event()

    async def run(self) -> None:
        """Have it looked again whom to call, when that has changed."""
        while True:
            self._news = trio.Event()
            with trio.move_on_at(self._next(trio.current_time())) as scope:
                await self._news.wait()
            if scope.cancelled_caught or self._missed:
                self._want()

    def poke(self) -> None:
        """Look again: a link has come or gone."""
        self._news.set()

    def _next(self, now: float) -> float:
        """Return when others are to be called than now, if nothing happens."""
        if not self._missed:
            return inf
        patient = [since + ASK_SECONDS for since in self._missed.values()]
        turn = (now // TURN_SECONDS + 1) * TURN_SECONDS if self._turns > 1 else inf
        return min((*filter(now.__lt__, patient), turn))

    def friends(self, missing: Collection[bytes], now: float) -> Iterator[Dial]:
        """Yield the calls to be made.

        Args:
            missing: Who is missing, and waited for.
            now: Seconds.
        """
        if self._missed.keys() != set(missing):
            self._news.set()
        self._missed = {key: self._missed.get(key, now) for key in missing}
        if all(now < since + ASK_SECONDS for since in self._missed.values()):
            return
        here, blocked = self._links.here(), self._known.blocked
        if len(here) >= limits.LINKS // 2:
            return  # some of them can tell; the others' room is for who comes
        found = [
            key
            for key in reversed(self._known.friends())
            if key not in here and key not in missing and key not in blocked
        ]
        self._turns = -(-len(found) // ASKED) or 1
        first = ASKED * (int(now / TURN_SECONDS) % self._turns)
        for key in found[first : first + ASKED]:
            yield Dial("", key, calm=True)


# Whom to call, where nobody is missing.


@dataclass
class Greeted:
    """How it stands with a friend who is called to be seen awake."""

    due: float
    """When the next call is, in seconds."""
    wait: int = limits.GREET_SECONDS
    """The seconds between that call and the one after it."""
    until: float = -inf
    """The end of a call under way."""
    call: int = 0
    """Its number: a friend may be called anew before that end, from another network."""
    since: float = inf
    """Since when it is here."""
    heard: float = -inf
    """When it was called last because it was heard nearby, or told of."""


class Greeting:
    """Calls friends now and then for whom nobody waits, so that both see who is awake.

    Whoever starts calls everybody, so who runs already has to call those few again who
    cannot call by themselves: ever more seldom, each at moments that both of a pair
    work out alike.  Two whose routers let nobody in call at the same time so, which
    opens both.

    A friend is called where it has said that it is, and through nobody whom it has not
    named itself: so nobody else hears of whom the player knows.
    """

    def __init__(
        self,
        own_key: bytes,
        links: Links,
        known: KnownPeers,
        unix: Callable[[], int],
        want: Callable[[], None],
    ) -> None:
        """Prepare.

        Args:
            own_key: This node's.
            links: Who is there.
            known: The friends.
            unix: Returns Unix time in seconds.
            want: Has the links looked for that are wanted now.
        """
        self._own_key: Final = own_key
        self._links: Final = links
        self._known: Final = known
        self._unix: Final = unix
        self._want: Final = want
        self._greeted: dict[bytes, Greeted] = {}
        self._calls = 0
        """How many were begun."""
        self._called: list[Dial] = []
        """Which were under way when it was last asked for them."""
        self._news = trio.Event()
        self.on = True
        """Whether the player lets friends be called so."""

    async def run(self) -> None:
        """Have friends called when it is time."""
        while True:
            self._news, now = trio.Event(), trio.current_time()
            self._look(now)
            if self._due(now) or self._under_way(now) != self._called:
                self._want()
            with trio.move_on_at(self._next(now)):
                await self._news.wait()

    def again(self) -> None:
        """Call all who are missing soon: this computer is in another network now."""
        self._greeted.clear()
        self.poke()

    def heard(self, key: bytes, now: float) -> None:
        """Have a friend called at once who was heard, or of whom a friend has told.

        One may be at another port than ever before.
        """
        one = self._greeted.get(key)
        gone = one is not None and key not in self._links.here()
        if one is not None and gone and one.heard + GREET_GONE_SECONDS <= now:
            one.heard = one.until = one.due = now
            self.poke()

    def poke(self) -> None:
        """Look again: who is here, who is a friend or where one is may have changed."""
        self._news.set()

    def _next(self, now: float) -> float:
        """Return when a call begins or ends, if nothing happens."""
        here, gone = self._links.here(), self._greeted.items()
        times = [max(one.until, one.due) for key, one in gone if key not in here]
        times += [one.until for key, one in gone if key not in here]
        return min(filter(now.__lt__, times), default=inf)

    def friends(self, now: float) -> list[Dial]:
        """Return the calls to be made.

        Args:
            now: Seconds.
        """
        self._look(now)
        for key in self._due(now):
            one = self._greeted[key]
            self._calls += 1
            one.call, one.until = self._calls, now + limits.DIAL_SECONDS
            # A pair has its moments in common. Each wait is a multiple of the one
            # before, and none is left out but while a call is under way: whoever calls
            # more seldom does so when the other calls, too.
            pair = hashlib.sha256(tag("greet") + b"".join(sorted((self._own_key, key))))
            shift = int.from_bytes(pair.digest()[:4], "big")
            soon = (shift - self._unix()) % one.wait
            one.due = now + (soon if soon > limits.DIAL_SECONDS else soon + one.wait)
            one.wait = min(2 * one.wait, limits.GREET_MOST_SECONDS)
            self.poke()
        self._called = self._under_way(now)
        return self._called

    def _look(self, now: float) -> None:
        """Take who is to be called at all, and who has gone since."""
        known, here, before = self._known, self._links.here(), self._greeted
        self._greeted = {}
        for key in reversed(known.friends()):
            one = before.get(key) or Greeted(now)
            if key in here:
                one.since = min(one.since, now)
            elif key in known.blocked or not (
                known.addresses(key) or known.places_told(key)
            ):
                continue
            elif one.since < inf:  # it has gone
                if now - one.since > one.wait:
                    one.wait = limits.GREET_SECONDS
                # Who lets go of us soon each time has no room, and others to take in.
                again = one.wait > 2 * limits.GREET_SECONDS
                one.due = now + (one.wait if again else GREET_GONE_SECONDS)
                one.since = inf
            self._greeted[key] = one

    def _under_way(self, now: float) -> list[Dial]:
        here = self._links.here()
        return [
            Dial("", key, calm=True, once=one.call)
            for key, one in self._greeted.items()
            if one.until > now and key not in here
        ]

    def _due(self, now: float) -> list[bytes]:
        """Return whose calls are to begin: the latest met first, so many at a time."""
        here = self._links.here()
        room = min(limits.GREET_AT_ONCE, limits.LINKS // 2 - len(here))
        found = [
            key
            for key, one in self._greeted.items()
            if self.on and one.due <= now and one.until <= now and key not in here
        ]
        return found[: max(0, room - len(self._under_way(now)))]


def places_data(owner: bytes, number: int, places: tuple[str, ...]) -> bytes:
    """Return what the owner of places signs."""
    return tag("places") + owner + number_bytes(number) + pack(places)


def _is_signed(word: Places) -> bool:
    """Tell whether a word is its owner's."""
    data = places_data(word.owner, word.number, word.places)
    try:
        check_signature(word.owner, word.signature, data)
    except PeerError:
        return False
    return True


def useful_place(text: str, *, inside: bool = False) -> str:
    """Return a place that a friend tells, if it may be tried; else nothing.

    That of a node that carries is one, too, if that node may be called there.

    Args:
        text: The place.
        inside: As of `useful`.
    """
    if not is_via(text):
        return useful(text, inside=inside)
    try:
        found = read_via(text)
    except LocalError:
        return ""
    where = useful(found.address.text()) if found.address is not None else ""
    return Via(found.carrier, parse(where)).text() if where else ""
