"""What an edition is and what must hold of every one, whoever sent it."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from rules.sentence import RulesError, sentence

PLAIN: Final = "."
BLOCKED: Final = "##"
PREMIUMS: Final = ("L2", "L3", "L4", "W2", "W3", "W4")
"""Letter or word, and by how much it multiplies."""

COLOURS: Final = ("square", *PREMIUMS, "blocked", "tile", "letter", "blank")
"""What an edition may give a colour of its own; the rest is the theme's."""

MIN_SIDE: Final = 5
MAX_SIDE: Final = 40
"""Squares along the board: what a window of 800 pixels can still show."""

MAX_KINDS: Final = 128
"""The letters a word list can have, less one; see rules.lexicon."""

MAX_TILES: Final = 400
MAX_RACK: Final = 12
MAX_POINTS: Final = 100
MAX_BINGO: Final = 1000
MAX_WORD: Final = 32
"""Tiles of a word: what a word list can hold."""

MAX_LETTERS: Final = 4
MAX_TITLE: Final = 60
MAX_BYTES: Final = 32 * 1024
"""An encoded edition; the largest board takes 5 KiB, the most kinds 2 KiB."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")


class EditionError(RulesError, ValueError):
    """An edition is faulty; the message names the line, where there is one, and why."""


class Kind(Struct, frozen=True, array_like=True):
    """All tiles that are alike."""

    letters: str
    """What is printed on it, "?" for the blank; several characters for CH, LL, RR."""

    count: int
    points: int


class Edition(Struct, frozen=True, array_like=True):
    """The document's configuration: tiles, board, bonus, colours, language, words."""

    name: str
    title: str
    """What players read."""

    language: str
    """Of the words, as in "en"; not of the program's own texts."""

    words: str
    """Name of the word list it is made for."""

    longest: int
    """Tiles of the longest word allowed; the shortest has two."""

    rack: int
    bingo: int
    """Points for laying a whole, full rack at once."""

    kinds: tuple[Kind, ...]
    """In the order of the word list's alphabet; the blank is the last."""

    board: tuple[tuple[str, ...], ...]
    """Rows of squares: `PLAIN`, `BLOCKED` or one of `PREMIUMS`."""

    start: tuple[int, int]
    """Row and column of the square that the first word covers, from 0."""

    colours: tuple[tuple[str, str], ...] = ()
    """One of `COLOURS` and "#rrggbb", by name."""

    @property
    def blank(self) -> int:
        """The kind that is the blank."""
        return len(self.kinds) - 1

    @property
    def alphabet(self) -> tuple[str, ...]:
        """The letters of all kinds but the blank."""
        return tuple(kind.letters for kind in self.kinds[:-1])

    @property
    def counts(self) -> tuple[int, ...]:
        """How many tiles there are of each kind."""
        return tuple(kind.count for kind in self.kinds)

    @property
    def height(self) -> int:
        """Squares from top to bottom."""
        return len(self.board)

    @property
    def width(self) -> int:
        """Squares from left to right."""
        return len(self.board[0])

    @property
    def digest(self) -> str:
        """SHA-256 of the encoded edition, in hexadecimal digits: its true name."""
        return hashlib.sha256(encode(self)).hexdigest()


class Problem(Struct, frozen=True):
    """What is wrong with an edition and with which part of it."""

    key: str
    """The part, as the file names it: "rack", "tiles.CH", "board.rows.3"."""

    reason: str


def _problem(key: str, template: str, **values: object) -> Problem:
    return Problem(key, sentence(template, **values))


def letter_factor(square: str) -> int:
    """Return by how much a square multiplies the letter laid on it."""
    return int(square[1]) if square[0] == "L" else 1


def word_factor(square: str) -> int:
    """Return by how much a square multiplies a word newly laid on it."""
    return int(square[1]) if square[0] == "W" else 1


def encode(edition: Edition) -> bytes:
    """Return the bytes that travel and that the digest is taken of."""
    return msgspec.msgpack.encode(edition)


def decode(data: bytes) -> Edition:
    """Return a peer's edition.

    Raises:
        EditionError: The bytes are none, or something in it is not allowed.
    """
    if len(data) > MAX_BYTES:
        raise EditionError("the edition is too long")
    try:
        edition = msgspec.msgpack.decode(data, type=Edition)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EditionError("this is not an edition") from error
    if encode(edition) != data:
        raise EditionError("the edition is not in its one allowed form")
    for problem in problems(edition):
        raise EditionError("{key}: {why}", key=problem.key, why=problem.reason)
    return edition


def problems(edition: Edition) -> Iterator[Problem]:
    """Yield all that is wrong with an edition, in the order of the file."""
    yield from _naming(edition)
    yield from _numbers(edition)
    yield from _tiles(edition)
    yield from _squares(edition)
    for index, (name, colour) in enumerate(edition.colours):
        if name not in COLOURS or name in {each for each, _ in edition.colours[:index]}:
            yield _problem(
                f"colours.{name}", "colours are {names}", names=", ".join(COLOURS)
            )
        elif not _COLOUR.fullmatch(colour):
            yield Problem(f"colours.{name}", "write a colour as #rrggbb")


def _naming(edition: Edition) -> Iterator[Problem]:
    for key, name in (("name", edition.name), ("words", edition.words)):
        if not _NAME.fullmatch(name):
            yield Problem(key, "write up to 32 of a-z, 0-9, - and _")
    if not _clean(edition.title, MAX_TITLE):
        yield _problem(
            "title", "write 1 to {most} printable characters", most=MAX_TITLE
        )
    if not _LANGUAGE.fullmatch(edition.language):
        yield Problem("language", "write a language as two or three of a-z")


def _numbers(edition: Edition) -> Iterator[Problem]:
    for key, value, low, high in (
        ("longest", edition.longest, 2, MAX_WORD),
        ("rack", edition.rack, 1, MAX_RACK),
        ("bingo", edition.bingo, 0, MAX_BINGO),
    ):
        if not low <= value <= high:
            yield _problem(key, "must be from {low} to {high}", low=low, high=high)


def _tiles(edition: Edition) -> Iterator[Problem]:
    if not 2 <= len(edition.kinds) <= MAX_KINDS + 1:
        yield _problem("tiles", "there must be 1 to {most} letters", most=MAX_KINDS)
        return
    seen: set[str] = set()
    for kind in edition.kinds[:-1]:
        key = f"tiles.{kind.letters}"
        if not _clean(kind.letters, MAX_LETTERS) or not kind.letters.isalpha():
            yield _problem(key, "a tile has 1 to {most} letters", most=MAX_LETTERS)
        elif kind.letters in seen or kind.letters != kind.letters.upper():
            yield Problem(key, "letters are capitals, and each tile another")
        seen.add(kind.letters)
        if not 0 <= kind.count <= MAX_TILES or not 0 <= kind.points <= MAX_POINTS:
            yield _problem(
                key,
                "write [0-{tiles} tiles, 0-{points} points]",
                tiles=MAX_TILES,
                points=MAX_POINTS,
            )
    blank = edition.kinds[-1]
    if (blank.letters, blank.points) != ("?", 0) or not 0 <= blank.count <= MAX_TILES:
        yield _problem("blanks", "must be from {low} to {high}", low=0, high=MAX_TILES)
    if sum(kind.count for kind in edition.kinds) > MAX_TILES:
        yield _problem("tiles", "there are more than {most} tiles", most=MAX_TILES)
    if sum(kind.count > 0 for kind in edition.kinds) < 2:
        yield Problem("tiles", "there must be two tiles that differ")


def _squares(edition: Edition) -> Iterator[Problem]:
    board = edition.board
    if not MIN_SIDE <= len(board) <= MAX_SIDE:
        yield _problem(
            "board.rows",
            "there must be {least} to {most} rows",
            least=MIN_SIDE,
            most=MAX_SIDE,
        )
        return
    width = len(board[0])
    for index, row in enumerate(board):
        key = f"board.rows.{index}"
        if not MIN_SIDE <= len(row) <= MAX_SIDE:
            yield _problem(
                key,
                "a row has {least} to {most} squares",
                least=MIN_SIDE,
                most=MAX_SIDE,
            )
        elif len(row) != width:
            yield _problem(
                key,
                "has {count} squares, the first row {width}",
                count=len(row),
                width=width,
            )
        for square in row:
            if square not in (PLAIN, BLOCKED, *PREMIUMS):
                yield _problem(
                    key,
                    "'{square}' is none of . ## {others}",
                    square=square,
                    others=" ".join(PREMIUMS),
                )
    down, along = edition.start
    if not (0 <= down < len(board) and 0 <= along < len(board[down])):
        yield Problem("board.start", "must be a [row, column] on the board, from 0")
    elif board[down][along] == BLOCKED:
        yield Problem("board.start", "must not be a blocked square")


def _clean(text: str, longest: int) -> bool:
    """Say whether text is short, printable and in the one form it can be written."""
    return (
        0 < len(text) <= longest
        and text.isprintable()
        and unicodedata.is_normalized("NFC", text)
    )
