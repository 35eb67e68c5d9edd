"""Typed moves of Numlo: a square such as D3."""

from collections.abc import Iterator

from netplay.language import _
from rules import numlo
from rules.game import IllegalMoveError, Seat
from rules.numlo import Place, State
from rules.numlo.grid import square_name


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
