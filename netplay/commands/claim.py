"""`netplay claim`: say that whoever keeps you waiting has had all days to think."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import ClaimTime

HELP = "let the turn pass of who has had all days to think, or win by that"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(ClaimTime(), arguments.table)
