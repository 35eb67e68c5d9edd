"""`netplay leave`: leave the table, or watch no longer; the node goes on."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.door import LeaveTable

HELP = "leave the table or stop watching; a match can be loaded again"


def add(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""


def run(_arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(LeaveTable())
