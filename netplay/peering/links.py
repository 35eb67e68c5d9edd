"""All links of a node: who may come in, which of two is kept, who is there.

Theory of operation.  A connection is judged when its Hello has come, counts when it is
open, and is the link to its peer until it ends or another takes its place.  The owner
(the node) is told here of peers that come and go; what they say it is told by their
connections, and `settled` after every such batch.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from math import inf
from typing import Any, Final, Protocol
from weakref import ref

import trio
from msgspec.structs import replace

from netplay import limits
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.journal import Journal, Sparing
from netplay.messages.link import DialBack, DialedBack, Hello, NewName, ReachMessage
from netplay.peering.address import Address
from netplay.peering.connection import Connection, Taker, Way, send
from netplay.peering.dial_plan import HoldBack, Rival, keeps_old
from netplay.peering.gate import Gate
from netplay.peering.identity import Duplicates
from netplay.peering.link import (
    DIAL_BACK,
    Closed,
    End,
    Opened,
    Quiet,
    Reach,
    Renamed,
    Seldom,
)
from netplay.peering.net import Incoming, Net, leads
from netplay.peering.peers import KnownPeers
from netplay.peering.pipe import hung_up
from netplay.rate import Buckets
from netplay.said import Said
from netplay.sentences import Says

KEPT: Final = "another link is kept"
"""The goodbye on the one of two links that goes."""


class Owner(Taker, Protocol):
    """Whom the links belong to."""

    def peer_up(self, key: bytes, name: str, address: str, *, friend: bool) -> None:
        """Note that a peer can be talked to."""

    def peer_down(self, key: bytes) -> None:
        """Note that a peer has gone."""

    def peer_named(self, key: bytes, name: str) -> None:
        """Note that a peer's player has taken another name."""

    def quiet(self, key: bytes) -> None:
        """Note that nothing has been heard from a peer for longer than pings take."""

    def met(self, connection: Connection, name: str) -> None:
        """Note a peer that this node had never met before."""

    def reach(self, connection: Connection, message: ReachMessage) -> None:
        """Take a message about reaching a node."""

    def alarm(self, words: Said) -> None:
        """Tell the player loudly."""

    def mistake(self, error: Exception, what: str) -> None:
        """Take a mistake of the program's, by which a link has ended."""

    def wake_by(self, due: float) -> None:
        """Have links woken at a time, or sooner."""

    def expects(self, key: bytes) -> bool:
        """Tell whether a table needs this peer."""
        ...

    def misses(self, key: bytes) -> bool:
        """Tell whether somebody would miss this peer at once."""
        ...

    def trusts(self, key: bytes) -> bool:
        """Tell whether it may send as much as a match needs."""
        ...


class Links:
    """The connections of a node, and the one that is the link to each peer."""

    def __init__(
        self,
        hello: Callable[[], Hello],
        net: Net,
        known: KnownPeers,
        owner: Owner,
        journal: Journal,
        own_key: bytes,
    ) -> None:
        """Start with none.

        Args:
            hello: Returns what to say first.
            net: Where connections come from.
            known: Whom we have met.
            owner: Who is told.
            journal: Where events are noted.
            own_key: This node's key.
        """
        self._hello = hello
        self._net = net
        self._known = known
        self._owner = owner
        self._journal = journal
        self.own_key: Final = own_key
        self._gate = Gate(self._awaits)
        self._strangers: Final = Sparing(
            journal, limits.STRANGER_LINES_A_SECOND, limits.STRANGER_LINES_AT_ONCE
        )
        self._comers: Final[dict[bytes, Sparing]] = {}
        """For lines about links of nodes that are expected, each by itself."""
        self._links: dict[bytes, Connection] = {}
        self.send: Final = partial(send, self._links)
        """Sends a message to those of the peers that are there."""
        self._connections: set[Connection] = set()
        self._last_seen: dict[bytes, float] = {}
        self._ending = False
        self._gone = trio.Event()
        self.due = inf
        """When `wake` is due: not later, and rarely sooner.

        What a link hears puts its own time off.  The earlier one costs a look every few
        seconds; to ask all links at every message would cost more.
        """
        self._names: Final = Buckets[bytes](
            limits.WORDS_A_SECOND, limits.WORDS_AT_ONCE, limits.LINKS
        )
        self._later: Final[dict[Connection, tuple[str, float]]] = {}
        """The last name that was heard too soon after others, and when it counts."""
        self._duplicates = Duplicates()
        self.held = HoldBack()
        """Who is not to be dialled for a while."""
        self.changed = trio.Event()
        """Set when a link has come or gone; whoever waits puts in a new one."""

    # Coming in.

    async def came(self, incoming: Incoming) -> None:
        """Carry a connection that has come in to its end."""
        scope = trio.CancelScope()
        try:
            evict = self._gate.knock(incoming.ip, scope)
            if isinstance(evict, trio.CancelScope):
                evict.cancel()
            with scope:
                await self._secure(incoming, scope)
        except Exception as error:  # noqa: BLE001 (it ends this connection alone)
            self._owner.mistake(error, "connection")
        finally:
            self._gate.leave(scope)
            await trio.aclose_forcefully(incoming.stream)

    def _awaits(self, ip: str) -> bool:
        """Tell whether a friend, or a player, may come from an address."""
        known = self._known
        for key in known.friends():
            for place in (*known.addresses(key), *known.places_told(key)):
                if place.rpartition(":")[0].strip("[]") == ip:
                    return True
        return False

    async def _secure(self, incoming: Incoming, scope: trio.CancelScope) -> None:
        began, until = trio.current_time(), trio.CancelScope()

        async def turn() -> None:
            nonlocal began
            until.deadline = began + limits.TURN_SECONDS
            while wait := self._gate.ask_turn(scope, trio.current_time()):
                if await hung_up(incoming.stream, wait):
                    raise LocalError(Code.NO_ANSWER, Says.HUNG_UP())
            began = trio.current_time()
            until.deadline = began + limits.HANDSHAKE_SECONDS

        try:
            with trio.fail_after(limits.HANDSHAKE_SECONDS) as until:
                secured = await self._net.secure(
                    incoming.stream, server_side=True, turn=turn
                )
        except (NetplayError, trio.TooSlowError) as error:
            why = str(error) or "too slow"
            self.note_stranger("stranger.failed", ip=incoming.ip, why=why)
            return
        if secured.key in self._known.blocked:
            self.note_stranger("blocked.refused", key=fingerprint(secured.key))
            return
        self._gate.proved(scope, trio.current_time())
        connection = Connection(secured.stream, secured.key, incoming.ip, Way.CAME)
        connection.knock, connection.through = scope, incoming.through
        connection.udp = incoming.udp
        await self.carry(connection, began, self._judge_stranger)

    async def carry(
        self, connection: Connection, began: float, judge: Callable[[Connection], None]
    ) -> None:
        """Carry a secured connection to its end.

        Args:
            connection: It.
            began: When its handshake began.
            judge: Raises a PeerError if its peer is not welcome.
        """
        # The link keeps this, and the connection the link: in a ring each would hold
        # its TLS until the collector looks, which a stranger's links outrun.
        held = ref(connection)

        def admit(hello: Hello) -> None:
            judged = held()
            assert judged is not None  # it is what asks
            self._judge(judged, hello, judge)

        if self._ending:  # who has just been said Bye to calls again at once
            await trio.aclose_forcefully(connection.stream)
            return
        connection.begin(self._hello(), admit, began, self, self._owner)
        self._connections.add(connection)
        try:
            await connection.carry()
        except Exception as error:  # noqa: BLE001 (it ends this link alone)
            self._lost(connection, error)
        finally:
            self._connections.discard(connection)
            self._gone.set()

    def _lost(self, connection: Connection, mistake: Exception) -> None:
        """Take a link as gone in which the program has made a mistake."""
        self._owner.mistake(mistake, "link")
        self.set_due()
        if connection.in_use:
            self._links.pop(connection.key, None)
            connection.in_use = False
            self._owner.peer_down(connection.key)
            self._owner.settled()
            self.changed.set()

    def _judge(
        self, connection: Connection, hello: Hello, judge: Callable[[Connection], None]
    ) -> None:
        """Refuse copies of ourselves and of others, and whom the caller refuses."""
        key = connection.key
        if (
            key == self.own_key
        ):  # had it our nonce, too, the link would have seen that we called ourselves
            raise PeerError(Code.KEY_IN_USE)
        if key in self._known.blocked:
            connection.drop()  # without a word, though its handshake had begun
            raise PeerError(Code.BUSY)
        judge(connection)
        if self._duplicates.is_one(key, hello.nonce):
            self._duplicates.absolve(key)
            other = self._links.get(key)
            if other is not None:
                self.hang_up(other, Code.KEY_IN_USE, "")
            raise PeerError(Code.KEY_IN_USE)

    def _judge_stranger(self, connection: Connection) -> None:
        """Refuse a crowd: the oldest link that no table needs makes room."""
        key = connection.key
        if key in self._links or len(self._links) < limits.LINKS:
            return
        for other in tuple(self._links.values()):
            if not self._owner.expects(other.key):
                other.hear(other.close(Code.BUSY, ""), trio.current_time())
                return
        if not self._owner.expects(key):
            raise PeerError(Code.BUSY)

    # What links tell: see `connection.Keeper`.

    def happened(self, connection: Connection, event: Seldom) -> None:
        """Act on what a link has to tell."""
        match event:
            case Opened():
                self._opened(connection, event)
            case Reach(message):
                if connection.in_use:
                    self._reach(connection, message)
            case Renamed(name):
                if connection.in_use:
                    self._renamed(connection, name)
            case Quiet():
                if connection.in_use:
                    self._owner.quiet(connection.key)
            case Closed():
                self._closed(connection, event)

    def _opened(self, connection: Connection, event: Opened) -> None:
        """Take a link into use, unless another one to the peer is kept."""
        self.set_due()
        if connection.knock is not None:
            self._gate.leave(connection.knock)
        connection.opened_at = trio.current_time()
        connection.hello = event.hello
        old = self._links.get(connection.key)
        if old is not None:
            if keeps_old(self._rival(old), self._rival(connection)):
                self.hang_up(connection, None, KEPT)
                return
            self.hang_up(old, None, KEPT)
        self._links[connection.key], connection.in_use = connection, True
        self.held.here(connection.key)
        self._duplicates.note_nonce(connection.key, event.hello.nonce)
        connection.features = frozenset(event.features)
        address = _listens_at(connection, event.hello)
        if connection.way is not Way.CAME or self._known.knows(connection.key):
            self._remember(connection, event.hello)
        self._note(
            connection,
            "link.up",
            peer=fingerprint(connection.key),
            name=event.hello.name,
            address=connection.address,
            way=connection.way.name.lower(),
            over="udp" if connection.udp else "tcp",
        )
        called = connection.called or address
        friend = self._known.is_friend(connection.key)
        name = event.hello.name
        self._owner.peer_up(connection.key, name, called, friend=friend)
        self._calm(connection)
        now = self._hello().name  # the player may have taken it since we said Hello
        if connection.said is not None and connection.said.name != now:
            self.send((connection.key,), NewName(now))
        self.changed.set()

    def _renamed(self, connection: Connection, name: str) -> None:
        """Take another name of a peer's player: all else on the link goes on.

        Of those that come too fast the last is taken as soon as it may.
        """
        hello, now = connection.hello, trio.current_time()
        assert hello is not None  # the link is open
        self._later.pop(connection, None)
        if name == hello.name:
            return
        if not (bucket := self._names.of(connection.key, now)).take(now):
            self._later[connection] = name, now + bucket.wait(now)
            self.set_due()
            return
        connection.hello = hello = replace(hello, name=name)
        if self._known.knows(connection.key):
            self._remember(connection, hello)
        self._owner.peer_named(connection.key, name)

    def _remember(self, connection: Connection, hello: Hello) -> None:
        """Keep name and address of a peer for the next time, if the disk lets us.

        Strangers are only remembered once a table needs them: they must not be able to
        fill the disk, or keep it busy.
        """
        dialled = connection.way is not Way.CAME and not connection.through
        address = _listens_at(connection, hello)
        new = not self._known.knows(connection.key)
        try:
            self._known.met(connection.key, hello.name, address, dialled=dialled)
        except LocalError as error:
            self._journal("disk.failed", why=error)
        if new:
            self._owner.met(connection, hello.name)

    def _rival(self, connection: Connection) -> Rival:
        """Return what decides for or against a link."""
        dialled = connection.way is Way.DIALLED
        if connection.way is Way.MET:  # both have: whoever began the handshake counts
            dialled = leads(self.own_key, folded(fingerprint(connection.key)))
        nonce = connection.hello.nonce if connection.hello else b""
        dialler = self.own_key if dialled else connection.key
        return Rival(dialler, nonce, connection.opened_at or 0.0)

    def _reach(self, connection: Connection, message: ReachMessage) -> None:
        """Hand on what is about reaching nodes, if both have agreed to speak of it."""
        dials = isinstance(message, DialBack | DialedBack)
        if dials and DIAL_BACK not in connection.features:
            return
        try:
            self._owner.reach(connection, message)
        except PeerError as error:
            self.hang_up(connection, error.code, error.reason)

    def hang_up(self, connection: Connection, code: Code | None, why: str) -> None:
        """Say Bye and note the end, without settling yet."""
        for event in connection.close(code, why):
            assert isinstance(event, Closed)
            self._closed(connection, event)

    def _closed(self, connection: Connection, event: Closed) -> None:
        self.set_due()
        connection.ended = event
        code = event.code.name if event.code else "none"
        self._note(
            connection,
            "link.down" if connection.opened_at is not None else "link.refused",
            peer=fingerprint(connection.key),
            by=event.end.name,
            code=code,
            why=event.reason,
        )
        if event.code is Code.KEY_IN_USE:
            self._say_in_use(connection, event.end)
        if event.code is Code.KEY_IN_USE or connection.opened_at is not None:
            # A peer is not dialled too soon after what was wrong.
            now = trio.current_time()
            lasted = now - (connection.opened_at or now)
            self.held.ended(connection.key, event.code, lasted, now)
        if connection.in_use:
            del self._links[connection.key]
            connection.in_use = False
            if connection.remembered or connection.way is not Way.CAME:
                self._last_seen.pop(connection.key, None)
                self._last_seen[connection.key] = trio.current_time()
                if len(self._last_seen) > limits.PEERS_AWAY:
                    del self._last_seen[next(iter(self._last_seen))]
            self._owner.peer_down(connection.key)
            self.changed.set()

    def _say_in_use(self, connection: Connection, end: End) -> None:
        """Tell the player of a key on two computers; stop if it is the player's own.

        That somebody has our key is proved by TLS; that it is in use elsewhere we only
        believe those whom we have called, or play with.
        """
        key, hello = connection.key, connection.hello
        ours = key == self.own_key
        if not (ours or connection.way is not Way.CAME or self._owner.expects(key)):
            return
        who = (hello.name if hello else "") or self._known.name(key) or fingerprint(key)
        if ours:
            words = Says.KEY_USED_AT(address=connection.address)
        elif end is End.THEIRS:
            words = Says.KEY_USED_SAYS(who=who)
        else:
            words = Says.KEY_USED_TWICE(who=who)
        if words in self.held.reasons or self.held.wait(key, trio.current_time()):
            return  # the player has been told already
        self._owner.alarm(words)
        if ours or end is End.THEIRS:
            self.held.stop(key, words)
        else:
            self.held.warn(key, words)

    def _note(self, connection: Connection, event: str, **fields: object) -> None:
        """Write a line about a link to the journal; strangers get a limited number."""
        came = connection.way is Way.CAME
        if came and not self._owner.expects(connection.key):
            self.note_stranger(event, **fields)
            return
        key = connection.key
        sparing = self._comers.pop(key, None) or Sparing(
            self._journal, limits.STRANGER_LINES_A_SECOND, limits.COMER_LINES_AT_ONCE
        )
        self._comers[key] = sparing
        if len(self._comers) > limits.COMERS_REMEMBERED:
            del self._comers[next(iter(self._comers))]
        sparing.note(trio.current_time(), event, **fields)

    def note_stranger(self, event: str, **fields: object) -> None:
        """Write a line about what anybody may cause, if there are not too many."""
        self._strangers.note(trio.current_time(), event, **fields)

    def note_left_out(self) -> None:
        """Write down how many lines of strangers were left out since the last one."""
        self._strangers.note_left_out("strangers.left_out")

    # Going out.

    def trust_all(self) -> None:
        """Let the peers that a table needs send as much as a match needs."""
        for connection in self._links.values():
            self.trust(connection)
            self._calm(connection)
        self.set_due()

    def _calm(self, connection: Connection) -> None:
        """Ping seldom where nobody would miss a peer at once."""
        connection.be_calm(calm=not self._owner.misses(connection.key))

    def trust(self, connection: Connection) -> None:
        """Remember a peer that a table needs; trust one the player has agreed to."""
        key, hello = connection.key, connection.hello
        if not connection.remembered and self._owner.expects(key):
            assert hello is not None
            connection.remembered = True
            self._remember(connection, hello)
        if not connection.trusted and self._owner.trusts(key):
            connection.trust()

    def befriend(self, keys: Iterable[bytes]) -> None:
        """Remember those whom the player has said yes to, if the disk lets us."""
        for key in keys:
            connection = self._links.get(key)
            hello = None if connection is None else connection.hello
            try:
                self._known.befriend(key, hello.name if hello else "")
            except LocalError as error:
                self._journal("disk.failed", why=error)

    def part(self, keys: Container[bytes]) -> None:
        """Hang up on some, and on whoever has been blocked since."""
        for connection in tuple(self._links.values()):
            if connection.key in keys or connection.key in self._known.blocked:
                self.hang_up(connection, None, "")

    def end(self, why: str) -> None:
        """Say Bye to everybody, and take nobody any more."""
        self._ending = True
        for connection in tuple(self._connections):
            self.hang_up(connection, None, why)

    async def all_gone(self) -> None:
        """Wait until no connection is left."""
        while self._connections:
            self._gone = trio.Event()
            await self._gone.wait()

    # Time.

    def set_due(self) -> None:
        """Work out when `wake` is due: a link has begun, ended or half a frame."""
        soonest = min(map(Connection.deadline, self._connections), default=inf)
        self.due = min((soonest, *(at for _, at in self._later.values())))
        self._owner.wake_by(self.due)

    def wake(self, now: float) -> None:
        """Let every link do what is due."""
        for connection in tuple(self._connections):
            if connection.deadline() <= now:
                try:
                    if connection.in_use:
                        self._calm(connection)
                    connection.wake(now)
                except Exception as error:  # noqa: BLE001 (it ends this link alone)
                    self._connections.discard(connection)
                    self._lost(connection, error)
                    connection.drop()
        for connection, (name, at) in tuple(self._later.items()):
            if at <= now:
                del self._later[connection]
                if connection.in_use:
                    self._renamed(connection, name)
        self.set_due()

    # Telling.

    def here(self) -> Mapping[bytes, Connection]:
        """Return the links that are open."""
        return self._links

    def forget_gone(self, *noted: dict[Connection, Any]) -> None:
        """Drop what somebody has noted of links that are gone."""
        here = set(self._links.values())
        for kept in noted:
            for connection in kept.keys() - here:
                del kept[connection]

    def is_quiet(self, key: bytes) -> bool:
        """Return whether a peer has a link, but has not been heard for a while."""
        connection = self._links.get(key)
        return connection is not None and connection.quiet

    def away(self) -> Iterator[tuple[bytes, float]]:
        """Yield peers that were there and have gone, and when."""
        for key, seen in self._last_seen.items():
            if key not in self._links and key not in self._known.blocked:
                yield key, seen


def _listens_at(connection: Connection, hello: Hello) -> str:
    if connection.through:
        return ""
    if connection.way is not Way.CAME:
        return connection.address
    if not (hello.port and connection.address):
        return ""
    return Address(connection.address, hello.port).text()
