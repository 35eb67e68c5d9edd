"""`netplay plays`: every legal play in a position of another program."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from netplay.errors import Code, LocalError
from netplay.formats import cgp
from netplay.players.words.plays import BLANK, Finder, Play, all_plays
from netplay.players.words.squares import board, rack, word_map
from netplay.table.resources import read_words
from rules import editions, lexicon, networdz
from rules.networdz import Ground

HELP = "every legal play in a position"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--cgp", required=True, help="the position, as a CGP line")
    parser.add_argument(
        "--words",
        type=Path,
        metavar="FILE",
        help="a word list: a packed graph, or text with one word a line",
    )
    parser.add_argument(
        "--top", type=_count, default=10, metavar="N", help="how many to list (10)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the plays."""
    ground = _ground(arguments.words)
    try:
        position = cgp.read(arguments.cgp, ground)
    except cgp.CgpError as error:
        raise LocalError(Code.USAGE, str(error)) from error
    finder = Finder(
        board(ground, position.letters, position.kinds),
        rack(ground, position.racks[0]),
        word_map(ground.words.digest, ground.edition.longest),
    )
    report = _report(finder, ground, arguments.top)
    if arguments.json:
        json.dump(report, sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        _print(report)
    return 0


def _count(text: str) -> int:
    """Return how many plays to list."""
    number = int(text)
    if number < 0:
        raise ValueError
    return number


def _ground(words: Path | None) -> Ground:
    """Return the edition `standard`, with its own words or those of a file.

    Raises:
        LocalError: The file cannot be read, or is no word list.
    """
    edition = editions.find(editions.shipped()["standard"])
    digest = lexicon.shipped()[edition.words]
    if words is not None:
        found = read_words(words, edition.alphabet)
        lexicon.register(found)
        digest = found.digest
    return networdz.ground(networdz.Options(edition=edition.digest, lexicon=digest))


def _report(finder: Finder, ground: Ground, top: int) -> dict[str, Any]:
    """Return what commands.md promises of the plays found."""
    plays = all_plays(finder)
    plays.sort(key=lambda play: -play.score)
    listed = [
        {"play": _describe(finder, ground, play), "score": play.score}
        for play in plays[:top]
    ]
    return {
        "count": len(plays),
        "sum": sum(play.score for play in plays),
        "best": plays[0].score if plays else 0,
        "top": listed,
    }


def _describe(finder: Finder, ground: Ground, play: Play) -> str:
    """Return a play as other programs write it: `8D WORD`, `D8` for a column.

    Blanks are lower case; letters that lay already stand in parentheses.
    """
    lane, begin = play.window.lane, play.window.begin
    row, column = divmod(lane.squares[begin], ground.width)
    letter = chr(ord("A") + column)
    where = f"{letter}{row + 1}" if lane.down else f"{row + 1}{letter}"
    laid = {square: points for square, _, points in finder.tiles(play)}
    text = ""
    for at, index in enumerate(play.word):
        name = ground.alphabet[index]
        points = laid.get(lane.squares[begin + at])
        if points is None:
            text += f"({name})"
        else:
            text += name.lower() if points == BLANK else name
    return f"{where} {text.replace(')(', '')}"


def _print(report: dict[str, Any]) -> None:
    """Print the plays for people."""
    lines = [f"{report['count']} plays, {report['sum']} points in all"]
    lines += [f"{play['score']:5}  {play['play']}" for play in report["top"]]
    sys.stdout.write("\n".join(lines) + "\n")
