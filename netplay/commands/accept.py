"""`netplay accept`: say yes to the table that somebody calls to."""

import argparse

from netplay.commands.asking import consent

HELP = "sit down at the table that somebody calls to"


def add(parser: argparse.ArgumentParser) -> None:
    """Take nothing."""


def run(_arguments: argparse.Namespace) -> int:
    """Tell the node."""
    return consent(accept=True)
