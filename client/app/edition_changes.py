"""Changes to an edition: squares, size, tiles, and what is typed into the fields."""

import re
from collections.abc import Mapping
from itertools import combinations
from string import ascii_uppercase
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app.model import START
from client.ui.scene import Colour, contrast, mix
from client.ui.theme import LIGHT, Look, Theme
from rules.editions import BLOCKED, COLOURS, PLAIN, Edition, Kind, Problem, problems

TEXTS: Final = ("name", "title", "language", "words")
NUMBERS: Final = ("longest", "rack", "bingo", "blanks")
TILE: Final = ("letters", "count", "points")
COLOUR: Final = "colour."

NUMBER: Final = "write a whole number"


class Tried(Struct, frozen=True):
    """An edition with what has been typed, and what is wrong with it first."""

    edition: Edition
    problem: Problem | None


def painted(edition: Edition, row: int, column: int, brush: str) -> Edition:
    """Return the edition with one square of another kind; the same again: plain.

    Args:
        edition: As it is.
        row: From 0 at the top.
        column: From 0 at the left.
        brush: A kind of square, or `START`.
    """
    if brush != START:
        return _with(edition, row, column, brush)
    if edition.board[row][column] == BLOCKED:
        edition = _with(edition, row, column, PLAIN)
    return replace(edition, start=(row, column))


def _with(edition: Edition, row: int, column: int, square: str) -> Edition:
    rows = [list(each) for each in edition.board]
    rows[row][column] = square
    return replace(edition, board=tuple(map(tuple, rows)))


def mirrors(edition: Edition, row: int, column: int) -> frozenset[tuple[int, int]]:
    """Return a square and its images in the other corners."""
    rows = {row, edition.height - 1 - row}
    columns = {column, edition.width - 1 - column}
    return frozenset((r, c) for r in rows for c in columns)


def brushed(
    edition: Edition, row: int, column: int, brush: str, *, mirrored: bool
) -> Edition:
    """Return the edition after a click with a brush; on its own kind it wipes."""
    if brush == START:
        return painted(edition, row, column, brush)
    square = PLAIN if edition.board[row][column] == brush else brush
    found = mirrors(edition, row, column) if mirrored else {(row, column)}
    for at in sorted(found):
        edition = painted(edition, *at, square)
    return edition


def resized(edition: Edition, rows: int, columns: int) -> Edition:
    """Return the edition with a board of another size, cut or filled at the end."""
    blank = (PLAIN,) * edition.width
    kept = (*edition.board, *[blank] * max(0, rows - edition.height))[:rows]
    wide = [(*row, *[PLAIN] * max(0, columns - len(row)))[:columns] for row in kept]
    start = min(edition.start[0], rows - 1), min(edition.start[1], columns - 1)
    return replace(edition, board=tuple(wide), start=start)


def added(edition: Edition, at: int) -> Edition:
    """Return the edition with one more kind of tile, behind another."""
    taken = set(edition.alphabet)
    # Latin letters first, then whatever is a capital
    capitals = filter(str.isupper, map(chr, range(0xC0, 0x600)))
    letters = next(c for c in (*ascii_uppercase, *capitals) if c not in taken)
    kinds = edition.kinds
    fresh = (*kinds[: at + 1], Kind(letters, 1, 1), *kinds[at + 1 :])
    return replace(edition, kinds=fresh)


def removed(edition: Edition, at: int) -> Edition:
    """Return the edition without a kind of tile."""
    kinds = edition.kinds
    return replace(edition, kinds=(*kinds[:at], *kinds[at + 1 :]))


def swapped(edition: Edition, at: int, by: int) -> Edition:
    """Return the edition with a kind of tile one place earlier or later."""
    to = at + by
    if not 0 <= to < edition.blank:
        return edition
    kinds = list(edition.kinds)
    kinds[at], kinds[to] = kinds[to], kinds[at]
    return replace(edition, kinds=tuple(kinds))


def shown(edition: Edition, tile: int, key: str) -> str:
    """Return what a field shows before it is touched."""
    if key in TILE:
        return str(getattr(edition.kinds[tile], key))
    if key.startswith(COLOUR):
        return dict(edition.colours).get(key.removeprefix(COLOUR), "")
    if key == "blanks":
        return str(edition.kinds[-1].count)
    return str(getattr(edition, key)) if key in (*TEXTS, *NUMBERS) else ""


def tried(edition: Edition, tile: int, typed: Mapping[str, str]) -> Tried:
    """Return the edition with what has been typed, as far as it can be.

    Args:
        edition: As it was.
        tile: The kind of tile that the fields of a tile are about.
        typed: Field -> its text, of the fields that were touched.
    """
    faults: list[Problem] = []
    for key, text in typed.items():
        change = _change(edition, tile, key, text.strip())
        if change is None:
            name = f"tiles.{edition.kinds[tile].letters}" if key in TILE else key
            faults.append(Problem(name, NUMBER))
        else:
            edition = change
    found = next(problems(edition), None)
    return Tried(edition, faults[0] if faults else found)


def _change(edition: Edition, tile: int, key: str, text: str) -> Edition | None:
    """Return the edition with one field changed; None if it wants a number."""
    if key in TEXTS:
        return replace(edition, **{key: text})
    if key.startswith(COLOUR):
        # The edition with a colour of its own for something, or without
        name = key.removeprefix(COLOUR)
        code = text.lower()
        colours = {**dict(edition.colours), name: code}
        if not code or name not in COLOURS:
            del colours[name]
        return replace(edition, colours=tuple(sorted(colours.items())))
    if key == "letters":
        kind = replace(edition.kinds[tile], letters=text.upper())
        return _with_kind(edition, tile, kind)
    if key not in (*NUMBERS, *TILE):
        return edition
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        return None
    return _numbered(edition, tile, key, int(text))


def _numbered(edition: Edition, tile: int, key: str, number: int) -> Edition:
    kind, last = edition.kinds[tile], edition.kinds[-1]
    match key:
        case "blanks":
            return _with_kind(edition, edition.blank, replace(last, count=number))
        case "count":
            return _with_kind(edition, tile, replace(kind, count=number))
        case "points":
            return _with_kind(edition, tile, replace(kind, points=number))
        case _:
            return replace(edition, **{key: number})


def _with_kind(edition: Edition, at: int, kind: Kind) -> Edition:
    kinds = (*edition.kinds[:at], kind, *edition.kinds[at + 1 :])
    return replace(edition, kinds=kinds)


# The colours that an edition brings (source document, Configuration).
#
# In the light theme only: the dark one and that of high contrast are there for eyes
# that need them. An edition may come from anybody, and says what it likes: whatever its
# colours are, letters are drawn so that they can be read.


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
    return replace(look, theme=_readable(_coloured_theme(look.theme, edition)))


def _coloured_theme(theme: Theme, edition: Edition) -> Theme:
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
    theme = _coloured_theme(LIGHT, edition)
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
    theme, own = _readable(_coloured_theme(LIGHT, edition)), dict(edition.colours)
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
