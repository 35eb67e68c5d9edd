"""`netplay reach`: can others reach the running node?"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import get_args

from netplay import home
from netplay.commands.status import plain
from netplay.daemon.visit import Visit
from netplay.language import phrase
from netplay.messages.door import Question
from netplay.messages.node_questions import (
    AddCarrier,
    Carry,
    CheckReach,
    NameServers,
    RemoveCarrier,
    SetCarry,
    Switch,
)
from netplay.text.phrases import inviting, known, ports

HELP = "ask connected peers to dial this node, and say whether others can reach it"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--map-port",
        action=argparse.BooleanOptionalAction,
        help="from now on ask the router to let players in, or no more",
    )
    parser.add_argument(
        "--ask-servers",
        action=argparse.BooleanOptionalAction,
        help="from now on ask public servers, which are other people's, from which "
        "address and port your calls come, or no more",
    )
    parser.add_argument(
        "--servers",
        metavar="ADDRESSES",
        help="which (STUN over TCP), instead of the usual ones; empty for those",
    )
    parser.add_argument(
        "--through",
        metavar="INVITATION",
        help="be reached through this friend's node, too, if it carries",
    )
    parser.add_argument(
        "--not-through",
        metavar="WHOM",
        help="no longer; WHOM is a name, a key or an invitation",
    )
    parser.add_argument(
        "--carry",
        choices=get_args(Carry),
        help="for whom this node carries: nobody, those it knows, or also those whom "
        "these name",
    )


def _wishes(arguments: argparse.Namespace) -> Iterator[Question]:
    """Yield what is to be another way from now on."""
    if arguments.map_port is not None:
        yield Switch("map-port", arguments.map_port)
    if arguments.servers is not None:
        yield NameServers(arguments.servers)
    if arguments.ask_servers is not None:
        yield Switch("ask-servers", arguments.ask_servers)
    if arguments.carry:
        yield SetCarry(arguments.carry)
    if arguments.not_through:
        yield RemoveCarrier(arguments.not_through)
    if arguments.through:
        yield AddCarrier(arguments.through)


def run(arguments: argparse.Namespace) -> int:
    """Print what is known; fail only if a peer tried and did not succeed."""
    with Visit(home.find(None)) as visit:
        for wish in _wishes(arguments):
            done = visit.ask(wish)
            print(phrase(done.text), file=sys.stderr)
        words = visit.ask(CheckReach()).text
        network = visit.status().network
    if arguments.json:
        print(
            json.dumps(
                {
                    "reach": network.reach,
                    "reason": plain(words),
                    "ports": network.ports,
                    "places": plain(network.places),
                }
            )
        )
    else:
        print(phrase(words))
        for place in network.places:
            print(f"  {place.address}: {known(place)}")
        for more in (phrase(network.mapping), ports(network), inviting(network)):
            if more:
                print(more)
    return 1 if network.reach == "no" else 0
