"""Numlo as text: tiles as letters, values as digits, squares such as D5.

Typed moves of Numlo: a square such as D3.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, assert_never

from netplay.language import _
from netplay.said import Words
from netplay.text.phrases import colour, resigned, side
from rules import numlo
from rules.game import CHANCE, Actor, IllegalMoveError, Resign, Seat
from rules.numlo import OVER, Disc, First, Move, Place, State, Value
from rules.numlo.grid import column_name, square_name

COLOURS: Final = ("Blue", "Red", "Green", "Yellow")
"""The colours by seat (source document, Game play; the fourth is ours)."""


def board(view: State, names: Sequence[str] = (), below: Seat | None = None) -> str:
    """Return the board, whose turn it is and the scores.

    A tile is the first letter of its colour, before the value of its square; an empty
    square shows its value or a dot, or a plus where the seat on turn may lay.
    """
    del below  # the board has no sides
    size = view.options.size
    heading = "   " + "".join(f" {column_name(c)} " for c in range(size))
    cells = list[str]()
    for square, owner in enumerate(numlo.owners(view)):
        value = str(view.values[square] or "")
        legal = view.open[square >> 3] >> (square & 7) & 1
        free = f"{'+' if legal else ' '}{value or '·'} "
        laid = "" if owner is None else f" {COLOURS[owner][0]}{value or ' '}"
        cells.append(laid or free)
    rows = [
        f"{r + 1:2} " + "".join(cells[r * size : (r + 1) * size]).rstrip()
        for r in range(size)
    ]
    scores = "   ".join(
        f"{side(seat, COLOURS, names)} {score}"
        + (f" {resigned()}" if seat in view.gone else "")
        for seat, score in enumerate(numlo.scores(view))
    )
    return "\n".join([heading.rstrip(), *rows, "", scores, _turn(view)])


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line, and who passes after it."""
    match move:
        case Place(square):
            flipped = len(numlo.flips(before, actor, square))
            points = numlo.gain(before, actor, square)
            after = numlo.play(before, actor, Place(square))
            text = _("{name} lays at {where}, flips {n}: +{points}")
            where = name(before, square)
            told = [
                text.format(name=names[actor], where=where, n=flipped, points=points)
            ]
            passes = _("{name} cannot move and passes")
            told += [passes.format(name=names[other]) for other in after.passed]
            told += [_("the game is over")] if after.turn == OVER else []
            return "; ".join(told)
        case Disc(square, seat):
            text = _("{colour} gets {where}")
            return text.format(colour=colour(COLOURS[seat]), where=name(before, square))
        case Value(square, points):
            text = _("{where} is worth {points} more")
            return text.format(where=name(before, square), points=points)
        case First(seat):
            return _("{name} begins").format(name=names[seat])
        case Resign():
            return _("{name} resigns").format(name=names[actor])
        case _:
            assert_never(move)


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make: the square, and what it brings."""
    if not isinstance(move, Place):
        return ""
    points = numlo.gain(view, seat, move.square)
    return f"{name(view, move.square)} +{points}"


def position(view: State) -> dict[str, Any]:
    """Return what a program is told; see `Writer.position`."""
    points, held = numlo.scores(view), enumerate(numlo.owners(view))
    return {
        "size": view.options.size,
        "tiles": {name(view, n): seat + 1 for n, seat in held if seat is not None},
        "values": {
            name(view, n): worth for n, worth in enumerate(view.values) if worth
        },
        "players": [
            {
                "seat": seat + 1,
                "colour": COLOURS[seat].lower(),
                "points": points[seat],
                "resigned": seat in view.gone,
            }
            for seat in range(len(points))
        ],
        "passed": [seat + 1 for seat in view.passed],
    }


def written(view: State, seat: Seat, move: Place) -> str:
    """Return a move as it is typed."""
    del seat
    return name(view, move.square)


def name(state: State, square: int) -> str:
    """Return what a square is called."""
    return square_name(state.options.size, square)


def _turn(view: State) -> str:
    if view.turn == OVER:
        return _("The game is over.")
    if view.turn == CHANCE:
        return _("The board is being set up.")
    passes, moves = _("{colour} cannot move and passes."), _("{colour} to move.")
    told = [passes.format(colour=colour(COLOURS[seat])) for seat in view.passed]
    return " ".join([*told, moves.format(colour=colour(COLOURS[view.turn]))])


def read(view: State, seat: Seat, words: str) -> Place:
    """Return the move that lays a tile on a square; see `Typed.read`."""
    size = view.options.size
    squares = {square_name(size, at).lower(): at for at in range(size * size)}
    square = squares.get(words.lower())
    if square is None:
        last = square_name(size, size * size - 1)
        raise IllegalMoveError(
            "{place} is no square: type A1 to {last}", place=words, last=last
        )
    return Place(square)


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield the squares where a tile may be laid."""
    for move in numlo.moves(view, seat):
        if isinstance(move, Place):
            yield square_name(view.options.size, move.square)


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (("D3", _("lay a tile on the square in column D and row 3")),)
