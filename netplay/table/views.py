"""What windows are shown of the match: the view of the seat that each one watches."""

from typing import Final

from netplay.errors import Code, LocalError
from netplay.match.match import Match
from netplay.messages.door import View
from netplay.sentences import Says
from netplay.wanted import Push
from netplay.wire import pack

BYSTANDER: Final = -1


class _Window:
    """What a window watches, and what it has been sent."""

    def __init__(self) -> None:
        self.seat: int | None = None
        """None before it has asked for any."""
        self.sent: tuple[bytes, int, int] | None = None
        """Match, entries and happenings of the last view."""
        self.state: bytes = b""


class Views:
    """The windows of a node, and what each has been sent."""

    def __init__(self) -> None:
        """Begin without any."""
        self._windows: dict[int, _Window] = {}

    def up(self, window: int) -> None:
        """Note a new window."""
        self._windows.setdefault(window, _Window())

    def down(self, window: int) -> None:
        """Forget a window."""
        self._windows.pop(window, None)

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
        first = max(0, happened - 1) if match.fold.hz else 0
        past = tuple(match.seats.view(seat).happened[first:happened])
        view = View(match.match, one.seat, number, pack(state), past, live=False)
        return Push(window, view)

    def changed(self, match: Match) -> list[Push]:
        """Return the views of a match that have changed since they were sent."""
        pushes: list[Push] = []
        for number, window in self._windows.items():
            seat = window.seat
            if seat is not None and (seat == BYSTANDER or _may(match, seat)):
                view = _news(match, window)
                if view is not None:
                    pushes.append(Push(number, view))
        return pushes


def _may(match: Match, seat: int) -> bool:
    """Tell whether a seat's view may be shown here."""
    holders = match.ledger.fold.holders
    return seat == BYSTANDER or (0 <= seat < len(holders) and holders[seat] == match.me)


def _allowed(match: Match, seat: int) -> int | None:
    """Return the seat as views know it.

    Raises:
        LocalError: NOT_A_MEMBER.
    """
    if not _may(match, seat):
        raise LocalError(Code.NOT_A_MEMBER, Says.PLAYED_ELSEWHERE())
    return None if seat == BYSTANDER else seat


def _news(match: Match, window: _Window) -> View | None:
    """Return a window's view if it has changed, with what has happened since."""
    assert window.seat is not None
    seen = match.seats.view(None if window.seat == BYSTANDER else window.seat)
    number, happened = match.ledger.fold.number, len(seen.happened)
    mark = (match.match, number, happened)
    if window.sent == mark and match.realtime is None:
        return None
    shown = seen.state if match.realtime is None else match.shown_state(window.seat)
    state = pack(shown)
    if window.sent == mark and window.state == state:
        return None
    old = window.sent
    start = 0 if old is None or old[0] != match.match else min(old[2], happened)
    window.sent, window.state = mark, state
    fresh = tuple(seen.happened[start:])
    return View(match.match, window.seat, number, state, fresh, live=True)
