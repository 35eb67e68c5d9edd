"""`netplay reach`: can others reach the running node?"""

import argparse
import json
import sys

import msgspec.structs

from netplay import home
from netplay.commands.status import plain
from netplay.daemon.visit import Visit
from netplay.language import phrase
from netplay.messages.network import PlaceStatus
from netplay.messages.node_questions import CheckReach, Switch
from netplay.text.places import known

HELP = "ask connected peers to dial this node, and say whether others can reach it"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--map-port",
        action=argparse.BooleanOptionalAction,
        help="from now on ask the router to let players in, or no more",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print what is known; fail only if a peer tried and did not succeed."""
    with Visit(home.find(None)) as visit:
        if arguments.map_port is not None:
            done = visit.ask(Switch("map-port", arguments.map_port))
            print(phrase(done.text), file=sys.stderr)
        words = visit.ask(CheckReach()).text
        network = visit.status().network
    if arguments.json:
        print(
            json.dumps(
                {
                    "reach": network.reach,
                    "reason": plain(words),
                    "places": [_plain(place) for place in network.places],
                }
            )
        )
    else:
        print(phrase(words))
        for place in network.places:
            print(f"  {place.address}: {known(place)}")
        if network.mapping:
            print(phrase(network.mapping))
    return 1 if network.reach == "no" else 0


def _plain(place: PlaceStatus) -> dict[str, object]:
    """Return a place as JSON has it."""
    return {**msgspec.structs.asdict(place), "failed": plain(place.failed)}
