"""`netplay host`: open a table on the running node."""

import argparse
import sys
from collections.abc import Mapping
from typing import Final, get_args

from msgspec.structs import replace

from netplay import home
from netplay.commands import Command
from netplay.commands.asking import add_table, invite
from netplay.commands.sharing import whole
from netplay.daemon.visit import Visit
from netplay.errors import Code, LocalError
from netplay.fingerprint import invitation_in
from netplay.language import _
from netplay.messages.door import HostTable
from netplay.messages.table import USUALLY, Days
from netplay.messages.table_questions import LendSeat
from netplay.programs.process import runnable
from netplay.sentences import Says
from netplay.web_place import served
from rules import GAMES

HELP = "open a table on the running node, as its host"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "game", choices=tuple(GAMES), metavar="GAME", help=", ".join(GAMES)
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="KIND",
        help="person[:NAME] | computer[:0-100 or level] | program:PATH | browser | "
        "remote[:WHOM]; once "
        "for each seat, in turn order (a person and a remote); PATH is a program of "
        "yours (docs/programs.md); WHOM is the address, invitation or key of the one "
        "for whom the seat is kept",
    )
    add_option(parser, _("one of the game's rules, as often as wanted"))
    parser.add_argument("--edition", default="", metavar="NAME", help="name or file")
    parser.add_argument("--words", default="", metavar="FILE", help="a word list")
    parser.add_argument(
        "--bystanders",
        choices=("ask", "anybody", "nobody"),
        default="ask",
        help="who may look on: those all players agree to, anybody, nobody (ask)",
    )
    parser.add_argument(
        "--days",
        type=whole(),
        choices=get_args(Days),
        default=0,
        help="days to think about a turn; then the others may claim it (no limit)",
    )
    add_fairness(parser)


def add_option(parser: argparse.ArgumentParser, text: str | None = None) -> None:
    """Take pairs of key and value, as many as wanted, with a text for `--help`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_pair,
        metavar="KEY=VALUE",
        help=text,
    )


def add_fairness(parser: argparse.ArgumentParser) -> None:
    """Let people choose how tiles are drawn."""
    parser.add_argument(
        "--fairness",
        choices=("committed", "encrypted"),
        default="",
        help=_(
            "encrypted: no computer, the host's included, can look into the pool, and "
            "draws need everybody's; committed: nobody can change a tile unnoticed, "
            "but the host's program could look (without it {usual}, where that can be)"
        ).format(usual=USUALLY),
    )


def run(arguments: argparse.Namespace) -> int:
    """Tell the node what table to open."""
    seats = tuple(map(_whole, arguments.seat)) or ("person", "remote")
    question = HostTable(
        game=arguments.game,
        seats=seats,
        options=tuple(arguments.option),
        edition=arguments.edition,
        words=arguments.words,
        bystanders=arguments.bystanders,
        fairness=arguments.fairness,
        days=arguments.days,
    )
    question = replace(question, options=question.with_hints)
    code = invite(question, comes=any(seat.startswith("remote") for seat in seats))
    for number, seat in enumerate(seats, 1):
        if not code and seat.partition(":")[0].strip().lower() == "browser":
            lend(number)
    return code


def _whole(seat: str) -> str:
    """Return a seat as the node reads it, wherever a program or an invitation stands.

    Raises:
        LocalError: USAGE, there is no such program.
    """
    kind, _sign, rest = seat.partition(":")
    match kind.strip().lower():
        case "program" if rest.strip():
            return f"program:{runnable(rest.strip())}"
        case "remote" if line := invitation_in(rest):
            return f"remote:{line}"
        case _:
            return seat


def _pair(text: str) -> tuple[str, str]:
    """Return the key and value of `KEY=VALUE`.

    Raises:
        argparse.ArgumentTypeError: There is no `=`.
    """
    key, sign, value = text.partition("=")
    if not sign or not key:
        why = _("{text} should be KEY=VALUE").format(text=repr(text))
        raise argparse.ArgumentTypeError(why)
    return key, value


# `netplay lend`: lend a person's seat to a browser, by a link and its picture.


def add_lend(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "seat", type=whole(1), metavar="SEAT", nargs="?", help="its number, from 1"
    )
    what.add_argument(
        "--watch",
        action="store_true",
        help="no seat: whoever opens the link looks on, once all players agree",
    )
    parser.add_argument(
        "--back", action="store_true", help="lend it no more: its guest leaves at once"
    )
    add_table(parser)


def run_lend(arguments: argparse.Namespace) -> int:
    """Have the node lend it, and print the link."""
    number = 0 if arguments.watch else arguments.seat
    if not arguments.back:
        lend(number, arguments.table)
        return 0
    with Visit(home.find(None), table=arguments.table) as visit:
        visit.ask(LendSeat(number - 1, on=False))
    lent = _("Seat {number} is lent no more.").format(number=number)
    print(lent if number else _("Nobody looks on by a link any more."))
    return 0


def lend(number: int, table: int = 0) -> None:
    """Lend a seat and print its link, for a camera too if there is a network.

    Args:
        number: Of the seat, from 1; 0 for none, and to look on alone.
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
    seat = _("Seat {number}, for whoever opens this first:").format(number=number)
    print(seat if number else _("To look on, for whoever opens this first:"))
    print(link)
    if pages.hosts:
        import segno  # noqa: PLC0415 (seldom wanted)

        if sys.stdout.isatty():
            segno.make(link, micro=False).terminal(compact=True)
        print(_("Others on that network could read and change what goes over it."))
    else:
        print(_("It opens on this computer alone. For others: netplay web --lan"))


ROWS: Final[Mapping[str, Command]] = {
    "lend": Command(
        HELP=("lend a person's seat to a browser, by a link that is good once"),
        add=add_lend,
        run=run_lend,
    )
}
"""What else is here, beside the command of this name."""
