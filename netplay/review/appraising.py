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
from netplay.players.words.plays import BLANK, Finder, Play, all_plays
from netplay.players.words.squares import board_of, rack_of, words_of
from netplay.review.turns import Turn
from rules import networdz
from rules.networdz import Ground, Placed, State
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
    best = heapq.nlargest(offers, all_plays(finder), key=lambda play: play.score)
    return Appraisal(
        number=turn.number,
        seat=seat,
        rack=tuple(max(kind, -1) for kind in state.tiles.kinds[seat]),
        played=offer(state, turn.laid),
        best=tuple(offer(state, _placed(state, seat, finder, play)) for play in best),
    )


def _placed(state: State, seat: int, finder: Finder, play: Play) -> tuple[Placed, ...]:
    ground = networdz.ground(state.options)
    held = list(state.tiles.kinds[seat])
    found: list[Placed] = []
    for cell, letter, points in finder.tiles(play):
        kind = next(k for k in held if _serves(ground, k, letter, points))
        held.remove(kind)
        found.append(Placed(cell, kind, letter if kind == ground.blank else kind))
    return tuple(sorted(found, key=lambda tile: tile.cell))


def _serves(ground: Ground, kind: int, letter: int, points: int) -> bool:
    """Tell whether a tile can be what a play wants on a square."""
    if kind < 0 or kind == ground.blank:
        return kind == ground.blank and points == BLANK
    return ground.counted(kind) == letter and ground.points[kind] == points


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
    return Offer(f"{where} {word}", verdict.points, sums(state, laid), tiles)


def sums(state: State, laid: Sequence[Placed]) -> tuple[str, ...]:
    """Return how the points of a play come about, a line for each word."""
    ground = networdz.ground(state.options)
    verdict = networdz.judge_placed(ground, state.letters, state.kinds, laid)
    words = _runs(ground, state, laid, verdict.cells)
    lines = [_sum(ground, state, laid, run) for run in words]
    if len(laid) == ground.edition.rack:
        lines.append(f"++ = {ground.edition.bingo}")
    return tuple(lines)


def _runs(
    ground: Ground, state: State, laid: Sequence[Placed], main: Sequence[int]
) -> list[tuple[int, ...]]:
    """Return the squares of every word of a play, the main word first."""
    down = main[1] - main[0] == ground.width
    full = {cell for cell, letter in enumerate(state.letters) if letter}
    full.update(tile.cell for tile in laid)
    runs = [tuple(main)]
    for tile in laid:
        line = ground.row(tile.cell) if down else ground.column(tile.cell)
        run = _run(line, tile.cell, full)
        if len(run) > 1:
            runs.append(run)
    return runs


def _run(line: range, cell: int, full: set[int]) -> tuple[int, ...]:
    """Return the squares around one, along a line, on which tiles lie."""
    low = high = line.index(cell)
    while low and line[low - 1] in full:
        low -= 1
    while high + 1 < len(line) and line[high + 1] in full:
        high += 1
    return tuple(line[low : high + 1])


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
