"""Learn what tiles kept on a rack of Lhexicon are worth, by self-play.

    python -m tools.learning.kept --seconds 1000

Matches are played by the player that takes the highest score.  In some positions the
best play is looked for with racks drawn at random from the tiles unseen; how much it
scores above the mean of the racks of that position, and which tiles the rack held, is a
sample.  A ridge regression tells what each tile, each twin and each number of vowels
adds to one turn.  A tile that is seldom laid stays and adds it again, so that what is
printed for keeping it is that divided by how often it is laid.  Smoothed by hand, these
are the numbers of netplay/players/lhexicon/evaluation.py.

Late in a match it tells what the players' racks score at best by laying one tile,
two ...: numbers of the same file; and what each letter scores then that is laid
alone.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from statistics import mean
from time import perf_counter, process_time
from typing import NamedTuple

from typing_extensions import override

from netplay.arena import Chance
from netplay.players.lhexicon import best
from netplay.players.lhexicon.board import Ground, Way
from netplay.players.lhexicon.evaluation import Found
from netplay.players.lhexicon.search import Seeker
from netplay.players.lhexicon.tiling import Mark, Out
from netplay.spread import spread
from rules import GAMES, lhexicon, tiles
from rules.game import CHANCE
from rules.lhexicon import BLANK, COUNTS, EMPTY, LETTERS, RACK, Options, State
from tools.learning.leaves import shared, solve

RACKS = 8
"""Random racks for each position."""

EVERY = 4
"""Turns from one position to the next."""

BUDGET = 0.25
"""Seconds for a rack."""

ALL = 6.0
"""Seconds for all plays of a late one."""

ALONE = 5
"""Letters tried alone in each late position."""

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


class Late(NamedTuple):
    """A rack when the bag is all but empty."""

    rack: tuple[int, ...]
    scores: tuple[int, ...]
    """What laying one tile, two ... scores at best; 0 where it cannot be done."""

    held: bool
    """Somebody has it in hand: those who choose keep the worst until the end."""


class Thorough(Seeker):
    """A search that tells what is best for each number of tiles laid.

    It keeps no plays, so that none is left out for scoring less than others.
    """

    def __init__(self, state: State, size: int) -> None:
        """Prepare to look for all plays of a rack of so many tiles."""
        self.scores = [0] * size
        end = process_time() + ALL
        super().__init__(
            Ground(state), state.options.lexicon, lambda: process_time() > end
        )

    @override
    def _keep_best(
        self, score: int, marks: tuple[Mark, ...], up: Way, on: Way, out: Out
    ) -> None:
        place = sum(kind != EMPTY for _, kind in marks) - 1
        self.scores[place] = max(self.scores[place], score)


def main() -> None:
    """Play for some time and print what was learned."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    shared(parser)
    arguments = parser.parse_args()
    until = perf_counter() + arguments.seconds
    early, late = list[list[Sample]](), list[Late]()
    hands = arguments.jobs, arguments.scheduler
    with spread(one, arguments.seed, count(), *hands) as matches:
        for positions, racks in matches:
            early += positions
            late += racks
            told = f"\r{len(early)} positions, {len(late)} late racks"
            print(told, end="", file=sys.stderr)
            if perf_counter() > until:
                break
    tell_worth(early)
    tell_sizes(late)
    tell_lone(late)


def one(seed: int, number: int) -> tuple[list[list[Sample]], list[Late]]:
    """Return the samples of the match of a number."""
    early, late = list[list[Sample]](), list[Late]()
    match(random.Random(f"{seed} {number}"), early, late)  # noqa: S311 (no secret)
    return early, late


def match(rng: random.Random, early: list[list[Sample]], late: list[Late]) -> None:
    """Add the samples of one match, those of each early position as a list."""
    state = lhexicon.start(2, Options())
    chance = Chance(GAMES["lhexicon"], rng.randrange(1 << 30))
    turns = 0
    while actors := lhexicon.actors(state):
        if CHANCE in actors:
            state = lhexicon.play(state, CHANCE, chance.choose(state))
            continue
        turns += 1
        if tiles.bag_size(state.tiles) < RACK:
            late += _late(state, rng)
        elif turns % EVERY == EVERY - 1:
            pool = _unlaid(state)
            racks = (tuple(sorted(rng.sample(pool, RACK))) for _ in range(RACKS))
            early.append([_sample(state, rack) for rack in racks])
        view = lhexicon.view(state, state.turn)
        move = best(view, state.turn, rng, budget=BUDGET / 2, clock=process_time)
        state = lhexicon.play(state, state.turn, move)


def _unlaid(state: State) -> list[int]:
    """Return the kinds of the letters that nobody has laid."""
    left = list(COUNTS)
    for cell, letter in enumerate(state.letters):
        if letter != EMPTY:
            left[state.kind(cell)] -= 1
    return [kind for kind in range(BLANK) for _ in range(left[kind])]


def _late(state: State, rng: random.Random) -> Iterator[Late]:
    """Yield what the players' racks score, and a few letters alone."""
    held = [(tuple(rack), True) for rack in state.tiles.kinds]
    alone = [((rng.randrange(BLANK),), False) for _ in range(ALONE)]
    for rack, kept in (*held, *alone):
        seeker = Thorough(state, len(rack))
        if BLANK not in rack and seeker.seek(tuple(sorted(rack))):
            yield Late(rack, tuple(seeker.scores), held=kept)


def _sample(state: State, rack: tuple[int, ...]) -> Sample:
    """Return what the best play of a rack scores."""
    end = process_time() + BUDGET
    seeker = Seeker(Ground(state), state.options.lexicon, lambda: process_time() > end)
    seeker.seek(rack)
    found: list[Found] = seeker.best(lambda: False)
    if not found:
        return Sample(rack, 0, rack)
    return Sample(rack, found[0].score, found[0].rest)


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


def tell_sizes(samples: Sequence[Late]) -> None:
    """Print what late racks of each size score by each number of tiles laid."""
    for size in range(1, RACK + 1):
        some = [x.scores for x in samples if x.held and len(x.rack) == size]
        if some:
            means = (round(mean(column), 1) for column in zip(*some, strict=True))
            print(f"{size} tiles score {tuple(means)}, {len(some)} racks")


def tell_lone(samples: Sequence[Late]) -> None:
    """Print what each letter laid alone scores late in a match."""
    for kind, letter in enumerate(LETTERS):
        some = [x.scores[0] for x in samples if not x.held and x.rack == (kind,)]
        if some:
            print(f"{letter} alone {mean(some):.1f}, {len(some)} times")


if __name__ == "__main__":
    main()
