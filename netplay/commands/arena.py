"""`netplay arena`: two computer players against each other, many times."""

import argparse
import atexit
import json
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from statistics import mean, median
from time import perf_counter  # noqa: TID251 (how long it took is part of the answer)
from typing import Any, Final, NamedTuple

from netplay import arena, levels
from netplay.commands.host import add_option
from netplay.commands.progress import progress
from netplay.commands.sharing import begin, real, whole
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.programs.arena import programs
from netplay.sentences import Says
from rules import GAMES

AHEAD: Final = 2
"""Groups of games given out to each process at a time."""

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
    parser.add_argument(
        "--decide",
        type=real,
        nargs="?",
        const=50.0,
        metavar="PERCENT",
        help="stop once A surely wins more or less than so much (50)",
    )
    parser.add_argument(
        "--jobs", type=whole(1), default=1, metavar="N", help="processes that play"
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
    if arguments.decide is not None and not 0 <= arguments.decide <= 100:
        raise LocalError(Code.USAGE, Says.SHARE_RANGE())
    wanted = _Wanted(
        arguments.game,
        (arguments.a, arguments.b),
        arguments.budget,
        arguments.seed,
        seats,
        arguments.option,
    )
    tally, began, decided = arena.Tally(), perf_counter(), False
    with ExitStack() as stack:
        # Whoever is no player is told of here, before any process is started.
        here = stack.enter_context(_playing(wanted))
        count = -(-arguments.games // len(arena.arrangements(seats)))
        groups: Iterator[arena.Tally] = map(here, range(count))
        if arguments.jobs > 1:
            groups = stack.enter_context(_shared(wanted, arguments.jobs, count))
        tell = stack.enter_context(progress(_("games"), arguments.games))
        for group in groups:
            tally.add(group)
            tell(tally.games)
            share = arguments.decide
            decided = share is not None and tally.decided(share / 100)
            late = arguments.seconds and perf_counter() - began > arguments.seconds
            if decided or late:
                break
        seconds = perf_counter() - began
    report = _report(tally, seconds)
    if arguments.decide is not None:
        report["decided"] = decided
    print(json.dumps(report) if arguments.json else _text(arguments, report))
    return 0


class _Wanted(NamedTuple):
    """What is to be measured, in words that another process understands too."""

    game: str
    players: tuple[str, str]
    budget: float | None
    seed: int
    seats: int
    options: Sequence[tuple[str, str]]


@contextmanager
def _playing(wanted: _Wanted) -> Generator[Callable[[int], arena.Tally]]:
    """Give what plays a group of games, by its number."""
    options, _state = begin(GAMES[wanted.game], wanted.seats, wanted.options)
    with programs() as program:
        a, b = wanted.players
        players = (
            arena.chooser(wanted.game, a, wanted.budget, program),
            arena.chooser(wanted.game, b, wanted.budget, program),
        )

        def play(group: int) -> arena.Tally:
            seed = wanted.seed * 1_000_003 + group
            return arena.play_group(wanted.game, players, seed, wanted.seats, options)

        yield play


@contextmanager
def _shared(wanted: _Wanted, jobs: int, count: int) -> Generator[Iterator[arena.Tally]]:
    """Give the tallies of groups, played by several processes, in their order.

    The same groups count whichever process is the faster: an answer that stops early
    would else be one of the short games.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _enter, (wanted,))
    ahead: deque[Future[arena.Tally]] = deque()

    def tallies() -> Iterator[arena.Tally]:
        for group in range(count):
            ahead.append(pool.submit(_played, group))
            if len(ahead) > AHEAD * jobs:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()

    try:
        yield tallies()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_HERE: Final[list[Callable[[int], arena.Tally]]] = []
"""In a process of several: what plays a group."""


def _enter(wanted: _Wanted) -> None:
    """Make a process ready, and its programs end with it."""
    stack = ExitStack()
    _HERE.append(stack.enter_context(_playing(wanted)))
    atexit.register(stack.close)


def _played(group: int) -> arena.Tally:
    return _HERE[0](group)


def _report(tally: arena.Tally, seconds: float) -> dict[str, Any]:
    def rounded(error: float | None) -> float | None:
        return None if error is None else round(error, 4)

    report: dict[str, Any] = {
        "games": tally.games,
        "a_wins": tally.a_wins,
        "b_wins": tally.b_wins,
        "ties": tally.ties,
        "a_points": tally.a_points,
        "b_points": tally.b_points,
        "seconds": round(seconds, 1),
        "a_share": round(mean(tally.shares), 4),
        "share_error": rounded(arena.error(tally.shares)),
        "diff": round(mean(tally.margins), 3),
        "error": rounded(arena.error(tally.margins)),
        "slowest": round(tally.slowest, 3),
    }
    if tally.pieces:
        report["a_pieces"] = median(tally.pieces)
    return report


def _text(arguments: argparse.Namespace, report: dict[str, Any]) -> str:
    def near(error: float | None, scale: int = 1) -> str:
        return "" if error is None else f" +- {scale * error:.1f}"

    return (
        f"{arguments.a} against {arguments.b}: {100 * report['a_share']:.1f} %"
        f"{near(report['share_error'], 100)} "
        f"({report['a_wins']} won, {report['b_wins']} lost, {report['ties']} tied), "
        f"{report['diff']:+.1f}{near(report['error'])} points a game, "
        f"in {report['games']} games, {report['seconds']} s"
        + (", decided" if report.get("decided") else "")
    )
