"""`netplay perft`: count the positions after some plies.

The count of leaves at a depth ("perft", from chess programming) finds mistakes in
the listing and playing of moves that nothing else finds, when it is compared with
counts found in another way.
"""

import argparse
import json
from typing import Any, Protocol, runtime_checkable

from netplay.commands.host import add_option
from netplay.commands.sharing import begin, whole
from netplay.errors import Code, LocalError
from netplay.language import _
from netplay.sentences import Says
from rules import GAMES
from rules.game import CHANCE, Game, Seat

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


@runtime_checkable
class Passing(Protocol):
    """A state of a game in which who cannot move passes without a move of its own."""

    @property
    def passed(self) -> tuple[Seat, ...]:
        """The seats that had no move between the last one and this turn."""
        ...


def settled(game: Game[Any, Any], state: Any) -> Any:  # noqa: ANN401 (any game's)
    """Return the state in which players begin: chance does the first it may."""
    while CHANCE in game.actors(state):
        state = game.play(state, CHANCE, next(game.moves(state, CHANCE)))
    return state


def perft(game: Game[Any, Any], state: Any, depth: int) -> int:  # noqa: ANN401
    """Return the number of different sequences of `depth` plies.

    A forced pass is a ply; a match that has ended earlier has no leaf.

    Args:
        game: Whose rules are to be counted.
        state: Where to start; of all who may move, each one's moves are counted.
        depth: Plies; 0 counts the state itself.
    """
    if depth <= 0:
        return 1
    leaves = 0
    for actor in sorted(game.actors(state)):
        if depth == 1:
            leaves += sum(1 for _ in game.moves(state, actor))
            continue
        for move in game.moves(state, actor):
            after = game.play(state, actor, move)
            passes = len(after.passed) if isinstance(after, Passing) else 0
            leaves += perft(game, after, depth - 1 - passes)
    return leaves
