"""Hexagrams looked back at: how it ended, and how the stones went."""

from client.board import Made
from client.hexagrams.input import Local, Now
from client.hexagrams.text import result
from client.hexagrams.view import lost
from client.texts import _
from rules.game import Resign
from rules.hexagrams import State


def why(seen: Now) -> str:
    """Return why the match ended."""
    return result(seen)


def plays(seen: Now) -> tuple[Made, ...]:
    """Return nothing: no move scores."""
    return ()


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return how many moves were made, and what each side captured."""
    moves = sum(not isinstance(step.move, Resign) for step in seen.past)
    told = [(_("Moves"), str(moves))]
    for seat in (0, 1):
        hexads, triads = lost(seen, 1 - seat)
        text = _("{name} captured").format(name=seen.names[seat])
        told.append((text, f"{hexads} ⬡ {triads} △"))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return how many stones each side has."""
    pairs = zip(view.hexads, view.triads, strict=True)
    return tuple(one.bit_count() + other.bit_count() for one, other in pairs)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Stones left")
