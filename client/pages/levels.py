"""How well a computer player plays: a slider, or three levels where a game has them."""

from typing import Final

from msgspec.structs import replace

from client import metrics, widgets
from client.layout import columns
from client.scene import Align, Node, Rect
from client.texts import _
from client.theme import Look
from client.widgets import Tone, label
from netplay.levels import SKILLS
from rules import GAMES

_HIGHEST: Final = (33, 66, 100)
"""Up to which skill the players of those games play each level."""

_LEVEL: Final = ".level:"


def control(game: str, name: str, rect: Rect, skill: int, look: Look) -> list[Node]:
    """Return what chooses the skill of a computer player.

    Args:
        game: The game's name.
        name: Of the slider; `read` knows the names of the levels.
        rect: Where it stands.
        skill: The present one, 0-100.
        look: Sizes and colours.
    """
    if GAMES[game].ABOUT.levels:
        return _levels(name, rect, skill, look)
    left, right = _("dumb"), _("smart")  # source document of Networdz, Players
    wides = [look.width(text, look.small) + look.px(6) for text in (left, right)]
    ends = columns(rect, [wides[0], 1, wides[1]], look.px(4))
    return [
        label(ends[0], left, look, size=look.small, tone=Tone.DIM),
        widgets.slider(name, ends[1], skill / 100, look, value=str(skill)),
        label(ends[2], right, look, size=look.small, tone=Tone.DIM, align=Align.RIGHT),
    ]


def _levels(name: str, rect: Rect, skill: int, look: Look) -> list[Node]:
    """Return a button a level, the present one pressed; all texts of one size."""
    texts, skills = (_("Easy"), _("Medium"), _("Hard")), SKILLS.values()
    now = next(i for i, highest in enumerate(_HIGHEST) if skill <= highest)
    spots = columns(rect, [1.0] * len(texts), look.px(4))
    room = min(spot.w for spot in spots) - look.px(8)
    size = metrics.fitting(texts, look.body, 8, room)
    return [
        replace(
            widgets.button(
                f"{name}{_LEVEL}{value}", spot, text, look, selected=i == now
            ),
            size=size,
        )
        for i, (value, spot, text) in enumerate(zip(skills, spots, texts, strict=True))
    ]


def read(name: str) -> tuple[str, int] | None:
    """Return whose level a button chooses, and the skill; None for other buttons."""
    whose, found, value = name.partition(_LEVEL)
    return (whose, int(value)) if found and value.isdigit() else None
