"""How Numlo is played, in six lessons (source document of Numlo)."""

from functools import cache

from client.app.board import AnyMove, AnyStep
from client.app.lessons import Judge, Lesson, Position, Task, played
from client.ui.texts import _
from rules import numlo
from rules.game import CHANCE
from rules.numlo import OVER, Options, Place, State
from rules.numlo.grid import grid
from rules.numlo.state import open_to, pack

BLUE, RED, GREEN = range(3)

_SIZE = 8
"""Squares along an edge: the smallest board, so that each square is large."""


def lessons() -> tuple[Lesson, ...]:
    """Return the lessons, in the language of the window."""
    return (*_first(), *_further())


def _first() -> tuple[Lesson, ...]:
    """Return the lessons that a first game takes."""
    return (
        Lesson(
            _("Squares and numbers"),
            _(
                "Each tile of your colour holds the square it lies on, and a square "
                "counts one point. Some squares bear a number from 1 to 6: whoever "
                "holds such a square has that many points more. The most points at "
                "the end win, not the most tiles."
                " Who begins is drawn by lot; after Blue comes Red, after Red comes "
                "Green."
            ),
            _opening,
        ),
        Lesson(
            _("Turning lines"),
            _(
                "Lay a tile on an empty square so that a straight line of one other "
                "colour lies between it and the nearest tile of your own. The whole "
                "line turns to your colour. Lines run across, up and down, and along "
                "both diagonals. You may lay only where something turns."
            ),
            _line,
            Task(
                _("You are Blue. Lay a tile that turns the five red ones."),
                _turns(5),
                _("All five lie between two blue tiles, so all five turn."),
                _("That turns a line, too. Look for the one that turns five."),
            ),
        ),
        Lesson(
            _("One colour at a time"),
            _(
                "A line turns only if all of it is one single colour. A line of two "
                "colours stays as it is. A line ends at the nearest tile of your own: "
                "what lies behind that tile is not turned."
            ),
            _mixed,
            Task(
                _(
                    "Three rows end at an empty square. Only one of them turns for "
                    "Blue: which?"
                ),
                _turns(1),
                _("The others hold two colours, or no blue tile at their far end."),
                _("Look again: is all of the line one colour?"),
            ),
        ),
    )


def _further() -> tuple[Lesson, ...]:
    """Return those on what comes up later in a game, and on its end."""
    return (
        Lesson(
            _("Several lines at once"),
            _(
                "One tile turns every line that it closes, in all eight directions at "
                "once, and each line may be of another colour. The buttons SHOW and "
                "HINT mark where you may lay, and where you get most."
            ),
            _block,
            Task(
                _("Find the square where one blue tile turns three lines."),
                _turns(3),
                _("One green and two red tiles: three lines with one tile."),
                _("That turns fewer. Look at the corners of the block."),
            ),
        ),
        Lesson(
            _("Points before tiles"),
            _(
                "A square that bears a 6 is worth seven plain ones: its own point and "
                "six more. Rest the pointer on a square to see what would turn and how "
                "many points that is. A tile in a corner never turns again, one at the "
                "edge only along the edge. Before you lay, see what the next player "
                "could turn back."
            ),
            _valued,
            Task(
                _("Blue may turn four tiles, or one. Lay where you get most points."),
                _gets_most,
                _("One tile only, but its square counts seven."),
                _("More tiles, but fewer points. Look at the numbers."),
            ),
        ),
        Lesson(
            _("Passing, and the end"),
            _(
                "If you cannot turn anything, your turn is skipped until there is a "
                "line for you; if you can move, you must. The game is over when the "
                "board is full or nobody can turn anything. Then squares and numbers "
                "are added up. Players with equal points share a place."
            ),
            _ended,
            moving=6,
        ),
    )


def _turns(count: int) -> Judge:
    def judge(before: State, move: AnyMove, _after: State) -> bool:
        return len(numlo.flips(before, before.turn, move.square)) == count

    return judge


def _gets_most(before: State, move: AnyMove, _after: State) -> bool:
    """Judge whether a move wins as many points as any."""
    return bool(move.square == numlo.hint(before))


def _position(*rows: str, values: dict[tuple[int, int], int] | None = None) -> Position:
    """Return a position with Blue to lay.

    Args:
        rows: From the third row on, a letter a square from the second column on:
            B, R and G for tiles, a dot for none.
        values: The points of squares, by row and column of the board.
    """
    boards, worth = [0, 0, 0], bytearray(_SIZE * _SIZE)
    for r, row in enumerate(rows, 2):
        for c, letter in enumerate(row, 1):
            if letter != ".":
                boards["BRG".index(letter)] |= 1 << r * _SIZE + c
    for (r, c), points in (values or {}).items():
        worth[r * _SIZE + c] = points
    may = open_to(grid(_SIZE), boards, BLUE)
    options = Options(size=_SIZE, values=bool(values))
    tiles, (marks,) = pack(_SIZE, boards), pack(_SIZE, [may])
    return Position(State(options, tiles, bytes(worth), BLUE, marks, (), ()), BLUE)


@cache
def _line() -> Position:
    """Return the source document's first example, and a shorter line below it."""
    return _position("BRRRRR.", ".......", ".BRR...", "..RG...")


@cache
def _mixed() -> Position:
    """Return rows of which one turns: the document's second example among them."""
    return _position("BRGRR..", ".......", ".RRR...", ".......", "BRBR...")


@cache
def _block() -> Position:
    """Return the source document's block of six by three."""
    return _position(".GBRRB.", "RRGRRG.", "BRBGRR.")


@cache
def _valued() -> Position:
    """Return a choice between many plain squares and a dear one."""
    values = {(5, 4): 6, (3, 2): 1, (2, 7): 2, (6, 6): 3}
    return _position("BRRRR..", ".......", ".......", ".BG....", values=values)


@cache
def _opening() -> Position:
    """Return the first turn of a game of three."""
    state, turn = numlo.start(3, Options(size=_SIZE)), 0
    while CHANCE in numlo.actors(state):  # numbers are spread over the board
        outcomes = list(numlo.moves(state, CHANCE))
        move = outcomes[turn * 7 % len(outcomes)] if len(outcomes) > 3 else outcomes[0]
        state, turn = numlo.play(state, CHANCE, move), turn + 1
    return Position(state, BLUE)


@cache
def _ended() -> Position:
    """Return a game that all three played to its end by the button HINT."""
    state, past = _opening().state, list[AnyStep]()
    while state.turn != OVER:
        square = numlo.hint(state)
        assert square is not None  # whoever is on turn can move
        state, (step,) = played(numlo, state, [(state.turn, Place(square))])
        past.append(step)
    return Position(state, BLUE, tuple(past))
