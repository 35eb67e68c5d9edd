"""Hexcolumns in the window: one's own well, the others' beside it, all live.

The names of `client.board.Board`.
"""

from typing import Final

from client.hexcolumns.acting import begin, busy, handle, renew, tick
from client.hexcolumns.drawing import scene
from client.hexcolumns.telling import keys, sheets, status, tell

HELD: Final = True

__all__ = [
    "HELD",
    "begin",
    "busy",
    "handle",
    "keys",
    "renew",
    "scene",
    "sheets",
    "status",
    "tell",
    "tick",
]
