"""`netplay invite`: print the line that invites others to the running node."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.node_questions import GetInvitation

HELP = (
    "print one line with the addresses and the key of the running node. A friend "
    'pastes it into the window, or gives it to "netplay join" or "netplay call" (in '
    "quotes)."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes: nothing."""
    del parser


def run(arguments: argparse.Namespace) -> int:
    """Print the invitation."""
    del arguments
    return ask(GetInvitation())
