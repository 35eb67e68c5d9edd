"""Changes to an edition: squares, size, tiles, and what is typed into the fields."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.drafts import START
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
    letters = next(c for c in _letters() if c not in taken)
    kinds = edition.kinds
    fresh = (*kinds[: at + 1], Kind(letters, 1, 1), *kinds[at + 1 :])
    return replace(edition, kinds=fresh)


def _letters() -> Iterator[str]:
    """Yield letters for new tiles: Latin first, then whatever is a capital."""
    yield from map(chr, range(ord("A"), ord("Z") + 1))
    yield from (chr(n) for n in range(0xC0, 0x600) if chr(n).isupper())


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
        return _coloured(edition, key.removeprefix(COLOUR), text.lower())
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


def _coloured(edition: Edition, name: str, code: str) -> Edition:
    """Return the edition with a colour of its own for something, or without."""
    colours = {**dict(edition.colours), name: code}
    if not code or name not in COLOURS:
        del colours[name]
    return replace(edition, colours=tuple(sorted(colours.items())))
