"""`netplay words`: the dictionary tools."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from netplay import drill, home
from netplay.commands.asking import node_status
from netplay.commands.sharing import add_force, progress, spare
from netplay.errors import Code, LocalError
from netplay.language import _, decimal, phrase
from netplay.named_files import place_of
from netplay.sentences import Says
from netplay.table import dictionary
from netplay.table.resources import OwnFiles
from rules import lexicon

HELP = (
    "the dictionary tools: add, delete, import, export, check, look up and search words"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    edition = argparse.ArgumentParser(add_help=False)
    edition.add_argument(
        "--edition", default="networdz", metavar="NAME", help="whose letters (networdz)"
    )
    for verb, text in (
        ("add", _("add words to a list")),
        ("delete", _("delete words from a list")),
    ):
        one = verbs.add_parser(verb, help=text, parents=[edition])
        one.add_argument("list", metavar="LIST", help="file, or a list with a name")
        one.add_argument("words", nargs="+", metavar="WORD")
        one.add_argument("--out", type=Path, metavar="FILE", help="write there instead")
        add_force(one)
    one = verbs.add_parser("import", help="make a list from text", parents=[edition])
    one.add_argument(
        "file", type=Path, metavar="TEXT", help="one word a line, in order"
    )
    one.add_argument("out", type=Path, metavar="FILE")
    add_force(one)
    one = verbs.add_parser("export", help="write a list as text", parents=[edition])
    one.add_argument("list", metavar="LIST")
    one.add_argument("out", type=Path, metavar="TEXT")
    add_force(one)
    one = verbs.add_parser("check", help="are these words?", parents=[edition])
    one.add_argument("list", metavar="LIST")
    one.add_argument("words", nargs="+", metavar="WORD")
    one = verbs.add_parser(
        "look", help="has the list a word, why not, which lists have it?",
        parents=[edition],
    )  # fmt: skip
    one.add_argument("words", nargs="+", metavar="WORD")
    one.add_argument("--list", default="", metavar="LIST", help="the edition's own")
    one.add_argument("--json", action="store_true", help="print JSON")
    one = verbs.add_parser("drill", help=_("words that you missed, by their letters"))
    one.add_argument(
        "--json", action="store_true", help=_("print those that are due, as JSON")
    )
    for verb, text, what in (
        ("pattern", _("words that look so: ? is a letter, * any number"), "PATTERN"),
        ("anagrams", _("words that some letters spell, ? for a blank"), "LETTERS"),
        ("hooks", _("words that a letter before or behind makes of one"), "WORD"),
        ("leave", _("what tiles kept on the rack are worth, in points"), "LETTERS"),
    ):
        one = verbs.add_parser(verb, help=text, parents=[edition])
        one.add_argument("text", metavar=what)
        one.add_argument("--list", default="", metavar="LIST", help="the edition's own")
        one.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says; `check` and `look` exit with 1 if one is no word."""
    OwnFiles(home.find(None)).refresh()
    return _VERBS[arguments.verb](arguments)


def _change(arguments: argparse.Namespace) -> int:
    _refuse_in_company()
    verb, edition, name = arguments.verb, arguments.edition, arguments.list
    if arguments.out:
        out = spare(arguments.out, arguments)
    elif name in lexicon.shipped():
        raise LocalError(Code.USAGE, Says.LIST_SHIPPED())
    elif name in lexicon.own():
        out = OwnFiles(home.find(None)).list_path(name)
    else:
        out = place_of(name).absolute()
    with progress(_("building the list")):
        done = dictionary.change(verb, edition, name, arguments.words, out)
    print(phrase(Says.NOW_IN(done=done, path=out)))
    return 0


def _import(arguments: argparse.Namespace) -> int:
    """Make a list from text; a faulty line leaves everything as it was."""
    _refuse_in_company()
    out = spare(arguments.out, arguments)
    with progress(_("building the list")):
        done = dictionary.import_text(arguments.edition, arguments.file, out)
    print(phrase(Says.NOW_IN(done=done, path=out)))
    return 0


def _export(arguments: argparse.Namespace) -> int:
    out = spare(arguments.out, arguments)
    with progress(_("writing the list")):
        done = dictionary.export_text(
            home.find(None), arguments.edition, arguments.list, out
        )
    print(phrase(done))
    return 0


def _check(arguments: argparse.Namespace) -> int:
    good = dictionary.in_list(arguments.edition, arguments.list, arguments.words)
    for word, is_good in zip(arguments.words, good, strict=True):
        told = _("Yes") if is_good else _("No")  # "yes" is what counts as that
        print(f"{word}: {told.lower()}")
    return 0 if all(good) else 1


def _look(arguments: argparse.Namespace) -> int:
    """Say of each word what there is to say; exit with 1 if one is no word."""
    edition, name = _asked(arguments)
    place, good = home.find(None), dictionary.in_list(edition, name, arguments.words)
    told = [
        phrase(dictionary.look_up(place, edition, name, word))
        for word in arguments.words
    ]
    if arguments.json:
        rows = zip(arguments.words, good, told, strict=True)
        _print([{"word": w, "good": g, "told": t} for w, g, t in rows])
    else:
        print(*told, sep="\n")
    return 0 if all(good) else 1


def _search(arguments: argparse.Namespace) -> int:
    """Print the words that fit, one a line; exit with 1 if none does."""
    edition, name = _asked(arguments)
    found = dictionary.search(edition, name, arguments.verb, arguments.text)
    if arguments.json:
        _print(found)
    else:
        for word in found:
            print(word)
    return 0 if found else 1


def _leave(arguments: argparse.Namespace) -> int:
    worth = dictionary.worth_kept(*_asked(arguments), arguments.text)
    if arguments.json:
        _print({"worth": round(worth, 1) + 0.0})
    else:
        print(decimal(worth))
    return 0


def _drill(arguments: argparse.Namespace) -> int:
    """Ask for the words that were missed in games, until none is due or input ends."""
    place, today = home.find(None).path, date.today().toordinal()  # noqa: DTZ011 (the player's own day)
    waiting = drill.due(drill.load(place), today)
    if arguments.json:
        _print(
            [
                {
                    "words": drill.list_name(each),
                    "word": each.word,
                    "letters": drill.letters(each),
                    "found": each.found,
                }
                for each in waiting
            ]
        )
        return 0
    for asked in waiting:
        text = _("Which word has these letters? {letters}")
        words = f"{drill.list_name(asked)}: ".removeprefix(": ")
        print(words + text.format(letters=drill.letters(asked)))
        try:
            typed = input("> " if sys.stdin.isatty() else "").strip()
        except EOFError:
            print()
            return 0
        found = drill.is_right(asked, typed)
        drill.change(
            place, partial(drill.with_result, asked=asked, day=today, found=found)
        )
        said = _("Yes, {word}.") if found else _("No: it was {word}.")
        word = typed.upper() if found else asked.word
        print(said.format(word=word))
        for meaning in dictionary.meanings(
            home.find(None), asked.words, [word]
        ).values():
            print(f"  {meaning}")
    print(_("No more words for today."))
    return 0


def _print(told: object) -> None:
    """Print what programs read."""
    print(json.dumps(told, ensure_ascii=False))


def _asked(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return the edition and the list that are meant."""
    edition: str = arguments.edition
    return edition, arguments.list or dictionary.edition_of(edition).words


_VERBS: Final[dict[str, Callable[[argparse.Namespace], int]]] = {
    "add": _change,
    "delete": _change,
    "import": _import,
    "export": _export,
    "check": _check,
    "look": _look,
    "pattern": _search,
    "anagrams": _search,
    "hooks": _search,
    "leave": _leave,
    "drill": _drill,
}


def _refuse_in_company() -> None:
    """Refuse a change while a remote seat is at the table (source document).

    Raises:
        LocalError: USAGE, one is.
    """
    try:
        table = node_status().table
    except LocalError:
        return
    if table is not None and any(seat.kind == "remote" for seat in table.seats):
        raise LocalError(Code.USAGE, Says.DICTIONARY_IN_USE())
