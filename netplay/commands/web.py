"""`netplay web`: the window in a browser, with a node of its own if none runs."""

import argparse
import datetime as dt
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from netplay import home
from netplay.commands.sharing import port
from netplay.commands.window import (
    SIGNALLED,
    Keeper,
    Leader,
    is_wanted,
    runs,
    start,
    start_node,
)
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.language import _
from netplay.sentences import Says
from netplay.web_devices import Devices
from netplay.web_place import served

HELP = "the same window in a browser on this computer"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--port", type=port, metavar="P", help="where the browser finds it"
    )
    parser.add_argument(
        "--lan", action="store_true",
        help="let guests to whom you lend a seat in from the local network",
    )  # fmt: skip
    parser.add_argument(
        "--own", action="store_true",
        help="let your own devices in from the local network, over TLS (see --pair)",
    )  # fmt: skip
    parser.add_argument(
        "--certificate", metavar="FILE", help="for that, instead of one made here"
    )
    parser.add_argument("--key", metavar="FILE", help="of that certificate")
    parser.add_argument(
        "--pair", action="store_true",
        help="print a code that lets one device of yours in, while pages are served",
    )  # fmt: skip
    parser.add_argument(
        "--devices", action="store_true", help="list your devices that are let in"
    )
    parser.add_argument("--forget", metavar="NAME", help="no longer let that device in")
    parser.add_argument(
        "--no-open", action="store_true", help="open no browser, only print the link"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve pages until a signal comes; or do what is asked of the owner's devices."""
    if arguments.key and not arguments.certificate:
        raise LocalError(Code.USAGE, Says.KEY_WITHOUT_CERTIFICATE())
    place = home.find(None)
    if arguments.pair or arguments.devices or arguments.forget:
        return _of_devices(place, arguments)
    place.prepare()
    with Leader() as leader:
        alone = not runs(place)
        if alone:
            from netplay.peering.identity import look_for_key  # noqa: PLC0415 (seldom)

            place.look_for_move()
            look_for_key(place)
        node = Keeper(partial(start_node, place, None)) if alone else None
        words = [sys.executable, "-m", "client.browser", "--home", str(place.path)]
        words += _options(arguments)
        try:
            code = leader.wait(start(words))
        finally:
            if node is not None:
                leader.end(node.release(), wanted=partial(is_wanted, place))
    return SIGNALLED + leader.told if leader.told else code


def _options(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield what the server of pages is told."""
    if arguments.port is not None:
        yield from ("--port", str(arguments.port))
    for on, word in (
        (arguments.lan, "--lan"),
        (arguments.own or arguments.certificate, "--own"),
        (not arguments.no_open, "--open"),
    ):
        if on:
            yield word
    for option in ("certificate", "key"):
        if found := vars(arguments)[option]:
            yield from (f"--{option}", str(Path(found).resolve()))


def _of_devices(place: Home, arguments: argparse.Namespace) -> int:
    """Pair a device, list them, or forget one."""
    if arguments.pair:
        pages = served(place.path)
        if pages is None or not pages.own_port:
            raise LocalError(Code.USAGE, Says.NO_OWN_PAGES())
        code = Devices(place.path).offer()
        link = pages.own_link(code)
        print(_("For one device of yours, within five minutes:"))
        print(link)
        if sys.stdout.isatty():
            import segno  # noqa: PLC0415 (seldom wanted)

            segno.make(link, micro=False).terminal(compact=True)
        print(_("The code: {code}").format(code=code))
        print(_("Go on there only if the certificate has this fingerprint (SHA-256):"))
        print(pages.fingerprint)
        return 0
    if arguments.devices:
        # Print the devices that are let in
        for one in Devices(place.path).all():
            day = dt.datetime.fromtimestamp(one.since, dt.UTC).astimezone()
            print(_("{name}, since {day}").format(name=one.name, day=f"{day:%Y-%m-%d}"))
        return 0
    if not Devices(place.path).forget(arguments.forget):
        raise LocalError(Code.USAGE, Says.NO_DEVICE(name=arguments.forget))
    print(_("{name} can no longer get in.").format(name=arguments.forget))
    return 0
