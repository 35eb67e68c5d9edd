"""Time all plays and the best play of a word game, with none, one and two blanks."""

from collections.abc import Iterator
from statistics import mean
from time import process_time
from typing import Final, TypeAlias

from netplay.arena import Chance
from netplay.players.words.kernel import Found, kernel
from netplay.players.words.leaves import Keep, Table, best_of, best_play, table
from netplay.players.words.plays import Finder
from netplay.players.words.position import Board, Rack
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from netplay.players.words.wordmap import WordMap
from rules import GAMES, editions, lexicon, networdz
from rules.game import CHANCE
from tools.bench.measuring import TURNS, Row, amount, row, spin

POSITIONS: Final = 60
"""From the middle of matches."""

Picked: TypeAlias = tuple[int, bytes, tuple[int, ...]]
"""A play's score, word and places of blanks."""


def rows() -> Iterator[Row]:
    """Measure."""
    positions = _positions()
    ground = networdz.ground(networdz.Options(edition=editions.shipped()["standard"]))
    words = WordMap(lexicon.load("english"), 15)
    worth = table(lexicon.load("english"), words)
    million = spin() * 1_000_000 / TURNS
    for blanks in range(3):
        every: list[float] = []
        best: list[float] = []
        picked: list[Picked | None] = []
        for board, kinds in positions:
            rack = _with_blanks(ground, kinds, blanks)
            began = process_time()
            plays = Finder(board, rack, words).plays()
            middle = process_time()
            keep = Keep(rack, worth.worth, words)
            finder = Finder(board, rack, words)
            found = best_of(finder, keep)[0]
            ended = process_time()
            most = max((p.score + keep.worth(p) for p in plays), default=None)
            if most != (found and found.score + keep.worth(found)):
                raise AssertionError("the best play is not the best of all")
            told = (found.score, found.word, found.blanks) if found else None
            picked.append(told)
            every.append((middle - began) * 1000)
            best.append((ended - middle) * 1000)
        name = ("plain", "one blank", "two blanks")[blanks]
        versus = "a million turns of an empty loop"
        yield row(f"plays: all, {name}", mean(every), "ms", versus, million)
        yield row(f"plays: best, {name}", mean(best), "ms", versus, million)
        python = mean(every), mean(best)
        yield from _compiled(positions, words, worth, blanks, python, picked)


def _compiled(
    positions: list[tuple[Board, tuple[int, ...]]],
    words: WordMap,
    worth: Table,
    blanks: int,
    python: tuple[float, float],
    picked: list[Picked | None],
) -> Iterator[Row]:
    """Yield how long the kernel takes for the same, beside what Python took.

    Args:
        positions: As for the search in Python.
        words: Likewise.
        worth: What tiles kept are worth.
        blanks: On each rack.
        python: Milliseconds that Python took for all plays, and for the best one.
        picked: The best play of each, as Python found it.
    """
    ground = networdz.ground(networdz.Options(edition=editions.shipped()["standard"]))
    name = ("plain", "one blank", "two blanks")[blanks]
    made = kernel(words, positions[0][0], ())
    if made is None:
        return  # netplay-kernel is not installed: what was not measured has no row
    racks = [(board, _with_blanks(ground, kinds, blanks)) for board, kinds in positions]
    for what, find, versus in zip(
        ("all", "best"), (made.plays, made.best), python, strict=True
    ):
        began = process_time()
        told = [find(board, rack, worth) for board, rack in racks]
        took = (process_time() - began) * 1000 / len(racks)
        same = [
            each and (each.score, each.word, each.blanks)
            for each in told
            if each is None or isinstance(each, Found)
        ]
        if what == "best" and same != picked:
            raise AssertionError("the kernel picks another play")
        yield row(f"plays: {what}, {name}, compiled", took, "ms", "in Python", versus)


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


def _positions() -> list[tuple[Board, tuple[int, ...]]]:
    """Return boards from the middle of matches, each with the rack's kinds."""
    edition = editions.shipped()["standard"]
    options = networdz.Options(edition=edition)
    found: list[tuple[Board, tuple[int, ...]]] = []
    seed = 0
    wanted = amount(POSITIONS, 2)
    while len(found) < wanted:
        found += _of_match(options, seed)
        seed += 1
    return found[:wanted]


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
