"""A place for one table: its changes are made here, and what goes with them.

The old state says goodbye and lets its files go, then the next one begins.  When the
disk refuses to keep what a table does, it is given up: no state has to remember that.

Whatever happens to a table happens while its place is entered (`with place: ...`): then
what it says goes out as its own, and what it wants is looked at anew.  A mistake of the
program's ends there, too: that table is closed, and to everybody else it is as if the
disk had refused it.
"""

from collections.abc import Callable
from contextlib import closing, suppress
from math import inf
from typing import Final, Self, TypeVar

from msgspec.structs import replace

from netplay.errors import Code, LocalError, NetplayError
from netplay.faults import is_mistake
from netplay.match.match import Match
from netplay.messages.door import Reason
from netplay.messages.table_questions import GameStatus
from netplay.record.ledger import Ledger
from netplay.record.views import audit
from netplay.sentences import Says
from netplay.table import state
from netplay.table.chat import ChatRoom
from netplay.table.guest import Calling, Guest
from netplay.table.hosting import Hosting
from netplay.table.playing import Playing
from netplay.table.shared import Shared
from netplay.table.table_status import game_status, titled
from netplay.table.unopened import Fetching, called, lacking, signer_of
from netplay.table.watching import Asking, WatchedAt, Watching

NOTHING_LEFT: Final = Says.MATCH_GONE()

T = TypeVar("T")

_SPOILING: Final = frozenset({Code.DISK, Code.BAD_LOG})
"""Errors after which nobody can tell what of a match is on the disk."""


class Place:
    """A place that always has a table, if only one with nothing on it."""

    def __init__(
        self, shared: Shared, number: int, settled: Callable[["Place"], None]
    ) -> None:
        """Begin without a table.

        Args:
            shared: What all tables of the node have in common.
            number: What windows call the table by.
            settled: Told when something has happened here.
        """
        self.shared: Final = shared
        self.number: Final = number
        self._settled: Final = settled
        self.table: state.State = state.State(shared)
        self.wants: state.Wants = state.NOTHING
        """What the table wanted when it was last looked at."""
        self.news: tuple[object, float] = (None, 0.0)
        """How the match stood, and since when, in seconds."""
        self.line: GameStatus | None = None
        """Its line of the list of games, as far as was looked at."""
        self._line_at = 0.0
        """When that was."""
        self.rung: tuple[int, Reason | None, int] | None = None
        """Entries, for what the match waited, and after how many moves: see `bell`."""
        self.title = ""
        """What the table was called that is gone."""
        self.halted = inf
        """Since when somebody has left its match, or is away; inf: nobody has."""
        self.reminded = False
        """The player was told that little time is left for this turn."""
        self.warned = False
        """The player was told that nobody confirms the turn that was made here."""
        self._within = 0
        """Whose word it was before, while this table has it."""

    @property
    def _talks(self) -> list[ChatRoom]:
        """What is said here, and at the match or the rematch beside it."""
        return [talk for talk in (self.table.chat, self.table.beside) if talk]

    def seen(self) -> None:
        """Take that the player sees what is said at the table.

        Where the disk does not keep that, the table is given up, and says so.
        """
        with suppress(LocalError), self:
            for talk in self._talks:
                talk.seen()

    def __enter__(self) -> Self:
        """Let the table have the word."""
        self._within, self.shared.at_table = self.shared.at_table, self.number
        return self

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        """Look at how it ended; a table that cannot be kept is given up.

        Raises:
            LocalError: FAULT, in the place of a mistake of the program's.
        """
        try:
            if error is None:
                pass
            elif isinstance(error, LocalError):
                self._give_up(error)
            elif is_mistake(error):
                raise self._closed(error) from error
        finally:
            self.shared.at_table = self._within
            self._settled(self)

    def listed(self, now: float) -> GameStatus | None:
        """Return its line of the list of games; None if that has closed the table."""
        line = self.line
        # Days are counted by the second; sixty such games are asked for at every step.
        old = now - self._line_at >= 1
        counts = line is not None and (line.away or line.left is not None)
        if line is None or line.clock >= 0 or (old and counts):
            line = self.look(lambda table: game_status(self.number, table, now))
            self.line, self._line_at = line, now
        if line is None:
            return None
        since = int(self.waited(now))
        terms, muted = self.table.terms, self.shared.means.muted
        told = terms is None or terms.nonce not in muted.tables
        unread = sum(talk.unread for talk in self._talks)
        return replace(line, since=since, unread=unread, muted=not told)

    def send(self, now: float) -> bool:
        """Let go what has become ready to be sent; tell whether there may be more.

        Raises:
            LocalError: DISK; the table is given up.
        """
        self.shared.at_table = self.number
        try:
            change = self.table.send(now)
            if change is not None:
                self.change(change, now)
        except LocalError as error:
            self._give_up(error)
            raise
        except Exception as error:
            if is_mistake(error):
                raise self._closed(error) from error
            raise
        finally:
            self.shared.at_table = 0
        return change is not None

    def look(self, tells: Callable[[state.State], T]) -> T | None:
        """Return what the table tells of itself; None if that has closed it.

        Args:
            tells: Asks it, and changes nothing.
        """
        try:
            return tells(self.table)
        except Exception as error:  # noqa: BLE001 (raised again unless it is a mistake)
            self.fail(error)
            return None

    def fail(self, error: Exception) -> None:
        """Close the table, as something went wrong in telling what it has.

        Raises:
            Exception: The same, where that is no mistake of the program's.
        """
        if not is_mistake(error):
            raise error
        with suppress(LocalError), self:
            raise error from None

    def change(self, change: state.Change | None, now: float) -> None:
        """Make a change of the table, and those that follow from it."""
        while change is not None:
            self.shared.changed = self.shared.moved = True
            old = self.table
            if not isinstance(change, state.PlayOn):
                old.close()
            self.title = titled(old)
            # Whatever fails, this is what is left.
            self.table = state.State(self.shared)
            if isinstance(change, state.GoOn):
                self.go_on(change.match, now)
                return
            self.table = self._made(change, old)
            if isinstance(change, state.Form | state.Sit):
                self._talk_on(old, change)
            follows = self.table.enter(now)
            if (
                isinstance(change, state.TakeUp | state.WatchOn)
                and change.message is not None
            ):
                follows = self.table.receive(change.key, change.message, now)
            change = follows

    def _talk_on(self, old: state.State, change: state.Form | state.Sit) -> None:
        """Let what is said at a match be heard at its rematch, and the other way."""
        table, beside = self.table, old.beside
        proposal = change.proposal if isinstance(change, state.Sit) else None
        nonce = b"" if proposal is None else proposal.terms.nonce
        if beside is not None and beside.nonce == nonce:
            beside.go_beside(table)
            table.chat = beside
        if old.chat is not None:
            old.chat.go_beside(table)
            table.beside = old.chat

    def _made(self, change: state.Change, old: state.State) -> state.State:  # noqa: C901, PLR0911 (one a state)
        """Return the state that follows another.

        Raises:
            LocalError: DISK, or BAD_LOG for damaged secrets.
        """
        shared = self.shared
        match change:
            case state.Form(table):
                return Hosting(shared, table)
            case state.CallHost():
                return Calling(shared, change)
            case state.Sit():
                return Guest(shared, change)
            case state.AskToWatch():
                return Asking(shared, change)
            case state.FetchWords():
                return Fetching(shared, change)
            case state.WatchOn(ledger):
                assert isinstance(old, Asking)
                return Watching(shared, self._opened(ledger), old.at)
            case state.PlayOn(match):
                return Playing(shared, match)
            case state.TakeUp(ledger):
                match = self._opened(ledger)
                if match.watching and change.message is None:
                    return Watching(shared, match, WatchedAt(shared, "", match.match))
                agreed = None if old.match is not None else old.chat
                return Playing(shared, match, agreed, old.admission)
            case state.Gone() | state.GoOn():
                return state.State(shared)

    def _opened(self, ledger: Ledger) -> Match:
        """Return a match with its secrets, ready to be played.

        Raises:
            LocalError: DISK, or BAD_LOG for damaged secrets.
        """
        shared, means, name = self.shared, self.shared.means, ledger.log.match
        with shared.opening(name):
            signer = signer_of(shared, ledger)
            # Behind that: who mends a damaged file puts another in its place, and
            # what is written to the one before is lost with the program.
            secrets = means.archive.open_secrets(name)
            match = Match(signer, ledger, secrets, means.entropy, shared.tell)
        match.autoplay = shared.autoplay
        match.relaying.unseal = means.unseal
        match.parts.unix, match.parts.steady = means.unix, means.steady
        return match

    def waited(self, now: float) -> float:
        """Return for how many seconds the table has stood as it does now."""
        match = self.table.match
        stands = self.table.mode if match is None else match.fold.moves
        if self.news[0] != (match is None, stands):
            before, means = 0.0, self.shared.means
            if self.news[0] is None and match is not None:
                # As its file has it, by whichever clock nobody has put forward
                written = means.archive.written(match.match)
                late = min(means.counted(), means.unix())
                before = max(0, late - written) if written else 0.0
            self.news = (match is None, stands), now - before
        return max(0.0, now - self.news[1])

    def _give_up(self, why: LocalError) -> None:
        """Let the table go that cannot be kept, if that is what an error says.

        Nothing of it that was waiting to be sent is: it may promise what is not on the
        disk.
        """
        if self.table.survives or why.code not in _SPOILING:
            return
        self.shared.hold_back()
        self.shared.moved = True
        lost, self.table = self.table, state.State(self.shared)
        self.title = titled(lost)
        if lost.match is None:
            self.shared.tell(why.said, "error")
        else:  # also who comes hours later has to learn why it is gone
            stuck = Says.MATCH_STUCK(match=self.title, why=why)
            self.shared.stick(lost.match_name, stuck)
        lost.give_up()

    def _closed(self, mistake: Exception) -> LocalError:
        """Close the table at which the program has made a mistake; return what to say.

        It is not gone on with by itself, neither now nor by the next node of the home:
        that would make the same mistake.  The player may load it again.
        """
        shared, lost = self.shared, self.table
        shared.means.faults.mistake(mistake, "table")
        self.table = state.State(shared)
        with suppress(Exception):  # whatever is wrong with it has been written down
            self.title = titled(lost)
        said = Says.TABLE_CLOSED()
        said = Says.AT(place=self.title, why=said) if self.title else said
        shared.fault(said)
        shared.hold_back()
        shared.moved = True
        with suppress(Exception):
            shared.lay_aside(lost.match_name)
        with suppress(Exception):
            lost.give_up()
        with suppress(Exception):
            shared.means.asked.drop(lost.nonce)
        return LocalError(Code.FAULT, said)

    def go_on(self, match: bytes, now: float) -> None:
        """Go on with a match that is kept here, or say why that cannot be."""
        shared = self.shared
        try:
            with shared.opening(match):
                self.change(lacking(shared, match) or self._kept(match), now)
        except NetplayError as error:
            if isinstance(error, LocalError):
                self._give_up(error)
            stuck = Says.MATCH_STUCK(match=called(shared, match), why=error)
            shared.stick(match, stuck)

    def _kept(self, match: bytes) -> state.Change | None:
        """Take a match up that is kept here, if anybody has anything to do in it."""
        archive = self.shared.means.archive
        ledger = self.shared.mender.ledger(match)
        if ledger is None:
            self.shared.fault(NOTHING_LEFT)
            archive.let_go(match)
        elif audit(ledger.fold):
            with closing(ledger.file) as file:
                file.sync()  # nobody opens it again after a node that was killed
            archive.let_go(match)
        else:
            return state.TakeUp(ledger)
        return None
