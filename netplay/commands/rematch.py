"""`netplay rematch`: play again when the match is over, the seats one place on."""

import argparse

from netplay.commands.asking import ask
from netplay.messages.table_questions import PlayAgain

HELP = "play again: propose it as host, ask for it or agree to it as guest"


def add(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""


def run(_arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(PlayAgain())
