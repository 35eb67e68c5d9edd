"""Speed, measured as ratios in one run: each figure beside a yardstick of the moment.

A machine that is busy or slow changes all figures together; their ratios last.  Each
row is correct before it is fast: what is timed is also checked.
"""

import random  # noqa: TID251 (positions made by a seed)
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from statistics import mean, median
from time import perf_counter, process_time  # noqa: TID251 (time is what is measured)
from typing import Any, Final

from msgspec import Struct

from netplay.arena import Chance
from netplay.errors import Code, LocalError
from netplay.players.words.best import best_play
from netplay.players.words.plays import Finder, all_plays
from netplay.players.words.position import Board, Rack
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from netplay.players.words.wordmap import WordMap
from rules import GAMES, editions, lexicon, networdz, numlo
from rules.game import CHANCE
from rules.perft import perft, settled

POSITIONS: Final = 60
"""Positions from the middle of matches, for the word search."""

ROUNDS: Final = 5
"""Runs of what is quick; the median counts."""


class Row(Struct, frozen=True):
    """One figure and what it is held against."""

    name: str
    value: float
    unit: str
    versus: str = ""
    versus_value: float = 0.0
    ratio: float = 0.0
    """`value` by `versus_value`; 0 where there is nothing to hold it against."""


def row(name: str, value: float, unit: str, versus: str, other: float) -> Row:
    """Return a row with its ratio."""
    ratio = round(value / other, 3) if other else 0.0
    return Row(name, round(value, 3), unit, versus, round(other, 3), ratio)


def run(names: list[str]) -> Iterator[Row]:
    """Yield the rows of some benches, or of all.

    Raises:
        LocalError: USAGE, there is no such bench.
    """
    for name in names:
        if name not in BENCHES:
            known = ", ".join(BENCHES)
            raise LocalError(
                Code.USAGE, f"there is no bench {name!r}; there are {known}"
            )
    for name in names or BENCHES:
        yield from BENCHES[name]()


def _timed(do: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the median milliseconds that something takes by the clock."""
    times: list[float] = []
    for _ in range(rounds):
        began = perf_counter()
        do()
        times.append((perf_counter() - began) * 1000)
    return median(times)


def _start() -> Iterator[Row]:
    """Time the start of the program against that of Python itself."""
    bare = _timed(lambda: _process("-c", "pass"))
    yield row(
        "start: netplay --help",
        _timed(lambda: _process("-m", "netplay", "--help")),
        "ms",
        "python -c pass",
        bare,
    )
    node = "import netplay.daemon.starting"
    yield row(
        "start: a node's modules",
        _timed(lambda: _process("-c", node)),
        "ms",
        "python -c 'import trio, msgspec, ssl, cryptography'",
        _timed(lambda: _process("-c", "import trio, msgspec, ssl, cryptography.x509")),
    )


def _process(*words: str) -> None:
    """Run Python with some arguments, its output thrown away."""
    subprocess.run(  # noqa: S603 (ourselves)
        [sys.executable, *words], check=True, stdout=subprocess.DEVNULL
    )


def _lexicon() -> Iterator[Row]:
    """Time word lists: opening, looking up, the map of words."""
    words = lexicon.load("english")
    spelled = list(words.words())
    text = "\n".join("".join(words.alphabet[n] for n in word) for word in spelled)
    plain = _timed(lambda: set(text.split("\n")))
    yield row(
        "lexicon: map of words",
        _timed(lambda: WordMap(words, 15), 3),
        "ms",
        "a set of the same words from text",
        plain,
    )
    sample = spelled[:: len(spelled) // 2000]
    count = len(sample)
    took = _timed(lambda: [words.has(word) for word in sample])
    yield row("lexicon: look up", took * 1000 / count, "us", "", 0.0)


def _positions() -> list[tuple[Board, tuple[int, ...]]]:
    """Return boards from the middle of matches, each with the rack's kinds."""
    edition = editions.shipped()["standard"]
    options = networdz.Options(edition=edition)
    found: list[tuple[Board, tuple[int, ...]]] = []
    seed = 0
    while len(found) < POSITIONS:
        found += _of_match(options, seed)
        seed += 1
    return found[:POSITIONS]


def _of_match(
    options: networdz.Options, seed: int
) -> Iterator[tuple[Board, tuple[int, ...]]]:
    """Yield the positions of the middle of one match between two best players."""
    state, chance = networdz.start(2, options), Chance(GAMES["networdz"], seed)
    words = words_of(state)
    while actors := networdz.actors(state):
        if CHANCE in actors:
            state = networdz.play(state, CHANCE, chance.choose(state))
            continue
        seat = state.turn
        tiles = len(state.letters) - state.letters.count(0)
        kinds = state.tiles.kinds[seat]
        if 20 < tiles < 80 and len(kinds) == 7:
            yield board_of(state), kinds
        finder = Finder(board_of(state), rack_of(state, seat), words)
        play = best_play(finder)
        if play is None:
            return
        state = networdz.play(state, seat, lay_of(state, seat, finder, play))


def _plays() -> Iterator[Row]:
    """Time all plays and the best play, with none, one and two blanks."""
    positions = _positions()
    ground = networdz.ground(networdz.Options(edition=editions.shipped()["standard"]))
    words = WordMap(lexicon.load("english"), 15)
    spin = _spin()
    for blanks in range(3):
        every: list[float] = []
        best: list[float] = []
        for board, kinds in positions:
            rack = _with_blanks(ground, kinds, blanks)
            began = process_time()
            plays = all_plays(Finder(board, rack, words))
            middle = process_time()
            found = best_play(Finder(board, rack, words))
            ended = process_time()
            if max((p.score for p in plays), default=-1) != (
                found.score if found else -1
            ):
                raise AssertionError("the best play is not the best of all")
            every.append((middle - began) * 1000)
            best.append((ended - middle) * 1000)
        name = ("plain", "one blank", "two blanks")[blanks]
        versus = "a million turns of an empty loop"
        yield row(f"plays: all, {name}", mean(every), "ms", versus, spin)
        yield row(f"plays: best, {name}", mean(best), "ms", versus, spin)


def _with_blanks(ground: networdz.Ground, kinds: tuple[int, ...], blanks: int) -> Rack:
    """Return a rack of seven with exactly so many blanks."""
    plain = [kind for kind in kinds if kind != ground.blank]
    plain += [4] * (7 - len(plain))  # an E in place of a blank that was drawn
    tiles = plain[: 7 - blanks]
    return Rack(
        tiles=tuple((kind, ground.points[kind]) for kind in tiles),
        blanks=blanks,
        size=7,
        bonus=50,
    )


def _spin() -> float:
    """Return the milliseconds of a million turns of an empty loop, the yardstick."""

    def turn() -> None:
        for _ in range(1_000_000):
            pass

    return _timed(turn)


def _numlo() -> Iterator[Row]:
    """Time Numlo as Othello: a random move and the list of legal ones, a second."""
    game = GAMES["numlo"]
    state = settled(game, game.start(2, _othello()))
    if perft(game, state, 5) != 1396:  # published count
        raise AssertionError("Numlo is not Othello")
    ours = median([_numlo_rate(state, seed) for seed in range(ROUNDS)])
    theirs = _openspiel_rate()
    yield row("numlo: apply and list", ours, "/s", "OpenSpiel's othello", theirs)


def _othello() -> numlo.Options:
    """Return the options that make Numlo Othello."""
    return numlo.Options(size=8, start="othello", values=False)


def _numlo_rate(state: numlo.State, seed: int) -> float:
    """Return moves a second in random matches."""
    rng = random.Random(seed)  # noqa: S311 (no secret)
    moves, began = 0, process_time()
    while process_time() - began < 0.5:
        here = state
        listed = list(numlo.moves(here, here.turn))
        while listed:
            here = numlo.play(here, here.turn, rng.choice(listed))
            listed = list(numlo.moves(here, here.turn))
            moves += 1
    return moves / (process_time() - began)


def _openspiel_rate() -> float:
    """Return the same of OpenSpiel, driven from Python; 0 if it is not installed."""
    try:
        spiel: Any = import_module("pyspiel")
    except ImportError:
        return 0.0
    game = spiel.load_game("othello")
    rng = random.Random(1)  # noqa: S311 (no secret)
    moves, began = 0, process_time()
    while process_time() - began < 1:
        state = game.new_initial_state()
        listed = state.legal_actions()
        while listed:
            state.apply_action(rng.choice(listed))
            listed = state.legal_actions()
            moves += 1
    return moves / (process_time() - began)


BENCHES: Final[Mapping[str, Callable[[], Iterator[Row]]]] = {
    "start": _start,
    "lexicon": _lexicon,
    "plays": _plays,
    "numlo": _numlo,
}
"""Name on the command line -> what measures."""
