"""`netplay watch`: look on at a match that others play."""

import argparse

from netplay import home
from netplay.commands.asking import follow
from netplay.daemon.visit import Visit
from netplay.messages.door import FromNode, Line, Status, Tool

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
        return follow(visit, _watched)


def _watched(message: FromNode) -> str | None:
    """Return what to say once this node watches or has asked to; None before."""
    if isinstance(message, Line) and message.kind == "system":
        return "" if message.text.startswith("asked to watch") else None
    if isinstance(message, Status) and message.mode == "watching":
        return "watching; see `netplay status`, leave with `netplay leave`"
    return None
