"""A look at a game that is not open: for its picture in the list of games."""

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from client.app import board
from client.app.board import AnySeen, Seen
from client.ui.scene import Node, Rect, Role, Shape, find
from client.ui.texts import spoken
from client.ui.theme import Look
from rules import GAMES


class Glimpse(Struct, frozen=True, eq=False):
    """The board of a game in hand, as a bystander saw it last."""

    game: str
    names: tuple[str, ...]
    number: int
    """Entries folded in."""
    state: Any
    """None where it could not be had."""
    below: int = -1
    """Whose side of the board is the lower one, as on its page; -1: a bystander's."""


# Pictures of the games' boards, drawn by the games' own views, for the start page.
#
# They show a position of the lessons, which the rules have accepted, or a match as it
# is.


SIDE: Final = 480
"""Pixels of the board that is shown smaller."""


wrong: Final[deque[Exception]] = deque(maxlen=8)
"""Why boards could not be drawn, until a window has written it down."""


def _drawn(make: Callable[[], Node]) -> Node | None:
    """Return a board, or None where it cannot be drawn.

    One that went wrong must not take the list of all others with it.
    """
    try:
        return make()
    except Exception as error:  # noqa: BLE001 (whatever it is, the list stays)
        wrong.append(error)
        return None


def of(game: str, look: Look, side: int = SIDE) -> Node | None:
    """Return a game's board, to be drawn smaller; the same node each time."""
    return _drawn(lambda: _of(game, look, side, spoken()))


@lru_cache(maxsize=16)
def _of(game: str, look: Look, side: int, _language: str) -> Node:
    rules = GAMES[game]
    lessons = import_module(f"client.{game}.lessons").lessons()
    place = lessons[board.find(game).TRAITS.pictured].position()
    names = ("",) * max(rules.ABOUT.seats)
    view = rules.view(place.state, place.seat)
    return _board(game, Seen(view, None, names, below=place.seat), look, side)


def now(seen: Glimpse, look: Look) -> Node | None:
    """Return the board of a match as it was seen last, to be drawn smaller.

    Where that cannot be drawn it is the game's own picture.
    """
    return _drawn(lambda: _now(seen, look)) or of(seen.game, look)


@lru_cache(maxsize=128)
def _now(seen: Glimpse, look: Look) -> Node:
    shown: AnySeen = Seen(seen.state, None, seen.names, live=False, below=seen.below)
    return _board(seen.game, shown, look, SIDE)


ALMOST: Final = 0.97
"""Of a board's longer side the shorter one, from which on hardly anything is cut."""


def _board(game: str, seen: AnySeen, look: Look, side: int) -> Node:
    """Return a board in the middle of a square: a picture shows it to its edges."""
    module = board.find(game)
    drawn = module.scene(seen, module.begin(seen), Rect(0, 0, side, side), look)
    found = _bare(find(drawn, "board") or drawn)
    wide, high = found.rect.w, found.rect.h
    if min(wide, high) >= ALMOST * max(wide, high):
        return found
    most, (x, y) = max(wide, high), found.rect.centre
    rect = Rect(x - most // 2, y - most // 2, most, most)
    return Node(
        Role.PANEL, "", rect, kids=(found,), shape=Shape.RECT, bg=look.theme.ground
    )


def _bare(node: Node) -> Node:
    """Return a node and all on it without names: nothing there can be found."""
    kids = tuple(_bare(kid) for kid in node.kids)
    return replace(node, name="", kids=kids, live=False, drag=False, drop=False)
