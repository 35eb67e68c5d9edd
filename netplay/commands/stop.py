"""`netplay stop`: end the running node."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.door import StopNode

HELP = "save the match, say goodbye to the peers and end the node"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes: nothing."""


def run(arguments: argparse.Namespace) -> int:
    """Tell the node to end."""
    return ask(StopNode())
