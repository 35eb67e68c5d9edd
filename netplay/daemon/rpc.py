"""What the node itself answers its windows; the rest is for the tables."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio
from msgspec.structs import replace

from netplay import VERSION
from netplay.daemon.computer_players import OFFENSIVE, PACE
from netplay.daemon.dictionary_tools import Cached
from netplay.daemon.on_turn import Summoner
from netplay.daemon.parts import Parts
from netplay.daemon.presence import Presence, keep_port, kept_port
from netplay.daemon.serving import Serving
from netplay.errors import Code, LocalError
from netplay.finding import news
from netplay.finding.discovery import Found
from netplay.fingerprint import fingerprint, folded, is_fingerprint
from netplay.messages import door, node_questions
from netplay.messages.link import NewName
from netplay.messages.table_questions import GameStatus, Glance, WatchAt
from netplay.moving import copies
from netplay.peering import invitation
from netplay.peering.address import PORT, parse
from netplay.peering.dialler import Dialler
from netplay.peering.links import Links
from netplay.peering.peers import KnownPeers, alike
from netplay.record.archive import NAME_BYTES
from netplay.said import VALUE_CHARACTERS, Said, Words, brief, characters
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table.forming import told_as
from netplay.table.muted import spoken
from netplay.table.passing import PASSES_ON
from netplay.web_devices import Devices
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

INVITES: Final = "invites"
"""The setting that keeps what is opened for whoever comes by an invitation."""

INVITED_AT: Final = "handed-out"
"""That which keeps when the last one was given away, in Unix seconds."""

FAULTS_TOLD: Final = 64
"""Of what is wrong: who reads as many mends some first."""

Named: TypeAlias = tuple[tuple[str, str], ...]
"""Name and fingerprint of friends."""

Noted: TypeAlias = tuple[tuple[str, node_questions.Personal], ...]
"""What the player has noted, by fingerprint."""

Seen: TypeAlias = tuple[tuple[str, int], ...]
"""For how many seconds friends have not been here, by fingerprint."""

FRIENDS: Final = 50
"""Listed for windows: more than anybody picks from."""

BLOCKED_TOLD: Final = 20
"""Of who is blocked, beside the friends; the page of all who are known has the rest."""

UNDER_WAY: Final = frozenset({"starting", "playing", "paused"})
"""Phases of a match that waits for a player who is away."""

Told: TypeAlias = Words | bytes | door.Done | door.Failed
"""What to say: words, data, or the whole answer of the tables."""

Answerer: TypeAlias = Callable[[Any, int, door.Request], Told]
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
        self.news: Final = Cached(partial(parts.home.setting, news.PLACE), LOOK_SECONDS)
        """Where notices of security releases are looked for."""
        self.copy = node_questions.CopyStatus()
        """How it stands with the copy of the home, as was seen last."""
        self.name = clean(parts.home.setting("name"), NAME_CHARACTERS)
        self.port = 0
        self._next_port = kept_port(parts.home)
        self.presence: Presence
        """How others find and reach this node."""
        self.serving: Serving
        """For whom it serves pages."""
        self.summoner: Summoner
        """Knows the windows."""
        self.marked: Callable[[door.Status], door.Status]
        """Marks the seats that are lent, which are not the player's own."""
        self.names: Callable[[float], tuple[tuple[str, ...], tuple[str, ...]]]
        """Returns the names of the user's own editions and word lists."""
        self.by_kind: Final = self._answerers()
        """What answers each kind of question that is the node's own."""

    def _answerers(self) -> Mapping[type[Any], Answerer]:
        return {
            door.GetStatus: self._get_status,
            Glance: self._glance,
            door.StopNode: self._stop_node,
            node_questions.PutAway: self._put_away,
            door.Retry: self._retry,
            node_questions.GetKnown: self._get_known,
            node_questions.Forget: self._forget,
            node_questions.Block: self._block,
            node_questions.Unblock: self._unblock,
            node_questions.GetInvitation: self._invite,
            door.InviteTo: self._invite_to,
            node_questions.Switch: self._switch,
            node_questions.SetCarry: self._set_carry,
            node_questions.AddCarrier: self._add_carrier,
            node_questions.RemoveCarrier: self._remove_carrier,
            node_questions.Befriend: self._befriend,
            node_questions.Describe: self._describe,
            node_questions.Succeed: self.succeed,
            node_questions.KeepNoCopy: self._keep_no_copy,
            node_questions.SetPort: self._set_port,
            node_questions.NameServers: self._name_servers,
            node_questions.NameEntries: self._name_entries,
            door.SetName: self._rename,
            node_questions.CountWindows: self._count_windows,
            node_questions.Shown: self._note_shown,
            node_questions.GetDevices: self._list_devices,
            node_questions.ForgetDevice: self._forget_device,
            WatchAt: self._watch_at,
            door.Join: self._call,
            door.Call: self._call,
        }

    def _get_status(
        self, _ask: door.GetStatus, window: int, request: door.Request
    ) -> bytes:
        self._tables.unopened.open_all()
        return pack(self.status(window, request.table))

    def _glance(self, ask: Glance, *_asked: object) -> bytes:
        return pack(self._tables.glance(ask.table))

    def _get_known(self, *_asked: object) -> bytes:
        """Return the nodes that were met, the latest first; then the blocked ones."""
        blocked = self._known.blocked.all()
        known = [
            node_questions.KnownNode(
                peer.name if peer.personal.called else self._known.called(key),
                fingerprint(key),
                peer.addresses,
                trusted[-TRUSTED_TOLD:],
                doubt=self.doubt(key, peer.name),
                personal=peer.personal,
            )
            for key, peer, trusted in self._known.all()
            if key not in blocked
        ]
        shut = [
            node_questions.KnownNode(name, fingerprint(key), (), (), blocked=True)
            for key, name in blocked.items()
        ]
        return pack((*known[: -KNOWN - 1 : -1], *reversed(shut)))

    def _stop_node(self, *_asked: object) -> Said:
        self._stop()
        return Says.NODE_STOPS()

    def _put_away(self, ask: node_questions.PutAway, *_asked: object) -> str:
        self._parts.faults.put_away(ask.fault)
        return ""

    def _retry(self, *_asked: object) -> str:
        self._dialler.retry()
        return ""

    def _invite(self, ask: node_questions.GetInvitation, *_asked: object) -> str:
        return self.presence.invitation(shown=ask.shown)

    def _invite_to(self, ask: door.InviteTo, *_asked: object) -> str:
        """Keep what is opened for whoever comes by an invitation.

        Raises:
            LocalError: DISK.
        """
        table, at = self._tables.invite_to(ask.table)
        self._parts.home.set(INVITES, pack(table).hex())
        self._parts.home.set(INVITED_AT, str(at))
        return ""

    def _count_windows(self, *_asked: object) -> str:
        return str(self.summoner.windows)

    def _note_shown(self, ask: node_questions.Shown, *_asked: object) -> str:
        self.summoner.on_shown(ask.number)
        return ""

    def _list_devices(self, *_asked: object) -> bytes:
        devices = Devices(self._parts.home.path).all()
        return pack(tuple((one.name, one.since) for one in devices))

    def _forget_device(
        self, ask: node_questions.ForgetDevice, *_asked: object
    ) -> bytes:
        if not Devices(self._parts.home.path).forget(ask.name):
            raise LocalError(Code.USAGE, Says.NO_DEVICE(name=ask.name))
        return self._list_devices()

    def _set_port(self, ask: node_questions.SetPort, *_asked: object) -> str:
        self._next_port = keep_port(self._parts.home, ask.port)
        return ""

    def _name_servers(self, ask: node_questions.NameServers, *_asked: object) -> Said:
        return self.presence.name_servers(ask.servers)

    def _name_entries(self, ask: node_questions.NameEntries, *_asked: object) -> Said:
        return self.presence.name_entries(ask.nodes)

    def _watch_at(self, ask: WatchAt, window: int, request: door.Request) -> Told:
        address, request = self._named_request(ask, request)
        invitation.places(address)  # what is no address is told at once
        self._dialler.retry()  # nobody waits who asks by hand
        return self._tables.ask(window, request, trio.current_time())

    def _call(
        self, ask: door.Join | door.Call, window: int, request: door.Request
    ) -> Told:
        address, request = self._named_request(ask, request)
        invitation.places(address)  # that is no address: it is told at once
        if self._is_missing(window, address):
            self._dialler.also(address)
            return Says.CALLING(address=told_as(address, self._known))
        # The tables are to know who is called, and why; nobody waits who asks by hand.
        self._dialler.retry()
        return self._tables.ask(window, request, trio.current_time())

    def _named_request(
        self, ask: door.Join | door.Call | WatchAt, request: door.Request
    ) -> tuple[str, door.Request]:
        """Return the address of whoever is called, and the request with it.

        Raises:
            LocalError: USAGE, several friends have the name, or one cannot be found, or
                the line is of somebody whom the player has blocked.
        """
        named = ask.address.strip()
        found = self._line_of(named) or named.partition(" ")[0]  # else with a comment
        if invitation.is_invitation(found):
            line = invitation.read(found)
            for key, name in self._known.blocked.all().items():
                if line.fits(key):  # whoever is blocked is not called at all
                    who = name or fingerprint(key)
                    raise LocalError(Code.USAGE, Says.UNBLOCK_FIRST(name=who))
        return found, replace(request, ask=replace(ask, address=found))

    def seated(
        self, ask: door.HostTable | door.ChangeTable
    ) -> door.HostTable | door.ChangeTable:
        """Return terms in which a seat that names somebody has the line to them.

        Raises:
            LocalError: As `_named_request`.
        """
        if isinstance(ask, door.ChangeTable):
            table = self.seated(ask.table)
            assert isinstance(table, door.HostTable)
            return replace(ask, table=table)
        return replace(ask, seats=tuple(map(self._seat_of, ask.seats)))

    def _seat_of(self, seat: str) -> str:
        kind, _colon, whom = seat.partition(":")
        line = self._line_of(whom.strip()) if kind.strip().lower() == "remote" else ""
        return f"remote:{line} {whom.strip()}" if line else seat

    def _line_of(self, name: str) -> str:
        """Return the line that calls the friend, or the one nearby, with a name.

        Empty where nobody has it, so that it is the name of a computer.
        """
        if not name or invitation.is_invitation(name) or _PLACE.search(name):
            return ""
        near = {found.beacon.key: _called(found) for found in self.presence.tables()}
        blocked = self._known.blocked
        friends = [
            key
            for key, peer, _trusted in self._known.all()
            if peer.friend and key not in blocked
            if name.casefold()
            in {
                each.casefold()
                for each in (self._known.called(key), peer.personal.called, peer.name)
            }
        ]
        if len(friends) > 1:
            names = dict.fromkeys(friends, name)
            friends = [self._known.one_named(names, name)]
        for key in friends:
            places = (*self._known.addresses(key), *self._known.places_told(key))
            if not places and key not in near:
                raise LocalError(Code.USAGE, Says.LOST_SIGHT_OF(name=name))
            return near.get(key) or invitation.write(places, key, PORT)
        beacons = (found.beacon for found in self.presence.tables())
        same = [near[b.key] for b in beacons if b.name.casefold() == name.casefold()]
        return same[0] if len(same) == 1 else ""

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

    def _set_carry(self, ask: node_questions.SetCarry, *_asked: object) -> Said:
        return self.presence.carrying.choose(ask.carry)

    def _add_carrier(self, ask: node_questions.AddCarrier, *_asked: object) -> Said:
        return self.presence.carrying.add(ask.invitation)

    def _remove_carrier(
        self, ask: node_questions.RemoveCarrier, *_asked: object
    ) -> Said:
        return self.presence.carrying.remove(ask.whom)

    def _befriend(self, ask: node_questions.Befriend, *_asked: object) -> Said:
        names = {**self._known.names(), **self._tables.players()}
        key = self._known.one_named(names, ask.whom)
        said = self.presence.carrying.befriend(key)
        self._tables.shared.befriend((key,))
        return said

    def _describe(self, ask: node_questions.Describe, *_asked: object) -> Said:
        """Keep what the player notes of somebody.

        Raises:
            LocalError: USAGE, nobody or several are called so, or the name is the
                player's own; DISK.
        """
        known = self._known
        key = known.one_named(known.names(), ask.whom)
        called = ask.personal.called
        fresh = called not in {"", known.called(key)}
        if fresh and alike(called, self.name):  # who would be meant in a list?
            raise LocalError(Code.USAGE, Says.CALLED_AS_YOU(name=self.name))
        if fresh and (other := known.namesake(key, called)):
            raise LocalError(Code.USAGE, Says.CALLED_AS_FRIEND(name=other))
        known.describe(key, ask.personal)
        self.forget_names()
        return Says.NOTED(name=known.called(key) or fingerprint(key))

    def forget_names(self) -> None:
        """Show the names that friends have now."""
        self._friends.forget()
        self._tables.renamed()

    def unmet_heir(self, ask: node_questions.Succeed) -> bool:
        """Tell whether nobody has been here yet whose invitation is a friend's new one.

        Raises:
            LocalError: USAGE, there is no such friend, or it is no invitation.
        """
        self._friend(ask.whom)
        text = ask.key.strip()
        return invitation.is_invitation(text) and self._with_key(text) is None

    def _friend(self, whom: str) -> bytes:
        known = self._known
        names = {key: known.name(key) for key in known.friends()}
        return known.one_named(names, whom)

    def _with_key(self, text: str) -> tuple[bytes, str] | None:
        """Return key and name of who is meant by a fingerprint or an invitation.

        Returns:
            None if nobody has been here with that key.

        Raises:
            LocalError: USAGE, it is neither.
        """
        if invitation.is_invitation(text):
            wanted = invitation.read(text).fingerprint
        elif is_fingerprint(text):
            wanted = folded(text)
        else:
            raise LocalError(Code.USAGE, Says.HEIR_BY_KEY(text=text))
        met = {**self._known.names(), **self._tables.players(), self._parts.key: ""}
        met |= {key: link.hello.name for key, link in self._links.here().items()
                if link.hello}  # fmt: skip
        fits = (key for key in met if folded(fingerprint(key)) == wanted)
        return next(((key, met[key]) for key in fits), None)

    def succeed(self, ask: node_questions.Succeed, *_asked: object) -> Said:
        """Take a friend back under another key, in every match that is in hand.

        Raises:
            LocalError: USAGE, there is no such friend, or nobody has been here with
                that key; DISK.
        """
        known, old = self._known, self._friend(ask.whom)
        found = self._with_key(ask.key.strip())
        if found is None:
            raise LocalError(Code.USAGE, Says.HEIR_UNMET())
        new, name = found
        if new in (old, self._parts.key):
            why = Says.HEIR_OLD() if new == old else Says.HEIR_SELF()
            raise LocalError(Code.USAGE, why)
        if new in known.blocked or known.heir(new):
            raise LocalError(Code.USAGE, Says.HEIR_BLOCKED(key=fingerprint(new)))
        known.succeed(old, new, name or known.name(old))
        self._dialler.retry()
        return self._tables.succeed(old, new, trio.current_time())

    def _keep_no_copy(self, *_asked: object) -> Said:
        """Make no more copies of the home, and do not offer to.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        home = self._parts.home
        home.set(copies.OFFERED, "off")
        ended = copies.end(home)
        self.copy = node_questions.CopyStatus()
        return Says.COPY_ENDED() if ended else Says.COPY_NOT_WANTED()

    def knows_friends(self) -> bool:
        """Tell whether anybody would take the player for somebody else."""
        return bool(self._known.friends())

    def _switch(self, ask: node_questions.Switch, *_asked: object) -> Said:
        """Switch something on or off, for later starts too.

        Raises:
            LocalError: DISK, it cannot be kept.
        """
        setting, on = ask.setting, ask.on
        wish = "on" if on else "off"
        self._parts.home.set(setting, wish)
        if setting == OFFENSIVE:
            self._parts.word_choice.offensive = on
        elif setting == PACE:
            self._parts.pace.on = on
        elif setting == PASSES_ON:
            self._tables.pass_on(on=on)
        else:
            self.presence.switch(setting, on=on)
        return Says.SWITCHED(name=setting, wish=wish)

    def status(self, window: int | None = None, table: int = 0) -> door.Status:
        """Return all a window shows of the node.

        Args:
            window: Which; None for all there is to tell.
            table: The number of the table that is asked about; 0 for the one it sees.

        Raises:
            LocalError: NO_TABLE, there is none with that number.
        """
        now = trio.current_time()
        own_editions, own_lists = self.names(now)
        friends, personal, seen, blocked = self._friends.get(now)
        games = self._tables.games(now)
        status = door.Status(
            name=self.name,
            key=fingerprint(self._parts.key),
            version=VERSION,
            addresses=self._addresses.get(now)[:ADDRESSES_TOLD],
            port=self.port,
            mode=self._tables.mode(window),
            peers=(*self._here(now), *self._away(now)),
            table=self._tables.table_status(now, window, table),
            saved=_apart(
                self._saved.get(now),
                games,
                (*self._tables.unopened, *self._tables.fetching()),
            ),
            nearby=tuple(self._nearby()),
            network=self.presence.network(),
            browsers="lan" in self.serving.wanted,
            copy=self.copy,
            news=self.news.get(now),
            editions=own_editions,
            dictionaries=own_lists,
            offensive=self._parts.word_choice.offensive,
            paced=self._parts.pace.on,
            passes_on=self._tables.pass_on(),
            next_port=self._next_port,
            faults=self.faults(),
            games=games,
            friends=friends,
            blocked=blocked,
            unopened=len(self._tables.unopened),
            seen=seen,
            personal=personal,
            written=self._tables.written()[:FRIENDS],
            open=() if window is None else self._tables.open_tables(window),
            muted=tuple(map(_muted, self._parts.muted.players)),
            quiet=str(self._parts.muted.hours or ""),
        )
        return self.marked(status)

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

    def _find_friends(self) -> tuple[Named, Noted, Seen, Named]:
        """Return friends, what was noted, when they were here; and who is blocked."""
        blocked = self._known.blocked.all()
        found = [
            (key, fingerprint(key), peer)
            for key, peer, _trusted in self._known.all()
            if peer.friend and key not in blocked
        ]
        found = found[: -FRIENDS - 1 : -1]
        noted = [(sign, each.personal) for _key, sign, each in found]
        return (
            tuple((self._known.called(key), sign) for key, sign, _one in found),
            tuple(each for each in noted if each[1] != node_questions.Personal()),
            tuple(
                (sign, max(0, self._parts.counted() - each.seen))
                for _key, sign, each in found
                if each.seen
            ),
            tuple(
                (self._known.called(key) or name, fingerprint(key))
                for key, name in [*blocked.items()][: -BLOCKED_TOLD - 1 : -1]
            ),
        )

    def own_names(self) -> Mapping[str, str]:
        """Return what the player calls friends, by fingerprint."""
        friends, *_ = self._friends.get(trio.current_time())
        return {key: name for name, key in friends}

    def doubt(self, key: bytes, name: str) -> Words:
        """Return what is to be said wherever a name is shown, mostly nothing."""
        return self._known.doubt(key, name, self.name)

    def _nearby(self) -> Iterator[node_questions.Neighbour]:
        """Yield tables nearby, and who waits to be called, as windows show them."""
        for found in self.presence.tables():
            beacon, key = found.beacon, found.beacon.key
            for offer in beacon.offers:
                yield node_questions.Neighbour(
                    address=found.address,
                    name=self._known.own_name(key, beacon.name),
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
        heard = map(_called, self.presence.tables())
        return invitation.is_invitation(called) and called not in heard

    def _block(self, ask: node_questions.Block, *_asked: object) -> Said:
        """Hear from a player never again.

        Raises:
            LocalError: USAGE, nobody is called so, or too many are blocked; DISK.
        """
        names = self._known.names()
        names |= {
            found.beacon.key: found.beacon.name for found in self.presence.tables()
        }
        key, name = self._known.one_met(self._tables.players(), names, ask.whom)
        self._known.blocked.add(key, name)
        self._friends.forget()
        self._tables.block(key)
        name = self._known.own_name(key, name)
        return Says.BLOCKED(name=name or fingerprint(key))

    def _unblock(self, ask: node_questions.Unblock, *_asked: object) -> Said:
        """Let a player be heard again.

        Raises:
            LocalError: USAGE, nobody who is blocked is called so; DISK.
        """
        blocked = self._known.blocked
        if not blocked.all():
            raise LocalError(Code.USAGE, Says.NOBODY_BLOCKED())
        key = self._known.one_named(blocked.all(), ask.whom)
        name = self._known.own_name(key, blocked.all()[key])
        blocked.remove(key)
        self._friends.forget()
        self._dialler.retry()
        return Says.NO_LONGER_BLOCKED(name=name or fingerprint(key))

    def _forget(self, ask: node_questions.Forget, *_asked: object) -> Said:
        """Forget a node, or trust whoever answers at an address from now on.

        Raises:
            LocalError: USAGE, several nodes have the name, or it is no address either.
        """
        for key in self._named(ask.whom):
            self._known.forget_key(key)
            self._friends.forget()
            self._tables.forget_written(key)
            self._dialler.retry()
            return Says.FORGOTTEN(name=ask.whom)
        address = parse(ask.whom).text()
        known = self._known.trust_next(address)
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
            if folded(fingerprint(key)) == folded(whom)
            or whom in (peer.name, peer.personal.called, self._known.called(key))
        ]
        if len(found) > 1:
            return [self._known.one_named(dict.fromkeys(found, whom), whom)]
        return found

    def _rename(
        self, ask: door.SetName, window: int, request: door.Request
    ) -> door.Done | door.Failed:
        """Take another name, if the tables do, and keep it."""
        answer = self._tables.ask(window, request, trio.current_time())
        if isinstance(answer, door.Done):
            before, self.name = self.name, clean(ask.name, NAME_CHARACTERS)
            self._parts.home.set("name", self.name)
            if self.name != before:
                self._links.send(self._links.here(), NewName(self.name))
        return answer

    def _here(self, now: float) -> Iterator[node_questions.PeerStatus]:
        """Yield the peers that are there."""
        for key, connection in self._links.here().items():
            name = connection.hello.name if connection.hello else ""
            carrier = (
                self.presence.carrying.name(connection.through)
                if connection.through
                else ""
            )
            seconds = (
                0 if connection.opened_at is None else int(now - connection.opened_at)
            )
            yield node_questions.PeerStatus(
                name=self._known.own_name(key, name),
                key=fingerprint(key),
                address=connection.address,
                connected=True,
                since=seconds,
                doubt=self.doubt(key, name),
                through=carrier,
                udp=connection.udp,
            )

    def _away(self, now: float) -> Iterator[node_questions.PeerStatus]:
        """Yield the peers that have gone."""
        for key, seen in self._links.away():
            yield node_questions.PeerStatus(
                name=self._known.called(key),
                key=fingerprint(key),
                address=next(iter(self._known.addresses(key)), ""),
                connected=False,
                since=int(now - seen),
                doubt=self.doubt(key, self._known.name(key)),
            )


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


def _called(found: Found) -> str:
    """Return the line that calls a node nearby, so that no other will do."""
    key = fingerprint(found.beacon.key)
    return f"{invitation.SCHEME}{found.address}#{key}"


def _muted(one: bytes) -> str:
    """Return who is muted as windows know it: a fingerprint, and a guest's name."""
    key, guest = spoken(one)
    return f"{fingerprint(key)} {guest}".strip()
