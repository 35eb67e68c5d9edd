"""The cards of the start page: a heading, and below it what is for or went wrong."""

from typing import Final

from client import metrics, widgets
from client.model import Model
from client.pages import bar
from client.scene import Node, Rect
from client.theme import Look
from client.widgets import Tone, label

_WIDE: Final = 400
"""Pixels at 100 % from which on a card begins right below a note of one line.

Narrow cards stand beside each other, and should begin at the same height.
"""


def note_height(text: str, wide: int, look: Look) -> int:
    """Return the height of what stands below a card's heading."""
    least = round(look.small * 1.3) * 2
    if not text:
        return least
    most = 4 * round(look.small * metrics.LINE)  # the rest is scrolled to
    return max(least, min(most, metrics.height(text, look.small, wide)))


def headed(
    model: Model, rect: Rect, title: str, text: str, about: tuple[str, ...]
) -> tuple[Rect, list[Node]]:
    """Return the room below a card's heading, and the heading.

    Below it stands what the card is for, or what went wrong with it.
    """
    look, wrong = model.look, bar.fault(model, *about)
    inner = rect.inset(look.px(16), look.px(12))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    high = note_height(wrong, inner.w, look)
    if (
        not wrong
        and rect.w >= look.px(_WIDE)
        and look.width(text, look.small) <= inner.w
    ):
        high = round(look.small * metrics.LINE)
    note = Rect(inner.x, head.bottom, inner.w, high)
    tone = Tone.DANGER if wrong else Tone.DIM
    kids = [
        label(head, title, look, size=look.head, bold=True),
        widgets.reading(
            "fault" if wrong else f"{about[0]}.note", note, wrong or text, look,
            size=look.small, tone=tone, offset=model.scrolls.get("fault", 0),
        ),
        *([bar.dismissing(head, look)] if wrong else []),
    ]  # fmt: skip
    y = note.bottom + look.gap
    return Rect(inner.x, y, inner.w, inner.bottom - y), kids
