"""The scene of a Lhexicon match: where board, word, buttons and bank stand."""

from typing import NamedTuple

from client import widgets
from client.layout import ROOT3
from client.lhexicon import pieces
from client.lhexicon.board import board
from client.lhexicon.column import bank, button_texts, buttons, progress, result, word
from client.lhexicon.dialogs import chooser, discarding, passing
from client.lhexicon.local import Doing, Local, Now, fits
from client.scene import Node, Rect
from client.theme import Look
from rules import lhexicon
from rules.lhexicon import RACK


class Parts(NamedTuple):
    """The rectangles of everything, none over another."""

    board: Rect
    progress: Rect
    word: Rect
    bank: Rect
    buttons: Rect
    rack: Rect
    upright: bool
    """The buttons stand one above the other."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return everything between the bar and the side panels."""
    local = fits(seen, local)
    parts = place(seen, local, area, look)
    kids = [board(seen, local, parts.board, look)]
    if seen.seat is not None:
        kids.append(pieces.rack(seen, local, parts.rack, look))
    if lhexicon.over(seen.view):  # no phase any more, and nothing to press
        if not seen.disputed:
            kids += result(seen, parts.progress, parts.word, look)
    elif seen.seat is not None:
        kids += [
            *progress(seen, local, parts.progress, look),
            word(seen, local, parts.word, look),
            *buttons(seen, local, parts.buttons, look, upright=parts.upright),
        ]
    kids.append(bank(seen, parts.bank, look))
    if local.doing is Doing.NAMING:
        kids.append(chooser(area, look))
    if local.doing is Doing.DISCARDING:
        kids.append(discarding(seen, local, area, look))
    if local.doing is Doing.PASSING:
        kids.append(passing(local, area, look))
    return widgets.group(area, kids, name="game")


def place(seen: Now, local: Local, area: Rect, look: Look) -> Parts:
    """Return where things stand: beside the board, or below it on upright windows.

    The word grows at the right side of the board (source document, Marking phase);
    only where that would make the board much smaller it stands below.
    """
    gap = look.gap
    high = max(look.px(36), min(look.px(58), area.h // 11)) + look.px(10)
    rack_w = round(RACK * pieces.step(high - look.px(10))) + look.px(24)
    shelf = Rect(area.x, area.bottom - high, area.w, high)
    rack = Rect(area.x + max(0, (area.w - rack_w) // 2), shelf.y, min(rack_w, area.w),
                high)  # fmt: skip
    above = Rect(area.x, area.y, area.w, area.h - high - gap)
    narrow = _narrow(seen, local, look)
    low = look.px(64) + look.row + 3 * gap + round(look.small * 1.5)
    beside = _breadth(seen, Rect(0, 0, above.w - narrow - gap, above.h))
    below = _breadth(seen, Rect(0, 0, above.w, above.h - low))
    if below > beside * 1.15:
        return _below(above, rack, low, look)
    return _beside(above, rack, min(beside, above.w - narrow - gap), look)


def _narrow(seen: Now, local: Local, look: Look) -> int:
    """Return the least width of the column beside the board."""
    texts = button_texts(seen, local)
    return max(look.px(140), *(widgets.button_width(text, look) for text in texts))


def _breadth(seen: Now, room: Rect) -> int:
    """Return how wide a board is that fills a room."""
    across = 2 * seen.view.options.side - 1
    radius = min(room.w / (1.5 * across + 0.5), room.h / (ROOT3 * across))
    return max(1, round(radius * (1.5 * across + 0.5)))


def _beside(above: Rect, rack: Rect, wide: int, look: Look) -> Parts:
    gap = look.gap
    spare = above.w - wide - gap
    column_w = min(spare, look.px(240))
    left = above.x + (spare - column_w) // 2
    field = Rect(left, above.y, wide, above.h)
    below = max(above.x, field.centre[0] - rack.w // 2)  # the middle of the board
    rack = Rect(below, rack.y, rack.w, rack.h)
    x, y = field.right + gap, above.y
    small = round(look.small * 1.5)
    foot = 6 * look.row + 5 * look.px(6)
    top = Rect(x, y, column_w, round(look.head * 1.4) + look.px(14))
    stack = Rect(x, above.bottom - foot, column_w, foot)
    note = Rect(x, stack.y - gap - small, column_w, small)
    room = max(1, min(look.px(190), note.y - gap - top.bottom))
    card = Rect(x, top.bottom, column_w, room)
    return Parts(field, top, card, note, stack, rack, upright=True)


def _below(above: Rect, rack: Rect, low: int, look: Look) -> Parts:
    """Return the parts with word and buttons between board and bank."""
    gap, small = look.gap, round(look.small * 1.5)
    field = Rect(above.x, above.y, above.w, above.h - low)
    y = field.bottom + gap
    side = look.px(150)
    top = Rect(above.x, y, side, look.px(64))
    card = Rect(top.right + gap, y, above.w - side - gap, look.px(64))
    note = Rect(above.x, card.bottom + gap // 2, above.w, small)
    row = Rect(above.x, note.bottom + gap // 2, above.w, look.row)
    return Parts(field, top, card, note, row, rack, upright=False)
