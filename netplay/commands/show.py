"""`netplay show`: the board of a match file as text."""

import argparse
from pathlib import Path

from netplay import home
from netplay.record.looking import sight
from netplay.text import writer

HELP = "the board of a match file as text"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    add_place(parser)


def add_place(parser: argparse.ArgumentParser) -> None:
    """Take an entry and a seat."""
    parser.add_argument("--entry", type=int, metavar="N", help="after N entries (all)")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="K", help="as seat K saw it, from 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the board."""
    place = home.find(None)
    seen = sight(arguments.file, place, arguments.entry, arguments.seat - 1)
    print(writer(seen.game).board(seen.view))
    return 0
