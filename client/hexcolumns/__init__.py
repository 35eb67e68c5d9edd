"""Hexcolumns in the window: one's own well, the others' beside it, all live.

The names of `client.board.Board`.
"""

from typing import Final

from client.board import Traits
from client.hexcolumns import bindings
from client.hexcolumns.acting import begin, busy, handle, renew, tick
from client.hexcolumns.drawing import scene
from client.hexcolumns.telling import keys, option_words, sheets, status, tell

TRAITS: Final = Traits(held=True, bindings=bindings, taught=True)

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
