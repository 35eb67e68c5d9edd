"""What windows are shown of the match: the view of the seat that each one watches."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from netplay.errors import Code, LocalError
from netplay.limits import PIECE_BYTES, PIECE_MOVES
from netplay.match.match import Match
from netplay.messages.door import Earlier, Happened, View
from netplay.record.past import Back
from netplay.record.views import SeatView
from netplay.sentences import Says
from netplay.wanted import Push
from netplay.wire import pack

BYSTANDER: Final = -1


class _Mark(Struct, frozen=True):
    """How much a view has told."""

    match: bytes
    number: int
    happened: int
    known: int
    made: tuple[bytes, ...]
    backs: Sequence[Back]


class _Window:
    """What a window watches, and what it has been sent."""

    def __init__(self) -> None:
        self.up = False
        self.looks_at: int | None = None
        """The table it has chosen, 0 for none of them; None before it has chosen."""
        self.seat: int | None = None
        """None before it has asked for any."""
        self.sent: _Mark | None = None
        """What the last view told."""
        self.view: SeatView | None = None
        """Of whom it told."""
        self.state: bytes = b""


class Views:
    """The windows of a node, and what each has been sent."""

    def __init__(self) -> None:
        """Begin without any."""
        self._windows: dict[int, _Window] = {}

    def up(self, window: int) -> None:
        """Note a new window."""
        self._windows.setdefault(window, _Window()).up = True

    def down(self, window: int) -> None:
        """Forget a window."""
        self._windows.pop(window, None)

    # Which table each looks at.

    def numbers(self) -> list[int]:
        """Return the windows that are there."""
        return [number for number, window in self._windows.items() if window.up]

    def looks_at(self, window: int) -> int | None:
        """Return the table that a window has chosen, 0 for none; None for no choice."""
        one = self._windows.get(window)
        return None if one is None else one.looks_at

    def looked_at(self) -> set[int]:
        """Return all tables that windows have chosen."""
        return {one.looks_at for one in self._windows.values() if one.looks_at}

    def look(self, window: int, table: int) -> bool:
        """Let a window look at another table, or at none; tell whether it is there."""
        one = self._windows.get(window)
        if one is None or not one.up:
            return False  # a command: it says each time which table it means
        one.looks_at = table
        return True

    def unwatch(self, window: int) -> None:
        """Send a window no views until it asks for a seat of what it sees now."""
        one = self._windows[window]
        one.seat, one.sent = None, None

    def gone(self, table: int, *, alone: bool) -> None:
        """Let windows that look at a table that is gone look at none.

        Args:
            table: Which.
            alone: There is no other: the next that comes will be the one.
        """
        for one in self._windows.values():
            if one.looks_at == table:
                one.looks_at = None if alone else 0

    def watch(self, window: int, seat: int, match: Match | None) -> None:
        """Send a window the views of a seat from now on.

        Raises:
            LocalError: NOT_A_MEMBER, the seat is played elsewhere.
        """
        if match is not None:
            _allowed(match, seat)
        one = self._windows.setdefault(window, _Window())
        one.seat, one.sent = seat, None

    def back(self, window: int, number: int, match: Match | None) -> Push:
        """Return a window's view as it was after some entries.

        Raises:
            LocalError: USAGE, there is no match, or nothing is watched.
        """
        one = self._windows.get(window)
        if match is None or one is None or one.seat is None:
            raise LocalError(Code.USAGE, Says.NO_MATCH_TO_LOOK_BACK())
        seat = _allowed(match, one.seat)
        state, happened = match.seats.view(seat).back(number)
        # A window that hurries wants the time, not thousands of inputs.
        past = match.seats.view(seat).happened(max(0, happened - 1), happened)
        view = View(match.match, one.seat, number, pack(state), past, live=False)
        return Push(window, view)

    def changed(
        self,
        seen: Callable[[int | None], Match | None],
        tell: Callable[[Match, Callable[[], View | None]], View | None],
    ) -> list[Push]:
        """Return the views that have changed since they were sent.

        Args:
            seen: Returns the match at the table that a window has chosen; see
                `looks_at`.
            tell: Returns what is told of a match, and sees to what comes up in that.
        """
        pushes: list[Push] = []
        for number, window in self._windows.items():
            seat = window.seat
            match = None if seat is None else seen(window.looks_at)
            if seat is None or match is None:
                continue
            if seat == BYSTANDER or seat in match.members.seats:
                view = tell(match, partial(_news, match, window))
                if view is not None:
                    pushes.append(Push(number, view))
        return pushes


def _allowed(match: Match, seat: int) -> int | None:
    """Return the seat as views know it.

    Raises:
        LocalError: NOT_A_MEMBER.
    """
    if seat != BYSTANDER and seat not in match.members.seats:
        raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
    return None if seat == BYSTANDER else seat


def earlier(asked: Earlier, match: Match | None) -> bytes:
    """Return a piece of the history of a match, as a seat knows it, encoded.

    Raises:
        LocalError: USAGE, there is no such match; NOT_A_MEMBER, the seat is played
            elsewhere.
    """
    if match is None or match.match != asked.match:
        raise LocalError(Code.USAGE, Says.NO_MATCH_TO_LOOK_BACK())
    return pack(match.seats.view(_allowed(match, asked.seat)).piece(asked.place))


def glance(match: Match) -> View:
    """Return a match's board for a list: as it is, without what happened before."""
    state = pack(match.shown_state(BYSTANDER))
    return View(match.match, BYSTANDER, match.fold.number, state, (), live=False)


def _too_much(told: Sequence[Happened]) -> bool:
    """Tell whether moves are more than a window is told together."""
    size = sum(len(one.move) for one in told)
    return len(told) > PIECE_MOVES or size > PIECE_BYTES


def _news(match: Match, window: _Window) -> View | None:
    """Return a window's view if it has changed, with what has happened since."""
    assert window.seat is not None
    seen = match.seats.view(None if window.seat == BYSTANDER else window.seat)
    fold, old = match.ledger.fold, window.sent
    made = match.seats.made(window.seat) if match.submitting.early else ()
    mark = _Mark(
        match.match, fold.number, seen.count, len(seen.known), made, fold.backs
    )
    if old == mark and window.view is seen and match.realtime is None:
        return None
    shown = seen.state if match.realtime is None else match.shown_state(window.seat)
    state = pack(shown)
    if old == mark and window.view is seen and window.state == state:
        return None
    window.sent, window.state = mark, state
    place = match.match, window.seat, fold.number
    again = old is None or window.view is not seen  # or the log was made anew
    whole = not again and old is not None and old.backs is not fold.backs
    window.view = seen
    told = () if old is None or again else seen.happened(old.happened, seen.count)
    much = len(told) > 1 and _too_much(told)  # one move is never too much
    if old is None or again or whole or much:
        piece = seen.piece(seen.count)
        return View(
            *place, state, piece.happened, live=True, made=made, whole=whole,
            before=piece.before, known=piece.known,
        )  # fmt: skip
    learnt = seen.learnt(old.known) if mark.known > old.known else ()
    return View(*place, state, told, live=True, made=made, known=learnt)
