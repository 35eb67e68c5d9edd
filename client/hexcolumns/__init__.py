"""Hexcolumns in the window: one's own well, the others' beside it, all live.

The names of `client.board.Board`.
"""

from typing import Final

from client.board import Traits
from client.hexcolumns import bindings, result
from client.hexcolumns.input import begin, busy, handle, renew, tick
from client.hexcolumns.text import keys, option_words, sheets, status, tell
from client.hexcolumns.view import scene

TRAITS: Final = Traits(
    held=True, bindings=bindings, taught=True, recalled=result, breadth=1.3
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
