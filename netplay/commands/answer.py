"""`netplay answer`: wait for a host's call."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.door import Answer

HELP = "wait for a host's call; the call is answered by sitting down at its table"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--off", action="store_true", help="wait no longer")


def run(arguments: argparse.Namespace) -> int:
    """Tell the node to wait."""
    return ask(Answer(on=not arguments.off))
