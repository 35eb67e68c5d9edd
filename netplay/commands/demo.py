"""`netplay demo`: nodes of computer players on this computer, playing a whole match."""

import argparse
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import trio

from netplay import home
from netplay.commands.host import add_fairness, add_option
from netplay.commands.sharing import add_force, png, spare, whole
from netplay.daemon.finished_matches import draw
from netplay.daemon.node import single
from netplay.daemon.positions import EVERYBODY, position_in
from netplay.demo.show import Report, Wish, perform
from netplay.language import _
from netplay.record.store import SUFFIX
from rules import GAMES

HELP = "nodes of computer players on this computer, playing a whole game"

FOLDER: Final = "demo"
"""In the home, for the files of the matches."""


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "game",
        nargs="?",
        choices=tuple(GAMES),
        default=next(iter(GAMES)),
        metavar="GAME",
        help=", ".join(GAMES),
    )
    parser.add_argument(
        "--nodes",
        type=whole(),
        default=2,
        metavar="N",
        help="how many, a seat each (2)",
    )
    parser.add_argument(
        "--seed", type=whole(), metavar="S", help="for the computer players' whims"
    )
    add_option(
        parser, _("a rule of the game, an edition=NAME or words=NAME; may be repeated")
    )
    parser.add_argument(
        "--picture", type=png, metavar="FILE.png", help="draw the end of the game"
    )
    add_fairness(parser)
    add_force(parser)
    parser.add_argument(
        "--verbose", action="store_true", help="the board after each move, as in a pipe"
    )
    parser.add_argument("--json", action="store_true", help="print JSON at the end")


def run(arguments: argparse.Namespace) -> int:
    """Show the demonstration; fail if anything is not as it should be."""
    place = home.find(None)
    picture = spare(arguments.picture, arguments) if arguments.picture else None
    place.prepare()
    at = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    keep = place.path / FOLDER / f"{arguments.game}-{at}{SUFFIX}"
    brief = sys.stdout.isatty() and not arguments.verbose
    wish = Wish(
        arguments.game,
        arguments.nodes,
        arguments.seed,
        place.words,
        keep,
        tuple(arguments.option),
        arguments.fairness,
        brief,
    )
    say = _to_stderr if arguments.json else _in_place if brief else print
    with tempfile.TemporaryDirectory(prefix="netplay-demo-") as folder:
        try:
            report = trio.run(perform, wish, Path(folder), say)
        except BaseExceptionGroup as group:
            raise single(group) from None
    if picture is not None:
        seen = position_in(Path(report.match), place, None, EVERYBODY)
        draw(seen, None, picture)
    if brief and not arguments.json:
        print("\n")
    print(msgspec.json.encode(report).decode() if arguments.json else _text(report))
    return 0 if report.good else 1


def _to_stderr(text: str) -> None:
    """Show progress to a person who reads along, not to a program."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)


def _in_place(text: str) -> None:
    """Show a move in the place of the one before it; what has several lines stays."""
    wide = shutil.get_terminal_size().columns - 1
    if "\n" in text:
        print(text, end="")
    else:
        print(f"\r{text[:wide]:<{wide}}", end="", flush=True)


def _text(report: Report) -> str:
    scores = ", ".join(map(str, report.scores))
    same = _("equal") if report.equal else _("NOT EQUAL")
    logs = _("records of {nodes} programs, {entries} entries each: {same}")
    return "\n".join(
        [
            _("{game}: {moves} moves in {seconds} s").format(
                game=report.game, moves=report.moves, seconds=report.seconds
            ),
            _("scores: {scores}").format(scores=scores),
            _("chat: {lines} lines came over").format(lines=report.chat),
            logs.format(nodes=report.nodes, entries=report.entries, same=same),
            _("fairness: {how}").format(how=report.fairness),
            _("file of the game: {path}").format(path=report.match),
            _("audit: {result}").format(result=report.audit),
        ]
    )
