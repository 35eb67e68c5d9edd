"""The tables of a node, of which there is one as yet: the `Core` of netplay.daemon.

What happens is given to the table in hand, and the `Change` it may return is made (see
`in_hand`).  What belongs to no table is done here: who is on a link, what windows see,
which matches are on the disk, and whom the player calls.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.match.masks import Job, Result
from netplay.match.match import Match
from netplay.messages.door import (
    Answer,
    Done,
    Failed,
    HostTable,
    Join,
    LeaveTable,
    Load,
    LookBack,
    Play,
    Question,
    Request,
    Save,
    SetName,
    TableStatus,
    Watch,
    failed,
)
from netplay.messages.table_questions import StandIn, WatchAt
from netplay.record.copies import Copy
from netplay.review.turns import Judged
from netplay.said import Said, Words, spoken
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says
from netplay.table import match_files
from netplay.table.changes import AskToWatch, Form, Gone, Sit, TakeUp
from netplay.table.fetching import WAITS, lacking
from netplay.table.forming import Forming
from netplay.table.hosting import keep_words
from netplay.table.in_hand import InHand
from netplay.table.rematch import NONCE_BYTES
from netplay.table.shared import Means, Peer, Shared
from netplay.table.state import State
from netplay.table.views import Views
from netplay.table.watching import Asking
from netplay.wanted import Dial, Outgoing, PeerMessage, Push, Thought
from rules.game import IllegalMoveError

ELSEWHERE: Final = Says.LEAVE_FIRST()


class Calling(NamedTuple):
    """A host that is called, until it answers."""

    dial: Dial
    seat: int


class Tables(InHand):
    """The tables of a node."""

    def __init__(self, means: Means, name: str) -> None:
        """Begin without a table; `reopen` goes on with the match left in hand.

        Args:
            means: Key, disk, word lists, randomness, time of day.
            name: This node's player.
        """
        super().__init__(Shared(means, name))
        self._calling: Calling | None = None
        self._views: Final = Views()
        self._mark: object = None
        """What the links and tables were last looked at for."""

    # Links.

    def peer_up(
        self, key: bytes, name: str, address: str, now: float, *, friend: bool = True
    ) -> None:
        """Note a link, and go on with whatever it was wanted for."""
        shared, calling = self.shared, self._calling
        shared.now, shared.changed, shared.moved = now, True, True
        shared.peers[key] = Peer(name, address, now, up=True, friend=friend)
        with self.guard:
            if calling is not None and calling.dial.address == address:
                self._sit(key, calling, now)
            else:
                self.change(self.table.peer_up(key, address, now), now)
            if self.table.chat is not None:
                self.table.chat.greet((key,))

    def _sit(self, key: bytes, calling: Calling, now: float) -> None:
        """Ask the host that was called for a seat."""
        self._calling = None
        self.shared.places[key] = calling.dial.address
        self.change(Sit(key, ask=calling.seat), now)

    def peer_down(self, key: bytes, now: float) -> None:
        """Note that a peer is away; forget those whom no table needs."""
        shared, peer = self.shared, self.shared.peers.get(key)
        if peer is None:
            return
        shared.now, shared.changed, shared.moved = now, True, True
        shared.peers[key] = replace(peer, up=False, since=now)
        with self.guard:
            self.change(self.table.peer_down(key, now), now)
        for one, known in list(shared.peers.items()):
            if not known.up and not self.table.expects(one):
                del shared.peers[one]
                shared.places.pop(one, None)

    def receive(self, key: bytes, message: PeerMessage, now: float) -> None:
        """Take a message from a peer.

        Raises:
            PeerError: It broke the protocol.
            LocalError: DISK.
        """
        shared = self.shared
        shared.now, shared.changed = now, True
        try:  # as the guard does: nearly all that happens comes this way
            change = self.table.receive(key, message, now)
            if change is not None:
                self.change(change, now)
        except LocalError as error:
            self.give_up(error)
            raise

    # Windows.

    def window_up(self, window: int) -> None:
        """Note a new window, and tell it what was said before it came."""
        self._views.up(window)
        if self.table.chat is not None:
            self.table.chat.recall(window)

    def window_down(self, window: int) -> None:
        """Forget a window."""
        self._views.down(window)

    def ask(self, window: int, request: Request, now: float) -> Done | Failed:
        """Answer a request from the door."""
        shared = self.shared
        shared.now, shared.changed = now, True
        shared.moved = shared.moved or not isinstance(request.ask, Play)
        try:
            text = self._answer(window, request.ask, now)
        except IllegalMoveError as error:
            return Failed(request.id, Code.ILLEGAL_MOVE.number, spoken(error))
        except NetplayError as error:
            return failed(request.id, error)
        return Done(request.id, text)

    def _answer(self, window: int, question: Question, now: float) -> Words:  # noqa: C901, PLR0911 (one a question)
        """Do what a window asks; return what to say.

        Raises:
            LocalError: The user asked for what cannot be.
            IllegalMoveError: The rules forbid the move.
        """
        match question:
            case SetName(name):
                return self._set_name(name)
            case Answer(on, first):
                self.shared.answering, self.shared.first = on, on and first
                return Says.WAITING_FOR_CALL() if on else Says.WAITING_NO_MORE()
            case HostTable():
                self._host(question, now)
                return Says.TABLE_OPEN()
            case Join(address, seat):
                self._join(address.strip(), seat, now)
                return Says.CALLING(address=address)
            case WatchAt(address) if address.strip():
                self._free()
                self._calling = None
                self.change(AskToWatch(address.strip()), now)
                return Says.CALLING(address=address.strip())
            case StandIn(skill):
                return self._stand_in(skill)
            case Watch(seat):
                self._views.watch(window, seat, self.table.match)
                return ""
            case LookBack(number):
                view = self._views.back(window, number, self.table.match)
                self.shared.pushes.append(view)
                return ""
            case Save():
                return self._save(question, now)
            case Load(path):
                return self.load(path, now)
            case LeaveTable():
                self._calling = None
            case _:
                pass
        with self.guard:
            text, change = self.table.ask(question, now)
            self.change(change, now)
        return text

    def _free(self) -> None:
        """Refuse another table while one is in hand that somebody waits at.

        Raises:
            LocalError: USAGE.
        """
        if self.table.busy:
            raise LocalError(Code.USAGE, ELSEWHERE)

    def _set_name(self, text: str) -> str:
        """Take another player's name."""
        name = clean(text, NAME_CHARACTERS)
        if not name:
            raise LocalError(Code.USAGE, Says.NAME_EMPTY())
        self.shared.name = name
        return name

    def _host(self, ask: HostTable, now: float) -> None:
        """Open a table."""
        self._free()
        shared, means = self.shared, self.shared.means
        nonce = means.entropy(NONCE_BYTES)
        table = Forming(means.signer, shared.name, ask, nonce, means.known)
        keep_words(shared, table)
        self._calling = None
        with self.guard:
            self.change(Form(table), now)

    def _join(self, address: str, seat: int, now: float) -> None:
        """Call a host and ask for a seat; what is in hand stays until it answers."""
        self._free()
        if isinstance(self.table, Asking):
            self.change(Gone(), now)
        self._calling = Calling(Dial(address, None), seat)
        for key in self.shared.at(address)[:1]:
            with self.guard:
                self._sit(key, self._calling, now)

    def _stand_in(self, skill: int | None) -> Said:
        """Let a computer player stand in for this node's persons, or no longer.

        Args:
            skill: 0 to 100; None to take the seats back.
        """
        self.shared.autoplay = skill
        if self.table.match is not None:
            self.table.match.autoplay = skill
        return Says.STANDS_IN_NO_MORE() if skill is None else Says.STANDS_IN()

    # Files of the user's.

    def _save(self, ask: Save, now: float) -> Said:
        """Write the match to a file; return what to tell.

        Raises:
            LocalError: NO_TABLE, there is none; TAKEN, a file is there that may not
                go; DISK.
        """
        archive = self.shared.means.archive
        self._to_save()
        path = archive.spare(ask.path, over=ask.over)
        saved = self.saved(path, now)
        archive.write(path, saved.raws, saved.more)
        return saved.told

    def saved(self, path: str, now: float) -> match_files.Saved:
        """Return the match in hand as it is to be written to a file of the user's.

        Args:
            path: Of the file.
            now: Seconds.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        match = self._to_save()
        self.shared.now, self.shared.changed, self.shared.moved = now, True, True
        if match.others and not match.linked and not match.watching:
            with self.guard:  # nobody is there: it goes on by mail from here
                match.go_by_mail(now)
        return match_files.saved(self.shared, match, path)

    def _to_save(self) -> Match:
        """Return the match in hand.

        Raises:
            LocalError: NO_TABLE, there is none.
        """
        match = self.table.match
        if match is None:
            raise LocalError(Code.NO_TABLE, Says.NOTHING_TO_SAVE())
        return match

    def load(self, path: str, now: float, found: Copy | None = None) -> Said:
        """Take a match from a file up, or into the one in hand; return what to tell.

        Args:
            path: Of the file; empty for the match kept last.
            now: Seconds.
            found: What a file of the user's has, if it has been read already.

        Raises:
            LocalError: It is no match for this node, or it cannot be read.
        """
        shared, held = self.shared, self.table.match
        shared.now, shared.changed, shared.moved = now, True, True
        try:
            file = match_files.read(shared, path, held, found)
            if held is None or held.match != file.match or self.table.stopped:
                if not self.table.busy and file.is_for(shared.me):
                    file.take_along(shared.means.shelf)
                    lacks = file.is_kept(shared) and lacking(shared, file.match)
                    if lacks:
                        self.change(lacks, now)
                        return WAITS
                    file.require(shared.means.shelf)
                self._free()
                with shared.opening(file.match):
                    ledger = match_files.ledger_of(shared, file)
                with self.guard:
                    self.change(TakeUp(ledger), now)
            held = self.table.match
            assert held is not None  # just put in hand
            with self.guard:
                new = held.take_file(file.raws, file.items, shared.means.unseal, now)
        except PeerError as error:
            raise LocalError(error.code, error.detail) from error
        shared.changed = True
        told = match_files.told(held, new)
        return told if file.lost is None else Says.THEN(first=told, then=file.lost)

    # Computer players.

    def hint(self, seat: int) -> Thought:
        """Return the thought that finds a hint for a seat played here."""
        return self.table.hint(seat)

    def turn(self, number: int) -> Judged:
        """Return a turn of the match in hand, once it is over."""
        return self.table.turn(number)

    def seats_to_think(self) -> Sequence[Thought]:
        """Return the turns of local computer seats."""
        return self.table.thoughts()

    def seats_to_come(self) -> Sequence[Thought]:
        """Return turns that computer seats here will have, once for each match."""
        return self.table.thoughts_to_come()

    def seats_in_play(self) -> frozenset[tuple[bytes, int]]:
        """Return match and seat of each seat that is played here and goes on."""
        match = self.table.match
        if match is None or match.fold.over:
            return frozenset()
        own = set(filter(match.seats.is_own, range(len(match.fold.holders))))
        return frozenset((match.match, seat) for seat in own - match.fold.resigned)

    def thought(self, thought: Thought, move: Any, now: float) -> None:  # noqa: ANN401 (a game's own)
        """Take a computer player's move; dropped if its position has passed."""
        match = self.table.match
        if match is None or match.match != thought.match:
            return
        self.shared.now, self.shared.changed = now, True
        try:
            with self.guard:
                match.thought(thought, move, now)
        except IllegalMoveError as error:
            self.shared.tell(Says.COMPUTER_ERRED(why=error), "error")
        except NetplayError as error:
            if error.code is Code.DISK:
                raise

    # What takes long.

    def jobs(self) -> Sequence[Job]:
        """Return what matches want done beside the loop."""
        return self.table.jobs()

    def done(self, result: Result, now: float) -> None:
        """Take the result of a job; dropped if its match is in hand no more."""
        match = self.table.match
        if match is None or match.match != result.job.match:
            return
        self.shared.changed = True
        with self.guard:
            match.done(result, now)

    # Time.

    def wake(self, now: float) -> None:
        """Do what is due."""
        self.shared.now = now
        with self.guard:
            self.table.wake(now)

    def deadline(self) -> float | None:
        """Return when `wake` is next wanted."""
        return self.table.deadline()

    # What comes of it.

    def take_outgoing(self) -> list[Outgoing]:
        """Return messages in order, after everything they promise is on disk."""
        shared = self.shared
        try:
            change = self.table.send(shared.now)
            if change is not None:
                self.change(change, shared.now)
        except LocalError as error:
            self.give_up(error)
            raise
        out, shared.out = shared.out, []
        return out

    def take_pushes(self) -> list[Push]:
        """Return pushes for windows, in order."""
        match, pushes = self.table.match, self.shared.pushes
        self.shared.pushes = []
        return pushes if match is None else [*pushes, *self._views.changed(match)]

    def take_changed(self) -> bool:
        """Tell whether the status changed since the last call."""
        changed, self.shared.changed = self.shared.changed, False
        return changed

    def take_moved(self) -> bool:
        """Tell whether links wanted or tables offered may be others since then."""
        before, self._mark = self._mark, self.table.mark()
        moved, self.shared.moved = self.shared.moved, False
        return moved or before != self._mark

    def wants_dial(self) -> Sequence[Dial]:
        """Return the links missing at present."""
        shared, calling = self.shared, self._calling
        blocked = shared.means.known.blocked
        dials = [
            dial
            for dial in self.table.dials()
            if dial.key is None or not (shared.is_up(dial.key) or dial.key in blocked)
        ]
        return dials if calling is None else [calling.dial, *dials]

    def unreachable(self, dial: Dial, reason: Said, now: float) -> None:
        """Note that an address did not answer."""
        self.shared.moved = True
        change = None
        if self._calling is not None and self._calling.dial == dial:
            self._calling = None
        else:
            change = self.table.unreachable(dial)
            self.change(change, now)
        if change is not None or dial.key is None:
            self.shared.tell(reason, "error")

    # Who is not wanted.

    def players(self) -> Mapping[bytes, str]:
        """Return everybody a window may be shown at the table, and their names."""
        found = {**self.shared.names(), **self.table.names()}
        found.pop(self.shared.me, None)
        return found

    def block(self, key: bytes) -> None:
        """Have nothing to do with a peer any more that has just been blocked.

        A match goes on as if there were no way to the player's node; a table where it
        sits is left, unless it is our own.
        """
        self.shared.changed = self.shared.moved = True
        self.change(self.table.blocked(key), self.shared.now)

    # What there is.

    def mode(self) -> str:
        """Return what the node is doing, in a word."""
        mode = self.table.mode
        if mode:
            return mode
        if self._calling is not None:
            return "calling"
        return "answering" if self.shared.answering else "idle"

    def offer(self) -> tuple[str, int] | None:
        """Return game and free seats of the table that others may come to."""
        return ("", 0) if self.mode() == "answering" else self.table.offer()

    def table_status(self, now: float) -> TableStatus | None:
        """Return the table as windows show it."""
        return self.table.status(now)

    def expects(self, key: bytes) -> bool:
        """Tell whether a link from this peer matters to the table in hand."""
        return self.table.expects(key)

    def take_friends(self) -> Sequence[bytes]:
        """Return those whom the player has said yes to since the last call."""
        return self.shared.take_friends()

    def trusts(self, key: bytes) -> bool:
        """Tell whether a peer may send as much as a match needs."""
        return self.expects(key) and self.shared.knows(key)

    def close(self, now: float) -> None:
        """Sync and close every file."""
        del now  # the Protocol's
        match = self.table.match
        self.table = State(self.shared)
        if match is not None:
            match.close()
