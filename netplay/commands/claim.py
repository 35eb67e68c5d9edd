"""`netplay claim`: say that whoever keeps you waiting has had all days to think."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import ClaimTime

HELP = "let the turn pass of who has had all days to think, or win by that"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(ClaimTime(), arguments.table)
