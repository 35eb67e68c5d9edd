"""Networdz in the window: the board, the rack and everything the hand does there.

The names of `client.board.Board`; the model for the other games' modules.
"""

from typing import Final

from client.networdz.acting import begin, busy, handle, renew, tick
from client.networdz.scenery import scene
from client.networdz.telling import keys, sheets, status, tell

HELD: Final = False

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
