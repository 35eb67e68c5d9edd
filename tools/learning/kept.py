"""Learn what tiles kept on a rack of Lhexicon are worth, by self-play.

    python -m tools.learning.kept --seconds 1000

Matches are played by the player that takes the highest score.  In some positions the
best play is looked for with racks drawn at random from the tiles unseen; how much it
scores above the mean of the racks of that position, and which tiles the rack held, is a
sample.  A ridge regression tells what each tile, each twin and each number of vowels
adds to one turn.  A tile that is seldom laid stays and adds it again, so that what is
printed for keeping it is that divided by how often it is laid.  Smoothed by hand, these
are the numbers of netplay/players/lhexicon/weighing.py.

Late in a match racks are drawn of each size; what they score and how many tiles their
best plays lay are the numbers of netplay/players/lhexicon/tempo.py.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from time import perf_counter, process_time
from typing import NamedTuple

from netplay.arena import Chance
from netplay.players.lhexicon import best
from netplay.players.lhexicon.ground import Ground
from netplay.players.lhexicon.play import Found
from netplay.players.lhexicon.seeking import Seeker
from rules import GAMES, lhexicon, tiles
from rules.game import CHANCE
from rules.lhexicon import BLANK, COUNTS, EMPTY, LETTERS, RACK, Options, State
from tools.learning.leaves import solve

RACKS = 8
"""Random racks for each position."""

EVERY = 4
"""Turns from one position to the next."""

BUDGET = 0.25
"""Seconds for a rack."""

RIDGE = 20.0
"""How many samples a feature must have to count for half."""

SELDOM = 0.4
"""No tile is taken to stay longer than one laid so often."""

VOWELS = frozenset("AEIOU")
USUAL = 3
"""The number of vowels that others are compared with."""


class Sample(NamedTuple):
    """A rack in a position with others."""

    rack: tuple[int, ...]
    score: int
    rest: tuple[int, ...]
    """What the best play leaves."""

    late: bool
    """The bag is all but empty."""


def main() -> None:
    """Play for some time and print what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)  # noqa: S311 (no secret)
    until, groups = perf_counter() + arguments.seconds, list[list[Sample]]()
    while perf_counter() < until:
        groups += match(rng)
        print(f"\r{len(groups)} positions", end="", file=sys.stderr)
    early = [group for group in groups if not group[0].late]
    tell_worth(early)
    tell_sizes([each for group in groups for each in group if each.late])


def match(rng: random.Random) -> Iterator[list[Sample]]:
    """Yield the samples of one match, a list for each position."""
    state = lhexicon.start(2, Options())
    chance = Chance(GAMES["lhexicon"], rng.randrange(1 << 30))
    turns = 0
    while actors := lhexicon.actors(state):
        if CHANCE in actors:
            state = lhexicon.play(state, CHANCE, chance.choose(state))
            continue
        turns += 1
        late = tiles.bag_size(state.tiles) < RACK
        if late or turns % EVERY == EVERY - 1:
            yield [_sample(state, rack, late=late) for rack in _racks(state, late, rng)]
        view = lhexicon.view(state, state.turn)
        move = best(view, state.turn, rng, budget=BUDGET / 2, clock=process_time)
        state = lhexicon.play(state, state.turn, move)


def _racks(state: State, late: bool, rng: random.Random) -> Iterator[tuple[int, ...]]:
    """Yield racks of letters that nobody has laid; late ones of each size."""
    left = list(COUNTS)
    for cell, letter in enumerate(state.letters):
        if letter != EMPTY:
            left[state.kind(cell)] -= 1
    pool = [kind for kind in range(BLANK) for _ in range(left[kind])]
    sizes = range(1, min(RACK, len(pool)) + 1) if late else (RACK,) * RACKS
    for size in sizes:
        yield tuple(sorted(rng.sample(pool, size)))


def _sample(state: State, rack: tuple[int, ...], *, late: bool) -> Sample:
    """Return what the best play of a rack scores."""
    end = process_time() + BUDGET
    seeker = Seeker(Ground(state), state.options.lexicon, lambda: process_time() > end)
    seeker.seek(rack)
    found: list[Found] = seeker.best(lambda: False)
    if not found:
        return Sample(rack, 0, rack, late)
    return Sample(rack, found[0].score, found[0].rest, late)


def features(rack: Sequence[int]) -> list[float]:
    """Return how many there are of each letter, the twins, and the number of vowels."""
    counts = Counter(rack)
    vowels = sum(LETTERS[kind] in VOWELS for kind in rack)
    numbers = (float(vowels == number) for number in range(RACK + 1))
    return [
        *(float(counts[kind]) for kind in range(BLANK)),
        float(len(rack) - len(counts)),
        *(each for number, each in enumerate(numbers) if number != USUAL),
    ]


def fit(groups: Sequence[Sequence[Sample]]) -> list[float]:
    """Return what each feature adds to the score of a turn."""
    width = len(features(()))
    square = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for group in groups:
        rows = [features(sample.rack) for sample in group]
        means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        usual = sum(sample.score for sample in group) / len(group)
        for sample, row in zip(group, rows, strict=True):
            off = [each - mean for each, mean in zip(row, means, strict=True)]
            for at, each in enumerate(off):
                right[at] += each * (sample.score - usual)
                for other, number in enumerate(off):
                    square[at][other] += each * number
    for at in range(width):
        square[at][at] += RIDGE
    return solve(square, right)


def tell_worth(groups: Sequence[Sequence[Sample]]) -> None:
    """Print what letters, twins and vowels are worth."""
    found = fit(groups)
    had, laid = Counter[int](), Counter[int]()
    for sample in (each for group in groups for each in group):
        had.update(sample.rack)
        laid.update(Counter(sample.rack) - Counter(sample.rest))
    for kind, letter in enumerate(LETTERS):
        share = laid[kind] / max(1, had[kind])
        keeping = found[kind] / max(SELDOM, share)
        print(
            f"{letter} a turn {found[kind]:.2f}, laid {share:.2f}, kept {keeping:.2f}"
        )
    print(f"twin {found[BLANK]:.2f}")
    others = (number for number in range(RACK + 1) if number != USUAL)
    for number, each in zip(others, found[BLANK + 1 :], strict=True):
        print(f"{number} vowels {each:.2f}")


def tell_sizes(samples: Sequence[Sample]) -> None:
    """Print what late racks of each size score, and how many tiles they lay."""
    for size in range(1, RACK + 1):
        some = [each for each in samples if len(each.rack) == size]
        if some:
            mean = sum(each.score for each in some) / len(some)
            laid = Counter(size - len(each.rest) for each in some)
            shares = (round(laid[n] / len(some), 2) for n in range(1, size + 1))
            print(f"{size} tiles score {mean:.1f}, lay {tuple(shares)}")


if __name__ == "__main__":
    main()
