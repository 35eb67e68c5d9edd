"""How a text calls those who play, and how many of a thing."""

from collections.abc import Sequence

from rules.game import Seat
from rules.tiles import Tiles, owner


def called(seat: Seat, names: Sequence[str]) -> str:
    """Return the name of a seat, or its number where no names are known."""
    return names[seat] if names else f"Player {seat + 1}"


def labels(seats: int, names: Sequence[str]) -> list[str]:
    """Return what stands before the seats' scores, all as wide as the widest."""
    found = [f"{called(seat, names)}:" for seat in range(seats)]
    wide = max(map(len, found))
    return [label.ljust(wide) for label in found]


def holder(tiles: Tiles, tile: int, names: Sequence[str]) -> str:
    """Return the name of who has a tile; it must be on a rack."""
    seat = owner(tiles, tile)
    assert seat is not None
    return names[seat]


def counted(number: int, thing: str) -> str:
    """Return so many of a thing."""
    return f"1 {thing}" if number == 1 else f"{number} {thing}s"


def side(seat: Seat, colours: Sequence[str], names: Sequence[str]) -> str:
    """Return a seat's colour, with its name where names are known."""
    return f"{colours[seat]} ({names[seat]})" if names else colours[seat]
