"""`netplay accept`: say yes to the table that somebody calls to."""

import argparse

from netplay.commands.asking import add_table, consent

HELP = "sit down at the table that somebody calls to"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(arguments.table, accept=True)
