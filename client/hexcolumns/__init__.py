"""Hexcolumns in the window: one's own well, the others' beside it, all live.

The names of `client.board.Board`.
"""

from typing import Final

from client.board import Traits
from client.hexcolumns import bindings, result
from client.hexcolumns.bursts import links
from client.hexcolumns.input import Local, begin, busy, handle, renew, tick
from client.hexcolumns.text import (
    keys,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
    tip,
)
from client.hexcolumns.view import scene
from rules.game import Seat
from rules.hexcolumns import Options


def _burst(local: Local, seat: Seat) -> tuple[float, int]:
    """Return since when a seat's chain goes, and its links."""
    return links(local.bursts, seat)


def _ranked(options: Options) -> str:
    """Return size and level: results of others cannot be compared."""
    return f"{options.size} {options.level}"


TRAITS: Final = Traits(
    held=True,
    ranked=_ranked,
    burst=_burst,
    notes=option_notes,
    bindings=bindings,
    taught=True,
    recalled=result,
    breadth=1.3,
    tip=tip,
)

__all__ = [
    "TRAITS",
    "begin",
    "busy",
    "handle",
    "keys",
    "option_words",
    "renew",
    "scene",
    "sheets",
    "status",
    "tell",
    "tick",
]
