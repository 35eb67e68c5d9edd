"""`netplay decline`: say no to the table that somebody calls to."""

import argparse

from netplay.commands.asking import add_table, consent

HELP = "do not sit down at the table that somebody calls to, or get up from it"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(arguments.table, accept=False)
