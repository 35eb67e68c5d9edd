"""`netplay web`: the window in a browser, with a node of its own if none runs."""

import argparse
import sys
from functools import partial

from netplay import home
from netplay.commands.sharing import whole
from netplay.commands.window import (
    SIGNALLED,
    Keeper,
    Leader,
    is_wanted,
    runs,
    start,
    start_node,
)

HELP = "the same window in a browser on this computer"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--port", type=whole(), metavar="P", help="where the browser finds it"
    )
    parser.add_argument(
        "--lan", action="store_true",
        help="let guests to whom you lend a seat in from the local network",
    )  # fmt: skip
    parser.add_argument(
        "--no-open", action="store_true", help="open no browser, only print the link"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve pages until a signal comes."""
    place = home.find(None)
    place.prepare()
    with Leader() as leader:
        alone = not runs(place)
        if alone:
            from netplay.peering.identity import look_for_key  # noqa: PLC0415 (seldom)

            place.look_for_move()
            look_for_key(place)
        node = Keeper(partial(start_node, place, None)) if alone else None
        words = [sys.executable, "-m", "client.browser", "--home", str(place.path)]
        if arguments.port is not None:
            words += ["--port", str(arguments.port)]
        if arguments.lan:
            words.append("--lan")
        if not arguments.no_open:
            words.append("--open")
        try:
            code = leader.wait(start(words))
        finally:
            if node is not None:
                leader.end(node.release(), wanted=partial(is_wanted, place))
    return SIGNALLED + leader.told if leader.told else code
