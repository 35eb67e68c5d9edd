"""A word at a place, as records write it: `8H WORD`, `H8 W.RD`, `8H (FORE)WORD`."""

import re
from typing import Final

from msgspec import Struct

from netplay.formats.lettering import bracketed, letter
from rules.networdz import Ground, Placed
from rules.networdz.notation import square_name
from rules.sentence import RulesError

_PLACE: Final = re.compile(r"(?:(\d{1,2})([A-Za-z])|([A-Za-z])(\d{1,2}))\Z")
_PARTS: Final = re.compile(r"\(|\)|\[[^\]]*\]|.")

THROUGH: Final = "."
"""A letter that lay there already."""


class Faults(RulesError, ValueError):  # noqa: N818 (what is wrong with a record, in the user's words)
    """A line of a record cannot be; the message says why."""


class At(Struct, frozen=True):
    """A word on the board."""

    where: str
    """Canonical."""
    cells: tuple[int, ...]
    placed: tuple[Placed, ...]
    """The tiles that are new, by cell."""


def is_place(text: str) -> bool:
    """Tell whether a text may be the place of a word."""
    return _PLACE.match(text) is not None


def place(ground: Ground, letters: bytes, where: str, word: str) -> At:
    """Return where the tiles of a word lie.

    Args:
        ground: The board.
        letters: What lies there, as in a state.
        where: The first square: the row's number first for across.
        word: Its letters; those that lie there already as full stops, in parentheses
            or as they are.

    Raises:
        Faults: It cannot lie there.
    """
    line, named = _line(ground, where)
    names = _names(word)
    if len(names) > len(line):
        raise Faults(
            "{word} at {where} runs over the edge of the board", word=word, where=where
        )
    cells = tuple(line[: len(names)])
    placed = [
        tile
        for cell, name in zip(cells, names, strict=True)
        if (tile := _tile(ground, letters[cell], cell, name)) is not None
    ]
    if not placed:
        raise Faults("no tile is laid")
    return At(named, cells, tuple(placed))


def _line(ground: Ground, where: str) -> tuple[range, str]:
    """Return the squares from a place to the edge, and its canonical name."""
    found = _PLACE.match(where)
    if found is None:
        raise Faults(
            "{where} is no square; they are written 8H or H8", where=repr(where)
        )
    down = found[1] is None
    row = int(found[4] if down else found[1]) - 1
    column = ord((found[3] if down else found[2]).upper()) - ord("A")
    if not (0 <= row < ground.height and column < ground.width):
        raise Faults("there is no square {where}", where=where)
    cell = row * ground.width + column
    line = ground.column(cell)[row:] if down else ground.row(cell)[column:]
    return line, square_name(ground, cell, down=down)


def _names(word: str) -> list[str]:
    """Return what a word has on each square; in parentheses with a full stop before."""
    names: list[str] = []
    inside = False
    for part in _PARTS.findall(word):
        if part in "()":
            if inside == (part == "("):
                raise Faults("the parentheses in {word} do not match", word=word)
            inside = part == "("
            continue
        names.append(THROUGH + part if inside else part)
    if inside or not names:
        raise Faults("the parentheses in {word} do not match", word=word)
    return names


def _tile(ground: Ground, lies: int, cell: int, name: str) -> Placed | None:
    """Return the tile that a square gets, None if it has one already."""
    through = name.startswith(THROUGH)
    text = name.removeprefix(THROUGH).strip("[]")
    known = -1 if text in {"", THROUGH} else letter(text.upper(), ground)
    here = square_name(ground, cell, down=False)
    if known < 0 and not (through and text in {"", THROUGH}):
        raise Faults("{name} is no letter of this edition", name=repr(text))
    if lies:
        if known not in {-1, lies - 1}:
            raise Faults(
                "at {here} lies {letter}, not {other}",
                here=here,
                letter=ground.alphabet[lies - 1],
                other=text.upper(),
            )
        return None
    if through:
        raise Faults("there is no letter at {here} yet", here=here)
    blank = text != text.upper()
    return Placed(cell, ground.blank if blank else known, known)


def written(ground: Ground, at: At) -> str:
    """Return a word as records write it."""
    tiles = {each.cell: each for each in at.placed}
    return "".join(_name(ground, tiles.get(cell)) for cell in at.cells)


def _name(ground: Ground, tile: Placed | None) -> str:
    """Return what stands for a square."""
    if tile is None:
        return THROUGH
    name = bracketed(ground.alphabet[tile.letter])
    return name.lower() if tile.kind == ground.blank else name
