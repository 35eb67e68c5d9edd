"""`netplay start`: start the match at the open table."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.door import StartMatch

HELP = "as host: start the match, once everybody has accepted"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(StartMatch(), arguments.table)
