"""`netplay peers`: the nodes met so far, and how to forget one."""

import argparse
import json

from netplay import home
from netplay.commands.asking import ask
from netplay.commands.status import plain
from netplay.daemon.visit import Visit
from netplay.language import _, phrase
from netplay.messages.node_questions import (
    Befriend,
    Forget,
    GetKnown,
    KnownNode,
    Unblock,
)
from netplay.wire import unpack

HELP = "the nodes met so far, with their keys, and those that are blocked"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--forget",
        metavar="WHOM",
        help="trust another key from now on; WHOM is a key, a name or an address",
    )
    parser.add_argument(
        "--unblock",
        metavar="WHOM",
        help="hear again from somebody who was blocked; WHOM is a key or a name",
    )
    parser.add_argument(
        "--friend",
        metavar="WHOM",
        help="treat as one whom you have called; WHOM is a key or a name",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the nodes, forget one, unblock one, or take one for a friend's."""
    if arguments.friend:
        return ask(Befriend(arguments.friend))
    if arguments.unblock:
        return ask(Unblock(arguments.unblock))
    if arguments.forget:
        return ask(Forget(arguments.forget))
    with Visit(home.find(None)) as visit:
        data = visit.ask(GetKnown()).data
    found: tuple[KnownNode, ...] = unpack(data, tuple[KnownNode, ...])
    if arguments.json:
        print(json.dumps(plain(found)))
        return 0
    for one in found:
        name = one.name or _("(no name)")
        note = _("blocked") if one.blocked else ", ".join(one.addresses)
        doubt = f" ({phrase(one.doubt)})" if one.doubt else ""
        print(f"{one.key}  {name}{doubt}  {note}")
    if not found:
        print(_("nobody has been met yet"))
    return 0
