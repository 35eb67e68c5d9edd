"""`netplay show`: the board of a match file as text."""

import argparse
import sys
from pathlib import Path

from netplay import home
from netplay.commands.sharing import whole
from netplay.daemon.positions import checked, opened, position_in
from netplay.formats.sheet import from_bytes, is_sheet
from netplay.home import Home
from netplay.language import phrase
from netplay.named_files import command_memory
from netplay.review import transcript
from netplay.said import Said, Words
from netplay.sanitize import visible
from netplay.sentences import Says
from netplay.text import writer

HELP = "the board of a match file as text"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    add_place(parser)
    parser.add_argument(
        "--moves", action="store_true", help="every move in words, and the result"
    )


def add_place(parser: argparse.ArgumentParser) -> None:
    """Take an entry and a seat."""
    parser.add_argument(
        "--entry", type=whole(), metavar="N", help="after N entries (all)"
    )
    parser.add_argument(
        "--seat", type=whole(), default=0, metavar="K", help="as seat K saw it, from 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the board."""
    place, path = home.find(None), arguments.file
    with command_memory(path):
        if arguments.moves:
            text, damage, waited = _moves(path, place)
        else:
            seen = position_in(path, place, arguments.entry, arguments.seat - 1)
            below = arguments.seat - 1 if arguments.seat else None
            text = writer(seen.game).board(seen.view, seen.names, below)
            damage, waited = seen.damage, seen.waited
    print("\n".join([text, *map(phrase, waited)]))
    return told(arguments.file, damage)


def told(path: Path, damage: Words) -> int:
    """Say what is wrong with a file of which a part was shown; return the exit code."""
    if not damage:
        return 0
    print(visible(phrase(Says.DAMAGED_BUT(path=path, why=damage))), file=sys.stderr)
    return 1


def _moves(path: Path, place: Home) -> tuple[str, Words, tuple[Said, ...]]:
    """Return the transcript of a match or a score sheet, what is damaged and owed."""
    data = checked(path, place)
    if is_sheet(data):
        return transcript.of_sheet(from_bytes(data)), "", ()
    found = opened(data)
    return transcript.of_match(found.fold), found.damage, found.waited
