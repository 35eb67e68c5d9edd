"""The colours that an edition brings (source document, Configuration).

In the light theme only: the dark one and that of high contrast are there for eyes
that need them.
"""

import re
from typing import Final

from msgspec.structs import replace

from client.scene import Colour
from client.theme import LIGHT, Look
from rules.editions import Edition

_CODE: Final = re.compile(r"#[0-9a-f]{6}")
"""In the editor a colour may be half typed; then the theme's shows."""


def tinted(look: Look, edition: Edition) -> Look:
    """Return the look with the edition's own colours."""
    if look.theme.name != LIGHT.name or not edition.colours:
        return look
    theme = look.theme
    own = {name: rgb(code) for name, code in edition.colours if _CODE.fullmatch(code)}
    w2, w3, w4 = (own.get(f"W{i + 2}", theme.word[i]) for i in range(3))
    l2, l3, l4 = (own.get(f"L{i + 2}", theme.letter[i]) for i in range(3))
    fresh = replace(
        theme,
        cell=own.get("square", theme.cell),
        blocked=own.get("blocked", theme.blocked),
        word=(w2, w3, w4),
        letter=(l2, l3, l4),
        tile=own.get("tile", theme.tile),
        fresh=own.get("tile", theme.fresh),
        tile_text=own.get("letter", theme.tile_text),
        blank=own.get("blank", theme.blank),
    )
    return replace(look, theme=fresh)


def rgb(code: str) -> Colour:
    """Return the colour that "#rrggbb" means."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def square(kind: str, look: Look) -> Colour:
    """Return the colour of a kind of square, as an edition spells it."""
    theme = look.theme
    if kind[0] in "LW":
        return (theme.word if kind[0] == "W" else theme.letter)[int(kind[1]) - 2]
    return theme.blocked if kind == "##" else theme.cell
