"""What a play is worth beyond its points: the tiles kept, the traps left to others."""

from collections.abc import Sequence
from typing import Final

from netplay.players.lhexicon.ground import Ground, Walls
from netplay.players.lhexicon.seeking import Found
from netplay.players.lhexicon.tiling import Rack
from rules import tiles
from rules.game import Seat
from rules.lhexicon import EMPTY, LETTERS, State

KEPT: Final = {
    letter: worth
    for letters, worth in (
        ("?", 3.5),
        ("PRX", 1.0),
        ("CEMST", 0.6),
        ("ADHIKLNOZ", 0.2),
        ("FGY", 0.0),
        ("BJUVW", -0.5),
        ("Q", -2.0),
    )
    for letter in letters
}
"""What keeping a tile for the next turn is worth, in points.

Smoothed from how much better the best play of a rack was with the tile than with
another, in some hundred turns of computers among themselves; so are the next two.
"""

TWIN: Final = 0.5
"""What a second, third ... tile of one letter takes off."""

LEAN: Final = 1.2
"""What each vowel or consonant too many takes off."""

VOWELS: Final = frozenset("AEIOU")
_SPELT: Final = (*LETTERS, "?")

OPENED: Final = 0.04
"""How much of the best trap that one tile could earn goes to the next player."""

INSIDE: Final = 0.11
"""Likewise of each cell of the largest trap, which may be split."""

LAST: Final = 12.0
"""What ending the match is worth against another turn of everybody's."""


def worth(view: State, seat: Seat, ground: Ground, play: Found) -> float:
    """Return the points of a play and what it leaves behind, in points."""
    value = play.score - danger(ground.walls, ground.walls.of(_laid(play)))
    if tiles.bag_size(view.tiles):
        return value + leave(play.rest)
    return value if play.rest else value + _ending(view, seat, play.score)


def leave(rest: Rack) -> float:
    """Return what the tiles kept are worth for the turns to come."""
    kept = [_SPELT[kind] for kind in rest]
    twins = len(kept) - len(set(kept))
    vowels = sum(letter in VOWELS for letter in kept)
    others = sum(letter not in VOWELS and letter != "?" for letter in kept)
    lean = max(0, abs(others - vowels) - 1)
    return sum(KEPT[letter] for letter in kept) - TWIN * twins - LEAN * lean


def danger(walls: Walls, laid: int) -> float:
    """Return what traps the next player may be expected to close or split."""
    opened = walls.openings(laid)[:1]
    inside = walls.trapped(laid)[:1]
    return OPENED * sum(opened) + INSIDE * sum(inside)


def unwanted(rack: Sequence[int], most: int) -> tuple[int, ...]:
    """Return which places of a rack to discard: the worst, one at least."""
    order = sorted(range(len(rack)), key=lambda place: KEPT[_SPELT[rack[place]]])
    bad = [place for place in order if KEPT[_SPELT[rack[place]]] < 0] or order[:1]
    return tuple(sorted(bad[:most]))


def _laid(play: Found) -> int:
    """Return the set of the cells a play fills."""
    return sum(
        1 << cell
        for cell, (_, kind) in zip(play.path, play.marks, strict=True)
        if kind != EMPTY
    )


def _ending(view: State, seat: Seat, score: int) -> float:
    """Return what going out is worth: much if it wins, as much less if it loses."""
    others = [points for other, points in enumerate(view.scores) if other != seat]
    ahead = view.scores[seat] + score >= max(others, default=0)
    return LAST if ahead else -LAST
