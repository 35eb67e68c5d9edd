"""The table that is in hand: its changes are made here, and what goes with them.

The old state says goodbye and lets its files go, then the next one begins.  When the
disk refuses to keep what a table does, it is given up: no state has to remember that.
"""

from typing import Final

from netplay.errors import Code, LocalError, NetplayError
from netplay.match.match import Match
from netplay.record.ledger import Ledger
from netplay.record.whole import audit
from netplay.sentences import Says
from netplay.table.changes import (
    AskToWatch,
    Change,
    FetchWords,
    Form,
    Gone,
    GoOn,
    PlayOn,
    Sit,
    TakeUp,
    WatchOn,
)
from netplay.table.fetching import Fetching, lacking
from netplay.table.guest import Guest
from netplay.table.hosting import Hosting
from netplay.table.playing import Playing
from netplay.table.shared import Shared
from netplay.table.state import State
from netplay.table.unopened import signer_of
from netplay.table.watching import Asking, WatchedAt, Watching

NOTHING_LEFT: Final = Says.LAST_MATCH_GONE()

_SPOILING: Final = frozenset({Code.DISK, Code.BAD_LOG})
"""Errors after which nobody can tell what of a match is on the disk."""


class _Guard:
    """Gives the table up when the disk refuses to keep it; the error is passed on.

    One serves all: every message and every move goes through it.
    """

    def __init__(self, in_hand: "InHand") -> None:
        self._in_hand: Final = in_hand

    def __enter__(self) -> None:
        """Begin with what may meet the disk."""

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        """Look at how it ended."""
        if isinstance(error, LocalError):
            self._in_hand.give_up(error)


class InHand:
    """A place that always has a table, if only one with nothing on it."""

    def __init__(self, shared: Shared) -> None:
        """Begin without a table; `reopen` goes on with the match left in hand.

        Args:
            shared: What all tables of the node have in common.
        """
        self.shared: Final = shared
        self.table: State = State(shared)
        self.guard: Final = _Guard(self)

    def change(self, change: Change | None, now: float) -> None:
        """Make a change of the table, and those that follow from it."""
        while change is not None:
            self.shared.changed = self.shared.moved = True
            old = self.table
            if not isinstance(change, PlayOn):
                old.close()
            self.table = State(self.shared)  # whatever fails, this is what is left
            if isinstance(change, GoOn):
                self._go_on(change.match, now)
                return
            self.table = self._made(change, old)
            follows = self.table.enter(now)
            if isinstance(change, TakeUp | WatchOn) and change.message is not None:
                follows = self.table.receive(change.key, change.message, now)
            change = follows

    def _made(self, change: Change, old: State) -> State:  # noqa: PLR0911 (one a state)
        """Return the state that follows another.

        Raises:
            LocalError: DISK, or BAD_LOG for damaged secrets.
        """
        shared = self.shared
        match change:
            case Form(table):
                return Hosting(shared, table)
            case Sit():
                return Guest(shared, change)
            case AskToWatch(address):
                return Asking(shared, address)
            case FetchWords():
                return Fetching(shared, change)
            case WatchOn(ledger):
                assert isinstance(old, Asking)
                return Watching(shared, self._opened(ledger), old.at)
            case PlayOn(match):
                return Playing(shared, match)
            case TakeUp(ledger):
                match = self._opened(ledger)
                if match.watching and change.message is None:
                    return Watching(shared, match, WatchedAt(shared, "", match.match))
                agreed = None if old.match is not None else old.chat
                return Playing(shared, match, agreed, old.admission)
            case Gone() | GoOn():
                return State(shared)

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
        match.unix = means.unix
        return match

    def give_up(self, why: LocalError) -> None:
        """Let the table go that cannot be kept, if that is what an error says.

        Nothing that was waiting to be sent is: it may promise what is not on the disk.
        """
        if self.table.survives or why.code not in _SPOILING:
            return
        self.shared.tell(why.said, "error")
        self.shared.out.clear()
        self.shared.moved = True
        lost, self.table = self.table, State(self.shared)
        lost.give_up()

    def reopen(self, now: float) -> None:
        """Go on with the match that was in hand when the node ended."""
        shared, archive = self.shared, self.shared.means.archive
        try:
            match = archive.in_hand()
        except LocalError as error:
            shared.fault(Says.LAST_MATCH_STUCK(why=error))
            return
        if match is not None and archive.has(match):
            self._go_on(match, now)
        elif match is not None:
            shared.fault(NOTHING_LEFT)

    def _go_on(self, match: bytes, now: float) -> None:
        """Go on with a match that is kept here, or say why that cannot be."""
        try:
            with self.guard, self.shared.opening(match):
                self.change(lacking(self.shared, match) or self._kept(match), now)
        except NetplayError as error:
            self.shared.fault(Says.LAST_MATCH_STUCK(why=error))

    def _kept(self, match: bytes) -> Change | None:
        """Take a match up that is kept here, if anybody has anything to do in it."""
        ledger = self.shared.mender.ledger(match)
        if ledger is None:
            self.shared.fault(NOTHING_LEFT)
        elif audit(ledger.fold):
            ledger.file.close()
            self.shared.means.archive.take_in_hand(None)
        else:
            return TakeUp(ledger)
        return None
