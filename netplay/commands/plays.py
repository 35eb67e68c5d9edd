"""`netplay plays`: every legal play in a position of another program."""

import argparse
import json
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any

from msgspec.structs import replace

from netplay import home
from netplay.commands.sharing import whole
from netplay.daemon.computer_players import wished
from netplay.errors import Code, LocalError
from netplay.formats import cgp
from netplay.formats.meant import meant
from netplay.formats.placing import Faults
from netplay.language import _, phrase
from netplay.players.words.offensive import allowing, unwanted
from netplay.players.words.plays import BLANK, Finder, Play
from netplay.players.words.squares import board, made, rack, word_map
from netplay.said import spoken, worded
from netplay.sanitize import visible
from netplay.table.resources import OwnFiles, Shelf, find_edition, find_words
from rules import editions, networdz
from rules.game import OptionsError
from rules.networdz import Ground
from rules.networdz.judging import square_name

HELP = "every legal play in a position"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--cgp", required=True, help="the position, as a CGP line")
    parser.add_argument(
        "--edition",
        default="",
        metavar="NAME",
        help="tiles and board (those that the line names, else standard)",
    )
    parser.add_argument(
        "--words",
        default="",
        metavar="FILE",
        help="a word list: its name, a packed graph, or text with one word a line",
    )
    parser.add_argument(
        "--top", type=whole(0), default=10, metavar="N", help="how many to list (10)"
    )
    parser.add_argument(
        "--offensive-words",
        action=argparse.BooleanOptionalAction,
        help="list plays with words that offend, too (as is set; off)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """List the plays."""
    place = home.find(None)
    Shelf(place.words)
    OwnFiles(place).look()
    try:
        ground, remarks = _ground(arguments)
        position = cgp.read(arguments.cgp, ground)
    except (cgp.CgpError, Faults) as error:
        raise LocalError(Code.USAGE, spoken(error)) from error
    warnings = [*remarks, *cgp.surplus(position, ground)]
    lying = board(ground, position.letters, position.kinds)
    finder = Finder(
        lying,
        rack(ground, position.racks[0]),
        word_map(ground.words.digest, ground.edition.longest),
    )
    with allowing(words_that_offend=wished(place, arguments.offensive_words)):
        barred = unwanted(ground.words.digest)

    def is_offered(play: Play) -> bool:
        return barred.isdisjoint(map(tuple, made(lying, play)))

    report = _report(finder, ground, arguments.top, is_offered)
    for warning in warnings:
        note = _("note: {text}").format(text=phrase(worded(warning)))
        print(visible(f"netplay plays: {note}"), file=sys.stderr)
    if arguments.json:
        named = {"edition": ground.edition.name, "warnings": [*map(str, warnings)]}
        print(json.dumps(report | named, ensure_ascii=False))
    else:
        _print(report)
    return 0


def _ground(arguments: argparse.Namespace) -> tuple[Ground, tuple[str, ...]]:
    """Return what the position is played with, and what is to be said of it.

    Raises:
        LocalError: The edition or the words cannot be read, or are none.
        Faults: The line names what is not here.
    """
    chosen = find_edition(arguments.edition).hex() if arguments.edition else ""
    named = cgp.names(arguments.cgp)
    if arguments.words:
        named = replace(named, words="" if chosen else named.words)
    found = meant(named, chosen)
    edition, digest, remarks = (
        editions.find(found.edition),
        found.lexicon,
        found.remarks,
    )
    if arguments.words:
        digest, remarks = find_words(arguments.words, edition.alphabet).hex(), ()
    options = networdz.Options(edition=edition.digest, lexicon=digest)
    try:
        return networdz.ground(options), remarks
    except OptionsError as error:
        raise LocalError(Code.BAD_WORDS, spoken(error)) from error


def _report(
    finder: Finder, ground: Ground, top: int, is_offered: Callable[[Play], bool]
) -> dict[str, Any]:
    """Return what commands.md promises of the plays found.

    Legal are all; those with words that offend are counted, but not listed.
    """
    plays = finder.plays()
    plays.sort(key=lambda play: -play.score)
    listed = [
        {"play": _describe(finder, ground, play), "score": play.score}
        for play in islice(filter(is_offered, plays), top)
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
    where = square_name(ground, lane.squares[begin], down=lane.down)
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
    heading = _("plays: {count}, points in all: {sum}")
    lines = [heading.format(count=report["count"], sum=report["sum"])]
    lines += [f"{play['score']:5}  {play['play']}" for play in report["top"]]
    print("\n".join(lines))
