"""Judge a turn of Networdz: what it scored and why, and what would have been best.

The best play is the one worth most with the tiles it keeps, as the strongest player
sees it (`netplay.players.networdz.evaluation`).  Of a rack with more blanks than can be
thought of, a better play may be missed.
"""

import random  # noqa: TID251 (the rng of a judge; nobody's secret)
from collections.abc import Sequence
from typing import Final

from netplay.formats import GAME
from netplay.formats.placing import At, spell, written
from netplay.messages.table_questions import Appraisal, Offer
from netplay.players import player
from netplay.players.evaluating import TELLING, Evaluation, evaluate
from netplay.players.networdz.evaluation import leaving
from netplay.players.words.leaves import best_play
from netplay.players.words.squares import board_of, finder_in_time, rack_of, words_of
from netplay.review.grading import Turn, graded, priced
from netplay.said import Said
from netplay.sentences import Says
from rules import networdz, tiles
from rules.networdz import Ground, Lay, Move, Pass, Placed, State
from rules.networdz.judging import around, placed, square_name
from rules.networdz.values import Laid

OFFERS: Final = 5
"""Plays listed beside the one made."""


def appraise(turn: Turn, offers: int = OFFERS, *, at_sight: bool = False) -> Appraisal:
    """Return a turn beside the best plays there were.

    Args:
        turn: What was held and done.
        offers: How many plays to name.
        at_sight: Look at it only, which takes a moment.
    """
    state, seat = turn.before, turn.seat
    view = networdz.view(state, seat)
    made = _move(turn)
    rng = random.Random(turn.number)  # noqa: S311 (no secret)
    budget = player(GAME).ABILITIES.glance if at_sight else 0
    found = evaluate(GAME, view, seat, rng, budget, also=(made,))
    finder = finder_in_time(board_of(state), rack_of(state, seat), words_of(state))
    most = best_play(finder)
    plays = (each for each in found.candidates if not each.asked)
    best = [each for each in plays if isinstance(each.move, Lay)][:offers]
    judged = Appraisal(
        number=turn.number,
        seat=seat,
        rack=tuple(max(kind, -1) for kind in state.tiles.kinds[seat]),
        played=_offered(state, seat, made) if turn.gone else offer(state, turn.laid),
        best=tuple(priced(offer(state, _laid(state, c.move)), c) for c in best),
        most=most.score if most else 0,
        back=_spelled(offer(state, turn.back)),
        at_sight=at_sight,
        lapsed=turn.lapsed,
    )
    if any(kind < 0 for kind in turn.gone):
        return judged  # nobody knows what was exchanged
    return graded(judged, found, made, reason(state, seat, found, made))


def _offered(state: State, seat: int, move: Move) -> Offer:
    """Return a move as an offer; an exchange as other programs write it, `-QV`."""
    if not isinstance(move, Pass) or not move.discards:
        return offer(state, _laid(state, move))
    ground = networdz.ground(state.options)
    rack = tiles.on_rack(state.tiles, seat)
    gone = sorted(rack[tile] for tile in move.discards if rack[tile] >= 0)
    return Offer(f"-{spell(gone, ground)}", 0, (), ())


def _laid(state: State, move: Move) -> Sequence[Placed]:
    """Return the tiles of a move on their squares; none of an exchange."""
    if not isinstance(move, Lay):
        return ()
    return placed(networdz.ground(state.options), state, move)


def _move(turn: Turn) -> Move:
    """Return what was done as a move, with the first tiles that fit."""
    rack = tiles.on_rack(turn.before.tiles, turn.seat)

    def take(kind: int) -> int:
        tile = next((tile for tile, own in rack.items() if own == kind), -1)
        rack.pop(tile, None)
        return tile

    if not turn.laid:
        gone = sorted(take(kind) for kind in turn.gone)
        return Pass(tuple(tile for tile in gone if tile >= 0))
    ordered = sorted(turn.laid, key=lambda each: each.cell)
    laid = [Laid(each.cell, take(each.kind), each.letter) for each in ordered]
    shown = [
        tiles.Shown(own.tile, each.kind)
        for own, each in zip(laid, ordered, strict=True)
    ]
    return Lay(tuple(laid), tuple(shown))


def reason(state: State, seat: int, found: Evaluation, made: Move) -> Said | None:
    """Return what the best move had that the one made had not, if that is sure."""
    mine = found.of(made)
    if mine is None or found.candidates[0].value <= mine.value:
        return None
    best = found.candidates[0]
    if isinstance(best.move, Pass):
        letters = _offered(state, seat, best.move).text.removeprefix("-")
        return Says.WHY_EXCHANGE(letters=letters) if letters else None
    better = offer(state, _laid(state, best.move))
    if not isinstance(made, Lay):
        return Says.WHY_NO_PLAY(play=_spelled(better))
    lost = best.value - mine.value
    return _why_not(state, seat, better, best.move, made, lost)


def _why_not(
    state: State, seat: int, better: Offer, best: Move, made: Lay, lost: float
) -> Said:
    """Return what one play has that another has not, which is worth less."""
    ground, play = networdz.ground(state.options), _spelled(better)
    own, good = len(made.laid), len(better.laid)
    less = better.points - offer(state, _laid(state, made)).points
    last = not tiles.bag_size(state.tiles)
    if good == ground.edition.rack > own:
        return Says.WHY_BINGO(play=play)
    if last and good == len(state.tiles.racks[seat]) > own:
        return Says.WHY_GOING_OUT(play=play)
    if less >= TELLING * lost:
        return Says.WHY_POINTS(count=less, play=play)
    if last:
        return Says.WHY_ENDING(play=play)
    view = networdz.view(state, seat)
    left = leaving(view, seat, best) - leaving(view, seat, made)
    if left < TELLING * lost:  # neither points nor tiles: it shows in turns to come
        return Says.WHY_AHEAD(play=play)
    return _why_left(state, seat, best, made)


def _why_left(state: State, seat: int, best: Move, made: Lay) -> Said:
    """Return which tiles it was worse to keep, or to spend."""
    ground = networdz.ground(state.options)
    spent = {tile.kind for tile in _laid(state, made)}
    if ground.blank in spent - {tile.kind for tile in _laid(state, best)}:
        return Says.WHY_BLANK()
    kept = _kept(state, seat, made)
    for kind in _kept(state, seat, best):
        if kind in kept:
            kept.remove(kind)
    if not kept:
        return Says.WHY_LEAVE()
    letters = " ".join(ground.edition.kinds[kind].letters for kind in sorted(kept))
    said = Says.WHY_KEPT_ONE if len(kept) == 1 else Says.WHY_KEPT
    return said(letters=letters)


def _kept(state: State, seat: int, move: Move) -> list[int]:
    """Return the kinds of the tiles that a move leaves on the rack."""
    kinds = [kind for kind in state.tiles.kinds[seat] if kind >= 0]
    for tile in _laid(state, move):
        if tile.kind in kinds:
            kinds.remove(tile.kind)
    return kinds


def _spelled(found: Offer) -> str:
    """Return where a play lies, and its word."""
    word = found.sums[0].partition(":")[0] if found.sums else ""
    return f"{found.text.partition(' ')[0]} {word}".strip()


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
    # How the points of a play come about, a line for each word
    across = ground.row if down else ground.column
    after = bytearray(state.letters)
    for tile in laid:
        after[tile.cell] = tile.letter + 1
    runs = [around(after, across(tile.cell), tile.cell) for tile in laid]
    words = [verdict.cells, *(run for run in runs if len(run) > 1)]
    lines = [_sum(ground, state, laid, run) for run in words]
    if len(laid) == ground.edition.rack:
        lines.append(f"++ = {ground.edition.bingo}")
    sums = tuple(lines)
    return Offer(f"{where} {word}", verdict.points, sums, tiles)


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
