"""What the small commands share: one question to the running node."""

import argparse

from netplay import home
from netplay.messages.door import Question
from netplay.visit import Visit


def ask(question: Question) -> int:
    """Ask the node of the chosen home, print its answer, and return the exit code."""
    with Visit(home.find(None)) as visit:
        done = visit.ask(question)
    if done.text:
        print(done.text)
    return 0


def add_address(parser: argparse.ArgumentParser) -> None:
    """Take an address and a seat."""
    parser.add_argument("address", help="host, host:port or [IPv6]:port")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="N", help="which seat, from 1"
    )
