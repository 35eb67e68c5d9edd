"""`netplay lend`: lend a person's seat to a browser, by a link and its picture."""

import argparse
import sys

from netplay import home
from netplay.commands.asking import add_table
from netplay.commands.sharing import whole
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.messages.table_questions import LendSeat
from netplay.sentences import Says
from netplay.web_place import served

HELP = "lend a person's seat to a browser, by a link that is good once"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "seat", type=whole(1), metavar="SEAT", help="its number, from 1"
    )
    parser.add_argument(
        "--back", action="store_true", help="lend it no more: its guest leaves at once"
    )
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Have the node lend it, and print the link."""
    if not arguments.back:
        lend(arguments.seat, arguments.table)
        return 0
    with Visit(home.find(None), table=arguments.table) as visit:
        visit.ask(LendSeat(arguments.seat - 1, on=False))
    print(_("Seat {number} is lent no more.").format(number=arguments.seat))
    return 0


def lend(number: int, table: int = 0) -> None:
    """Lend a seat and print its link, for a camera too if there is a network.

    Args:
        number: Of the seat, from 1.
        table: The number of its table; 0 for the only one.

    Raises:
        LocalError: USAGE, no pages are served, or the seat cannot be lent.
    """
    place = home.find(None)
    pages = served(place.path)
    if pages is None:
        raise LocalError(Code.USAGE, Says.NO_PAGES_SERVED())
    with Visit(place, table=table) as visit:
        done = visit.ask(LendSeat(number - 1))
    link = pages.seat_link(done.data)
    print(_("Seat {number}, for whoever opens this first:").format(number=number))
    print(link)
    if pages.hosts:
        import segno  # noqa: PLC0415 (seldom wanted)

        if sys.stdout.isatty():
            segno.make(link, micro=False).terminal(compact=True)
        print(_("Others on that network could read and change what goes over it."))
    else:
        print(_("It opens on this computer alone. For others: netplay web --lan"))
