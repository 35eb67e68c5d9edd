"""`netplay gcg`: the game records of other word-game programs."""

import argparse
import sys
from pathlib import Path

from netplay import home
from netplay.commands.sharing import add_force, spare
from netplay.commands.show import told
from netplay.daemon.positions import checked, opened
from netplay.errors import Code, LocalError
from netplay.formats import gcg, matching
from netplay.formats.gcg import GcgError, Taken
from netplay.formats.scoring import replayed
from netplay.formats.sheet import Sheet, from_bytes, is_sheet, to_bytes
from netplay.home import Home, write_whole
from netplay.language import _, phrase
from netplay.named_files import RECORD_BYTES, read_named
from netplay.said import Words, worded
from netplay.sanitize import visible
from netplay.sentences import Says
from netplay.table.resources import OwnFiles, Shelf, find_edition

HELP = "read and write GCG, the game records of other word-game programs"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    one = verbs.add_parser("import", help="make a score sheet of a record")
    one.add_argument("source", type=Path, metavar="FILE.gcg")
    one.add_argument("out", type=Path, metavar="OUT")
    add_force(one)
    one.add_argument(
        "--edition",
        default="",
        metavar="NAME",
        help="tiles and board of the game, whatever the record names",
    )
    one = verbs.add_parser("export", help="write a match or a score sheet as a record")
    one.add_argument("source", type=Path, metavar="FILE")
    one.add_argument("out", type=Path, metavar="OUT.gcg")
    add_force(one)


def run(arguments: argparse.Namespace) -> int:
    """Do what the verb says."""
    place, out = home.find(None), spare(arguments.out, arguments)
    if arguments.verb == "import":
        taken = _import(arguments.source, place, arguments.edition)
        write_whole(out, to_bytes(taken.sheet))
        read = _("events read into {path}: {count}")
        print(read.format(path=out, count=len(taken.sheet.events)))
        _remark(taken)
        return 0
    sheet, damage = _sheet(arguments.source, place)
    write_whole(out, gcg.write(sheet))
    written = _("events written to {path}: {count}")
    print(written.format(path=out, count=len(sheet.events)))
    return told(arguments.source, damage)


def _import(path: Path, place: Home, edition: str) -> Taken:
    """Return the score sheet of a record.

    Raises:
        LocalError: It cannot be read, or something in it cannot be; the words say on
            which line.
    """
    Shelf(place.words)
    OwnFiles(place).look()
    chosen = find_edition(edition).hex() if edition else ""
    try:
        return gcg.take(read_named(path, RECORD_BYTES), chosen)
    except OSError as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error.strerror)) from error
    except GcgError as error:
        raise LocalError(Code.FILE, Says.BESIDE(first=path, other=error)) from error


def _remark(taken: Taken) -> None:
    for line, remark in taken.remarks:
        text = phrase(worded(remark))
        where = _("line {n}: {text}").format(n=line, text=text) if line else text
        print(visible(_("note: {text}").format(text=where)), file=sys.stderr)
    scored = sum("scores" in text for _, text in taken.remarks)
    if scored > len(taken.sheet.events) // 3:
        doubt = _(
            "so many scores differ that the game may have had other tiles or another "
            "board; --edition says which"
        )
        print(_("note: {text}").format(text=doubt), file=sys.stderr)


def _sheet(path: Path, place: Home) -> tuple[Sheet, Words]:
    """Return the score sheet in a file, or the one of a match, and what is damaged.

    Raises:
        LocalError: There is none, or something happened that a sheet has no line for.
    """
    data = checked(path, place)
    if is_sheet(data):
        sheet = from_bytes(data)
        replayed(sheet)  # what contradicts itself is not passed on
        return sheet, ""
    found = opened(data)
    return matching.sheet_of(found.fold), found.damage
