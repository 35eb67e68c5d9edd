"""`netplay watch`: look on at a match that others play."""

import argparse

from netplay import home
from netplay.commands.asking import follow
from netplay.daemon.visit import Visit
from netplay.language import phrase
from netplay.messages.door import FromNode, Notice, Status
from netplay.messages.table_questions import WatchAt
from netplay.sentences import Says

HELP = "ask to look on at a match; its players are asked whether they agree"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "address", help="of a player: host, host:port, [IPv6]:port or an invitation"
    )


def run(arguments: argparse.Namespace) -> int:
    """Ask, and say what came of it.

    Returns:
        0 if this node watches or the players are being asked, 1 if it may not.
    """
    with Visit(home.find(None), pushes=True) as visit:
        print(phrase(visit.ask(WatchAt(arguments.address)).text))
        return follow(visit, _watched)


def _watched(message: FromNode) -> str | None:
    """Return what to say once this node watches or has asked to; None before."""
    if isinstance(message, Notice) and message.said.code == Says.ASKED_TO_WATCH.name:
        return ""
    if isinstance(message, Status) and message.mode == "watching":
        return phrase(Says.WATCHING())
    return None
