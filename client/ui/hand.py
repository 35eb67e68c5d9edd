"""One line of text being edited: cursor, selection, and what keys do to them."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.ui import typefaces
from client.ui.intents import Key, Scroll
from client.ui.layout import box
from client.ui.scene import Means, Node, Point, Role, Rows, Shape, list_at, top
from client.ui.theme import Look


class Edit(Struct, frozen=True):
    """A text, the cursor's place in it, and where the selection began."""

    text: str = ""
    caret: int = 0
    anchor: int = 0
    """Equal to `caret`: nothing is selected."""
    composing: str = ""
    """What an input method shows but has not typed yet."""

    @property
    def span(self) -> tuple[int, int]:
        """Return where the selection begins and ends."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def selection(self) -> str:
        """Return the selected text."""
        first, last = self.span
        return self.text[first:last]


def of(text: str) -> Edit:
    """Return an edit of this text with the cursor at its end."""
    return Edit(text, len(text), len(text))


def clean(text: str, most: int | None = None) -> str:
    """Return the text as one line, NFC, without control and direction characters.

    Of a whole book that was pasted no more is looked at than the first `most` letters.
    """
    flat = unicodedata.normalize("NFC", text.replace("\n", " "))
    if flat.isprintable():  # it has none: this is asked of each name in a full folder
        return flat[:most]
    kept = (c for c in flat if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))
    return "".join(islice(kept, most))


def insert(edit: Edit, text: str, most: int) -> Edit:
    """Return the edit with the selection replaced, never longer than `most`."""
    first, last = edit.span
    room = most - (len(edit.text) - (last - first))
    new = clean(text, max(0, room))
    place = first + len(new)
    return Edit(edit.text[:first] + new + edit.text[last:], place, place)


def _word(text: str, place: int, by: int) -> int:
    """Return the next beginning (by 1: end) of a word from a place."""
    at = place
    while 0 <= at + min(by, 0) < len(text) and text[at + min(by, 0)] == " ":
        at += by
    while 0 <= at + min(by, 0) < len(text) and text[at + min(by, 0)] != " ":
        at += by
    return at


def _target(edit: Edit, key: Key) -> int | None:
    """Return where a cursor key leads, or None if it is no cursor key."""
    match key.key:
        case "left":
            return _word(edit.text, edit.caret, -1) if key.ctrl else edit.caret - 1
        case "right":
            return _word(edit.text, edit.caret, 1) if key.ctrl else edit.caret + 1
        case "home":
            return 0
        case "end":
            return len(edit.text)
        case _:
            return None


def press(edit: Edit, key: Key) -> Edit | None:
    """Return the edit after a key, or None if the key means nothing to a field."""
    target = _target(edit, key)
    if target is not None:
        place = max(0, min(len(edit.text), target))
        return replace(edit, caret=place, anchor=edit.anchor if key.shift else place)
    if key.ctrl and key.key == "a":
        return replace(edit, caret=len(edit.text), anchor=0)
    if key.key in ("backspace", "delete"):
        # The edit less its selection, or a character or word
        if edit.caret == edit.anchor:
            side = "left" if key.key == "backspace" else "right"
            end = _target(edit, Key(side, ctrl=key.ctrl)) or 0
            edit = replace(edit, anchor=max(0, min(len(edit.text), end)))
        return insert(edit, "", len(edit.text))
    return None


def view(text: str, caret: int, size: int, room: int) -> int:
    """Return the first character to show so that the cursor is visible."""
    first = 0
    while first < caret and typefaces.width(text[first:caret], size) > room:
        first += 1
    return first


def place(edit: Edit, x: int, size: int, room: int) -> Edit:
    """Return the edit with its cursor where a click came, `x` pixels into the text."""
    first = view(edit.text, edit.caret, size, room)
    gaps = range(first, len(edit.text) + 1)
    spot = min(gaps, key=lambda i: abs(typefaces.width(edit.text[first:i], size) - x))
    return replace(edit, caret=spot, anchor=spot)


# Choosing from the list of an open drop-down by keys: arrows and first letters.
#
# It does not matter how the list was opened. The row that a key leads to gets the
# keyboard, so that Enter presses it like any button.


POPUP: Final = ":popup"
"""Ends the name of an open list."""

PAGE: Final = 7
"""Rows that Page Up and Page Down go."""

PAUSE: Final = 1.0
"""Seconds after which a letter begins a word anew."""


def rolled(root: Node, at: Point, by: Callable[[Node], int]) -> Iterator[Scroll]:
    """Yield what scrolls the list under a point, if there is more of it than is seen.

    Args:
        root: The scene.
        at: The point.
        by: By how many pixels such a list is to be scrolled down.
    """
    node = list_at(root, at)
    if node is not None and node.content > node.rect.h:
        most = node.content - node.rect.h
        yield Scroll(node.name, max(0, min(most, node.offset + by(node))))


def open_list(root: Node) -> Node | None:
    """Return the list that is open, if one is."""
    found = top(root)
    return found if found.name.endswith(POPUP) else None


def titles(popup: Node) -> tuple[str, ...]:
    """Return what the list offers."""
    return tuple(popup.value.split("\n"))


def name(popup: Node, i: int) -> str:
    """Return the name of a row."""
    return f"{popup.name.removesuffix(POPUP)}:{i}"


def chosen(popup: Node, i: int) -> Means | None:
    """Return what a click on a row means, be it in sight or not."""
    return popup.means.each[i] if isinstance(popup.means, Rows) else None


def here(popup: Node, focus: str) -> int:
    """Return the row that has the keyboard, else the one chosen before, else -1."""
    head, _colon, tail = focus.rpartition(":")
    if head == popup.name.removesuffix(POPUP) and tail.isdigit():
        return int(tail)
    (listed,) = popup.kids
    chosen = (row.name for row in listed.kids if row.selected)
    return int(next(chosen, ":-1").rpartition(":")[2])


def moved(popup: Node, at: int, key: Key) -> int | None:
    """Return the row that a key leads to; None if it is no key of lists.

    Args:
        popup: The open list.
        at: The row where the keyboard is, -1 for none yet.
        key: What was pressed.
    """
    last = len(titles(popup)) - 1
    if key.ctrl or key.alt:
        return None
    steps = {"up": -1, "down": 1, "page up": -PAGE, "page down": PAGE}
    if key.key in steps:
        return max(0, min(last, at + steps[key.key]))
    return {"home": 0, "end": last}.get(key.key)


def lettered(popup: Node, at: int, typed: str) -> int | None:
    """Return the next row that begins with what was typed, going round.

    The row that has the keyboard stays while a longer beginning still fits it; one
    letter again and again goes on to the next row with it.
    """
    words = [title.casefold() for title in titles(popup)]
    same = len(set(typed)) == 1
    wanted, first = (typed[0], at + 1) if same else (typed, max(0, at))
    order = [(first + i) % len(words) for i in range(len(words))]
    return next((i for i in order if words[i].startswith(wanted)), None)


def scrolled(popup: Node, i: int) -> tuple[str, int]:
    """Return the list's name, and how far it must be scrolled to show a row."""
    (listed,) = popup.kids
    pitch = listed.content // len(titles(popup))
    offset = max((i + 1) * pitch - listed.rect.h, min(i * pitch, listed.offset))
    return listed.name, offset


# The keyboard's cursor on a board: strokes in the corners of a cell.
#
# A ring would look like the mark of the last move; corners alone are the cursor's.


SHARE = 0.28
"""Of a side: how long a stroke is."""


def cursor(corners: Sequence[Point], wide: int, look: Look, *, value: str = "") -> Node:
    """Return the cursor on a cell.

    Args:
        corners: Of the cell, in order round it, in pixels.
        wide: Thickness of the strokes in pixels.
        look: The theme.
        value: What it says to scripts.

    Returns:
        A node called "cursor"; under each stroke lies a wider one in the colour of
        cards, so that it shows on pieces of any colour.
    """
    around = list(zip((corners[-1], *corners), corners, (*corners[1:], corners[0]),
                      strict=False))  # fmt: skip
    strokes = [(_toward(at, one), at, _toward(at, other)) for one, at, other in around]
    halo = max(2, wide // 3)
    kids = [_stroke(each, wide + 2 * halo, look.theme.panel) for each in strokes]
    kids += [_stroke(each, wide, look.theme.focus) for each in strokes]
    return Node(
        Role.LABEL, "cursor", box(corners), kids=tuple(kids), value=value,
        edge=look.theme.focus,
    )  # fmt: skip


def _toward(start: Point, end: Point) -> Point:
    """Return the point a stroke's length from a corner toward the next one."""
    return (
        round(start[0] + (end[0] - start[0]) * SHARE),
        round(start[1] + (end[1] - start[1]) * SHARE),
    )


def _stroke(points: tuple[Point, ...], wide: int, colour: tuple[int, int, int]) -> Node:
    return Node(
        Role.LABEL, "", box(points), shape=Shape.LINE, points=points, edge=colour,
        border=wide,
    )  # fmt: skip
