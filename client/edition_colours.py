"""The colours that an edition brings (source document, Configuration).

In the light theme only: the dark one and that of high contrast are there for eyes
that need them.  An edition may come from anybody, and says what it likes: whatever its
colours are, letters are drawn so that they can be read.
"""

import re
from itertools import combinations
from typing import Final

from msgspec.structs import replace

from client.scene import Colour, contrast, mix
from client.theme import LIGHT, Look, Theme
from rules.editions import COLOURS, Edition

LEAST: Final = 4.5
"""The contrast of a letter with its tile, as of every text."""

APART: Final = 24
"""How far two squares are apart in red, green or blue, of 255."""

INKS: Final = ((0, 0, 0), (255, 255, 255))
"""One of the two can be read on any colour."""

_CODE: Final = re.compile(r"#[0-9a-f]{6}")
"""In the editor a colour may be half typed; then the theme's shows."""


def tinted(look: Look, edition: Edition) -> Look:
    """Return the look with the edition's own colours."""
    if look.theme.name != LIGHT.name or not edition.colours:
        return look
    return replace(look, theme=_readable(_coloured(look.theme, edition)))


def _coloured(theme: Theme, edition: Edition) -> Theme:
    own = {name: rgb(code) for name, code in edition.colours if _CODE.fullmatch(code)}
    w2, w3, w4 = (own.get(f"W{i + 2}", theme.word[i]) for i in range(3))
    l2, l3, l4 = (own.get(f"L{i + 2}", theme.letter[i]) for i in range(3))
    return replace(
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


def _readable(theme: Theme) -> Theme:
    """Return the theme with letters that stand out from their tiles.

    A blank's letter is grey (source document, Screen layout), so far as can be; a
    blocked square is seen to be one.
    """
    dark = max(INKS, key=lambda ink: contrast(ink, theme.tile))
    letter = theme.tile_text if _reads(theme.tile_text, theme.tile) else dark
    greys = (mix(dark, theme.tile, part / 20) for part in range(8, -1, -1))
    good = (grey for grey in (theme.blank, *greys) if _reads(grey, theme.tile))
    blocked = theme.blocked
    if alike(blocked, theme.cell):
        blocked = max(INKS, key=lambda ink: contrast(ink, theme.cell))
    return replace(theme, tile_text=letter, blank=next(good, dark), blocked=blocked)


def _reads(letter: Colour, ground: Colour) -> bool:
    return contrast(letter, ground) >= LEAST


def alike(one: Colour, other: Colour) -> bool:
    """Tell whether two squares beside each other hardly differ."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < APART


def faults(edition: Edition) -> tuple[tuple[str, str], ...]:
    """Return which colours can hardly be told apart, by their names in editions."""
    theme = _coloured(LIGHT, edition)
    letters = (("letter", theme.tile_text), ("blank", theme.blank))
    found = [(name, "tile") for name, ink in letters if not _reads(ink, theme.tile)]
    look = Look(theme)
    kinds = {name: square(name, look) for name in COLOURS if name[0] in "LW"}
    grounds = {"square": theme.cell, **kinds, "blocked": theme.blocked}
    found += [
        (two, one)
        for (one, ground), (two, other) in combinations(grounds.items(), 2)
        if alike(ground, other)
    ]
    return tuple(found)


def mended(edition: Edition) -> Edition:
    """Return the edition with colours that can be told apart.

    A letter gets the colour in which it is drawn, and so does a blocked square among
    plain ones; of other squares that are alike one loses its own colour.
    """
    for _ in COLOURS:
        wrong = faults(edition)
        if not wrong:
            return edition
        edition = _mended(edition, *wrong[0])
    return edition if not faults(edition) else replace(edition, colours=())


def _mended(edition: Edition, name: str, other: str) -> Edition:
    """Return the edition with one colour changed, that is too much like another."""
    theme, own = _readable(_coloured(LIGHT, edition)), dict(edition.colours)
    if name == "letter":
        own[name] = code(theme.tile_text)
    elif name == "blank":
        own[name] = code(theme.blank)
    elif (name, other) == ("blocked", "square"):
        own[name] = code(theme.blocked)
    elif own.pop(name, None) is None:
        own.pop(other, None)
    return replace(edition, colours=tuple(sorted(own.items())))


def code(colour: Colour) -> str:
    """Return a colour as an edition spells it."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def rgb(code: str) -> Colour:
    """Return the colour that "#rrggbb" means."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def square(kind: str, look: Look) -> Colour:
    """Return the colour of a kind of square, as an edition spells it."""
    theme = look.theme
    if kind[0] in "LW":
        return (theme.word if kind[0] == "W" else theme.letter)[int(kind[1]) - 2]
    return theme.blocked if kind == "##" else theme.cell
