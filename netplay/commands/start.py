"""`netplay start`: start the match at the open table."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.door import StartMatch

HELP = "as host: start the match, once everybody has accepted"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(StartMatch(), arguments.table)
