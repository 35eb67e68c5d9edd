"""`netplay accept`: say yes to the table that somebody calls to."""

import argparse

from netplay.commands.asking import add_table, consent

HELP = "sit down at the table that somebody calls to"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(arguments.table, accept=True)
