"""`netplay save`: write the match to a file."""

import argparse
from pathlib import Path

from netplay.commands.asking import add_table, ask
from netplay.commands.sharing import add_force, spare
from netplay.messages.door import Save

HELP = "write the match to a file, to keep or to hand on"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    add_force(parser)
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node where to."""
    path = spare(arguments.file, arguments)
    return ask(Save(str(path), arguments.force), arguments.table)
