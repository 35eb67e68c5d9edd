"""A game of tiles for one, the same for everybody on a day.

The tiles come in an order that the day alone decides, so that whoever plays it can
compare.  Who exchanges tiles gets another order from there on, again the day's.
"""

from functools import cache
from hashlib import sha256
from typing import Any

from netplay.puzzles import Entry, Past, Stand, played
from rules import GAMES
from rules.game import CHANCE


def begun(game: str, day: int) -> Stand:
    """Return the first turn of a day.

    Args:
        game: One that has numbered tiles and can be played by one.
        day: Counted as `date.toordinal` does.
    """
    rules = GAMES[game]
    return dealt(game, day, Stand(rules.start(1, rules.ABOUT.options()), ()))


def dealt(game: str, day: int, stand: Stand) -> Stand:
    """Return where one is after the tiles that are due have been drawn."""
    rules, (state, past, at) = GAMES[game], stand
    made = list(past)
    while CHANCE in rules.actors(state):
        outcome = _drawn(game, day, state)
        made.append(Past(state, CHANCE, outcome))
        state = rules.play(state, CHANCE, outcome)
    return Stand(state, tuple(made), at)


def resumed(game: str, day: int, moves: tuple[Entry, ...]) -> Stand:
    """Return where one was, by the moves made that day.

    Raises:
        IllegalMoveError: These are no moves of that day.
        PeerError: Likewise.
    """
    stand = begun(game, day)
    for each in moves:
        stand = dealt(game, day, played(game, stand, (each,)))
    return stand


def _drawn(game: str, day: int, state: Any) -> Any:  # noqa: ANN401 (its state and move)
    """Return the tile that comes next.

    Each copy of a kind has a number, by chance but for the day; the lowest of those
    that are left comes first, as if all lay in a row.
    """
    outcomes = list(GAMES[game].moves(state, CHANCE))
    tiled = GAMES[game].ABOUT.tiled
    assert tiled is not None  # only such games are played so
    deal = tiled.tiles(state).deal
    left: dict[int, int] = {}
    for each in outcomes:
        left[each.kind] = left.get(each.kind, 0) + 1
    numbers = _numbers(game, day, deal)
    kind = min(left, key=lambda kind: numbers[kind][-left[kind]])
    return next(each for each in outcomes if each.kind == kind)


@cache
def _numbers(game: str, day: int, deal: int) -> tuple[tuple[bytes, ...], ...]:
    """Return the numbers of all copies of each kind, ascending."""
    rules, tiled = GAMES[game], GAMES[game].ABOUT.tiled
    assert tiled is not None  # as above
    counts = tiled.tiles(rules.start(1, rules.ABOUT.options())).counts
    return tuple(
        tuple(sorted(_number(day, deal, kind, copy) for copy in range(count)))
        for kind, count in enumerate(counts)
    )


def _number(day: int, deal: int, kind: int, copy: int) -> bytes:
    return sha256(f"netplay {day} {deal} {kind} {copy}".encode()).digest()
