"""Rows that wells send one another: how many are coming, and what is said of them."""

from typing import Any, Final

from msgspec import Struct

from client.board import Seen
from client.scene import Node, Rect
from client.texts import ngettext
from client.theme import Look
from client.widgets import badge
from rules import hexcolumns
from rules.game import Seat
from rules.hexcolumns import State

NOTE_SECONDS: Final = 2.5
"""How long it stays in sight who has sent rows."""


class Rows(Struct, frozen=True):
    """Rows that a seat has sent to all others."""

    count: int
    seat: Seat
    since: float

    def passed(self, now: float) -> bool:
        """Tell whether they have been told of long enough."""
        return now >= self.since + NOTE_SECONDS


def sent(seen: Seen[State, Any]) -> tuple[int, ...]:
    """Return how many rows each seat has sent."""
    return tuple(well.sent for well in seen.view.wells)


def news(seen: Seen[State, Any], before: tuple[int, ...]) -> Rows | None:
    """Return the rows that were sent since a look before; the others' come first."""
    fresh = [
        Rows(now - was, seat, seen.now)
        for seat, (now, was) in enumerate(zip(sent(seen), before, strict=False))
        if now > was
    ]
    return min(fresh, key=lambda each: each.seat == seen.seat, default=None)


def told(seen: Seen[State, Any], rows: Rows | None) -> tuple[str, ...]:
    """Return who has sent rows, in fewer and fewer words; nothing for nobody."""
    if rows is None or seen.seat is None or seen.view.wells[seen.seat].over:
        return ()
    if rows.seat == seen.seat:
        text = ngettext("{n} row sent", "{n} rows sent", rows.count)
        return text.format(n=rows.count), f"{rows.count}↑"
    text = ngettext("{n} row from {name}", "{n} rows from {name}", rows.count)
    full = text.format(n=rows.count, name=seen.names[rows.seat])
    return full, _coming(rows.count), f"↑{rows.count}"


def warning(seen: Seen[State, Any]) -> str:
    """Return how many rows are to rise in one's own well; empty for none."""
    owed = 0 if seen.seat is None else coming(seen.view, seen.seat)
    if not owed:
        return ""
    text = ngettext(
        "{n} row rises in your well with the next piece.",
        "{n} rows rise in your well with the next pieces.",
        owed,
    )
    return text.format(n=owed)


def _coming(rows: int) -> str:
    return ngettext("{n} row is coming", "{n} rows are coming", rows).format(n=rows)


def coming(view: State, seat: Seat) -> int:
    """Return how many rows are to rise in a well that plays on."""
    return 0 if view.wells[seat].over else hexcolumns.owed(view, seat)


def gauge(
    view: State, seat: Seat, well: Rect, left: int, size: int, look: Look
) -> list[Node]:
    """Return the sign beside a well, at its foot: how many rows are coming.

    Args:
        view: All wells.
        seat: Whose well.
        well: Where its cells are.
        left: Where its room begins.
        size: Of the text.
        look: Colours and sizes.
    """
    owed = coming(view, seat)
    if not owed:
        return []
    text, high = f"↑{owed}", round(size * 1.5)
    wide = look.width(text, size, bold=True) + high // 2
    rect = Rect(max(left, well.x - wide), well.bottom - high, wide, high)
    said = _coming(owed)
    return [badge(f"rows:{seat}", rect, text, size, look, value=said, latest=True)]
