"""`netplay call`: call a waiting peer to the open table."""

import argparse

from netplay.commands.asking import add_address, add_table, dial
from netplay.messages.door import Call

HELP = "call a peer that waits (`netplay answer`) to a free remote seat"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_address(parser)
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node whom to call."""
    call = Call(arguments.address, arguments.seat - 1)
    return dial(call, arguments.table)
