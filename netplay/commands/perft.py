"""`netplay perft`: count the positions after some plies."""

import argparse
import json

from netplay.commands.host import add_option
from netplay.commands.sharing import begin, whole
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.sentences import Says
from rules import GAMES
from rules.perft import perft, settled

HELP = "count the leaves at a depth, to compare with what others have counted"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("game", choices=tuple(GAMES), metavar="GAME")
    parser.add_argument("depth", type=whole(), metavar="DEPTH", help="plies")
    add_option(parser, _("one of the game's rules; `seats=N` for how many play"))
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    game = GAMES[arguments.game]
    options = dict(arguments.option)
    seats = options.pop("seats", "")
    if seats and not (seats.isdecimal() and int(seats) in game.ABOUT.seats):
        low, high = game.ABOUT.seats[0], game.ABOUT.seats[-1]
        detail = Says.SEATS_TAKEN(
            game=game.ABOUT.title, low=low, high=high, seats=seats
        )
        raise LocalError(Code.USAGE, detail)
    if arguments.depth < 0:
        raise LocalError(Code.USAGE, Says.DEPTH_RANGE())
    count = int(seats or game.ABOUT.seats[0])
    _, state = begin(game, count, options.items())
    nodes = perft(game, settled(game, state), arguments.depth)
    print(json.dumps({"nodes": nodes}) if arguments.json else nodes)
    return 0
