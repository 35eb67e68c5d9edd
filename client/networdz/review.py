"""Networdz looked back at: its turns beside the best plays there were."""

from msgspec.structs import replace

from netplay.messages.review import Offer
from rules import networdz
from rules.game import Seat
from rules.networdz import Expire, Last, Lay, Move, Pass, State


def is_turn(move: Move) -> bool:
    """Tell whether a move is a turn, with a play or without."""
    return isinstance(move, Lay | Pass | Expire)


def laid(before: State, seat: Seat, offer: Offer) -> State:
    """Return the view before a turn with another play laid in it."""
    letters, kinds = bytearray(before.letters), bytearray(before.kinds)
    for cell, letter, kind in offer.laid:
        letters[cell], kinds[cell] = letter + 1, kind + 1
    cells = tuple(cell for cell, _letter, _kind in offer.laid)
    last = Last(seat, cells, offer.points)
    return replace(before, letters=bytes(letters), kinds=bytes(kinds), last=last)


def letters(view: State, rack: tuple[int, ...]) -> str:
    """Return the letters of a rack, a dash for a tile that nobody knows."""
    kinds = networdz.ground(view.options).edition.kinds
    return " ".join(kinds[kind].letters if kind >= 0 else "–" for kind in rack)
