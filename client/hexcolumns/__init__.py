"""Hexcolumns in the window: one's own well, the others' beside it, all live.

The names of `client.app.board.Board`.
"""

from typing import Final

from client.app.board import Traits
from client.hexcolumns import bindings, text, wells
from client.hexcolumns.bindings import keys
from client.hexcolumns.input import Local, begin, busy, handle, renew, tick
from client.hexcolumns.text import (
    agreed,
    option_notes,
    option_words,
    sheets,
    status,
    tell,
    tip,
)
from client.hexcolumns.view import scene
from client.ui.sound import Sound
from rules.game import Seat
from rules.hexcolumns import Options


def _heard_last(local: Local, seat: Seat) -> tuple[float, Sound | None]:
    """Return what is heard last of a seat's well, and since when.

    A chain, rows that rise, the warning that rows are coming, or a key in vain.
    """
    burst, rows = wells.heard(local.bursts, seat), local.rows
    if rows is not None and rows.seat != seat and rows.since > burst[0]:
        burst = rows.since, Sound.TRAP
    if local.refused > burst[0]:
        return local.refused, Sound.REFUSED
    return burst


def _ranked(options: Options) -> str:
    """Return size and level, and whether rows are sent: others cannot be compared."""
    return f"{options.size} {options.level}{' attacks' * options.attacks}"


TRAITS: Final = Traits(
    aloud=text.aloud,
    held=True,
    ranked=_ranked,
    heard_last=_heard_last,
    notes=option_notes,
    terms=agreed,
    bindings=bindings,
    taught=True,
    pictured=3,
    recalled=text,
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
