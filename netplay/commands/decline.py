"""`netplay decline`: say no to the table that somebody calls to."""

import argparse

from netplay.commands.asking import add_table, consent

HELP = "do not sit down at the table that somebody calls to, or get up from it"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(arguments.table, accept=False)
