"""Rows of the preferences: a title and beside it what chooses, or a box to tick."""

from client import widgets
from client.layout import columns
from client.scene import Node, Rect
from client.theme import Look
from client.widgets import Row, label


def line(rect: Rect, look: Look) -> Rect:
    """Return the part of a row that is filled."""
    return Rect(rect.x, rect.y, rect.w, look.row)


def titled(title: str, look: Look, made: Row) -> Row:
    """Return a row with a title at its left, and at its right what is made there."""

    def row(rect: Rect) -> Node:
        left, right = columns(line(rect, look), [0.5, 0.5], look.gap)
        return widgets.group(rect, [label(left, title, look), made(right)])

    return row


def choice(
    name: str, title: str, value: str, look: Look, *, enabled: bool = True
) -> Row:
    """Return a row with a drop-down."""
    return titled(
        title, look,
        lambda spot: widgets.choice(name, spot, value, look, enabled=enabled),
    )  # fmt: skip


def box(name: str, title: str, look: Look, *, on: bool, enabled: bool = True) -> Row:
    """Return a row with a box to tick."""
    return lambda rect: widgets.check(
        name, line(rect, look), title, look, on=on, enabled=enabled
    )
