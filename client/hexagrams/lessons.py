"""How Hexagrams is played, in six lessons (source document of Hexagrams)."""

import re
from functools import cache, partial

from client.app.board import AnyMove, AnyStep
from client.app.lessons import Lesson, Position, Task, is_a, played
from client.hexagrams.input import name_of
from client.ui.texts import _
from rules import hexagrams
from rules.hexagrams import BLACK, WHITE, Hexad, Options, State, Triad

_EXAMPLE = ("H(1,0) T(3,0) T(3,2) T(4,1)", "H(1,6) H(2,3) T(5,-1) T(5,3) T(7,2) T(8,1)")
"""White's and Black's stones in the source document's example."""

_PLIES = (
    "T(8,1)-T(7,0)", "T(4,1)-T(5,1)", "T(7,2)-T(6,2)", "T(5,1)-T(6,2)",
    "T(7,0)-T(6,0)", "H(1,0)-H(1,2)", "T(6,0)-T(5,1)",
)  # fmt: skip
"""How it is played to its end."""


def lessons() -> tuple[Lesson, ...]:
    """Return the lessons, in the language of the window."""
    return (*_first(), *_further())


def _first() -> tuple[Lesson, ...]:
    """Return the lessons that a first game takes."""
    return (
        Lesson(
            _("Hexads and triads"),
            _(
                "Each side has five hexads, which stand on the hexagons, and sixteen "
                "triads, which stand on the triangles. At the start every cell is "
                "taken. White begins; then each side moves one stone a turn. There "
                "are no dice, and nothing is hidden. Your own stones begin at the "
                "bottom. The names of cells, such as {hexagon} for a hexagon and "
                "{triangle} for a triangle, can be read off along the board and "
                "stand on empty cells."
            ).format(hexagon=_named("H(1,2)"), triangle=_named("T(4,1)")),
            _start,
        ),
        Lesson(
            _("Triads go forward"),
            _(
                "A triad goes forward, to a triangle that touches its own at a corner: "
                "where its tip points forward that is one, else two at most. It never "
                "goes back or sideways. The triangle must be empty or hold an enemy "
                "triad. A triad on the last row stays there."
            ),
            partial(_after, 0),
            Task(
                _("You are Black. Move any triad one step forward."),
                is_a(Triad),
                _("It has gone one row nearer to the other side."),
                _("That was a hexad. The triads are the stones on the triangles."),
            ),
        ),
        Lesson(
            _("Capturing: you must"),
            _(
                "Moving onto an enemy stone takes it off the board. If one of your "
                "triads can capture, you must capture with a triad, but you may "
                "choose which one. So the first move of every game is a capture."
            ),
            _start,
            Task(
                _("Make White's first move. Five captures are possible, no more."),
                _is_capture,
                _("The black triad is gone. Black must capture now, too."),
                "",
            ),
        ),
    )


def _further() -> tuple[Lesson, ...]:
    """Return those on what comes up later in a game, and on its end."""
    return (
        Lesson(
            _("Hexads need room"),
            _(
                "Neighbouring hexagons meet at a corner, and at either side of it lies "
                "a triangle. A hexad goes to a neighbouring hexagon, in any direction, "
                "if both these triangles are empty. The hexagon must be empty or hold "
                "an enemy hexad, which is captured. Hexads need not capture, but they "
                "must wait while a triad can."
            ),
            _roomy,
            Task(
                _("Capture the black hexad beside yours."),
                _takes_hexad,
                _("Both triangles between them were empty, so the way was free."),
                _("Allowed, but the black hexad is still there."),
            ),
        ),
        Lesson(
            _("Two ways to win"),
            _(
                "You win when you have captured all enemy hexads. You win as well by "
                "blocking: before your move an enemy hexad could go somewhere, and "
                "after it none can. (At the start none can go yet, which wins "
                "nothing.) This often ends a game early, for triads are walls, your "
                "own too: see that one of your hexads keeps a way."
            ),
            partial(_after, len(_PLIES) - 1),
            Task(
                _("You are Black. One move blocks White's only hexad: find it."),
                _wins,
                _("No way is left for the hexad: Black has won."),
                _("Allowed, but the hexad can still go somewhere."),
            ),
        ),
        Lesson(
            _("How else it ends"),
            _(
                "If it is your turn and you cannot move, you lose. After sixty moves "
                "in a row without a capture or a move of a triad, the triads are "
                "counted: whoever has more wins, and equal numbers are a draw. Here "
                "a game is played to its end."
            ),
            partial(_after, len(_PLIES)),
            moving=len(_PLIES),
        ),
    )


def _is_capture(before: State, _move: AnyMove, after: State) -> bool:
    other = 1 - before.turn
    return after.triads[other] != before.triads[other]


def _takes_hexad(before: State, _move: AnyMove, after: State) -> bool:
    other = 1 - before.turn
    return after.hexads[other] != before.hexads[other]


def _wins(before: State, _move: AnyMove, after: State) -> bool:
    return after.winner == before.turn


def _cell(name: str) -> tuple[str, int]:
    """Return sort and number of a cell written as in the source, such as T(5,-1)."""
    row, x = map(int, re.findall(r"-?\d+", name))
    number = hexagrams.hexagon if name[0] == "H" else hexagrams.triangle
    return name[0], number(row, x)


def _named(name: str) -> str:
    """Return what the window calls a cell that is written as in the source."""
    sort, number = _cell(name)
    return name_of((sort.lower(), number))


def _position(white: str, black: str, turn: int) -> State:
    """Return the state with stones on cells written as in the source."""
    sets = {"H": [0, 0], "T": [0, 0]}
    for side, names in ((WHITE, white), (BLACK, black)):
        for sort, number in map(_cell, names.split()):
            sets[sort][side] |= 1 << number
    return State(turn, tuple(sets["H"]), tuple(sets["T"]))  # type: ignore[arg-type]


@cache
def _after(plies: int) -> Position:
    """Return the source document's example after some of its moves, for Black."""
    state, past = _position(*_EXAMPLE, BLACK), list[AnyStep]()
    for text in _PLIES[:plies]:
        (sort, origin), (_sort, target) = map(_cell, re.findall(r".\(.+?\)", text))
        state, (step,) = played(
            hexagrams,
            state,
            [(state.turn, (Hexad if sort == "H" else Triad)(origin, target))],
        )
        past.append(step)
    return Position(state, BLACK, tuple(past))


@cache
def _start() -> Position:
    return Position(hexagrams.start(2, Options()), WHITE)


@cache
def _roomy() -> Position:
    """Return a board with room around a white hexad that has two black neighbours.

    One of them is shut off by a triad.
    """
    white = "H(1,2) H(0,5) T(4,5) T(3,6)"
    black = "H(1,4) H(2,1) H(2,5) T(6,0) T(5,1) T(7,4)"
    return Position(_position(white, black, WHITE), WHITE)
