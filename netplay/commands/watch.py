"""`netplay watch`: look on at a match that others play."""

import argparse
import sys

from netplay import home
from netplay.commands.asking import DIAL_SECONDS
from netplay.daemon.visit import Visit
from netplay.messages.door import Line, Status, Tool

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
        print(visit.ask(Tool("watch", (arguments.address,))).text)
        for message in visit.heard(DIAL_SECONDS):
            if isinstance(message, Line) and message.kind == "error":
                print(message.text, file=sys.stderr)
                return 1
            if isinstance(message, Line) and message.kind == "system":
                print(message.text)
                if message.text.startswith("asked to watch"):
                    return 0
            if isinstance(message, Status) and message.mode == "watching":
                print("watching; see `netplay status`, leave with `netplay leave`")
                return 0
    return 1
