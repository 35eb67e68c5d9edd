"""The tiles that a player cannot see: in the bag, or on the racks of others."""

from collections.abc import Sequence

from msgspec.structs import replace

from client.app import board
from client.app.model import Model, seen
from client.ui import typefaces, widgets
from client.ui.layout import grid, rows
from client.ui.scene import Align, Node, Rect
from client.ui.texts import _, ngettext
from client.ui.widgets import Tone, label


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
        kids += _letter(model, face, count, spot)
    return kids


def _letter(model: Model, face: str, count: int, rect: Rect) -> list[Node]:
    """Return a tile, and beside it how many there are."""
    look = model.look
    side = max(8, min(rect.h - look.px(4), rect.w * 55 // 100))
    spot = Rect(rect.x, rect.y + (rect.h - side) // 2, side, side)
    beside = Rect(
        spot.right + look.px(3), rect.y, rect.right - spot.right - look.px(3), rect.h
    )
    drawn = widgets.piece("", spot, "" if face == "?" else face, "", look)
    if not count:
        theme = look.theme
        drawn = replace(drawn, bg=theme.panel, fg=theme.dim, edge=theme.line)
    words = label(
        beside, str(count), look, name=f"unseen:{face}", size=look.small,
        bold=bool(count), tone=Tone.PLAIN if count else Tone.DIM, align=Align.LEFT,
    )  # fmt: skip
    return [drawn, replace(words, value=f"{face} {count}")]
