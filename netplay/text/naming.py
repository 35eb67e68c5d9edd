"""How a text calls those who play."""

from collections.abc import Sequence

from netplay.language import _
from netplay.messages.finished import Result
from rules.game import Seat
from rules.tiles import Tiles, owner


def called(seat: Seat, names: Sequence[str]) -> str:
    """Return the name of a seat, or its number where no names are known."""
    return names[seat] if names else _("Player {n}").format(n=seat + 1)


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


def resigned() -> str:
    """Return what stands behind a player who has resigned."""
    return "(" + _("resigned") + ")"


def result(one: Result) -> str:
    """Return how a match has ended for the player here; empty for nothing to say."""
    words = {
        "won": _("won"),
        "lost": _("lost"),
        "tied": _("tied"),
        "won on time": _("won on time"),
        "lost on time": _("lost on time"),
        "contested": _("won on time, contested"),
        "unanswered": _("won on time, unanswered"),
    }
    return words.get(one, "")


def colour(english: str) -> str:
    """Return a colour, with its sign on the board where that is not its first letter.

    Args:
        english: Its first letter is the sign.
    """
    word, sign = _(english), english[0]
    return word if word[0] == sign else f"{word} [{sign}]"


def side(seat: Seat, colours: Sequence[str], names: Sequence[str]) -> str:
    """Return a seat's colour, with its name where names are known."""
    shown = colour(colours[seat])
    return f"{shown} ({names[seat]})" if names else shown
