"""`netplay nearby`: tables found on this network."""

import argparse
import json

from netplay.commands.asking import ask, node_status
from netplay.commands.status import plain
from netplay.language import _, phrase
from netplay.messages.node_questions import Switch

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
        return ask(Switch("beacon", on=arguments.beacon == "on"))
    status = node_status()
    found = status.nearby
    if arguments.json:
        print(json.dumps(plain(found)))
        return 0
    for one in found:
        what = _("{game} is being played") if one.game else _("waits to be called")
        if one.free:
            what = _("{game}, {count} free")
        what = what.format(game=one.game, count=one.free)
        doubt = f" ({phrase(one.doubt)})" if one.doubt else ""
        version = _("version {version}").format(version=one.version)
        print(f"{one.address}  {one.name}{doubt}: {what}, {version}")
        print(f"    {one.invitation}")
    if not status.network.beacon:
        print(_("the beacon is off (netplay nearby --beacon on)"))
    elif not found:
        print(_("nobody found; are both computers on the same network?"))
    return 0
