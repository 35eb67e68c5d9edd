"""The tiles that a player cannot see: in the bag, or on the racks of others."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app import board
from client.app.model import Match, Model, seen
from client.pages import review
from client.ui import typefaces, widgets
from client.ui.layout import grid, rows
from client.ui.scene import Align, Node, Rect
from client.ui.texts import _, ngettext
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules import GAMES


def counted(model: Model) -> list[tuple[str, int]]:
    """Return each letter and how many tiles with it are unseen; nothing without."""
    match = model.match
    if match is None or match.covered or match.seat < 0:
        return []
    count = board.find(match.game).TRAITS.unseen
    return [] if count is None else list(count(seen(model, match)))


def total(found: Sequence[tuple[str, int]]) -> str:
    """Return how many they are, in words."""
    count = sum(each for _face, each in found)
    return ngettext(
        "{n} tile you cannot see: in the pool, or on other racks",
        "{n} tiles you cannot see: in the pool, or on other racks",
        count,
    ).format(n=count)


def spoken(model: Model) -> str:
    """Return all letters with their counts, to be heard; nothing without."""
    found = counted(model)
    if not found:
        return ""
    blank = _("blank")
    each = [f"{blank if face == '?' else face} {n}" for face, n in found if n]
    return "; ".join((total(found), *each))


def inside(model: Model, room: Rect) -> list[Node]:
    """Return all letters with their counts, those that are gone paler."""
    look, found = model.look, counted(model)
    text = total(found)
    high = typefaces.height(text, look.small, room.w)
    head, rest = rows(room, [high, 1], look.px(6))
    kids = [
        label(head, text, look, name="unseen.total", size=look.small, tone=Tone.DIM,
              wrap=True)
    ]  # fmt: skip
    return [*kids, *laid(found, rest, look)]


COUNT: Final = 23
"""Pixels beside a tile for how many there are, two digits of them."""


def laid(found: Sequence[tuple[str, int]], rest: Rect, look: Look) -> list[Node]:
    """Return each letter as a tile, and its count beside it, as large as has room."""
    kids, theme = list[Node](), look.theme
    across = max(1, rest.w // look.px(58))
    while across < len(found):  # all are to be seen at once
        down = -(-len(found) // across)
        if down * look.px(28) <= rest.h:
            break
        across += 1
    down = max(1, -(-len(found) // across))
    pitch = min(look.px(36), rest.h // down)
    field = Rect(rest.x, rest.y, rest.w, pitch * down)
    for (face, count), spot in zip(found, grid(field, across, down), strict=False):
        side = max(8, min(spot.h - look.px(4), spot.w - look.px(COUNT)))
        place = Rect(spot.x, spot.y + (spot.h - side) // 2, side, side)
        x = place.right + look.px(3)
        tile = widgets.piece("", place, "" if face == "?" else face, "", look)
        if not count:
            tile = replace(tile, bg=theme.panel, fg=theme.dim, edge=theme.line)
        words = label(
            Rect(x, spot.y, spot.right - x, spot.h), str(count), look,
            name=f"unseen:{face}", size=look.small, bold=bool(count),
            tone=Tone.PLAIN if count else Tone.DIM, align=Align.LEFT,
        )  # fmt: skip
        kids += [tile, replace(words, value=f"{face} {count}")]
    return kids


# Those that nobody but the others could see at a turn looked back at.


def at_turn(match: Match, rack: Sequence[int]) -> list[tuple[str, int]]:
    """Return each letter, and how many tiles with it nobody but others could see."""
    tiled = GAMES[match.game].ABOUT.tiled
    analysed = board.find(match.game).TRAITS.analysed
    if not rack or min(rack) < 0 or tiled is None or analysed is None:
        return []
    before = match.past[review.turn(match)].before
    left = list(tiled.tiles(before).counts)
    for kind in rack:
        left[kind] -= 1
    faces = analysed.letters(match.state, tuple(range(len(left)))).split(" ")
    return list(zip(faces, left, strict=True))


def headed(found: Sequence[tuple[str, int]]) -> str:
    """Return how many they are, in words."""
    count = sum(n for _face, n in found)
    text = ngettext(
        "Unseen at this turn: {n} tile", "Unseen at this turn: {n} tiles", count
    )
    return text.format(n=count)


def drawn(match: Match, rack: Sequence[int], area: Rect, look: Look) -> list[Node]:
    """Return the tiles that whoever made the turn could not see."""
    found = at_turn(match, rack)
    if not found:
        return []
    head, rest = rows(area, [look.line, 1], look.px(4))
    words = headed(found)
    return [
        label(head, words, look, name="review.unseen", size=look.small, tone=Tone.DIM),
        *laid(found, rest, look),
    ]
