"""One line of text being edited: cursor, selection, and what keys do to them."""

import unicodedata

from msgspec import Struct
from msgspec.structs import replace

from client import metrics
from client.intents import Key


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


def clean(text: str) -> str:
    """Return the text as one line, NFC, without control and direction characters."""
    flat = unicodedata.normalize("NFC", text.replace("\n", " "))
    return "".join(c for c in flat if unicodedata.category(c) not in ("Cc", "Cf", "Cs"))


def insert(edit: Edit, text: str, most: int) -> Edit:
    """Return the edit with the selection replaced, never longer than `most`."""
    first, last = edit.span
    room = most - (len(edit.text) - (last - first))
    new = clean(text)[: max(0, room)]
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
        return _erase(edit, key)
    return None


def _erase(edit: Edit, key: Key) -> Edit:
    """Return the edit less its selection, or a character or word."""
    if edit.caret == edit.anchor:
        side = "left" if key.key == "backspace" else "right"
        end = _target(edit, Key(side, ctrl=key.ctrl)) or 0
        edit = replace(edit, anchor=max(0, min(len(edit.text), end)))
    return insert(edit, "", len(edit.text))


def view(text: str, caret: int, size: int, room: int) -> int:
    """Return the first character to show so that the cursor is visible."""
    first = 0
    while first < caret and metrics.width(text[first:caret], size) > room:
        first += 1
    return first


def place(edit: Edit, x: int, size: int, room: int) -> Edit:
    """Return the edit with its cursor where a click came, `x` pixels into the text."""
    first = view(edit.text, edit.caret, size, room)
    gaps = range(first, len(edit.text) + 1)
    spot = min(gaps, key=lambda i: abs(metrics.width(edit.text[first:i], size) - x))
    return replace(edit, caret=spot, anchor=spot)
