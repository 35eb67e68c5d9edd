"""Make the puzzles of a game: `python -m tools.puzzles GAME`."""

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from typing import Protocol, cast

from netplay.puzzles import Puzzle, line
from rules import GAMES, LISTED


class Maker(Protocol):
    """A module that makes a game's puzzles."""

    def makings(self, seed: int) -> Iterator[Puzzle]:
        """Yield puzzles, each with one best move."""
        ...


def main() -> None:
    """Print a game's puzzles as the program reads them."""
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles")
    parser.add_argument("game", choices=tuple(LISTED), metavar="GAME")
    parser.add_argument("--number", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    maker = cast("Maker", import_module(f"tools.puzzles.{wish.game}"))
    version = GAMES[wish.game].ABOUT.version
    print(f"# Made by tools/puzzles, rules {version}")
    for made in islice(maker.makings(wish.seed), wish.number):
        print(line(made), flush=True)
        print(made.kind, made.worth, made.margin, len(made.line), file=sys.stderr)


if __name__ == "__main__":
    main()
