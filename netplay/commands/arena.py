"""`netplay arena`: two computer players against each other, many times."""

import argparse
import atexit
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from statistics import mean, median
from time import perf_counter  # noqa: TID251 (how long it took is part of the answer)
from typing import Any, Final

import msgspec
from msgspec import Struct

from netplay import arena, levels
from netplay.commands import Command
from netplay.commands.host import add_option
from netplay.commands.sharing import progress, real, set_up, whole
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.named_files import OWN_BYTES, read_named
from netplay.programs.arena import programs
from netplay.sentences import Says
from netplay.spread import Kept, spread
from rules import GAMES

HELP = "two computer players against each other, many times, with the same draws"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(GAMES), metavar="GAME")
    text = _("0-100, random, program:PATH, a name of the game's, or a level: {names}")
    parser.add_argument(
        "a", metavar="A", help=text.format(names=", ".join(levels.SKILLS))
    )
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
        "--work",
        type=whole(0),
        default=0,
        metavar="N",
        help="of the best player (100) for a move, counted, in place of a time",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FILE",
        help="add what comes of each draw, and do not play those that it has",
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
    parser.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="of Dask, whose workers play instead: tcp://HOST:8786",
    )
    parser.add_argument("--seats", type=whole(), default=0, metavar="N")
    add_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


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
    wanted = Wanted(
        arguments.game,
        (arguments.a, arguments.b),
        arguments.budget,
        arguments.seed,
        seats,
        tuple(arguments.option),
        arguments.work,
    )
    count = -(-arguments.games // len(arena.arrangements(seats)))
    tally, began, decided = arena.Tally(), perf_counter(), False
    with (
        played(
            wanted, count, arguments.keep, arguments.jobs, arguments.scheduler
        ) as groups,
        progress(_("games"), arguments.games) as tell,
    ):
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


class Wanted(Struct, frozen=True):
    """What is to be measured, in words that another process understands too."""

    game: str
    players: tuple[str, str]
    budget: float | None
    seed: int
    seats: int
    options: tuple[tuple[str, str], ...]
    work: int


@contextmanager
def played(
    wanted: Wanted, count: int, keep: Path | None, jobs: int = 1, scheduler: str = ""
) -> Generator[Iterator[arena.Tally]]:
    """Give what comes of groups of games, as they are played.

    Args:
        wanted: What is to be measured.
        count: How many groups.
        keep: A file that has some of them, and gets the others; None for none.
        jobs: Processes that play.
        scheduler: The address of Dask's, whose workers play instead; empty for none.

    Raises:
        LocalError: USAGE, it cannot be played so; FILE, the file is of something else.
    """
    known = _known(keep, wanted)
    new = [number for number in range(count) if number not in known]
    with ExitStack() as stack:
        # Whoever is no player is told of here, before any process is started.
        here = stack.enter_context(_playing(wanted))
        groups: Iterator[arena.Tally] = map(here, new)
        if jobs > 1 or scheduler:
            groups = stack.enter_context(spread(_played, wanted, new, jobs, scheduler))
        if keep is not None:
            groups = _keeping(keep, wanted, zip(new, groups, strict=False))
        yield chain((known[n] for n in range(count) if n in known), groups)


@contextmanager
def _playing(wanted: Wanted) -> Generator[Callable[[int], arena.Tally]]:
    """Give what plays a group of games, by its number."""
    options, _state = set_up(GAMES[wanted.game], wanted.seats, wanted.options)
    with programs() as program:
        a, b = wanted.players
        players = (
            arena.chooser(wanted.game, a, wanted.budget, program, wanted.work),
            arena.chooser(wanted.game, b, wanted.budget, program, wanted.work),
        )

        def play(group: int) -> arena.Tally:
            seed = wanted.seed * 1_000_003 + group
            return arena.play_group(wanted.game, players, seed, wanted.seats, options)

        yield play


_KEPT: Final = Kept()
"""In a process that plays for others: the players."""

atexit.register(_KEPT.close)  # programs end with it


def _played(wanted: Wanted, group: int) -> arena.Tally:
    """Play a group of games in another process."""
    play: Callable[[int], arena.Tally] = _KEPT.get(wanted, _playing)
    return play(group)


class _Row(Struct):
    """A line of a file with what came of draws, of one measurement or several."""

    wanted: Wanted
    group: int
    tally: arena.Tally


def _known(path: Path | None, wanted: Wanted) -> dict[int, arena.Tally]:
    """Return what a file has of the groups that are wanted, by their numbers."""
    if path is None or not path.exists():
        return {}
    try:
        rows = msgspec.json.Decoder(_Row).decode_lines(read_named(path, OWN_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None
    return {row.group: row.tally for row in rows if row.wanted == wanted}


def _keeping(
    path: Path, wanted: Wanted, groups: Iterable[tuple[int, arena.Tally]]
) -> Iterator[arena.Tally]:
    """Yield groups as they come, each of them kept before."""
    for number, tally in groups:
        line = msgspec.json.encode(_Row(wanted, number, tally))
        try:
            with path.open("ab") as file:
                file.write(line + b"\n")
        except OSError as error:
            raise LocalError(Code.FILE, Says.AT(place=path, why=error)) from None
        yield tally


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


# `netplay levels`: the levels of computer players, and how well each plays.


def add_levels(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    games = tuple(GAMES)
    parser.add_argument("game", nargs="?", choices=games, metavar="GAME")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_levels(arguments: argparse.Namespace) -> int:
    """Print them."""
    games = [arguments.game] if arguments.game else list(GAMES)
    if arguments.json:
        found = list[dict[str, Any]]()
        for game in games:
            for name, skill in levels.SKILLS.items():
                known = levels.measured(game).get(name)
                figures = {} if known is None else known._asdict()
                found.append({"game": game, "level": name, "skill": skill, **figures})
        print(json.dumps(found))
        return 0
    titles = levels.titles()
    wide = max(map(len, titles.values()))
    for game in games:
        print(GAMES[game].ABOUT.title)
        for name, skill in levels.SKILLS.items():
            typed = f"computer:{name}"
            print(
                f"  {titles[name]:<{wide}}  {typed:<17}  {skill:>3}  "
                f"{_told(game, name)}"
            )
    return 0


def _told(game: str, name: str) -> str:
    parts = [levels.about(game, name)]
    known = levels.measured(game).get(name)
    if known is not None and known.points:
        parts.append(_("{points} points a game").format(points=known.points))
    if known is not None and known.games and known.share:
        text = _("wins {share} % ± {error} against the level below")
        share, error = round(100 * known.share), round(100 * known.error)
        parts.append(text.format(share=share, error=error))
    return "; ".join(parts)


ROWS: Final[Mapping[str, Command]] = {
    "levels": Command(
        HELP="how well the levels of computer players play",
        add=add_levels,
        run=run_levels,
    )
}
"""What else is here, beside the command of this name."""
