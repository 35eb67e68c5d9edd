"""A computer player for Numlo: Easy, Medium and Hard (source document, Game play).

Easy (skill up to 33) lays where it wins most points at once, as HINT does, with a
first idea that corners are good; now and then it takes the second or third best.
Medium (up to 66) and Hard look ahead, Hard much further, and lay as Easy does at some
turns: Medium at most of them to a quarter, Hard at fewer, the best at none.

They look ahead as if all others played together against one seat.  That turns a match
of three or four into one of two sides, so that alpha-beta can cut ("paranoid" search;
it loses little to subtler ways and looks deeper).
"""

import time  # noqa: TID251 (a player's budget; the clock is an argument)
from collections.abc import Callable, Sequence
from functools import cache, partial
from math import log
from typing import Final, NamedTuple

from netplay.players import BEST, Abilities, Rng, deepening
from netplay.players.evaluating import Candidate, Evaluation, logistic
from netplay.said import Said
from netplay.sentences import Says
from rules.game import Seat
from rules.numlo import OVER, Move, Place, State, gain, moves, play
from rules.numlo.grid import bits, captures, grid, reach, square_name
from rules.numlo.state import open_to, points, unpack, value_boards

# What a position of Numlo promises each seat, without looking ahead.
#
# Corners can never be flipped and edges rarely, while the squares before them give them
# away; tiles beside empty squares are what others flip next. Points are all that counts
# in the end; before it they change hands so often that they are not looked at.


CORNER: Final = 24
EDGE: Final = 3
BESIDE_CORNER: Final = -7
BEFORE_CORNER: Final = -12
BEFORE_EDGE: Final = -1
FRONTIER: Final = -2
"""For each tile that touches an empty square."""

STABLE: Final = 4
"""For each tile that follows an own corner along the edge: nobody can flip it."""

MOBILE: Final = 3
"""For each square on which a seat may lay: who has none left lays where it hurts."""

FINAL: Final = 1_000
"""A point at the end of the match, beside which all promises are small."""

WON: Final = 100_000
"""What winning counts, in points at the end: more than there are."""


class Terrain(NamedTuple):
    """What squares are worth for where they lie, on one size of board."""

    corners: int
    edges: int
    """Edge squares but the corners and their neighbours."""

    beside: int
    """Edge squares next to a corner."""

    before: int
    """The inner square next to each corner."""

    second: int
    """The other squares next to the edge."""

    rows: int
    """The first and the last row."""

    columns: int
    """The first and the last column."""

    around: tuple[tuple[int, int], ...]
    """Each corner, and the three squares beside and before it."""

    order: tuple[int, ...]
    """For each square how early it is worth being looked at, 0 first."""


@cache
def terrain(size: int) -> Terrain:
    """Return the terrain of a board."""
    rings: dict[int, int] = dict.fromkeys(range(6), 0)
    for square in range(size * size):
        row, column = (min(n, size - 1 - n) for n in divmod(square, size))
        near, far = sorted((row, column))
        kind = {(0, 0): 0, (0, 1): 2, (1, 1): 3}.get(
            (near, far), 1 if near == 0 else 4 if near == 1 else 5
        )
        rings[kind] |= 1 << square
    order = [0] * (size * size)
    for place, kind in enumerate((0, 1, 5, 4, 2, 3)):
        for square in bits(rings[kind]):
            order[square] = place
    row, column = (1 << size) - 1, sum(1 << size * number for number in range(size))
    last, down = size - 1, size * (size - 1)
    around = tuple(
        (1 << at, 1 << at + right | 1 << at + below | 1 << at + right + below)
        for at, right, below in (
            (0, 1, size), (last, -1, size), (down, 1, -size), (down + last, -1, -size)
        )
    )  # fmt: skip
    return Terrain(
        corners=rings[0],
        edges=rings[1],
        beside=rings[2],
        before=rings[3],
        second=rings[4],
        rows=row | row << down,
        columns=column | column << last,
        around=around,
        order=tuple(order),
    )


def ground(size: int, square: int) -> int:
    """Return what a square is worth to whoever lays there, for where it lies."""
    land, bit = terrain(size), 1 << square
    if bit & land.corners:
        return CORNER
    if bit & land.edges:
        return EDGE
    if bit & land.beside:
        return BESIDE_CORNER
    if bit & land.before:
        return BEFORE_CORNER
    return BEFORE_EDGE if bit & land.second else 0


class Judge:
    """Judges positions of one match."""

    def __init__(self, size: int, values: bytes) -> None:
        """Prepare for a board of a size, with `State.values`."""
        self._grid = grid(size)
        self._land = terrain(size)
        self._worth = value_boards(values)

    def final(self, boards: Sequence[int], seat: int, rivals: Sequence[int]) -> int:
        """Return how far a seat is ahead of each other one at the end, added up.

        Whether it has won counts more: all other seats but those who have resigned
        are its rivals.  A tie with the first of them is worth nothing.
        """
        scores = [points(board, self._worth) for board in boards]
        own, most = scores[seat], max(scores[rival] for rival in rivals)
        if own == most:
            return 0
        lead = len(boards) * own - sum(scores)
        return FINAL * (lead + (WON if own > most else -WON))

    def promise(self, boards: Sequence[int], empty: int, seat: int) -> int:
        """Return how far a seat seems to be ahead of each other one, added up."""
        size, inner = self._grid.size, self._grid.inner
        side = empty & inner
        touched = empty << size | empty >> size
        touched |= side << 1 | side >> 1 | side << size + 1 | side >> size + 1
        touched |= side << size - 1 | side >> size - 1
        near = 0  # beside a corner that is taken no square is bad
        for corner, beside in self._land.around:
            if corner & empty:
                near |= beside
        total, own = 0, 0
        for number, board in enumerate(boards):
            others = [*boards[:number], *boards[number + 1 :]]
            # What its tiles are worth for where they stand, by whether an empty square
            # is beside them, or a corner may be given away from them
            land = self._land
            value = (
                CORNER * (board & land.corners).bit_count()
                + EDGE * (board & (land.edges | land.beside & ~near)).bit_count()
                + BESIDE_CORNER * (board & land.beside & near).bit_count()
                + BEFORE_CORNER * (board & land.before & near).bit_count()
                + BEFORE_EDGE * (board & land.second).bit_count()
                + FRONTIER * (board & touched).bit_count()
            ) + STABLE * self._stable(board)
            value += MOBILE * reach(self._grid, board, others, empty).bit_count()
            total += value
            if number == seat:
                own = value
        return len(boards) * own - total

    def _stable(self, board: int) -> int:
        """Return how many tiles stand in rows along the edge that begin at a corner."""
        land, size = self._land, self._grid.size
        stable, more = 0, board & land.corners
        while more != stable:
            stable = more
            along = (stable << 1 | stable >> 1) & land.rows
            along |= (stable << size | stable >> size) & land.columns
            more |= along & board
        return stable.bit_count()


INFINITE: Final = 1 << 60


class Search:
    """One search for the best square of a seat."""

    def __init__(
        self,
        state: State,
        seat: int,
        most: int,
        late: Callable[[], bool],
        blur: deepening.Blur = deepening.CLEAR,
    ) -> None:
        """Prepare.

        Args:
            state: The position; the seat is on turn.
            seat: Who is to gain.
            most: How many positions may be looked at.
            late: Says whether time is up.
            blur: By how much positions are misjudged.
        """
        self._blur = blur
        self._grid = grid(state.options.size)
        self._judge = Judge(state.options.size, state.values)
        self._order = terrain(state.options.size).order
        self._seat = seat
        seats = range(len(state.tiles))
        playing = [each for each in seats if each not in state.gone]
        self._playing = len(playing)
        self._rivals = [each for each in playing if each != seat]
        self._next = {
            each: playing[(number + 1) % len(playing)]
            for number, each in enumerate(playing)
        }
        self._boards = tuple(unpack(state))
        self._empty = self._grid.full & ~sum(self._boards)
        self.allowance = deepening.Allowance(most, late)
        self._best: dict[tuple[int, tuple[int, ...]], int] = {}

    def best(self) -> tuple[int, int]:
        """Return the best square found, and the depth searched to the end.

        The search goes deeper ply by ply until it has had its share of positions or
        time, or has seen every end there is.
        """
        squares = self._sorted(self._reach(self._boards, self._empty, self._seat), -1)
        return deepening.deepen(squares, self._root, self._empty.bit_count() + 1)

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
        self.allowance.spend()
        if depth == 0 and empty:
            promise = self._judge.promise(boards, empty, self._seat)
            return promise + self._blur.of(boards)
        for _ in range(self._playing):
            legal = self._reach(boards, empty, turn)
            if legal:
                break
            turn = self._next[turn]
        else:
            return self._judge.final(boards, self._seat, self._rivals)
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


POSITIONS: Final = 60, 96_000
"""At the low end of Medium (some two plies), and at most: see `deepening.positions`."""

VARIED: Final = 2
"""By how much everybody misjudges them: of moves as good as each other another is made
each time.  Else a game that was won once could be won again and again."""

GAINED: Final = 5
"""What a point won at once counts for Easy, in the units of the ground: without any
eye for the ground, Easy wins only two of three matches against chance."""

SEEING: Final = 25
"""From this skill on, Easy knows well which squares are good; a beginner does not."""

WORK: Final = 12_000
"""Positions for a turn in a review: some half a second."""

EVEN: Final = 0.9, 0.5
"""How much a position must promise for each square of the board for 73 % of the games
to be won, for each other seat: while the board is empty, and once it is full.  Fitted
to 250 games of computer players, on boards of 8 and of 10."""

AHEAD: Final = 0.6, 0.15
"""Of all points of the board, how many one is ahead in the end for a promise of 1 for
each square: while the board is empty, and once it is full.  Fitted to the same."""


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    budget: float = deepening.SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> Place:
    """Return a move.

    Who is less than the best lays now and then where it looks good at once, as Easy
    does: at the square of the share of skills above Easy that it lacks.  So a player
    near the best hardly ever does, for each time costs much against a strong one.
    """
    lacks = (BEST - skill) / (BEST - deepening.EASY)
    if rng.random() < lacks * lacks:
        # The square that looks best now, or one of the next two by a slip
        skill = min(skill, deepening.EASY)
        squares = [move.square for move in moves(view, seat) if isinstance(move, Place)]
        size = view.options.size
        eye = min(1.0, skill / SEEING)
        squares.sort(
            key=lambda at: -GAINED * gain(view, seat, at) - eye * ground(size, at)
        )
        if rng.random() * 100 < 50 - skill:
            return Place(rng.choice(squares[:3]))
        return Place(squares[0])
    end = clock() + deepening.SHARE * budget
    search = Search(
        view,
        seat,
        deepening.positions(skill, *POSITIONS),
        lambda: clock() >= end,
        deepening.Blur(VARIED, rng.random()),
    )
    return Place(search.best()[0])


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Place] = ()
) -> Evaluation:
    """Return what the best square is worth, and others; see `evaluating`."""
    search = Search(view, seat, budget, lambda: False)
    best, depth = search.best()
    others = {move.square for move in also} - {best}
    squares = [best, *sorted(others)]
    before, after = deepening.compared(
        squares, depth, search.value, search.allowance, 2 * budget * len(squares)
    )
    told = deepening.chances(
        before, after, partial(_chance, view), lambda worth: abs(worth) > DECIDED
    )
    found = [
        Candidate(Place(square), _lead(view, deep), *each)
        for square, deep, each in zip(squares, after, told, strict=True)
    ]
    found.sort(key=lambda each: -each.chance)
    return Evaluation(tuple(found), search.allowance.taken)


DECIDED: Final = FINAL * WON // 2
"""A value above this is that of an end that is won; below its opposite, lost."""


def _laid(view: State) -> float:
    """Return how much of the board is laid, 0 to 1."""
    laid = sum(board.bit_count() for board in unpack(view))
    return laid / view.options.size**2


def _rivals(view: State) -> int:
    """Return how many play against who is on turn, at least one."""
    return max(1, len(view.tiles) - len(view.gone) - 1)


def _chance(view: State, value: int) -> float:
    """Return the chance to win where a search says what a position is worth."""
    if abs(value) > DECIDED:  # the end was seen
        return 1.0 if value > 0 else 0.0
    rivals, (begin, end) = _rivals(view), EVEN
    scale = (begin + (end - begin) * _laid(view)) * view.options.size**2
    scale *= len(view.tiles) - 1  # tiles of who has resigned are looked at, too
    return logistic(value / scale - log(rivals), 1.0)


def _lead(view: State, value: int) -> float:
    """Return how many points ahead a search's value is."""
    if abs(value) > DECIDED:
        return value / FINAL - (WON if value > 0 else -WON)
    squares, (begin, end) = view.options.size**2, AHEAD
    much = (begin + (end - begin) * _laid(view)) * (squares + sum(view.values))
    return much * value / (squares * _rivals(view))


def reason(view: State, seat: Seat, best: Move, made: Move) -> Said | None:
    """Return whether a corner was missed or given away in Numlo."""
    size = view.options.size
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    if not isinstance(best, Place) or not isinstance(made, Place):
        return None
    if best.square in corners and made.square not in corners:
        return Says.WHY_CORNER_MISSED()

    def open_to_take(state: State, of: Seat) -> set[int]:
        return corners & set(bits(open_to(grid(size), unpack(state), of)))

    def open_after(move: Place) -> set[int]:
        after = play(view, seat, move)
        return set() if after.turn in {seat, OVER} else open_to_take(after, after.turn)

    if given := open_after(made) - open_after(best):
        other = play(view, seat, made).turn
        left = given <= open_to_take(view, other)  # it was open before, too
        return Says.WHY_CORNER_LEFT() if left else Says.WHY_CORNER_GIVEN()
    return None


def later(view: State, seat: Seat, best: Place, made: Place) -> Said | None:
    """Return whether a move costs a corner a few moves on, or leaves many answers."""
    size = view.options.size
    corners = 1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1

    def ahead(move: Place) -> int:
        """Return how many corners more than the others one has then."""
        after = play(view, seat, move)
        for _ in range(FOLLOWED):
            if after.turn == OVER:
                break
            square, _depth = Search(after, after.turn, FOLLOWING, lambda: False).best()
            after = play(after, after.turn, Place(square))
        held = [(board & corners).bit_count() for board in unpack(after)]
        return 2 * held[seat] - sum(held)

    if ahead(made) < ahead(best):
        return Says.WHY_CORNER_COST()
    after, then = (play(view, seat, move) for move in (made, best))
    if after.turn != then.turn or after.turn in {seat, OVER}:
        return None
    many, few = (
        open_to(grid(size), unpack(each), each.turn).bit_count()
        for each in (after, then)
    )
    if many - few < FREER or many < 1.5 * few:
        return None
    square = square_name(size, best.square)
    return Says.WHY_CHOICES(count=many, play=square, fewer=few)


FREER: Final = 3
"""Squares more to choose from that a mistake must leave the other to be told of."""

FOLLOWED: Final = 4
"""Moves after a mistake that are looked at for a corner that it costs."""

FOLLOWING: Final = 2_000
"""Positions for each of them."""

GLANCE: Final = 300
"""Positions for a first look."""

ABILITIES: Final = Abilities(
    talents=(0, 33, 46, 55, 64, 71, 77, 100),
    timed=True,
    evaluate=evaluate,
    work=WORK,
    glance=GLANCE,
    reason=reason,
    later=later,
)
