"""What plays of Networdz are worth: points, and the tiles kept; the end is read out."""

import heapq
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final

from netplay.players import Rng
from netplay.players.evaluating import Candidate, Evaluation, Work, logistic
from netplay.players.networdz import ending, extras
from netplay.players.networdz.seen import Seen
from netplay.players.words.plays import BLANK, Play
from netplay.players.words.squares import lay_of
from rules import networdz, tiles
from rules.game import Seat
from rules.networdz import Lay, Move, Pass, State
from rules.networdz.judging import judge_placed
from rules.networdz.laying import placed

WORK: Final = 6_000
"""Looks of a reading of the end: a second."""

NAMED: Final = 100
"""Candidates that are told of."""

SPREAD: Final = 5.8
"""Lead with which 73 % of games are won, for each root of a tile still to come.

Fitted, as is the next one, to 60 games of the strongest static player: what follows
differs from game to game by 10.5 points for each such root."""

REPLY: Final = 20.0
"""Points by which who moves next is better off while there are tiles to draw."""

ENDED: Final = 4.0
"""Likewise for a lead once the end has been read out, which may err by some points."""

VAGUE: Final = 2.5
"""Points by which the worth of kept tiles may err, the difference of two plays."""

VAGUE_END: Final = 1.0
"""Likewise for the end read out."""


def evaluate(
    view: State, seat: Seat, budget: int, rng: Rng, also: Sequence[Move] = ()
) -> Evaluation:
    """Return the moves that are worth most, and others; see `evaluating`.

    Args:
        view: The match as the seat knows it.
        seat: Whose turn it is.
        budget: Looks at the board that reading the end may take.
        rng: Not asked: nothing here is left to chance.
        also: Lay or Pass; tiles that the view does not know count nothing.
    """
    seen, work = Seen(view, seat), Work(budget)
    plays = seen.finder.plays()
    work.done += len(plays)

    def worth(play: Play) -> float:
        return play.score + seen.keep.worth(play)

    values: dict[Move, float] = {
        lay_of(view, seat, seen.finder, play): worth(play)
        for play in heapq.nlargest(NAMED, plays, key=worth)
    }
    gone, kept = extras.discards(seen)
    if gone:
        values[extras.passing(seen, gone)] = kept
    if not plays:
        values.setdefault(Pass(), _kept(seen, ()))
    asked = {move for move in also if move not in values}
    values.update({move: _worth(seen, move) for move in asked})
    readable = seen.last_two and _read(seen)
    if readable:
        _end(seen, plays, values, also, Work(budget), work)
    told = _told(seen, values, work.done, readable=readable)
    return told._replace(
        candidates=tuple(
            each._replace(asked=each.move in asked) for each in told.candidates
        )
    )


def _told(
    seen: Seen, values: dict[Move, float], done: int, *, readable: bool
) -> Evaluation:
    """Return what is known of moves, with the chance to win after each."""
    scores, seat = seen.view.scores, seen.seat
    others = [points for other, points in enumerate(scores) if other != seat]
    lead = scores[seat] - max(others, default=0)
    left = seen.pool + sum(map(len, seen.view.tiles.racks))
    scale = ENDED if readable else max(ENDED, SPREAD * sqrt(left))
    ahead = lead - (0.0 if readable else REPLY)
    vague = (VAGUE_END if readable else VAGUE) / (4 * scale)
    found = [
        Candidate(move, value, logistic(ahead + value, scale), vague)
        for move, value in values.items()
    ]
    found.sort(key=lambda each: -each.value)
    return Evaluation(tuple(found), done)


def _worth(seen: Seen, move: Move) -> float:
    """Return what a move scores and what it keeps."""
    if isinstance(move, Lay):
        view, ground = seen.view, seen.ground
        laid = placed(ground, view, move)
        score = judge_placed(ground, view.letters, view.kinds, laid).points
        return score + _kept(seen, [each.tile for each in move.laid])
    return _kept(seen, move.discards if isinstance(move, Pass) else ())


def _kept(seen: Seen, gone: Iterable[int]) -> float:
    """Return what the rack is worth without some tiles, by number."""
    ground, left = seen.ground, set(gone)
    kinds = [
        kind
        for tile, kind in tiles.on_rack(seen.view.tiles, seen.seat).items()
        if kind >= 0 and tile not in left
    ]
    kept = [kind if kind == ground.blank else ground.counted(kind) for kind in kinds]
    if seen.pool:
        return seen.table.worth(sorted(kept))
    return -float(sum(ground.points[kind] for kind in kinds))


def _read(seen: Seen) -> bool:
    """Tell whether both racks are known, so that the end can be read out."""
    racks, other = seen.view.tiles.racks, seen.other
    known = all(kind >= 0 for kind in seen.view.tiles.kinds[seen.seat])
    return known and len(other.tiles) + other.blanks == len(racks[1 - seen.seat])


def _end(
    seen: Seen,
    plays: Sequence[Play],
    values: dict[Move, float],
    also: Sequence[Move],
    budget: Work,
    work: Work,
) -> None:
    """Put what the end will come to in place of what is seen at once."""
    made = {_laid(seen, move) for move in also if isinstance(move, Lay)}
    asked: list[Play | None] = [
        play for play in plays if tuple(seen.finder.tiles(play)) in made
    ]
    if any(isinstance(move, Pass) for move in also):
        asked.append(None)
    read = ending.judged(seen, budget.spent, asked)
    work.done += budget.done
    if not read:
        return
    known = {
        () if play is None else tuple(seen.finder.tiles(play)): value
        for play, value in read
    }
    # What could not be read stays as far behind the best as it seems at once.
    behind = max(values.values()) - read[0][1]
    least = min(value for _play, value in read)
    for move, value in values.items():
        found = known.get(_laid(seen, move) if isinstance(move, Lay) else ())
        if found is not None:
            values[move] = found
        else:
            values[move] = min(
                value - behind, least if move not in also else value - behind
            )
    best = read[0][0]
    if best is not None:
        values[lay_of(seen.view, seen.seat, seen.finder, best)] = read[0][1]


def _laid(seen: Seen, move: Lay) -> tuple[tuple[int, int, int], ...]:
    """Return (square, letter, points or BLANK) of each tile, as `Finder.tiles` does."""
    ground = seen.ground
    return tuple(
        (
            each.cell,
            ground.counted(each.letter),
            BLANK if each.kind == ground.blank else ground.points[each.kind],
        )
        for each in placed(networdz.ground(seen.view.options), seen.view, move)
    )
