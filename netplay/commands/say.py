"""`netplay say`: say a line to the table."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.door import Say

HELP = "say a line to everybody at the table"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("text", nargs="+", help="the line")
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Give the line to the node."""
    return ask(Say(" ".join(arguments.text)), arguments.table)
