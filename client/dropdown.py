"""Choosing from the list of an open drop-down by keys: arrows and first letters.

It does not matter how the list was opened.  The row that a key leads to gets the
keyboard, so that Enter presses it like any button.
"""

from typing import Final

from client.intents import Key
from client.scene import Node, top

POPUP: Final = ":popup"
"""Ends the name of an open list."""

PAGE: Final = 7
"""Rows that Page Up and Page Down go."""

PAUSE: Final = 1.0
"""Seconds after which a letter begins a word anew."""


def opened(root: Node) -> Node | None:
    """Return the list that is open, if one is."""
    found = top(root)
    return found if found.name.endswith(POPUP) else None


def titles(popup: Node) -> tuple[str, ...]:
    """Return what the list offers."""
    return tuple(popup.value.split("\n"))


def name(popup: Node, i: int) -> str:
    """Return the name of a row."""
    return f"{popup.name.removesuffix(POPUP)}:{i}"


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
