"""What the node itself answers its windows; the rest is for the tables."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio
from msgspec.structs import replace

from netplay import VERSION
from netplay.daemon.carrying import Carrying
from netplay.daemon.computer_players import OFFENSIVE
from netplay.daemon.dictionary_tools import Cached
from netplay.daemon.parts import Parts
from netplay.daemon.presence import Presence, keep_port, kept_port
from netplay.errors import Code, LocalError
from netplay.finding.discovery import Found, Offer
from netplay.fingerprint import fingerprint, folded
from netplay.messages.door import (
    Call,
    Done,
    Failed,
    GetStatus,
    Join,
    Request,
    Retry,
    SetName,
    Status,
    StopNode,
)
from netplay.messages.node_questions import (
    AddCarrier,
    Befriend,
    Block,
    Forget,
    GetInvitation,
    GetKnown,
    KnownNode,
    NameServers,
    Neighbour,
    Network,
    PeerStatus,
    PutAway,
    RemoveCarrier,
    SetCarry,
    SetPort,
    Switch,
    Unblock,
)
from netplay.messages.table_questions import GameStatus, Glance, WatchAt
from netplay.peering import invitation
from netplay.peering.address import PORT, parse
from netplay.peering.dialler import Dialler
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers, one_met, one_named
from netplay.record.archive import NAME_BYTES
from netplay.said import VALUE_CHARACTERS, Said, Words, brief, characters
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table.forming import told_as
from netplay.table.muted import spoken
from netplay.wire import pack

Listed: TypeAlias = tuple[tuple[str, Words, int], ...]
"""Matches that can go on: as in `Status.saved`."""

LOOK_SECONDS: Final = 2.0
"""Between looks at what is outside of the node: the status is made thirty times a
second while a match is fast."""

KNOWN: Final = 500
"""Nodes that were met, of which windows are told at once: those met last."""

TRUSTED_TOLD: Final = 8
"""Of a node's addresses at which only its key will do."""

ADDRESSES_TOLD: Final = 32
"""Of this computer's addresses: it has three or four."""

FAULTS_TOLD: Final = 64
"""Of what is wrong: who reads as many mends some first."""

FRIENDS: Final = 50
"""Listed for windows: more than anybody picks from."""

UNDER_WAY: Final = frozenset({"starting", "playing", "paused"})
"""Phases of a match that waits for a player who is away."""

Told: TypeAlias = Words | bytes | Done | Failed
"""What to say: words, data, or the whole answer of the tables."""

Answerer: TypeAlias = Callable[[Any, int, Request], Told]
"""Does what is asked: the question, of which window, its request."""


class Rpc:
    """The node's own answers, and its status."""

    def __init__(
        self,
        parts: Parts,
        links: Links,
        known: KnownPeers,
        dialler: Dialler,
        stop: Callable[[], None],
    ) -> None:
        """Remember the parts of the node that questions are about.

        Args:
            parts: The node's parts.
            links: Who is there.
            known: Who has been there.
            dialler: Who looks for them.
            stop: Ends the node.
        """
        self._parts = parts
        self._tables = parts.tables
        self._links = links
        self._known = known
        self._dialler = dialler
        self._stop = stop
        self._addresses = Cached(parts.addresses, LOOK_SECONDS)
        self._saved = Cached(parts.saved, LOOK_SECONDS)
        self._friends = Cached(self._find_friends, LOOK_SECONDS)
        self.name = clean(parts.home.setting("name"), NAME_CHARACTERS)
        self.port = 0
        self._next_port = kept_port(parts.home)
        self.presence: Presence | None = None
        """How others find and reach this node."""
        self.names: Callable[[float], tuple[tuple[str, ...], tuple[str, ...]]] = (
            lambda _now: ((), ())
        )
        """Returns the names of the user's own editions and word lists."""
        self.by_kind: Final[dict[type[Any], Answerer]] = {
            GetStatus: self._get_status,
            Glance: self._glance,
            StopNode: self._stop_node,
            PutAway: self._put_away,
            Retry: self._retry,
            GetKnown: self._get_known,
            Forget: self._forget,
            Block: self._block,
            Unblock: self._unblock,
            GetInvitation: self._invite,
            Switch: self._switch,
            SetCarry: self._set_carry,
            AddCarrier: self._add_carrier,
            RemoveCarrier: self._remove_carrier,
            Befriend: self._befriend,
            SetPort: self._set_port,
            NameServers: self._name_servers,
            SetName: self._rename,
            WatchAt: self._watch_at,
            Join: self._join,
            Call: self._call,
        }
        """What answers each kind of question that is the node's own."""

    def _get_status(self, _ask: GetStatus, window: int, request: Request) -> bytes:
        self._tables.unopened.open_all()
        return pack(self.status(window, request.table))

    def _glance(self, ask: Glance, *_asked: object) -> bytes:
        return pack(self._tables.glance(ask.table))

    def _get_known(self, *_asked: object) -> bytes:
        return pack(self._met())

    def _stop_node(self, *_asked: object) -> Said:
        self._stop()
        return Says.NODE_STOPS()

    def _put_away(self, ask: PutAway, *_asked: object) -> str:
        self._parts.faults.put_away(ask.fault)
        return ""

    def _retry(self, *_asked: object) -> str:
        self._dialler.retry()
        return ""

    def _invite(self, _ask: GetInvitation, window: int, request: Request) -> Told:
        if self.presence is None:
            return self._tables.ask(window, request, trio.current_time())
        return self.presence.invitation()

    def _set_port(self, ask: SetPort, *_asked: object) -> str:
        self._next_port = keep_port(self._parts.home, ask.port)
        return ""

    def _name_servers(self, ask: NameServers, window: int, request: Request) -> Told:
        if self.presence is None:
            return self._tables.ask(window, request, trio.current_time())
        return self.presence.name_servers(ask.servers)

    def _watch_at(self, ask: WatchAt, window: int, request: Request) -> Told:
        address, request = self._named_request(ask, request)
        invitation.places(address)  # what is no address is told at once
        self._dialler.retry()  # nobody waits who asks by hand
        return self._tables.ask(window, request, trio.current_time())

    def _join(self, ask: Join, window: int, request: Request) -> Told:
        address, request = self._named_request(ask, request)
        if self._calls(window, address):
            return Says.CALLING(address=told_as(address, self._known))
        return self._tables.ask(window, request, trio.current_time())

    def _call(self, ask: Call, window: int, request: Request) -> Told:
        address, request = self._named_request(ask, request)
        if self._calls(window, address):
            return Says.CALLING(address=told_as(address, self._known))
        return self._tables.ask_table(window, request, trio.current_time())

    def _named_request(
        self, ask: Join | Call | WatchAt, request: Request
    ) -> tuple[str, Request]:
        """Return the address of whoever is called, and the request with it.

        Raises:
            LocalError: USAGE, several friends have the name, or one cannot be found.
        """
        found = self._line_of(ask.address.strip())
        if not found:
            return ask.address, request
        return found, replace(request, ask=replace(ask, address=found))

    def _line_of(self, name: str) -> str:
        """Return the line that calls the friend, or the one nearby, with a name.

        Empty where nobody has it, so that it is the name of a computer.
        """
        if not name or invitation.is_invitation(name) or _PLACE.search(name):
            return ""
        near = {found.beacon.key: _called(found) for found in self._found()}
        blocked = self._known.blocked
        friends = [
            key
            for key, peer, _trusted in self._known.all()
            if peer.friend and _same(peer.name, name) and key not in blocked
        ]
        if len(friends) > 1:
            keys = ", ".join(map(fingerprint, friends))
            raise LocalError(Code.USAGE, Says.SEVERAL_NAMED(whom=name, keys=keys))
        for key in friends:
            places = (*self._known.addresses(key), *self._known.told(key))
            if not places and key not in near:
                raise LocalError(Code.USAGE, Says.LOST_SIGHT_OF(name=name))
            return near.get(key) or invitation.write(places, key, PORT)
        beacons = (found.beacon for found in self._found())
        same = [near[b.key] for b in beacons if _same(b.name, name)]
        return same[0] if len(same) == 1 else ""

    def _calls(self, window: int, address: str) -> bool:
        """Begin to look for somebody at once; return whether only for the match.

        Else the tables are to know who is called, and why.

        Raises:
            LocalError: USAGE, that is no address: it is told at once.
        """
        invitation.places(address)
        missing = self._is_missing(window, address)
        if missing:
            self._dialler.also(address)
        else:
            self._dialler.retry()  # nobody waits who asks by hand
        return missing

    def _is_missing(self, window: int, address: str) -> bool:
        """Return whether an address may be that of a player whom the match waits for.

        One player's address has changed, and told on another way than by the node.
        """
        table = self._tables.table_status(trio.current_time(), window)
        if table is None or table.phase not in UNDER_WAY:
            return False
        links = self._links.here()
        missing = [dial.key for dial in self._tables.wants_dial() if dial.key]
        missing = [key for key in missing if key not in links]
        if not invitation.is_invitation(address):
            return bool(missing)
        return any(map(invitation.read(address).fits, missing))

    @property
    def _carrying(self) -> Carrying:
        """Who carries for whom."""
        assert self.presence is not None  # the node has set it
        return self.presence.carrying

    def _set_carry(self, ask: SetCarry, *_asked: object) -> Said:
        return self._carrying.choose(ask.carry)

    def _add_carrier(self, ask: AddCarrier, *_asked: object) -> Said:
        return self._carrying.add(ask.invitation)

    def _remove_carrier(self, ask: RemoveCarrier, *_asked: object) -> Said:
        return self._carrying.remove(ask.whom)

    def _befriend(self, ask: Befriend, *_asked: object) -> Said:
        names = {**self._known.names(), **self._tables.players()}
        return self._carrying.befriend(one_named(names, ask.whom))

    def _switch(self, ask: Switch, *_asked: object) -> Said:
        """Switch something on or off, for later starts too.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        setting, on = ask.setting, ask.on
        wish = "on" if on else "off"
        self._parts.home.set(setting, wish)
        if setting == OFFENSIVE:
            self._parts.word_choice.offensive = on
        elif self.presence is not None:
            self.presence.switch(setting, on=on)
        return Says.SWITCHED(name=setting, wish=wish)

    def status(self, window: int | None = None, table: int = 0) -> Status:
        """Return all a window shows of the node.

        Args:
            window: Which; None for all there is to tell.
            table: The number of the table that is asked about; 0 for the one it sees.

        Raises:
            LocalError: NO_TABLE, there is none with that number.
        """
        now = trio.current_time()
        own_editions, own_lists = self.names(now)
        games = self._tables.games(now)
        return Status(
            name=self.name,
            key=fingerprint(self._parts.key),
            version=VERSION,
            addresses=self._addresses.get(now)[:ADDRESSES_TOLD],
            port=self.port,
            mode=self._tables.mode(window),
            peers=(*self._here(now), *self._away(now)),
            table=self._tables.table_status(now, window, table),
            saved=_apart(self._saved.get(now), games, self._tables.unopened),
            nearby=tuple(chain.from_iterable(map(self._offered, self._found()))),
            network=Network() if self.presence is None else self.presence.network(),
            editions=own_editions,
            dictionaries=own_lists,
            offensive=self._parts.word_choice.offensive,
            next_port=self._next_port,
            faults=self.faults(),
            games=games,
            friends=self._friends.get(now),
            open=() if window is None else self._tables.open_tables(window),
            muted=tuple(map(_muted, self._parts.muted.players)),
            quiet=str(self._parts.muted.hours or ""),
        )

    def faults(self) -> tuple[Said, ...]:
        """Return what is wrong with the home, and with another that has its key.

        What the player has put away is not told again.
        """
        faults = self._parts.faults
        every = (*faults, *self._links.held.reasons)
        told = (
            one if characters(one) <= VALUE_CHARACTERS else Says.WORDS(words=one)
            for one in every
        )
        return tuple(one for one in told if one not in faults.away)[:FAULTS_TOLD]

    def _met(self) -> tuple[KnownNode, ...]:
        """Return the nodes that were met, the latest first; then the blocked ones."""
        blocked = self._known.blocked.all()
        known = [
            KnownNode(
                peer.name,
                fingerprint(key),
                peer.addresses,
                trusted[-TRUSTED_TOLD:],
                doubt=self.doubt(key, peer.name),
            )
            for key, peer, trusted in self._known.all()
            if key not in blocked
        ]
        shut = [
            KnownNode(name, fingerprint(key), (), (), blocked=True)
            for key, name in blocked.items()
        ]
        return (*known[: -KNOWN - 1 : -1], *reversed(shut))

    def _find_friends(self) -> tuple[tuple[str, str], ...]:
        """Return name and fingerprint of the friends, the latest first."""
        blocked = self._known.blocked.all()
        found = [
            (peer.name, fingerprint(key))
            for key, peer, _trusted in self._known.all()
            if peer.friend and key not in blocked
        ]
        return tuple(reversed(found))[:FRIENDS]

    def doubt(self, key: bytes, name: str) -> Words:
        """Return what is to be said wherever a name is shown, mostly nothing."""
        return self._known.doubt(key, name, self.name)

    def _found(self) -> tuple[Found, ...]:
        """Return the nodes nearby."""
        return () if self.presence is None else self.presence.tables()

    def _offered(self, found: Found) -> Iterator[Neighbour]:
        """Yield what a node nearby offers, as windows show it."""
        for offer in found.beacon.offers:
            yield self._neighbour(found, offer)

    def _neighbour(self, found: Found, offer: Offer) -> Neighbour:
        """Return a table nearby, or who waits to be called, as windows show it."""
        beacon, key = found.beacon, found.beacon.key
        return Neighbour(
            address=found.address,
            name=beacon.name,
            game=offer.game,
            free=offer.free,
            version=beacon.version,
            key=fingerprint(key),
            doubt=self.doubt(key, beacon.name),
            invitation=_called(found),
        )

    def invited(self, called: str) -> bool:
        """Tell whether somebody gave the player this line, key and all.

        What we make of a beacon leads to the right key as well, but whose that is
        nobody has said but the beacon.
        """
        return invitation.is_invitation(called) and called not in map(
            _called, self._found()
        )

    def _block(self, ask: Block, *_asked: object) -> Said:
        """Hear from a player never again.

        Raises:
            LocalError: USAGE, nobody is called so, or too many are blocked; DISK.
        """
        names = self._known.names()
        names |= {found.beacon.key: found.beacon.name for found in self._found()}
        key, name = one_met(self._tables.players(), names, ask.whom)
        self._known.blocked.add(key, name)
        self._tables.block(key)
        return Says.BLOCKED(name=name or fingerprint(key))

    def _unblock(self, ask: Unblock, *_asked: object) -> Said:
        """Let a player be heard again.

        Raises:
            LocalError: USAGE, nobody who is blocked is called so; DISK.
        """
        blocked = self._known.blocked
        if not blocked.all():
            raise LocalError(Code.USAGE, Says.NOBODY_BLOCKED())
        key = one_named(blocked.all(), ask.whom)
        name = blocked.all()[key]
        blocked.remove(key)
        self._dialler.retry()
        return Says.NO_LONGER_BLOCKED(name=name or fingerprint(key))

    def _forget(self, ask: Forget, *_asked: object) -> Said:
        """Forget a node, or trust whoever answers at an address from now on.

        Raises:
            LocalError: USAGE, several nodes have the name, or it is no address either.
        """
        for key in self._named(ask.whom):
            self._known.forget_key(key)
            self._dialler.retry()
            return Says.FORGOTTEN(name=ask.whom)
        address = parse(ask.whom).text()
        known = self._known.forget(address)
        self._dialler.retry()
        says = Says.WAS_KNOWN if known else Says.WAS_UNKNOWN
        return says(address=address)

    def _named(self, whom: str) -> list[bytes]:
        """Return the node with a fingerprint or a name of its own, if there is one.

        Raises:
            LocalError: USAGE, several have the name.
        """
        found = [
            key
            for key, peer, _ in self._known.all()
            if folded(fingerprint(key)) == folded(whom) or peer.name == whom
        ]
        if len(found) > 1:
            keys = ", ".join(map(fingerprint, found))
            detail = Says.SEVERAL_NAMED(whom=whom, keys=keys)
            raise LocalError(Code.USAGE, detail)
        return found

    def _rename(self, ask: SetName, window: int, request: Request) -> Done | Failed:
        """Take another name, if the tables do, and keep it."""
        answer = self._tables.ask(window, request, trio.current_time())
        if isinstance(answer, Done):
            self.name = clean(ask.name, NAME_CHARACTERS)
            self._parts.home.set("name", self.name)
        return answer

    def _here(self, now: float) -> Iterator[PeerStatus]:
        """Yield the peers that are there."""
        for key, connection in self._links.here().items():
            name = connection.hello.name if connection.hello else ""
            yield PeerStatus(
                name=name,
                key=fingerprint(key),
                address=connection.address,
                connected=True,
                since=_seconds(connection.opened_at, now),
                doubt=self.doubt(key, name),
                through=self._carrier(connection.through),
            )

    def _carrier(self, key: bytes) -> str:
        """Return who carries a link, by name; nothing where nobody does."""
        return self.presence.carrying.name(key) if key and self.presence else ""

    def _away(self, now: float) -> Iterator[PeerStatus]:
        """Yield the peers that have gone."""
        for key, seen in self._links.away():
            yield PeerStatus(
                name=self._known.name(key),
                key=fingerprint(key),
                address=next(iter(self._known.addresses(key)), ""),
                connected=False,
                since=int(now - seen),
                doubt=self.doubt(key, self._known.name(key)),
            )


def _seconds(since: float | None, now: float) -> int:
    """Return whole seconds since a time, 0 if it has not come."""
    return 0 if since is None else int(now - since)


def _apart(
    saved: Listed, games: tuple[GameStatus, ...], unopened: Collection[bytes]
) -> Listed:
    """Return the matches that can go on and are not in hand, nor about to be."""
    matches = (*(game.match for game in games if game.match), *unopened)
    in_hand = {match[:NAME_BYTES].hex() for match in matches}
    return tuple(
        (path, brief(words), days)
        for path, words, days in saved
        if Path(path).stem not in in_hand
    )


_PLACE: Final = re.compile(r"[.:\[\]/]")
"""What the name of a computer, or an address, may have, and a typed name has not."""


def _same(one: str, other: str) -> bool:
    """Tell whether two names are one, however they are typed."""
    return one.casefold() == other.casefold()


def _called(found: Found) -> str:
    """Return the line that calls a node nearby, so that no other will do."""
    key = fingerprint(found.beacon.key)
    return f"{invitation.SCHEME}{found.address}#{key}"


def _muted(one: bytes) -> str:
    """Return who is muted as windows know it: a fingerprint, and a guest's name."""
    key, guest = spoken(one)
    return f"{fingerprint(key)} {guest}".strip()
