"""Look ahead in Numlo as if all others played together against one seat.

That turns a match of three or four into one of two sides, so that alpha-beta can cut
("paranoid" search; it loses little to subtler ways and looks deeper).
"""

from collections.abc import Callable, Sequence
from typing import Final

from netplay.players.deepening import Allowance, deepen
from netplay.players.numlo.judge import Judge, terrain
from rules.numlo import State
from rules.numlo.grid import bits, captures, grid, reach
from rules.numlo.state import unpack

INFINITE: Final = 1 << 60


class Search:
    """One search for the best square of a seat."""

    def __init__(
        self, state: State, seat: int, most: int, late: Callable[[], bool]
    ) -> None:
        """Prepare.

        Args:
            state: The position; the seat is on turn.
            seat: Who is to gain.
            most: How many positions may be looked at.
            late: Says whether time is up.
        """
        self._grid = grid(state.options.size)
        self._judge = Judge(state.options.size, state.values)
        self._order = terrain(state.options.size).order
        self._seat = seat
        seats = range(len(state.tiles))
        playing = [each for each in seats if each not in state.gone]
        self._playing = len(playing)
        self._next = {
            each: playing[(number + 1) % len(playing)]
            for number, each in enumerate(playing)
        }
        self._boards = tuple(unpack(state))
        self._empty = self._grid.full & ~sum(self._boards)
        self.allowance = Allowance(most, late)
        self._best: dict[tuple[int, tuple[int, ...]], int] = {}

    def run(self) -> tuple[int, int]:
        """Return the best square found, and the depth searched to the end.

        The search goes deeper ply by ply until it has had its share of positions or
        time, or has seen every end there is.
        """
        squares = self._sorted(self._reach(self._boards, self._empty, self._seat), -1)
        return deepen(squares, self._root, self._empty.bit_count() + 1)

    def value(self, square: int, depth: int) -> int:
        """Return what laying on a square is worth, looking so many plies ahead.

        Raises:
            Spent: It would cost more than is allowed.
        """
        boards = self._laid(self._boards, self._seat, square)
        empty = self._empty & ~(1 << square)
        following = self._next[self._seat]
        return self._value(boards, empty, following, depth - 1, -INFINITE, INFINITE)

    def _root(self, squares: Sequence[int], depth: int) -> tuple[int, bool]:
        """Return the best of the first squares at a depth; it is never settled."""
        best, alpha = squares[0], -INFINITE
        following = self._next[self._seat]
        for square in squares:
            boards = self._laid(self._boards, self._seat, square)
            empty = self._empty & ~(1 << square)
            value = self._value(boards, empty, following, depth - 1, alpha, INFINITE)
            if value > alpha:
                best, alpha = square, value
        return best, False

    def _value(
        self,
        boards: tuple[int, ...],
        empty: int,
        turn: int,
        depth: int,
        alpha: int,
        beta: int,
    ) -> int:
        """Return what a position is worth to the seat, within alpha and beta."""
        self.allowance.take()
        if depth == 0 and empty:
            return self._judge.promise(boards, empty, self._seat)
        for _ in range(self._playing):
            legal = self._reach(boards, empty, turn)
            if legal:
                break
            turn = self._next[turn]
        else:
            return self._judge.final(boards, self._seat)
        key = (turn, boards)
        following, wants_more = self._next[turn], turn == self._seat
        best, choice = (-INFINITE if wants_more else INFINITE), -1
        for square in self._sorted(legal, self._best.get(key, -1)):
            value = self._value(
                self._laid(boards, turn, square),
                empty & ~(1 << square),
                following,
                depth - 1,
                alpha,
                beta,
            )
            if wants_more and value > best:
                best, choice = value, square
                alpha = max(alpha, value)
            elif not wants_more and value < best:
                best, choice = value, square
                beta = min(beta, value)
            if alpha >= beta:
                break
        self._best[key] = choice
        return best

    def _reach(self, boards: tuple[int, ...], empty: int, seat: int) -> int:
        """Return the squares where a seat may lay."""
        others = boards[:seat] + boards[seat + 1 :]
        return reach(self._grid, boards[seat], others, empty)

    def _sorted(self, squares: int, first: int) -> list[int]:
        """Return squares, the most promising ones first."""
        listed = sorted(bits(squares), key=self._order.__getitem__)
        if first >= 0:
            listed.remove(first)
            listed.insert(0, first)
        return listed

    def _laid(self, boards: tuple[int, ...], seat: int, square: int) -> tuple[int, ...]:
        own = boards[seat]
        others = boards[:seat] + boards[seat + 1 :]
        taken = captures(self._grid, own, others, square)
        kept = ~taken
        return (
            *[board & kept for board in boards[:seat]],
            own | taken | 1 << square,
            *[board & kept for board in boards[seat + 1 :]],
        )
