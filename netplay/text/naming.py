"""How a board of text calls those who play."""

from collections.abc import Sequence

from rules.game import Seat


def called(seat: Seat, names: Sequence[str]) -> str:
    """Return the name of a seat, or its number where no names are known."""
    return names[seat] if names else f"Player {seat + 1}"


def labels(seats: int, names: Sequence[str]) -> list[str]:
    """Return what stands before the seats' scores, all as wide as the widest."""
    found = [f"{called(seat, names)}:" for seat in range(seats)]
    wide = max(map(len, found))
    return [label.ljust(wide) for label in found]


def side(seat: Seat, colours: Sequence[str], names: Sequence[str]) -> str:
    """Return a seat's colour, with its name where names are known."""
    return f"{colours[seat]} ({names[seat]})" if names else colours[seat]
