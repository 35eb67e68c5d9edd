"""Editions as TOML, the form that people write; errors name the line."""

import re
import tomllib
from typing import Final

import msgspec
from msgspec import Struct

from rules.editions.edition import Edition, EditionError, Kind, problems
from rules.sentence import sentence

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
    kinds = tuple(_kind(text, key, value) for key, value in file.tiles.items())
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


def _kind(text: str, letters: str, value: object) -> Kind:
    try:
        count, points = msgspec.convert(value, tuple[int, int])
    except msgspec.ValidationError as error:
        reason = "write [how many, points], two whole numbers"
        raise _error(text, f"tiles.{letters}", reason) from error
    return Kind(letters, count, points)


def _error(text: str, key: str, reason: str) -> EditionError:
    """Return the error with the line on which a part of the file stands."""
    named = sentence("{key}: {why}", key=key, why=reason) if key else reason
    return _at_line(_line(text, key), named)


def _at_line(number: object, what: str) -> EditionError:
    """Return the error that says on which line of a file something is wrong."""
    return EditionError("line {number}: {why}", number=number, why=what)


def _line(text: str, key: str) -> int:
    """Return the line of a key such as "rack", "tiles.CH" or "board.rows.3".

    The nearest that can be found: a key inside a table, else the table, else 1.
    """
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
                return number + row
    return found


def _quoted(text: str) -> str:
    """Return a TOML string; JSON's escapes are TOML's too."""
    return msgspec.json.encode(text).decode()
