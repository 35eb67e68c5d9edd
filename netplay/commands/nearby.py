"""`netplay nearby`: tables found on this network."""

import argparse
import json

from netplay import home
from netplay.visit import Visit

HELP = "tables found on this network"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the tables."""
    with Visit(home.find(None)) as visit:
        found = visit.status().nearby
    names = ("address", "name", "game", "free", "version")
    if arguments.json:
        print(json.dumps([dict(zip(names, one, strict=True)) for one in found]))
        return 0
    for address, name, game, free, version in found:
        print(f"{address}  {name}: {game}, {free} free, version {version}")
    if not found:
        print("nobody found; are both computers on the same network?")
    return 0
