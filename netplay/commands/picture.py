"""`netplay picture`: the board of a match file as a picture."""

import argparse
from pathlib import Path

from netplay import home
from netplay.commands.sharing import add_force, png, spare
from netplay.commands.show import add_place, told
from netplay.daemon.finished_matches import draw
from netplay.daemon.positions import position_in
from netplay.language import _

HELP = "the board of a match file as a picture, drawn as the window draws it"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("picture", type=png, metavar="OUT.png")
    add_place(parser)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    """Draw the board."""
    out = spare(arguments.picture, arguments)
    place = home.find(None)
    seen = position_in(arguments.file, place, arguments.entry, arguments.seat - 1)
    seat = arguments.seat - 1 if arguments.seat > 0 else None
    draw(seen, seat, out)
    print(_("drawn to {path}").format(path=out))
    return told(arguments.file, seen.damage)
