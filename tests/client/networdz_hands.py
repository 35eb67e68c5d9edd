"""Views of a match of Networdz, and what a hand does in them, without any display."""

from typing import Any

from msgspec.structs import replace

from client import networdz as shown
from client.app.board import Seen
from client.networdz.local import Local
from client.ui.intents import Drop
from client.ui.scene import Rect
from client.ui.theme import Look
from rules import networdz
from rules.networdz import Lay
from tests.client.clicking import handle
from tests.client.worlds import NAMES
from tests.client.worlds import networdz as played

AREA = Rect(0, 0, 900, 740)
LOOK = Look()


def seen_of(moves: int = 8, seat: int | None = None, seats: int = 2) -> Seen[Any, Any]:
    state, _past = played(seats, moves)
    eye = state.turn if seat is None else seat
    return Seen(networdz.view(state, eye), eye, NAMES[:seats])


def with_rack(seen: Seen[Any, Any], letters: str) -> Seen[Any, Any]:
    """Return the view with other letters on the own rack ("?" is a blank)."""
    alphabet = (*networdz.ground(seen.view.options).alphabet, "?")
    tiles, seat = seen.view.tiles, seen.seat
    assert seat is not None
    numbers = tiles.racks[seat][: len(letters)]
    kinds = tuple(alphabet.index(letter) for letter in letters)
    racks = (*tiles.racks[:seat], numbers, *tiles.racks[seat + 1 :])
    known = (*tiles.kinds[:seat], kinds, *tiles.kinds[seat + 1 :])
    fresh = replace(tiles, racks=racks, kinds=known)
    return replace(seen, view=replace(seen.view, tiles=fresh))


def after(seen: Seen[Any, Any], local: Local, *intents: Any) -> tuple[Local, Any]:
    move = None
    for intent in intents:
        local, move = handle(shown, seen, local, intent)
    return local, move


def a_lay(seen: Seen[Any, Any]) -> Lay:
    """Return the first lay of several tiles, none of them a blank."""
    blank = networdz.ground(seen.view.options).blank
    assert seen.seat is not None
    found = next(
        m
        for m in networdz.moves(seen.view, seen.seat)
        if isinstance(m, Lay) and len(m.laid) > 1
        if all(each.kind != blank for each in m.shown)
    )
    assert isinstance(found, Lay)
    return found


def dropped(lay: Lay) -> list[Drop]:
    return [Drop(f"tile:{each.tile}", f"cell:{each.cell}") for each in lay.laid]
