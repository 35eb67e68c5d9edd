"""What the small commands share: one question to the running node."""

import argparse
import sys
from collections.abc import Callable
from typing import Final

from netplay import home
from netplay.daemon.visit import Visit
from netplay.language import phrase
from netplay.messages.door import Consent, FromNode, Join, Notice, Question, Status
from netplay.sentences import Says

DIAL_SECONDS: Final = 12.0
"""Seconds to wait for the outcome of a call: the node tries an address for eight."""


def ask(question: Question) -> int:
    """Ask the node of the chosen home, print its answer, and return the exit code."""
    with Visit(home.find(None)) as visit:
        done = visit.ask(question)
    if done.text:
        print(phrase(done.text))
    return 0


def consent(*, accept: bool) -> int:
    """Say yes or no to the terms that the node's table has, and print the answer."""
    with Visit(home.find(None)) as visit:
        table = visit.status().table
        revision = 0 if table is None else table.revision
        print(phrase(visit.ask(Consent(accept, revision)).text))
    return 0


def dial(question: Question) -> int:
    """Ask the node to call somebody, wait, and say what came of it.

    A link alone is no seat yet: who joins waits for the host's terms, or for its no.

    Returns:
        0 if both are at one table, 1 if the call failed.
    """
    joins = isinstance(question, Join)
    with Visit(home.find(None), pushes=True) as visit:
        before = _linked(visit.status())
        visit.ask(question)

        def done(message: FromNode) -> str | None:
            if not isinstance(message, Status) or (joins and message.table is None):
                return None
            new = _linked(message) - before
            who = ", ".join(sorted(new))
            return phrase(Says.CONNECTED_TO(names=who)) if new else None

        return follow(visit, done)


def follow(visit: Visit, done: Callable[[FromNode], str | None]) -> int:
    """Print what the node tells its user of a call until something comes of it.

    Args:
        visit: One that is told what windows are told.
        done: Says of a message whether that is it: what to print then, or None.

    Returns:
        0, or 1 if the node tells of an error or of nothing at all.
    """
    for message in visit.heard(DIAL_SECONDS):
        if isinstance(message, Notice):
            error = message.tone == "error"
            print(phrase(message.said), file=sys.stderr if error else sys.stdout)
            if error:
                return 1
        if (said := done(message)) is not None:
            print(said, end="\n" if said else "")
            return 0
    return 1


def _linked(status: Status) -> set[str]:
    return {peer.name for peer in status.peers if peer.connected}


def add_address(parser: argparse.ArgumentParser) -> None:
    """Take an address and a seat."""
    parser.add_argument("address", help="host, host:port, [IPv6]:port or an invitation")
    parser.add_argument(
        "--seat", type=int, default=0, metavar="N", help="which seat, from 1"
    )
