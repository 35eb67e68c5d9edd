"""`netplay answer`: wait for a host's call."""

import argparse

from netplay.commands.asking import invite
from netplay.messages.door import Answer

HELP = (
    "wait for a host's call: friends, and whoever else calls first, are sat down with; "
    "later ones wait for `netplay accept`"
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--ask",
        action="store_true",
        help="sit down with nobody unknown before `netplay accept`",
    )
    parser.add_argument("--off", action="store_true", help="wait no longer")


def run(arguments: argparse.Namespace) -> int:
    """Tell the node to wait."""
    question = Answer(on=not arguments.off, first=not arguments.ask)
    return invite(question, comes=not arguments.off)
