"""`netplay claim`: say that whoever keeps you waiting has had all its time."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import ClaimTime

HELP = "say that a player's time is over, or that tiles are withheld"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(ClaimTime(), arguments.table)
