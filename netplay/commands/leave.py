"""`netplay leave`: leave the table, or watch no longer; the node goes on."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.door import LeaveTable

HELP = "leave the table or stop watching; a match can be loaded again"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(LeaveTable(), arguments.table)
