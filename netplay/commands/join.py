"""`netplay join`: call a waiting host and take a seat."""

import argparse

from netplay.commands.asking import add_address, dial
from netplay.messages.door import Join

HELP = "call a host whose table is open and ask for a seat"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_address(parser)


def run(arguments: argparse.Namespace) -> int:
    """Tell the node whom to call."""
    return dial(Join(arguments.address, arguments.seat - 1))
