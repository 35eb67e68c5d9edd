"""`netplay host`: open a table on the running node."""

import argparse
from typing import get_args

from netplay.commands.asking import invite
from netplay.commands.lend import lend
from netplay.commands.sharing import whole
from netplay.language import _
from netplay.messages.door import HostTable
from netplay.messages.table import USUALLY, Days
from netplay.programs.process import runnable
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
        help="person[:NAME] | computer[:0-100] | program:PATH | browser | "
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
            "encrypted: no computer, the host's included, can look into the bag, and "
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
    code = invite(question, comes=any(seat.startswith("remote") for seat in seats))
    for number, seat in enumerate(seats, 1):
        if not code and seat.partition(":")[0].strip().lower() == "browser":
            lend(number)
    return code


def _whole(seat: str) -> str:
    """Return a seat as the node reads it: where a program lies, from anywhere.

    Raises:
        LocalError: USAGE, there is no such program.
    """
    kind, _sign, path = seat.partition(":")
    if kind.strip().lower() != "program" or not path.strip():
        return seat
    return f"program:{runnable(path.strip())}"


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
