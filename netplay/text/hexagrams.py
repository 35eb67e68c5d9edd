"""Hexagrams as text: hexagons in brackets between rows of triangles.

Capital letters are hexads, small ones triads: W w White, B b Black.

Typed moves of Hexagrams: from one cell to another, such as C5-C7.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, assert_never

from netplay.language import _, ngettext
from netplay.said import Words
from netplay.text.phrases import colour, side
from rules import hexagrams
from rules.game import Actor, IllegalMoveError, Resign, Seat
from rules.hexagrams import (
    HEXAGONS,
    NOBODY,
    OVER,
    TRIANGLES,
    WHITE,
    Hexad,
    Move,
    State,
    Triad,
    bits,
    hexagon,
    triangle,
)
from rules.hexagrams.board import (
    CELL,
    HEXAGON,
    TRIANGLE,
    cell,
    cell_name,
    column_name,
    line_number,
    ply_name,
)

COLOURS: Final = ("White", "Black")
"""The colours by seat."""

_STEP: Final = 3
"""Characters across for half a hexagon's width."""


def board(view: State, names: Sequence[str] = (), below: Seat | None = None) -> str:
    """Return the board with the own side below, and whose turn it is.

    A bystander has White's side on top, as the source document draws it.

    Letters below and numbers at the right are those of names such as C5; at the left
    and above stand rows and x of the page's names, such as T(4,1).  A row of hexagons
    is drawn between the two rows of triangles that point into the gaps beside it.
    """
    every = range(-1, 8)[:: -1 if below == WHITE else 1]
    rows = [_triangles(view, 1, every)]
    for r in range(3):
        signs = {
            x: f"[{_sign(view.hexads, hexagon(r, x), 'WB')}]"
            for row, x in HEXAGONS
            if row == r
        }
        rows += [
            _triangles(view, 2 * r + 2, every),
            _row(f"H{r}", signs, line_number(HEXAGON, r), every),
            _triangles(view, 2 * r + 3, every),
        ]
    rows.append(_triangles(view, 8, every))
    across = "x   " + "".join(f"{x:^{_STEP}}" for x in every)
    letters = "    " + "".join(f"{column_name(x):^{_STEP}}" for x in every)
    rows = [across, *rows[:: -1 if below == WHITE else 1], letters]
    stones: list[str] = []
    for seat, both in enumerate(zip(view.hexads, view.triads, strict=True)):
        hexads, triads = map(int.bit_count, both)
        large = ngettext("{n} hexad", "{n} hexads", hexads).format(n=hexads)
        small = ngettext("{n} triad", "{n} triads", triads).format(n=triads)
        stones.append(f"{side(seat, COLOURS, names)} {large} {small}")
    return "\n".join([*map(str.rstrip, rows), "", "   ".join(stones), _turn(view)])


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line, in the notation of the move list."""
    if isinstance(move, Resign):
        return _("{name} resigns").format(name=names[actor])
    after = hexagrams.play(before, actor, move)
    end = f"; {_ending(after)}" if after.ending else ""
    return f"{names[actor]} {ply(before, move)}{end}"


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make, as in the move list."""
    del seat
    return "" if isinstance(move, Resign) else ply(view, move)


def position(view: State) -> dict[str, Any]:
    """Return what a program is told; see `Writer.position`."""
    return {
        "hexads": _standing(HEXAGON, view.hexads),
        "triads": _standing(TRIANGLE, view.triads),
        "players": [
            {"seat": seat + 1, "colour": colour.lower()}
            for seat, colour in enumerate(COLOURS)
        ],
        "must_capture": bool(hexagrams.forced(view)),
        "quiet": view.quiet,
        "winner": None if view.winner == NOBODY else view.winner + 1,
        "ending": view.ending,
    }


def _standing(sort: str, sets: tuple[int, int]) -> dict[str, int]:
    """Return the seat of each piece of a sort by its cell."""
    held = ((number, seat + 1) for seat in (0, 1) for number in bits(sets[seat]))
    return {cell_name(sort, number): seat for number, seat in sorted(held)}


def written(view: State, seat: Seat, move: Triad | Hexad) -> str:
    """Return a move as it is typed."""
    del seat
    return ply(view, move)


def ply(before: State, move: Triad | Hexad) -> str:
    """Return a ply such as C5-C7, with x for a capture."""
    match move:
        case Triad(origin, target):
            sets, sort = before.triads, TRIANGLE
        case Hexad(origin, target):
            sets, sort = before.hexads, HEXAGON
        case _:
            assert_never(move)
    captures = bool((sets[0] | sets[1]) >> target & 1)
    names = cell_name(sort, origin), cell_name(sort, target)
    return ply_name(*names, captures=captures)


def _ending(view: State) -> str:
    """Return why a match is over."""
    return {
        "hexads": _("all enemy hexads are taken"),
        "blocked": _("the enemy hexads cannot move any more"),
        "stuck": _("the enemy has no move left"),
        "count": _("triads are counted after sixty quiet plies"),
        "resigned": _("the other side resigns"),
    }[view.ending]


def _turn(view: State) -> str:
    if view.turn != OVER:
        text = _("{colour} to move.")
        if hexagrams.forced(view):
            text = _("{colour} to move and must capture.")
        return text.format(colour=colour(COLOURS[view.turn]))
    if view.winner == NOBODY:
        return _("Nobody wins: {why}.").format(why=_ending(view))
    text = _("{colour} wins: {why}.")
    return text.format(colour=colour(COLOURS[view.winner]), why=_ending(view))


def _triangles(view: State, t: int, every: range) -> str:
    signs = {
        x: f" {_sign(view.triads, triangle(t, x), 'wb')} "
        for row, x in TRIANGLES.values()
        if row == t
    }
    return _row(f"T{t}", signs, line_number(TRIANGLE, t), every)


def _row(label: str, signs: dict[int, str], number: int, every: range) -> str:
    """Return a row: label, signs of three characters at their places, its number."""
    row = "".join(signs.get(x, "   ").ljust(_STEP) for x in every)
    return f"{label}  {row} {number:2}"


def _sign(sets: tuple[int, int], cell: int, letters: str) -> str:
    for seat in (0, 1):
        if sets[seat] >> cell & 1:
            return letters[seat]
    return "·"


_PLY: Final = re.compile(
    rf"({CELL})\s*(?:[-x]|to|\s)\s*({CELL})", re.IGNORECASE | re.ASCII
)


def read(view: State, seat: Seat, words: str) -> Triad | Hexad:
    """Return the move from one cell to another; see `Typed.read`."""
    found = _PLY.fullmatch(words)
    if found is None:
        raise IllegalMoveError("{words} is no move: type it as in C5-C7", words=words)
    origin, target = map(_known, found.groups())
    if origin[0] != target[0]:
        raise IllegalMoveError("Triads stay on triangles and hexads on hexagons")
    return (Triad if origin[0] == TRIANGLE else Hexad)(origin[1], target[1])


def _known(name: str) -> tuple[str, int]:
    """Return the cell of a name.

    Raises:
        IllegalMoveError: There is none.
    """
    found = cell(name)
    if found is None:
        raise IllegalMoveError("{place} is not on the board", place=name)
    return found


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield every legal move."""
    for move in hexagrams.moves(view, seat):
        sort = TRIANGLE if isinstance(move, Triad) else HEXAGON
        origin, target = cell_name(sort, move.origin), cell_name(sort, move.target)
        yield ply_name(origin, target, captures=False)


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        ("C5-C7", _("move a triad; letters and numbers are those of the board")),
        ("B6-D6", _("move a hexad")),
        ("T(4,1)-T(5,1)", _("the same by the rows and x of the game's page")),
    )
