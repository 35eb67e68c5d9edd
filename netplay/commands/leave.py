"""`netplay leave`: leave the table, or watch no longer; the node goes on."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.door import LeaveTable

HELP = "leave the table or stop watching; a match can be loaded again"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(LeaveTable(), arguments.table)
