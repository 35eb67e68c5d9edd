"""`netplay arena`: two computer players against each other, many times."""

import argparse
import json
import sys
from collections.abc import Callable
from math import sqrt
from statistics import median
from time import perf_counter  # noqa: TID251 (how long it took is part of the answer)
from typing import Any

from netplay import arena, levels
from netplay.commands.host import add_option
from netplay.commands.numbers import real, whole
from netplay.commands.starting import begin
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.programs.arena import programs
from netplay.sentences import Says
from rules import GAMES

HELP = "two computer players against each other, many times, with the same draws"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(GAMES), metavar="GAME")
    parser.add_argument("a", metavar="A", help=_players())
    parser.add_argument("b", metavar="B", help="likewise")
    parser.add_argument("--games", type=whole(), default=100, metavar="N")
    parser.add_argument("--seed", type=whole(), default=1, metavar="S")
    parser.add_argument(
        "--budget",
        type=real,
        metavar="SECONDS",
        help="of the processor for a move, where a player thinks by a clock",
    )
    parser.add_argument(
        "--seconds", type=real, metavar="S", help="stop after so long, and report"
    )
    parser.add_argument("--seats", type=whole(), default=0, metavar="N")
    add_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _players() -> str:
    abouts = [GAMES[name].ABOUT for name in sorted(GAMES)]
    games = ", ".join(about.title for about in abouts if about.levels)
    names = ", ".join(levels.SKILLS)
    text = _("0-100, random, program:PATH, a name of the game's; in {games}: {names}")
    return text.format(games=games, names=names)


def run(arguments: argparse.Namespace) -> int:
    """Check what is wanted, and do it."""
    game = GAMES[arguments.game]
    seats = arguments.seats or max(2, game.ABOUT.seats[0])
    if seats not in game.ABOUT.seats or seats < 2:
        raise LocalError(
            Code.USAGE, Says.NOT_FOR_SEATS(game=game.ABOUT.title, seats=seats)
        )
    if arguments.games < 1:
        raise LocalError(Code.USAGE, Says.ONE_GAME())
    if arguments.budget is not None and not arguments.budget > 0:
        raise LocalError(Code.USAGE, Says.BUDGET_RANGE())
    options, _ = begin(game, seats, arguments.option)
    with programs() as program:
        return _measure(arguments, seats, options, program)


def _measure(
    arguments: argparse.Namespace,
    seats: int,
    options: Any,  # noqa: ANN401 (each game's own)
    program: Callable[[str, str], arena.Chooser],
) -> int:
    """Play and print who won."""
    players = (
        arena.chooser(arguments.game, arguments.a, arguments.budget, program),
        arena.chooser(arguments.game, arguments.b, arguments.budget, program),
    )
    began = perf_counter()
    tally = arena.Tally()
    for tally in arena.run(
        arguments.game, players, arguments.games, arguments.seed, seats, options
    ):
        if sys.stderr.isatty():
            print(f"\r{tally.games} of {arguments.games}", end="", file=sys.stderr)
        whole = not tally.games % len(arena.arrangements(seats))
        late = arguments.seconds and perf_counter() - began > arguments.seconds
        if whole and late:
            break
    report = _report(tally, perf_counter() - began)
    print(json.dumps(report) if arguments.json else _text(arguments, report))
    return 0


def _report(tally: arena.Tally, seconds: float) -> dict[str, Any]:
    pairs = tally.a_wins + tally.b_wins + tally.ties
    share = (tally.a_wins + tally.ties / 2) / pairs
    report: dict[str, Any] = {
        "games": tally.games,
        "a_wins": tally.a_wins,
        "b_wins": tally.b_wins,
        "ties": tally.ties,
        "a_points": tally.a_points,
        "b_points": tally.b_points,
        "seconds": round(seconds, 1),
        "a_share": round(share, 4),
        "error": round(sqrt(share * (1 - share) / pairs), 4),
        "slowest": round(tally.slowest, 3),
    }
    if tally.pieces:
        report["a_pieces"] = median(tally.pieces)
    return report


def _text(arguments: argparse.Namespace, report: dict[str, Any]) -> str:
    share, error = 100 * report["a_share"], 100 * report["error"]
    return (
        f"{arguments.a} against {arguments.b}: {share:.1f} % +- {error:.1f} "
        f"({report['a_wins']} won, {report['b_wins']} lost, {report['ties']} tied) "
        f"in {report['games']} games, {report['seconds']} s"
    )
