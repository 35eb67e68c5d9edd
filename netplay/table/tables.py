"""The tables of a node, as the node drives them: without sockets.

The node owns links, windows, processes and the clock; the tables own seats, terms, the
match, chat and files' content.  The node calls a method when something happened, and
afterwards always drains what came of it:

    tables.receive(key, message, now)  # or peer_up, ask, wake, thought ...
    for out in tables.take_outgoing(): ...   # syncs the disk first
    for push in tables.take_pushes(): ...
    news = tables.take_news()
    if news.changed: push a new Status
    if news.moved: redial tables.wants_dial()
    start news.wants.thoughts and jobs; sleep until news.wants.due

`now` is the node's monotonic clock in seconds.  No method blocks beyond one
fdatasync.  A PeerError out of `receive` means: send Bye with its code, hang up, and
call `peer_down`; the match is intact.  A `LocalError` of code DISK out of any method
is fatal for the table that it came from and has been pushed as a line already.

What happens is given to the tables that it concerns, and the `Change` that one may
return is made at its place (see `place`).  What belongs to no table is done here: who
is on a link, what windows see, and what begins another table: a call, a match that
somebody speaks of, a wish of the player's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError, NetplayError
from netplay.fingerprint import fingerprint
from netplay.match.masks import Result
from netplay.messages.door import (
    Done,
    Failed,
    HostTable,
    Play,
    Request,
    TableStatus,
    View,
    failed,
)
from netplay.messages.log import LogMessage
from netplay.messages.node_questions import Correspondent
from netplay.messages.table import OPEN_TABLES, Ask, Attend, Chat, Heard, OpenTables
from netplay.messages.table_questions import GameStatus, OpenStatus
from netplay.record import letter
from netplay.record.store import Copy
from netplay.review.grading import Judged
from netplay.said import Said, spoken
from netplay.sanitize import shown_name
from netplay.sentences import Says
from netplay.table import bell
from netplay.table.answers import Answerer, Answers
from netplay.table.beginning import Beginning
from netplay.table.guest import Guest
from netplay.table.in_match import InMatch
from netplay.table.letters import Letters
from netplay.table.match_files import Saved
from netplay.table.place import Place
from netplay.table.places import Places, Windows, glance
from netplay.table.shared import Lends, Means, Peer, Shared
from netplay.table.state import Change, News, State, Wants
from netplay.table.table_status import described
from netplay.table.unopened import UnopenedMatches
from netplay.table.watching import Asking
from netplay.table.writing import Writing
from netplay.wanted import Dial, Outgoing, PeerMessage, Thought
from rules import LISTED
from rules.game import IllegalMoveError


class Tables:
    """The tables of a node."""

    def __init__(self, means: Means, name: str) -> None:
        """Begin without a table; `reopen` goes on with the matches left in hand.

        Args:
            means: Key, disk, word lists, randomness, time of day.
            name: This node's player.
        """
        self.shared: Final = Shared(means, name)
        self.places: Final = Places(self.shared)
        self._windows: Final = Windows(self.shared, self.places)
        self.take_pushes: Final = self._windows.take_pushes
        """Returns pushes for windows, in order."""
        self._beginning: Final = Beginning(self.shared, self.places, self._windows)
        self.writing: Final = Writing(self.shared, means.written)
        self.writing.open_all()
        self._answers: Final = Answers(
            self.shared, self.places, self._windows, self._beginning, self.writing
        )
        self.letters: Final = Letters(
            self.shared, self.places, self._beginning, self.writing
        )

    def reopen(self, now: float) -> None:
        """Go on with the matches that were in hand when the node ended."""
        self.find_kept(now)
        self.unopened.open_all()

    def find_kept(self, now: float) -> None:
        """Look which matches were in hand, and go on with them if they are few."""
        self.shared.now = now
        self._beginning.find_kept()
        self._beginning.ask_again(now)

    @property
    def unopened(self) -> UnopenedMatches:
        """Matches of before with which nobody has gone on yet."""
        return self.places.unopened

    def fetching(self) -> Sequence[bytes]:
        """Return the matches in hand that wait for their words."""
        tables = (place.table for place in self.places)
        return [each.match_name for each in tables if each.mode == "fetching"]

    def open_next(self, now: float) -> bool:
        """Go on with one more match of before; tell whether there are others."""
        if self.unopened:
            self.shared.now, self.shared.changed = now, True
        return self.unopened.open_next()

    # Links.

    def peer_up(
        self, key: bytes, name: str, address: str, now: float, *, friend: bool = True
    ) -> None:
        """Note a link that both sides have welcomed, and go on with what waited for it.

        Args:
            key: The peer's identity.
            name: Its player's name, sanitised.
            address: What was dialled, as `Dial.address` gave it, or for a link that
                came in "host:port" of its listener as far as known; may be empty.
            now: Seconds.
            friend: The player has called it, or said yes to a table with it, before.
        """
        shared = self.shared
        shared.now, shared.changed, shared.moved = now, True, True
        shared.peers[key] = Peer(name, address, now, up=True, friend=friend)
        shared.means.asked.heard(key)
        if heir := shared.means.known.heir(key):
            name = shared.means.known.name(heir)
            shared.fault(Says.OLD_KEY_BACK(key=fingerprint(key), name=name))

        def up(table: State) -> Change | None:
            change = table.peer_up(key, address, now)
            for talk in (table.chat, table.beside):
                if change is None and talk is not None:
                    talk.greet((key,))
            return change

        self.writing.peer_up(key)
        self._each(up, now)

    def peer_named(self, key: bytes, name: str) -> None:
        """Take another name of a peer's player: it is shown, and all else goes on."""
        shared = self.shared
        shared.changed = shared.moved = True
        shared.peers[key] = replace(shared.peers[key], name=name)
        self._each(lambda table: table.peer_named(key), shared.now)

    def succeed(self, old: bytes, new: bytes, now: float) -> Said:
        """Let a friend play on under another key, as far as it is this node's to say.

        Returns:
            What came of it.
        """
        shared = self.shared
        shared.now, shared.changed, shared.moved = now, True, True
        if (peer := shared.peers.get(old)) is not None:
            shared.peers[old] = replace(peer, friend=False)
            if peer.up:
                name = shared.means.known.name(new)
                shared.fault(Says.OLD_KEY_BACK(key=fingerprint(old), name=name))
        shared.befriend((new,))
        self.unopened.open_all()
        found: list[bool] = []

        def agree(table: State) -> Change | None:
            if isinstance(table, InMatch):
                found.extend(table.succeed(now))
            return None

        self._each(agree, now)
        name, key = shared.means.known.name(new), fingerprint(new)
        if not all(found):
            return Says.HEIR_STUCK(count=found.count(False), name=name, key=key)
        if found:
            return Says.HEIR_SEATED(count=len(found), name=name, key=key)
        return Says.HEIR_TAKEN(name=name, key=key)

    def _each(
        self,
        does: Callable[[State], Change | None],
        now: float,
        places: Iterable[Place] | None = None,
    ) -> None:
        """Tell every table; one that fails does not keep it from the others.

        Args:
            does: What a table does, and what it becomes by that.
            now: Seconds.
            places: Only these.

        Raises:
            LocalError: One has failed, and was given up.
        """
        failure: LocalError | None = None
        for place in self.places if places is None else places:
            try:
                with place:
                    place.change(does(place.table), now)
            except LocalError as error:
                failure = error
        if failure is not None:
            raise failure

    def peer_down(self, key: bytes, now: float) -> None:
        """Note that the last link to a peer is gone; forget who is not needed."""
        shared, peer = self.shared, self.shared.peers.get(key)
        if peer is None:
            return
        shared.now, shared.changed, shared.moved = now, True, True
        shared.peers[key] = replace(peer, up=False, since=now)
        try:
            self._each(lambda table: table.peer_down(key, now), now)
        finally:
            for one, known in list(shared.peers.items()):
                if not known.up and not self.expects(one):
                    del shared.peers[one]
                    shared.places.pop(one, None)

    def peer_quiet(self, key: bytes, now: float) -> None:
        """Note that nothing is heard on a link, though an answer is due."""
        shared, peer = self.shared, self.shared.peers.get(key)
        shared.now = now
        if peer is not None:
            shared.peers[key] = replace(peer, quiet=now)
        for place in self.places:
            with place:
                place.table.peer_quiet(key, now)

    # Messages.

    def receive(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Take a message from a peer.

        Raises:
            PeerError: It broke the protocol; hang up with this code.
            LocalError: DISK.
        """
        shared = self.shared
        shared.now, shared.changed = now, True
        # A match may lie on the disk without a table: a message of it opens it.
        if isinstance(message, LogMessage):
            place = self.places.of_match(message.match)
            if place is None or isinstance(place.table, Guest):
                # It may be about one that is not in hand yet.
                self._beginning.open_match(key, message, place, now)
                return
        else:
            # Friends write to each other without any table.
            if isinstance(message, Chat | Heard) and self.writing.receive(
                key, message, now
            ):
                return
            # Several may be meant, and the one who asks is to choose, not this node.
            if isinstance(message, Ask | Attend) and self._is_shown(key, message):
                return
            # Whoever comes by an invitation finds a seat, at a table that opens for it.
            if isinstance(message, Ask) and not message.table:
                self._beginning.come(key, now)
            place = self.places.meant(key, message)
            # Of two tables for one match the one that was here stays: it has its log.
            if self._beginning.is_in_hand(key, message, place, now):
                return
            # Nobody here waits for it: it may call, or answer what is not asked any
            # more.
            if place is None:
                self._beginning.message(key, message, now)
                return
        with place:
            change = place.table.receive(key, message, now)
            # Nearly no message changes what a table is, and this is the way of each.
            if change is not None:
                place.change(change, now)

    def _is_shown(self, key: bytes, message: Ask | Attend) -> bool:
        """Show a peer the tables that are open to it, if it names none of several."""
        named = message.table if isinstance(message, Ask) else message.match
        found = [] if named else self.places.open_to(key, message)
        # Of a single one nothing need be chosen: who asks is sent there.
        if len(found) > 1:
            self.shared.say((key,), OpenTables(tuple(found[:OPEN_TABLES])))
        return len(found) > 1

    # Windows.

    def window_up(
        self, window: int, match: bytes | None = None, *, reads: bool = True
    ) -> None:
        """Note a new window, and tell it what was said before it came.

        Args:
            window: Its number.
            match: The only one that it may see, a guest's; None for all there are.
            reads: The player here sees there what is said.
        """
        number = self.number_of(match) if match else None
        self._windows.up(window, number, reads=reads and not match)

    def pin(self, window: int, match: bytes) -> None:
        """Let a window look at the table of a match, and at no other."""
        self._windows.look_at(window, self.number_of(match))

    def number_of(self, match: bytes) -> int:
        """Return the number of the table of a match, 0 where it is not in hand."""
        place = self.places.of_match(match) or self.places.named(match)
        return 0 if place is None else place.number

    def match_seen(self, window: int) -> bytes:
        """Return the match at the table that a window looks at, empty for none.

        Before there is one: the nonce of the table's terms.
        """
        place = self._windows.seen_by(window)
        return b"" if place is None else place.table.match_name or place.table.nonce

    def name_of(self, number: int) -> bytes:
        """Return the match at a table in hand, or the nonce of its terms."""
        table = self._windows.numbered(number).table
        return table.match_name or table.nonce

    def lend_by(self, lending: Lends) -> None:
        """Tell this of seats that are lent to browsers, and ask it who looks on."""
        self.shared.lending = lending
        for place in self.places:  # opened before anybody could be asked
            with place:
                place.table.await_guests()

    def let_look_on(self, match: bytes, keys: frozenset[bytes]) -> None:
        """Let those look on at a match here who are there in browsers."""
        place = self.places.of_match(match)
        if place is not None:
            with place:
                place.table.let_look_on(keys)

    def guest_seen(self, name: bytes, seat: int, *, here: bool) -> None:
        """Note that a guest in a browser has come to its table, or has gone."""
        place = self.places.named(name)
        if place is not None:
            with place:
                place.table.guest_seen(seat, here=here)

    def looks(self, match: bytes, key: bytes) -> bool:
        """Tell whether all who play a match let somebody look on."""
        place = self.places.of_match(match)
        return place is not None and place.table.looks(key)

    def window_down(self, window: int) -> None:
        """Forget a window."""
        self._windows.down(window)

    def front(self) -> Place | None:
        """Return the table that goes on, or the latest; None for none."""
        return self._windows.front(None)

    @property
    def answers(self) -> Mapping[type[Any], Answerer]:
        """What answers each kind of question; a table itself answers the others."""
        return self._answers.by_kind

    def ask(self, window: int, request: Request, now: float) -> Done | Failed:
        """Answer a request from the door: what all tables have to do with, or one.

        A call only notes who is wanted: see `wants_dial`.
        """
        answerer = self._answers.by_kind[type(request.ask)]
        return self.answer(answerer, window, request, now)

    def ask_table(self, window: int, request: Request, now: float) -> Done | Failed:
        """Have the table that is meant answer a request."""
        return self.answer(self._answers.at_table, window, request, now)

    def answer(
        self, answerer: Answerer, window: int, request: Request, now: float
    ) -> Done | Failed:
        """Have one of `answers` answer a request."""
        shared = self.shared
        shared.now, shared.changed = now, True
        shared.moved = shared.moved or not isinstance(request.ask, Play)
        try:
            said = answerer(request.ask, window, request, now)
        except IllegalMoveError as error:
            return Failed(request.id, Code.ILLEGAL_MOVE.number, spoken(error))
        except NetplayError as error:
            return failed(request.id, error)
        return said if isinstance(said, Done) else Done(request.id, said)

    # Computer players.

    def hint(self, window: int, request: Request, seat: int) -> Thought:
        """Return the thought that finds a hint for a seat played here.

        Raises:
            LocalError: The rules of the table allow none, or it is not the seat's turn.
        """
        return self._answers.table(window, request).hint(seat)

    def turn(self, window: int, request: Request, number: int) -> Judged:
        """Return a turn of a match in hand, by its move's place in the history.

        Raises:
            LocalError: The match is not over, or that move is no turn.
        """
        return self._answers.table(window, request).turn(number)

    def seats_in_play(self) -> frozenset[tuple[bytes, int]]:
        """Return match and seat of each seat that is played here and goes on."""
        matches = [place.table.match for place in self.places]
        return frozenset(
            (match.match, seat)
            for match in matches
            if match is not None and not match.fold.over
            for seat in range(len(match.fold.holders))
            if match.seats.is_own(seat) and seat not in match.fold.resigned
        )

    def called(self, match: bytes, seat: int) -> tuple[str, str]:
        """Return what the table and the player of a seat in a match are called."""
        place = self.places.of_match(match)
        if place is None or place.table.match is None:
            return "?", "?"
        return described(place.number, place.table), place.table.match.fold.names[seat]

    def game_of(self, box: bytes, author: bytes, to: bytes) -> str:
        """Return the game that letters in a box are about; empty if not played here."""
        for place in self.places:
            match, terms = place.table.match, place.table.terms
            of_it = match is not None and letter.box(match.match, author, to) == box
            if of_it and terms is not None:
                return terms.game
        return ""

    def seats_to_come(self) -> Sequence[Thought]:
        """Return turns that computer seats here will have, once for each match.

        They are not to be thought about yet; what that needs may be loaded.
        """
        found: list[Thought] = []
        for place in self.places:
            found += place.look(lambda table: table.thoughts_to_come()) or ()
        return found

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's move; dropped if its position has passed."""
        place = self.places.of_match(thought.match)
        match = None if place is None else place.table.match
        if place is None or match is None:
            return
        self.shared.now, self.shared.changed = now, True
        try:
            with place:
                match.thought(thought, move, now)
        except IllegalMoveError as error:
            self.shared.tell(Says.COMPUTER_ERRED(why=error), "error")
        except NetplayError as error:
            if error.code is Code.DISK:
                raise

    def fail(self, match: bytes, mistake: Exception) -> None:
        """Close the table of a match; its thought or job has failed by our mistake."""
        place = self.places.of_match(match)
        if place is not None:
            with suppress(LocalError), place:  # it was told
                raise mistake

    # What takes long.

    def done(self, result: Result, now: float) -> None:
        """Take the result of a job; dropped if its match is in hand no more."""
        place = self.places.of_match(result.job.match)
        match = None if place is None else place.table.match
        if place is not None and match is not None:
            self.shared.changed = True
            with place:
                match.done(result, now)

    # Files of the user's.

    def saved(self, window: int, request: Request, path: str, now: float) -> Saved:
        """Return a match in hand as it is to be written to a file of the user's.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        self.shared.now, self.shared.changed, self.shared.moved = now, True, True
        return self._answers.saved(window, request, path, now)

    def load(
        self, window: int, path: str, now: float, found: Copy | None = None
    ) -> Said:
        """Take a match up from a file of the user's, which may have been read before.

        Raises:
            LocalError: It is no match for this node, or it cannot be read.
        """
        self.shared.now, self.shared.changed, self.shared.moved = now, True, True
        return self._beginning.load(window, path, now, found)

    # Time.

    def wake(self, now: float) -> None:
        """Do what is due; call when `wants` says, harmless at any time."""
        self.shared.now = now
        self.places.look_again()
        due = [(place, place.wants.due) for place in self.places]
        ripe = [place for place, at in due if at is not None and at <= now]
        self._each(lambda table: table.wake(now), now, ripe)

    def wants(self) -> Wants:
        """Return what is wanted now: to be woken, moves of computers, jobs.

        A move or a job is wanted until it has been given.
        """
        if self.places.stale:
            self.places.look_again()
        return self.places.wants

    # What comes of it.

    def take_outgoing(self) -> list[Outgoing]:
        """Return messages in order, after everything they promise is on disk.

        Raises:
            LocalError: DISK; the table is given up, and the others are as they were:
                call again for them.
        """
        if self.places.unsent or self.places.polled:
            self.places.send(self.shared.now)
        return self.shared.take_out()

    def take_news(self) -> News:
        """Return what else came of it since the last call."""
        shared, places = self.shared, self.places
        if places.stale:
            places.look_again()
        if shared.wrote:
            # Ring for what was written at tables
            wrote, self.shared.wrote = self.shared.wrote, []
            for number, name in wrote:
                if (found := self.places.by_number.get(number)) is not None:
                    self.places.bell.wrote(found, name)
        summons = places.bell.take_summons() if places.bell.rung else []
        if self.writing.rung:  # looked at after every move
            summons += self.writing.take_rung()
        news = News(shared.changed, shared.moved, summons, places.wants)
        shared.changed = shared.moved = False
        return news

    def waits(self, number: int) -> bool:
        """Tell whether a table waits for the player here, to move or to begin."""
        place = self.places.by_number.get(number)
        return place is not None and bell.waits(place)

    def wants_dial(self) -> Sequence[Dial]:
        """Return the links missing at present; the shell retries with its back-off."""
        shared, blocked = self.shared, self.shared.means.known.blocked
        wanted: dict[tuple[bytes | None, str], Dial] = {}
        for place in self.places:
            for dial in place.look(lambda table: tuple(table.dials())) or ():
                key = dial.key
                if key is not None and (shared.is_up(key) or key in blocked):
                    continue
                name = key, "" if key is not None else dial.address
                old = wanted.get(name)
                if old is None or (old.calm and not dial.calm) or not old.address:
                    wanted[name] = dial
        for dial in self.writing.dials():
            wanted.setdefault((dial.key, ""), dial)
        return list(wanted.values())

    def unreachable(self, dial: Dial, reason: Said, now: float) -> None:
        """Note that an address did not answer; a joiner is told, a host waits."""
        self.shared.moved = True
        told = dial.key is None
        for place in self.places:
            with place:
                change = place.table.unreachable(dial)
                told = told or change is not None
                place.change(change, now)
        if told:
            self.shared.tell(reason, self.shared.means.asked.tone(dial.address))

    # Who is not wanted.

    def players(self) -> Mapping[bytes, str]:
        """Return everybody a window may be shown at a table, and their names."""
        return self.places.players()

    def block(self, key: bytes) -> None:
        """Have nothing to do with a peer any more that has just been blocked.

        A match goes on as if there were no way to the player's node; a table where it
        sits is left, unless it is our own.
        """
        self.shared.changed = self.shared.moved = True
        self._each(lambda table: table.blocked(key), self.shared.now)

    # What there is.

    def mode(self, window: int | None = None) -> str:
        """Return what the node is doing where a window looks, in a word."""
        place = self._windows.front(window)
        mode = "" if place is None else place.table.mode
        return mode or ("answering" if self.shared.answering else "idle")

    def hosts(self) -> bool:
        """Tell whether something has happened in a match that is hosted here."""
        for place in self.places.unsent.values():  # called for every message
            match = place.table.match
            if match is not None and match.members.hosting:
                return True
        return False

    def pass_on(self, *, on: bool | None = None) -> bool:
        """Tell whether matches that are watched here are passed on to others.

        Args:
            on: What the player wants from now on; None for what was wanted before.
        """
        shared = self.shared
        shared.passes_on = shared.passes_on if on is None else on
        return shared.passes_on

    def invite_to(
        self, table: HostTable | None, at: int | None = None
    ) -> tuple[HostTable, int]:
        """Open such a table for whoever comes by an invitation and finds no seat.

        Args:
            table: To be opened; None for the one of last time, or a usual one.
            at: When the player gave an invitation away, by `Means.counted`: no clock
                that is set lets it last longer, or ends it; None for now.

        Returns:
            What is to be kept of it.
        """
        shared = self.shared
        usual = HostTable(next(iter(LISTED)), ("person", "remote"), (), "", "")
        found = table or shared.invited[0] or usual
        shared.invited = found, shared.means.counted() if at is None else at
        return found, shared.invited[1]

    def offers(self) -> tuple[tuple[str, int], ...]:
        """Return game and free seats of the tables to which others may come.

        Of one who waits to be called, no game and no seats.
        """
        looked = [place.look(lambda table: table.offer()) for place in self.places]
        found = [offer for offer in looked if offer is not None]
        found.sort(key=lambda offer: not offer[1])
        waits = [("", 0)] if self.shared.answering else []
        return (*waits, *found)

    def table_status(
        self, now: float, window: int | None = None, number: int = 0
    ) -> TableStatus | None:
        """Return the table that a window looks at, None while it looks at none.

        Args:
            now: Seconds.
            window: Which.
            number: Of another table that is wanted; 0 for none.

        Raises:
            LocalError: NO_TABLE, there is none with that number.
        """
        windows = self._windows
        place = windows.numbered(number) if number else windows.front(window)
        status = None if place is None else place.look(lambda t: t.status(now))
        if place is None or status is None:
            return None
        made, chat = status.made, place.table.chat
        if chat is not None:
            made = replace(made, lines=chat.delivered)
        return replace(status, number=place.number, made=made)

    def renamed(self) -> None:
        """Let the list of games show what the player here calls others from now on."""
        for place in self.places:
            place.line = None

    def games(self, now: float) -> tuple[GameStatus, ...]:
        """Return all tables in hand: live ones, those that wait, others."""
        looked = [place.listed(now) for place in self.places]
        found = [line for line in looked if line is not None]
        return tuple(
            sorted(found, key=lambda one: (not one.live, not one.mine, one.table))
        )

    def glance(self, number: int) -> View:
        """Return the board of a table in hand as a bystander sees it.

        Raises:
            LocalError: NO_TABLE, there is none with its number, or no match at it.
        """
        place = self._windows.numbered(number)
        match = place.table.match
        view = None if match is None else place.look(lambda _: glance(match))
        if view is None:
            raise LocalError(Code.NO_TABLE, Says.NO_SUCH_TABLE(number=number))
        return view

    def open_tables(self, window: int) -> tuple[OpenStatus, ...]:
        """Return what is open at the host that was called, to choose from."""
        place = self._windows.front(window)
        if place is None or not isinstance(place.table, Guest | Asking):
            return ()
        return tuple(
            OpenStatus(
                shown_name(one.game), one.free, tuple(map(shown_name, one.players))
            )
            for one in place.table.offers
        )

    def expects(self, key: bytes) -> bool:
        """Tell whether a link from this peer matters to a table in hand."""
        unopened = bool(self.places.unopened)
        friend = unopened and self.shared.means.known.is_friend(key)
        return self.misses(key) or friend or self.writing.expects(key)

    def misses(self, key: bytes) -> bool:
        """Tell whether somebody sits or looks on here who needs this peer."""
        return any(
            place.look(lambda table: table.expects(key)) for place in self.places
        )

    def written(self) -> tuple[Correspondent, ...]:
        """Return with whom something was written without a table."""
        return self.writing.listed()

    def forget_written(self, key: bytes) -> None:
        """Forget what was written with a node that is nobody's friend any more.

        Raises:
            LocalError: DISK.
        """
        self.shared.moved = True
        self.writing.forget_written(key)

    def take_friends(self) -> Sequence[bytes]:
        """Return those whom the player has said yes to since the last call."""
        return self.shared.take_friends()

    def take_parted(self) -> Sequence[bytes]:
        """Return whose links no table needs any more, since the last call."""
        parted, self.shared.parted = self.shared.parted, set()
        return [key for key in parted if not self._needs(key)]

    def _needs(self, key: bytes) -> bool:
        """Tell whether a link matters to anybody who does not spare its other end."""
        now = self.shared.now

        def needs(table: State) -> bool:
            return table.expects(key) and not table.spares(key, now)

        return any(place.look(needs) for place in self.places) or (
            self.writing.expects(key)
        )

    def spares(self, key: bytes) -> bool:
        """Tell whether a peer is not to be asked what can wait: many may be there."""
        now = self.shared.now
        looks = (
            place.look(lambda table: table.spares(key, now)) for place in self.places
        )
        return any(looks)

    def trusts(self, key: bytes) -> bool:
        """Tell whether a peer may send as much as a match needs.

        A table in hand needs it, and the player has said yes to it.
        """
        return self.expects(key) and self.shared.knows(key)

    def close(self) -> None:
        """Sync and close every file; the last call."""
        for match in filter(None, [place.table.match for place in self.places]):
            with suppress(LocalError):
                match.close()
        self.places.clear()
