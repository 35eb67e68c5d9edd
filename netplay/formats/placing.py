"""A word at a place, as records write it: `8H WORD`, `H8 W.RD`, `8H (FORE)WORD`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from rules.networdz import Ground, Placed
from rules.networdz.judging import square_name
from rules.sentence import RulesError, sentence

# Tiles as text: a letter each, `[CH]` for several, `?` for a blank.


class LetterError(RulesError, ValueError):
    """A text names a tile that the edition does not have."""


_TOKEN: Final = re.compile(r"\[[^\]]*\]|.")


def tokens(text: str) -> list[str]:
    """Return the single tiles of a text, without the brackets."""
    return [token.strip("[]") for token in _TOKEN.findall(text)]


def letter(name: str, ground: Ground) -> int:
    """Return the index of a letter of the edition, or -1."""
    return ground.alphabet.index(name) if name in ground.alphabet else -1


def kinds(text: str, ground: Ground) -> tuple[int, ...]:
    """Return the kinds of the tiles that a text names.

    Raises:
        LetterError: The edition has no such tile; the message names it.
    """
    found: list[int] = []
    for name in tokens(text):
        kind = ground.blank if name == "?" else letter(name.upper(), ground)
        if kind < 0:
            raise LetterError("{name} is no tile of this edition", name=repr(name))
        found.append(kind)
    return tuple(found)


def spell(kinds_: Iterable[int], ground: Ground) -> str:
    """Return tiles as text."""
    return "".join(
        "?" if kind == ground.blank else bracketed(ground.alphabet[kind])
        for kind in kinds_
    )


def bracketed(name: str) -> str:
    """Return a tile's letters, in brackets if they are several."""
    return name if len(name) == 1 else f"[{name}]"


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


# What a record says of racks, beside the tiles that can be counted.
#
# Nothing is drawn between two turns of one player: what stayed on a rack must be on the
# one stated next. And no tile is twice: on the board, or on two racks. People who wrote
# a game down by hand err in this, so it is said, and the game goes on.


class Racks:
    """What is known to be on each rack."""

    def __init__(self, ground: Ground, seats: int) -> None:
        self.ground: Final = ground
        self._kept: Final = [Counter[int]() for _ in range(seats)]

    def kinds_of(self, text: str) -> tuple[int, ...]:
        """Return the kinds of the tiles that a text names.

        Raises:
            Faults: The edition has no such tile.
        """
        try:
            return kinds(text, self.ground)
        except LetterError as error:
            raise Faults(error.words) from None

    def doubt(self, seat: int, rack: Sequence[int], board: bytes) -> str:
        """Return why a rack cannot be the one stated, empty if it can.

        Args:
            seat: Whose.
            rack: The kinds stated, perhaps not all.
            board: For each square 0, or one more than the kind of the tile there.
        """
        size = self.ground.edition.rack
        if len(rack) > size:
            return sentence(
                "a rack has at most {most} tiles, not {count}",
                most=size,
                count=len(rack),
            )
        others = [kept for other, kept in enumerate(self._kept) if other != seat]
        elsewhere = sum(others, Counter[int]())
        if wrong := self.overdrawn([*rack, *elsewhere.elements()], board):
            return wrong
        kept = self._kept[seat]
        if (kept | Counter(rack)).total() > size:
            missing = spell(sorted((kept - Counter(rack)).elements()), self.ground)
            return sentence(
                "the tiles {missing} were kept, and are not on the rack stated",
                missing=missing,
            )
        return ""

    def overdrawn(self, kinds: Iterable[int], board: bytes) -> str:
        """Return of which kind there are too many, empty if of none."""
        used = Counter(kind - 1 for kind in board if kind)
        used.update(kinds)
        for kind, count in sorted(used.items()):
            tile = self.ground.edition.kinds[kind]
            if count > tile.count:
                return sentence(
                    "that makes {count} tiles {letters}, but there are {most}",
                    count=count,
                    letters=tile.letters,
                    most=tile.count,
                )
        return ""

    def unseen(self, board: bytes) -> Counter[int]:
        """Return the tiles that are not on the board."""
        counts = Counter(dict(enumerate(self.ground.edition.counts)))
        counts.subtract(kind - 1 for kind in board if kind)
        return +counts

    def keep(self, seat: int, rack: Iterable[int], gone: Iterable[int] = ()) -> None:
        """Note what stays on a rack.

        Args:
            seat: Whose.
            rack: What was on it; if nothing was said of it, what was known before.
            gone: What leaves it.
        """
        known = Counter(rack) or self._kept[seat]
        self._kept[seat] = known - Counter(gone)

    def forget(self, seat: int) -> None:
        """Forget what was known of a rack."""
        self._kept[seat] = Counter()
