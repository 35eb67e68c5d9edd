"""A play that was found, and the ways its ends may wind."""

from collections.abc import Sequence
from typing import NamedTuple

from netplay.players.lhexicon.board import Ground
from netplay.players.lhexicon.tiling import Mark, Rack
from rules.lhexicon import EMPTY
from rules.lhexicon import cells as sets


class Found(NamedTuple):
    """A play: what it scores, and how it is laid."""

    score: int
    serial: int
    """Tells equal scores apart: found earlier, greater."""

    path: tuple[int, ...]
    marks: tuple[Mark, ...]
    rest: Rack
    """What is left on the rack."""

    up: int
    """How many letters run up to it."""

    out: int
    """How many letters run out of it."""


def rewound(ground: Ground, play: Found) -> Found:
    """Return a play with the run up, or the run out, that scores most.

    A word may shut a trap by winding round to itself.
    """
    best = play
    end = len(play.path) - play.out
    core = play.path[play.up : end]
    if play.up:
        kept = play.path[play.up :]
        for way in ground.curls(core[0], play.up, sets.mask(kept)):
            best = max(best, _along(ground, play, (*way, *kept)))
    if play.out:
        kept = play.path[:end]
        for way in ground.curls(core[-1], play.out, sets.mask(kept)):
            best = max(best, _along(ground, play, (*kept, *reversed(way))))
    return best


def _along(ground: Ground, play: Found, path: tuple[int, ...]) -> Found:
    """Return a play on another path with the same letters at the same old ones."""
    new = ground.walls.gain(_filled(ground, path, play.marks))
    old = ground.walls.gain(_filled(ground, play.path, play.marks))
    return play._replace(score=play.score + new - old, path=path)


def _filled(ground: Ground, path: Sequence[int], marks: Sequence[Mark]) -> int:
    """Return the cells that a play fills, as `Walls` has them."""
    bits = ground.walls.bits
    return sum(
        bits[cell] for cell, (_, kind) in zip(path, marks, strict=True) if kind != EMPTY
    )
