"""`netplay join`: call a waiting host and take a seat."""

import argparse

from netplay.commands.asking import add_address, dial
from netplay.commands.sharing import whole
from netplay.messages.door import Join

HELP = "call a host whose table is open and ask for a seat"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    add_address(parser)
    parser.add_argument(
        "--open", type=whole(), default=0, metavar="N",
        help="which of several tables that are open there, from 1",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Tell the node whom to call."""
    join = Join(arguments.address, arguments.seat - 1)
    return dial(join, chosen=arguments.open)
