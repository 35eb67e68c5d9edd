"""Have the best player of Numlo play Othello against a plain search with rollouts.

    python -m tools.othello [--games N] [--rollouts N] [--budget SECONDS]

The other one knows the rules and nothing else: UCT, each leaf played to the end at
random.  Both sit on either side of every pair of games.
"""

import argparse
import random
from collections.abc import Sequence
from math import log, sqrt
from statistics import mean
from typing import Final

from netplay import arena
from rules.game import Seat
from rules.numlo import Options, Place, State
from rules.numlo.grid import bits, captures, grid, reach
from rules.numlo.state import unpack

BOARD: Final = Options(size=8, start="othello", values=False)

WANTED: Final = 0.8
"""Of the games, at least."""

EAGER: Final = sqrt(2)
"""How much what was seldom tried is tried; the customary value."""

GRID: Final = grid(BOARD.size)


class Node:
    """A position, whoever is on turn first, and what rollouts from it came to."""

    def __init__(self, own: int, other: int) -> None:
        """Begin, with none."""
        self.own, self.other = own, other
        empty = GRID.full & ~(own | other)
        self.untried = list(bits(reach(GRID, own, (other,), empty)))
        self.passes = not self.untried and reach(GRID, other, (own,), empty) != 0
        if self.passes:
            self.untried = [-1]
        self.tried: list[tuple[int, Node]] = []
        self.visits, self.won = 0, 0.0
        """Games, and those that the seat on turn won."""

    def grow(self, rng: random.Random) -> "Node":
        """Return the position after a move that was not tried yet."""
        square = self.untried.pop(rng.randrange(len(self.untried)))
        child = Node(*laid(self.own, self.other, square))
        self.tried.append((square, child))
        return child

    def likeliest(self) -> "Node":
        """Return the position that is tried next, all having been tried once."""
        much = EAGER * sqrt(log(self.visits))
        return max(
            (child for _square, child in self.tried),
            key=lambda child: 1 - child.won / child.visits + much / sqrt(child.visits),
        )


def laid(own: int, other: int, square: int) -> tuple[int, int]:
    """Return a position after a move as the other one sees it; -1 is a pass."""
    if square < 0:
        return other, own
    taken = captures(GRID, own, (other,), square)
    return other & ~taken, own | taken | 1 << square


def rollout(own: int, other: int, rng: random.Random) -> float:
    """Return what a random game comes to for who is on turn: 1, 0, or a half."""
    turned, passed = False, False
    while True:
        open_ = reach(GRID, own, (other,), GRID.full & ~(own | other))
        if open_:
            own, other = laid(own, other, rng.choice(list(bits(open_))))
        elif passed:
            break
        else:
            own, other = other, own
        passed, turned = not open_, not turned
    mine, theirs = own.bit_count(), other.bit_count()
    won = 0.5 if mine == theirs else float(mine > theirs)
    return 1 - won if turned else won


def search(own: int, other: int, rollouts: int, rng: random.Random) -> int:
    """Return the square that was tried most."""
    root = Node(own, other)
    for _ in range(rollouts):
        path = [root]
        while not path[-1].untried and path[-1].tried:
            path.append(path[-1].likeliest())
        if path[-1].untried:
            path.append(path[-1].grow(rng))
        won = rollout(path[-1].own, path[-1].other, rng)
        for node in reversed(path):
            node.visits += 1
            node.won += won
            won = 1 - won
    return max(root.tried, key=lambda each: each[1].visits)[0]


def rolling(rollouts: int) -> arena.Chooser:
    """Return a player that thinks so many rollouts a move."""

    def choose(view: State, seat: Seat, rng: random.Random) -> Place:
        boards = unpack(view)
        return Place(search(boards[seat], boards[1 - seat], rollouts, rng))

    return choose


def match(games: int, rollouts: int, budget: float | None, seed: int) -> arena.Tally:
    """Play pairs of games."""
    tally = arena.Tally()
    players = arena.chooser("numlo", "master", budget), rolling(rollouts)
    for group in range(-(-games // 2)):
        tally.add(arena.play_group("numlo", players, seed + group, 2, BOARD))
        error = arena.error(tally.shares) or 0.0
        print(
            f"{mean(tally.shares):.3f} +- {error:.3f} in {tally.games} games",
            flush=True,
        )
    return tally


def main(given: Sequence[str] | None = None) -> int:
    """Play, and tell whether that was enough."""
    parser = argparse.ArgumentParser(prog="python -m tools.othello")
    parser.add_argument("--games", type=int, default=50, metavar="N")
    parser.add_argument("--rollouts", type=int, default=1000, metavar="N")
    parser.add_argument("--budget", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=2026, metavar="N")
    wanted = parser.parse_args(given)
    tally = match(wanted.games, wanted.rollouts, wanted.budget, wanted.seed)
    return 0 if mean(tally.shares) >= WANTED else 1


if __name__ == "__main__":
    raise SystemExit(main())
