"""`netplay decline`: say no to the table that somebody calls to."""

import argparse

from netplay.commands.asking import consent

HELP = "do not sit down at the table that somebody calls to, or get up from it"


def add(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""


def run(_arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(accept=False)
