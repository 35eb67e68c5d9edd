"""`netplay nearby`: tables found on this network."""

import argparse
import json

from msgspec.structs import asdict

from netplay import home
from netplay.commands.asking import ask
from netplay.daemon.visit import Visit
from netplay.messages.door import Tool

HELP = "tables found on this network"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--beacon",
        choices=("on", "off"),
        help="tell the network of this node's tables and hear of others, or not; kept",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the tables."""
    if arguments.beacon:
        return ask(Tool("beacon", (arguments.beacon,)))
    with Visit(home.find(None)) as visit:
        status = visit.status()
    found = status.nearby
    if arguments.json:
        print(json.dumps([asdict(one) for one in found]))
        return 0
    for one in found:
        what = f"{one.game}, {one.free} free"
        what = what if one.free else f"{one.game} is being played"
        what = what if one.game else "waits to be called"
        doubt = f" ({one.doubt})" if one.doubt else ""
        print(f"{one.address}  {one.name}{doubt}: {what}, version {one.version}")
        print(f"    {one.invitation}")
    if not status.network.beacon:
        print("the beacon is off (netplay nearby --beacon on)")
    elif not found:
        print("nobody found; are both computers on the same network?")
    return 0
