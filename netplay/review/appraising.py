"""Judge a turn: what it scored and why, and what would have scored most.

The best play is the one with the most points at once.  What the tiles kept are worth
is a matter of style, and is not judged.  Of a rack with more blanks than can be thought
of, a better play may be missed.
"""

import heapq
from collections.abc import Sequence
from typing import Final

from netplay.formats.placing import At, written
from netplay.messages.review import Appraisal, Offer
from netplay.players.words.blank_limit import finder_in_time
from netplay.players.words.plays import Finder, Play
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from netplay.review.turns import Turn
from rules import networdz
from rules.networdz import Ground, Placed, State
from rules.networdz.judging import around
from rules.networdz.laying import placed
from rules.networdz.notation import square_name

OFFERS: Final = 5
"""Plays listed beside the one made."""


def appraise(turn: Turn, offers: int = OFFERS) -> Appraisal:
    """Return a turn beside the best plays there were.

    Args:
        turn: What was held and done.
        offers: How many plays to name.
    """
    state, seat = turn.before, turn.seat
    finder = finder_in_time(board_of(state), rack_of(state, seat), words_of(state))
    best = heapq.nlargest(offers, finder.plays(), key=lambda play: play.score)
    return Appraisal(
        number=turn.number,
        seat=seat,
        rack=tuple(max(kind, -1) for kind in state.tiles.kinds[seat]),
        played=offer(state, turn.laid),
        best=tuple(offer(state, _placed(state, seat, finder, play)) for play in best),
    )


def _placed(state: State, seat: int, finder: Finder, play: Play) -> tuple[Placed, ...]:
    ground = networdz.ground(state.options)
    return tuple(placed(ground, state, lay_of(state, seat, finder, play)))


def offer(state: State, laid: Sequence[Placed]) -> Offer:
    """Return a play with its score explained; of no tiles, a turn without a play."""
    ground = networdz.ground(state.options)
    verdict = networdz.judge_placed(ground, state.letters, state.kinds, laid)
    tiles = tuple((tile.cell, tile.letter, tile.kind) for tile in laid)
    if len(verdict.cells) < 2:
        return Offer("", 0, (), tiles)
    down = verdict.cells[1] - verdict.cells[0] == ground.width
    where = square_name(ground, verdict.cells[0], down=down)
    word = written(ground, At(where, verdict.cells, tuple(laid)))
    sums = _sums(ground, state, laid, verdict.cells)
    return Offer(f"{where} {word}", verdict.points, sums, tiles)


def _sums(
    ground: Ground, state: State, laid: Sequence[Placed], main: Sequence[int]
) -> tuple[str, ...]:
    """Return how the points of a play come about, a line for each word."""
    words = _runs(ground, state, laid, main)
    lines = [_sum(ground, state, laid, run) for run in words]
    if len(laid) == ground.edition.rack:
        lines.append(f"++ = {ground.edition.bingo}")
    return tuple(lines)


def _runs(
    ground: Ground, state: State, laid: Sequence[Placed], main: Sequence[int]
) -> list[Sequence[int]]:
    """Return the squares of every word of a play, the main word first."""
    across = ground.row if main[1] - main[0] == ground.width else ground.column
    after = bytearray(state.letters)
    for tile in laid:
        after[tile.cell] = tile.letter + 1
    runs = [around(after, across(tile.cell), tile.cell) for tile in laid]
    return [main, *(run for run in runs if len(run) > 1)]


def _sum(
    ground: Ground, state: State, laid: Sequence[Placed], run: Sequence[int]
) -> str:
    new = {tile.cell: tile for tile in laid}
    word, parts, total, times = "", list[str](), 0, list[int]()
    for cell in run:
        tile = new.get(cell)
        letter = state.letters[cell] - 1 if tile is None else tile.letter
        kind = state.kinds[cell] - 1 if tile is None else tile.kind
        points, factor = ground.points[kind], 1
        if tile is not None:
            factor = ground.letter_factor[cell]
            times += [ground.word_factor[cell]] * (ground.word_factor[cell] > 1)
        word += ground.alphabet[letter]
        total += points * factor
        parts.append(f"{points}×{factor}" if factor > 1 else str(points))
    added = " + ".join(parts)
    for factor in times:
        total *= factor
    if times:
        added = f"({added}) × {' × '.join(map(str, times))}"
    return f"{word}: {added} = {total}"
