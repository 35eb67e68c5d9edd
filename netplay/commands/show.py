"""`netplay show`: the board of a match file as text."""

import argparse
from pathlib import Path

from netplay import home
from netplay.daemon.looking import checked, sight
from netplay.errors import Code, LocalError
from netplay.formats.sheet import from_bytes, is_sheet
from netplay.home import Home
from netplay.record.store import read_copy
from netplay.record.verify import replay
from netplay.review import transcript
from netplay.text import writer
from rules.game import IllegalMoveError

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
    parser.add_argument("--entry", type=int, metavar="N", help="after N entries (all)")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="as seat K saw it, from 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the board."""
    place = home.find(None)
    if arguments.moves:
        print(_moves(arguments.file, place))
        return 0
    seen = sight(arguments.file, place, arguments.entry, arguments.seat - 1)
    print(writer(seen.game).board(seen.view, seen.names))
    return 0


def _moves(path: Path, place: Home) -> str:
    """Return the transcript of a match or a score sheet."""
    data = checked(path, place)
    if is_sheet(data):
        return transcript.of_sheet(from_bytes(data))
    try:
        return transcript.of_match(replay(read_copy(path)))
    except IllegalMoveError as error:
        raise LocalError(Code.BAD_LOG, str(error)) from error
