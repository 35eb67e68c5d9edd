"""CGP, the one-line position format of other word-game programs.

Four fields with blanks between them: the rows, `/` between them, digits for empty
squares and lower case for blanks, letters of several characters in brackets; the
racks, the one on turn first; the scores; the turns without points in a row.  What
follows are operations, each ended by `;`.  Four of them name what is played with:

    ld english;           the tiles, or an edition
    bdn CrosswordGame;    the board, or an edition
    lex NWL20;            the words, and with them the language
    var classic;          the rules

The rest (clocks, challenges) is kept as it is.
"""

import re
from typing import Final

from msgspec import Struct

from netplay.formats import placing
from netplay.formats.meant import Names
from netplay.formats.placing import bracketed
from rules.networdz import Ground
from rules.sentence import RulesError, sentence

_TOKEN: Final = re.compile(r"\d+|\[[^\]]+\]|.")


class CgpError(RulesError, ValueError):
    """The line is no position; the message says which part, and why."""


class Position(Struct, frozen=True):
    """A position as a CGP line has it."""

    letters: bytes
    """For each square 0, or one more than the letter lying there."""
    kinds: bytes
    """For each square 0, or one more than the kind of the tile lying there."""
    racks: tuple[tuple[int, ...], ...]
    """Kinds; the rack on turn first."""
    scores: tuple[int, ...]
    zeros: int
    rest: str
    """What follows the four fields."""


def names(text: str) -> Names:
    """Return what a CGP line says it is played with."""
    fields = text.split(None, 4)
    found: dict[str, str] = {}
    for operation in (fields[4] if len(fields) > 4 else "").split(";"):
        code, _, operand = operation.strip().partition(" ")
        found.setdefault(code.lower(), operand.strip())
    return Names(
        tiles=found.get("ld", ""),
        board=found.get("bdn", ""),
        words=found.get("lex", ""),
        game=found.get("var", ""),
    )


def read(text: str, ground: Ground) -> Position:
    """Return the position of a CGP line.

    Args:
        text: The line.
        ground: Edition (its board's size and letters) and word list.

    Raises:
        CgpError: Something in it cannot be.
    """
    fields = text.split(None, 4)
    if len(fields) < 2:
        raise CgpError("a CGP line has a board, racks, scores and turns without points")
    missing = ("", "", "0/0", "0", "")[len(fields) :]
    board, racks, scores, zeros, rest = (*fields, *missing)
    letters, kinds = _read_board(board, ground)
    return Position(
        letters=letters,
        kinds=kinds,
        racks=tuple(_read_rack(rack, ground) for rack in racks.split("/")),
        scores=tuple(map(_read_number, scores.split("/"))),
        zeros=_read_number(zeros),
        rest=rest,
    )


def surplus(position: Position, ground: Ground) -> tuple[str, ...]:
    """Return in words of which tiles a position has more than the edition."""
    found: list[str] = []
    for number, kind in enumerate(ground.edition.kinds):
        used = position.kinds.count(number + 1)
        used += sum(rack.count(number) for rack in position.racks)
        if used > kind.count:
            remark = sentence(
                "there are {used} tiles {letters}, but only {count}",
                used=used,
                letters=kind.letters,
                count=kind.count,
            )
            found.append(remark)
    return tuple(found)


def untried(blanks: int, used: int) -> str:
    """Return in words that a rack has more blanks than can be thought of in time."""
    return sentence(
        "only {used} of {count} blanks are tried: all of them would take too long",
        used=used,
        count=blanks,
    )


def write(position: Position, ground: Ground) -> str:
    """Return the CGP line of a position, without what follows the four fields."""
    rows = [_write_row(position, row, ground) for row in ground.rows]
    racks = [
        "".join(bracketed(ground.edition.kinds[kind].letters) for kind in rack)
        for rack in position.racks
    ]
    scores = "/".join(map(str, position.scores))
    return f"{'/'.join(rows)} {'/'.join(racks)} {scores} {position.zeros}"


def _read_board(text: str, ground: Ground) -> tuple[bytes, bytes]:
    """Return letters and kinds of the squares.

    Raises:
        CgpError: The rows are not those of the board.
    """
    rows = text.split("/")
    if len(rows) != ground.height:
        raise CgpError(
            "the board has {height} rows, the line {count}",
            height=ground.height,
            count=len(rows),
        )
    letters, kinds = bytearray(), bytearray()
    for number, row in enumerate(rows, 1):
        for letter, kind in _read_row(row, number, ground):
            letters.append(letter)
            kinds.append(kind)
        if len(letters) != number * ground.width:
            count = len(letters) - (number - 1) * ground.width
            raise CgpError(
                "row {number} has {count} squares, not {width}",
                number=number,
                count=count,
                width=ground.width,
            )
    return bytes(letters), bytes(kinds)


def _read_row(row: str, number: int, ground: Ground) -> list[tuple[int, int]]:
    """Return (letter, kind) of the squares of a row, each 0 or one more.

    Raises:
        CgpError: It has a letter that the edition does not.
    """
    found: list[tuple[int, int]] = []
    for token in _TOKEN.findall(row):
        if token.isascii() and token.isdigit():
            if int(token) > ground.width:
                raise CgpError("row {number} is too long", number=number)
            found += [(0, 0)] * int(token)
            continue
        name = token.strip("[]")
        letter = placing.letter(name.upper(), ground)
        if letter < 0:
            raise CgpError(
                "row {number} has {name}, which is no letter here",
                number=number,
                name=repr(name),
            )
        blank = name != name.upper()
        found.append((letter + 1, (ground.blank if blank else letter) + 1))
    return found


def _read_rack(text: str, ground: Ground) -> tuple[int, ...]:
    """Return the kinds of a rack.

    Raises:
        CgpError: It has a letter that the edition does not, or too many tiles.
    """
    kinds: list[int] = []
    for token in _TOKEN.findall(text):
        name = token.strip("[]").upper()
        kind = ground.blank if name == "?" else placing.letter(name, ground)
        if kind < 0:
            raise CgpError(
                "the rack has {name}, which is no tile here", name=repr(name)
            )
        kinds.append(kind)
    if len(kinds) > ground.edition.rack:
        raise CgpError("a rack has at most {most} tiles", most=ground.edition.rack)
    return tuple(kinds)


def _read_number(text: str) -> int:
    """Return a whole number.

    Raises:
        CgpError: It is none.
    """
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise CgpError("{word} is no number", word=repr(text))
    return int(text)


def _write_row(position: Position, row: range, ground: Ground) -> str:
    written: list[str] = []
    gap = 0
    for cell in row:
        letter = position.letters[cell]
        if not letter:
            gap += 1
            continue
        written += [str(gap)] if gap else []
        gap = 0
        name = ground.alphabet[letter - 1]
        blank = position.kinds[cell] == ground.blank + 1
        written.append(bracketed(name.lower() if blank else name))
    return "".join([*written, *([str(gap)] if gap else [])])
