"""Editions: the tiles, board and word list of a word game, named by their digest.

    edition = find(shipped()["networdz"])
    edition.kinds[edition.blank].count

The source document calls this the configuration file.  The host's edition travels
to the peers as `encode` makes it and is checked there by `decode`.

People write them as TOML, and errors name the line.  The editions at hand are found by
digest: see `rules.shelf`.
"""

import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from msgspec import Struct

from rules.sentence import RulesError, sentence
from rules.shelf import Shelf

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
    for key, name in (("name", edition.name), ("words", edition.words)):
        if not _NAME.fullmatch(name):
            yield Problem(key, "write up to 32 of a-z, 0-9, - and _")
    if not _clean(edition.title, MAX_TITLE):
        yield _problem(
            "title", "write 1 to {most} printable characters", most=MAX_TITLE
        )
    if not _LANGUAGE.fullmatch(edition.language):
        yield Problem("language", "write a language as two or three of a-z")
    for key, value, low, high in (
        ("longest", edition.longest, 2, MAX_WORD),
        ("rack", edition.rack, 1, MAX_RACK),
        ("bingo", edition.bingo, 0, MAX_BINGO),
    ):
        if not low <= value <= high:
            yield _problem(key, "must be from {low} to {high}", low=low, high=high)
    yield from _tiles(edition)
    yield from _squares(edition)
    for index, (name, colour) in enumerate(edition.colours):
        if name not in COLOURS or name in {each for each, _ in edition.colours[:index]}:
            yield _problem(
                f"colours.{name}", "colours are {names}", names=", ".join(COLOURS)
            )
        elif not _COLOUR.fullmatch(colour):
            yield Problem(f"colours.{name}", "write a colour as #rrggbb")


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


_AT: Final = re.compile(r"(?P<what>.*) - at `\$(?:\.(?P<path>\S+))?`", re.DOTALL)
_FIELD: Final = re.compile(r"(unknown|required) field `(?P<field>.*)`", re.DOTALL)
_WANTED: Final = re.compile(r"Expected `(?P<type>int|str|object|array)`")
_WANTS: Final = {
    "int": "write a whole number",
    "str": "write a text in quotes",
    "object": "write a table of its own, under its name in [ ]",
    "array": "write a list in [ ]",
}
_PLAINLY: Final = {"Cannot overwrite a value": "the key has been there before"}
_SYNTAX: Final = re.compile(r"(?P<what>.*) \(at line (?P<line>\d+), .*\)", re.DOTALL)


class _Board(Struct, forbid_unknown_fields=True):
    """The table [board]."""

    rows: str
    start: tuple[int, int]


class _File(Struct, forbid_unknown_fields=True):
    """The file as a whole."""

    name: str
    title: str
    language: str
    words: str
    longest: int
    rack: int
    bingo: int
    blanks: int
    board: _Board
    tiles: dict[str, object]
    colours: dict[str, str] = {}


def read(text: str) -> Edition:
    """Return the edition that a TOML text describes.

    Raises:
        EditionError: The message names the line and what is wrong with it.
    """
    file = _parsed(text)
    kinds: list[Kind] = []
    for letters, value in file.tiles.items():
        try:
            count, points = msgspec.convert(value, tuple[int, int])
        except msgspec.ValidationError as error:
            reason = "write [how many, points], two whole numbers"
            raise _error(text, f"tiles.{letters}", reason) from error
        kinds.append(Kind(letters, count, points))
    edition = Edition(
        name=file.name,
        title=file.title,
        language=file.language,
        words=file.words,
        longest=file.longest,
        rack=file.rack,
        bingo=file.bingo,
        kinds=(*kinds, Kind("?", file.blanks, 0)),
        board=tuple(
            tuple(row.split()) for row in file.board.rows.strip("\n").split("\n")
        ),
        start=file.board.start,
        colours=tuple(sorted(file.colours.items())),
    )
    for problem in problems(edition):
        raise _error(text, problem.key, problem.reason)
    return edition


def write(edition: Edition) -> str:
    """Return the TOML text that `read` makes this edition of."""
    wide = max(len(square) for row in edition.board for square in row)
    rows = "\n".join(
        " ".join(square.ljust(wide) for square in row).rstrip() for row in edition.board
    )
    lines = [
        *(
            f"{key} = {_quoted(getattr(edition, key))}"
            for key in ("name", "title", "language", "words")
        ),
        *(f"{key} = {getattr(edition, key)}" for key in ("longest", "rack", "bingo")),
        f"blanks = {edition.kinds[-1].count}",
        "\n[tiles]  # letters = [how many, points]",
        *(
            f"{_quoted(kind.letters)} = [{kind.count}, {kind.points}]"
            for kind in edition.kinds[:-1]
        ),
        "\n[board]",
        f"start = [{edition.start[0]}, {edition.start[1]}]  # row, column, from 0",
        f'rows = """\n{rows}\n"""',
    ]
    if edition.colours:
        lines.append("\n[colours]")
        lines += [f"{key} = {_quoted(value)}" for key, value in edition.colours]
    return "\n".join(lines) + "\n"


def _parsed(text: str) -> _File:
    """Return the file with every part of the right type."""
    try:
        return msgspec.convert(tomllib.loads(text), _File)
    except tomllib.TOMLDecodeError as error:
        found = _SYNTAX.fullmatch(str(error))
        if found is None:  # the end of the file came too early
            what = str(error).removesuffix(" (at end of document)")
            raise _at_line(text.count(chr(10)) + 1, what) from error
        what = _PLAINLY.get(found["what"], found["what"])
        raise _at_line(found["line"], what) from error
    except RecursionError:
        raise EditionError("line 1: lists lie in lists too deeply") from None
    except msgspec.ValidationError as error:
        raise _mistyped(text, error) from error


def _mistyped(text: str, error: msgspec.ValidationError) -> EditionError:
    """Return in plain words which part is not what it should be."""
    found = _AT.fullmatch(str(error))
    what, path = (found["what"], found["path"]) if found else (str(error), None)
    part = _FIELD.search(what)
    missing = part is not None and "missing" in what
    keys = [path] if path else []
    keys += [part["field"]] if part is not None and not missing else []
    key = re.sub(r"\[.*", "", ".".join(keys))
    if part is not None:
        what = f"{part['field']} is missing" if missing else "there is no such key"
    elif wanted := _WANTED.match(what):
        what = _WANTS[wanted["type"]]
    if key == "board.start":
        what = "write [row, column], two whole numbers"
    return _error(text, key, what.replace("`", ""))


def _error(text: str, key: str, reason: str) -> EditionError:
    """Return the error with the line on which a part of the file stands."""
    named = sentence("{key}: {why}", key=key, why=reason) if key else reason
    # The nearest line that can be found: a key inside a table, else the table, else 1
    table, found = "", 1
    parts = key.split(".")
    for number, line in enumerate(text.splitlines(), start=1):
        if heading := re.match(r"\s*\[\s*([^\]\s]*)\s*\]", line):
            table = heading[1]
            if table == parts[0]:
                found = number
        elif entry := re.match(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*=""", line):
            name = next(filter(None, entry.groups()), "")
            if [*filter(None, (table, name))] == parts[: 2 if table else 1]:
                row = int(parts[2]) + 1 if parts[2:] else 0
                return _at_line(number + row, named)
    return _at_line(found, named)


def _at_line(number: object, what: str) -> EditionError:
    """Return the error that says on which line of a file something is wrong."""
    return EditionError("line {number}: {why}", number=number, why=what)


def _quoted(text: str) -> str:
    """Return a TOML string; JSON's escapes are TOML's too."""
    return msgspec.json.encode(text).decode()


def _opened(place: Traversable) -> Edition:
    return read(place.read_text("utf-8"))


_SHELF: Final = Shelf("editions", ".toml", _opened)

find = _SHELF.find
forget = _SHELF.forget
load = _SHELF.load
own = _SHELF.own
register = _SHELF.register
shipped = _SHELF.shipped
