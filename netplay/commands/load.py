"""`netplay load`: go on with a match from a file."""

import argparse
from pathlib import Path

from netplay.commands.asking import ask
from netplay.messages.door import Load

HELP = "open the file of a match and wait for its players"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="none: the last match"
    )


def run(arguments: argparse.Namespace) -> int:
    """Tell the node which."""
    return ask(Load(str(arguments.file.absolute()) if arguments.file else ""))
