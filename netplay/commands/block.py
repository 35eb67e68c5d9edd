"""`netplay block`: hear from a player never again."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.node_questions import Block

HELP = "free a player's seat and never hear from their key again"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "whom", metavar="NAME", help="the player's name or key, here, met or nearby"
    )


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(Block(arguments.whom))
