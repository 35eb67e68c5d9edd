"""Learn what tiles kept on the rack are worth, by self-play.

    python -m tools.learning.leaves standard --samples 60000 [--jobs N]

Matches are played by the best player there is so far.  In each position the best play
is looked for with racks drawn at random from the tiles unseen; what it is worth, and
which tiles the rack held, is a sample.  A part of the rack is worth what a rack with
that part scores more than any rack does, the rest being drawn.

After a first round, in which a play is worth its score alone, a second one counts
what its tiles leave as well.  Each round ends with a fit: the worth of a part is the
sum of that of its tiles and of its pairs of tiles (ridge regression: pairs seldom seen
stay near nothing).  Tables lie in netplay/players/words/tables.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from netplay.arena import Chance
from netplay.players import words as players_words
from netplay.players.words.leaves import Keep, Table, best_of, written
from netplay.players.words.plays import Finder
from netplay.players.words.position import Board
from netplay.players.words.squares import board_of, lay_of, rack, rack_of, words_of
from netplay.spread import spread
from rules import GAMES, editions, lexicon, networdz, tiles
from rules.game import CHANCE
from rules.networdz import Ground, Pass

RACKS = 4
"""Random racks for each position."""

PARTS = 6
"""Random parts of each rack that the fit looks at."""

RIDGE = 60.0
"""How many samples a pair must have to count for half."""

Sample = tuple[tuple[int, ...], float]
"""The kinds of a rack, ascending, and what its best play is worth."""


def main() -> None:
    """Learn the table of one edition's words and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edition", help="name of a shipped edition")
    parser.add_argument("--samples", type=int, default=60_000, help="each round")
    parser.add_argument("--seed", type=int, default=1)
    shared(parser)
    arguments = parser.parse_args()
    edition = editions.find(editions.shipped()[arguments.edition])
    words = lexicon.load(edition.words)
    options = networdz.Options(edition=edition.digest, lexicon=words.digest)
    rng = random.Random(arguments.seed)  # noqa: S311 (no secret)
    table: Table | None = None
    for number in range(2):
        wanted = Wanted(options, table, f"{arguments.seed} {number}")
        samples = collect(wanted, arguments)
        table = fit(samples, edition.blank, rng)
        print(f"round {number + 1}: {len(samples)} samples", file=sys.stderr)
        folder = Path(players_words.__file__).parent / "tables"
        path = folder / f"{edition.words}.json"
        path.write_text(written(words, table.tiles, table.pairs), encoding="utf-8")


def shared(parser: argparse.ArgumentParser) -> None:
    """Say who may play the matches: `netplay.spread`."""
    parser.add_argument("--jobs", type=int, default=1, help="processes that play")
    parser.add_argument("--scheduler", default="", help="of Dask: tcp://HOST:8786")


class Wanted(NamedTuple):
    """What matches are to be played, in values that another process understands."""

    options: networdz.Options
    table: Table | None
    """What is known already."""
    seed: str


def collect(wanted: Wanted, arguments: argparse.Namespace) -> list[Sample]:
    """Return samples from as many matches as it takes, the same whoever plays them."""
    samples: list[Sample] = []
    hands = arguments.jobs, arguments.scheduler
    with spread(one, wanted, count(), *hands) as matches:
        for found in matches:
            samples += found
            print(f"\r{len(samples)}", end="", file=sys.stderr)
            if len(samples) >= arguments.samples:
                break
    return samples


def one(wanted: Wanted, number: int) -> list[Sample]:
    """Return the samples of the match of a number."""
    rng = random.Random(f"{wanted.seed} {number}")  # noqa: S311 (no secret)
    return list(match(wanted.options, wanted.table, rng))


def match(
    options: networdz.Options, table: Table | None, rng: random.Random
) -> Iterator[Sample]:
    """Yield the samples of one match."""
    ground = networdz.ground(options)
    state, chance = networdz.start(2, options), Chance(GAMES["networdz"], rng.random())
    words = words_of(state)
    while actors := networdz.actors(state):
        if CHANCE in actors:
            state = networdz.play(state, CHANCE, chance.choose(state))
            continue
        seat = state.turn
        board = board_of(state)
        if tiles.bag_size(state.tiles) > ground.edition.rack:
            yield from _tried(ground, board, state, table, rng)
        mine = rack_of(state, seat)
        keep = Keep(mine, table.worth, words) if table else None
        finder = Finder(board, mine, words)
        play, _ = best_of(finder, keep)
        move = lay_of(state, seat, finder, play) if play else Pass()
        state = networdz.play(state, seat, move)


def _tried(
    ground: Ground,
    board: Board,
    state: networdz.State,
    table: Table | None,
    rng: random.Random,
) -> Iterator[Sample]:
    """Yield samples with racks drawn at random from what nobody has laid."""
    words = words_of(state)
    left = [k for k, n in enumerate(state.tiles.counts) for _ in range(n)]
    for _ in range(RACKS):
        kinds = tuple(sorted(rng.sample(left, ground.edition.rack)))
        hand = rack(ground, kinds)
        keep = Keep(hand, table.worth, words) if table else None
        play, worth = best_of(Finder(board, hand, words), keep)
        counted = [k if k == ground.blank else ground.counted(k) for k in kinds]
        yield tuple(sorted(counted)), worth if play else 0.0


def fit(samples: Sequence[Sample], blank: int, rng: random.Random) -> Table:
    """Return the table that tells best what racks with some tiles score.

    Args:
        samples: Racks and what they scored.
        blank: The kind that is the blank, the last.
        rng: Chooses the parts of racks to look at.
    """
    size = blank + 1
    index = {(a, b): 0 for a in range(size) for b in range(a, size)}
    for at, pair in enumerate(index):
        index[pair] = size + at
    usual = sum(worth for _, worth in samples) / len(samples)
    width = size + len(index)
    square = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for kinds, worth in samples:
        for _ in range(PARTS):
            part = sorted(rng.sample(kinds, rng.randrange(1, len(kinds))))
            used = [
                *part,
                *(index[a, b] for at, a in enumerate(part) for b in part[at + 1 :]),
            ]
            for row in used:
                right[row] += worth - usual
                cells = square[row]
                for column in used:
                    cells[column] += 1
    for at in range(width):
        square[at][at] += RIDGE if at >= size else 1.0
    found = solve(square, right)
    pairs = [[0.0] * size for _ in range(size)]
    for (a, b), at in index.items():
        pairs[a][b] = found[at]
    return Table(tuple(found[:size]), tuple(map(tuple, pairs)))


def solve(square: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of a positive definite system, which is used up."""
    size = len(right)
    for at in range(size):
        pivot = square[at]
        for row in range(at + 1, size):
            factor = square[row][at] / pivot[at]
            if factor:
                square[row] = [
                    one - factor * other
                    for one, other in zip(square[row], pivot, strict=True)
                ]
                right[row] -= factor * right[at]
    found = [0.0] * size
    for at in reversed(range(size)):
        rest = sum(square[at][k] * found[k] for k in range(at + 1, size))
        found[at] = (right[at] - rest) / square[at][at]
    return found


if __name__ == "__main__":
    main()
