"""`netplay kick`: free the seat of a player at the open table."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import Kick

HELP = "free a player's seat at the open table, which they cannot take again"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("whom", metavar="NAME", help="the player's name or key")
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(Kick(arguments.whom), arguments.table)
