"""`netplay words`: the dictionary tools."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Final

from netplay import home
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.home import write_whole
from netplay.table.resources import find_edition, find_words
from rules import editions, lexicon, wordlists
from rules.editions import Edition
from rules.lexicon import Lexicon, LexiconError

HELP = "the dictionary tools: add, delete, import, export and check words"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    edition = argparse.ArgumentParser(add_help=False)
    edition.add_argument(
        "--edition", default="networdz", metavar="NAME", help="whose letters (networdz)"
    )
    for verb, text in (
        ("add", "add words to a list"),
        ("delete", "delete words from a list"),
    ):
        one = verbs.add_parser(verb, help=text, parents=[edition])
        one.add_argument(
            "list", metavar="LIST", help="file, or a list of the program's"
        )
        one.add_argument("words", nargs="+", metavar="WORD")
        one.add_argument("--out", type=Path, metavar="FILE", help="write there instead")
    one = verbs.add_parser("import", help="make a list from text", parents=[edition])
    one.add_argument(
        "file", type=Path, metavar="TEXT", help="one word a line, in order"
    )
    one.add_argument("out", type=Path, metavar="FILE")
    one = verbs.add_parser("export", help="write a list as text", parents=[edition])
    one.add_argument("list", metavar="LIST")
    one.add_argument("out", type=Path, metavar="TEXT")
    one = verbs.add_parser("check", help="are these words?", parents=[edition])
    one.add_argument("list", metavar="LIST")
    one.add_argument("words", nargs="+", metavar="WORD")


def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says; `check` exits with 1 if one is no word."""
    edition = editions.find(find_edition(arguments.edition).hex())
    try:
        return _VERBS[arguments.verb](arguments, edition)
    except LexiconError as error:
        raise LocalError(Code.BAD_WORDS, str(error)) from error


def _add(arguments: argparse.Namespace, edition: Edition) -> int:
    """Add words."""
    found = _list(arguments.list, edition)
    return _put(
        arguments, wordlists.add(found, arguments.words, edition.longest), "added"
    )


def _delete(arguments: argparse.Namespace, edition: Edition) -> int:
    """Delete words."""
    found = _list(arguments.list, edition)
    return _put(arguments, wordlists.delete(found, arguments.words), "deleted")


def _import(arguments: argparse.Namespace, edition: Edition) -> int:
    """Make a list from text; a faulty line leaves everything as it was."""
    try:
        text = arguments.file.read_text("utf-8-sig")
    except OSError as error:
        raise LocalError(
            Code.BAD_WORDS, f"{arguments.file}: {error.strerror}"
        ) from error
    except UnicodeDecodeError:
        detail = f"{arguments.file}: this is not UTF-8 text"
        raise LocalError(Code.BAD_WORDS, detail) from None
    words = wordlists.import_text(edition.alphabet, text, edition.longest)
    write_whole(arguments.out, lexicon.build(edition.alphabet, words))
    print(f"{len(words)} words imported into {arguments.out}")
    return 0


def _export(arguments: argparse.Namespace, edition: Edition) -> int:
    """Write a list as text."""
    found = _list(arguments.list, edition)
    write_whole(arguments.out, wordlists.export_text(found).encode())
    print(f"{found.count} words exported to {arguments.out}")
    return 0


def _check(arguments: argparse.Namespace, edition: Edition) -> int:
    """Say of each word whether it is one."""
    found = _list(arguments.list, edition)
    good = [wordlists.check(found, word) for word in arguments.words]
    for word, is_good in zip(arguments.words, good, strict=True):
        print(f"{word}: {'yes' if is_good else 'no'}")
    return 0 if all(good) else 1


_VERBS: Final[dict[str, Callable[[argparse.Namespace, Edition], int]]] = {
    "add": _add,
    "delete": _delete,
    "import": _import,
    "export": _export,
    "check": _check,
}


def _list(name: str, edition: Edition) -> Lexicon:
    """Return a word list given by name or file."""
    return lexicon.find(find_words(name, edition.alphabet).hex())


def _put(arguments: argparse.Namespace, data: bytes, done: str) -> int:
    """Write a changed list.

    Raises:
        LocalError: USAGE, the list is one of the program's own and no other place was
            given, or a remote player sits at the table.
    """
    if arguments.out is None and arguments.list in lexicon.shipped():
        detail = "a list of the program's own stays as it is; give --out FILE"
        raise LocalError(Code.USAGE, detail)
    _refuse_in_company()
    path = arguments.out or Path(arguments.list)
    write_whole(path, data)
    print(f"{len(arguments.words)} {done}, now in {path}")
    return 0


def _refuse_in_company() -> None:
    """Refuse a change while a remote seat is at the table (source document).

    Raises:
        LocalError: USAGE, one is.
    """
    try:
        with Visit(home.find(None)) as visit:
            table = visit.status().table
    except LocalError:
        return
    if table is not None and any(seat.kind == "remote" for seat in table.seats):
        detail = "the dictionary stays as it is while a remote player is at the table"
        raise LocalError(Code.USAGE, detail)
