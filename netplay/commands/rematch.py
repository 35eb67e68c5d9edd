"""`netplay rematch`: play again when the match is over, the seats one place on."""

import argparse

from netplay.commands.asking import add_table, ask
from netplay.messages.table_questions import PlayAgain

HELP = "play again: propose it as host, ask for it or agree to it as guest"
add = add_table


def run(arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return ask(PlayAgain(), arguments.table)
