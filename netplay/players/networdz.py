"""A computer player of Networdz."""

from collections.abc import Callable, Mapping
from typing import Final

from netplay.players import Rng
from netplay.players.words.best import best_play
from netplay.players.words.plays import Finder, Play, all_plays
from netplay.players.words.squares import board_of, lay_of, rack_of, words_of
from rules import networdz, tiles
from rules.game import Seat
from rules.networdz import Move, Pass, State

TOP = 100
"""The highest skill: the best play and no other."""


def choose(view: State, seat: Seat, skill: int, rng: Rng) -> Move:
    """Return a legal move for a seat whose turn it is.

    The lower the skill, the lower in the list of plays the choice falls.

    Args:
        view: The match as the seat knows it.
        seat: Whose turn it is.
        skill: 0-100.
        rng: Where the choice among plays comes from.
    """
    finder = Finder(board_of(view), rack_of(view, seat), words_of(view))
    play = best_play(finder) if skill >= TOP else _pick(finder, skill, rng)
    if play is None:
        return exchange(view, seat)
    return lay_of(view, seat, finder, play)


def best(view: State, seat: Seat, rng: Rng) -> Move:
    """Return the play that scores most, without another thought."""
    finder = Finder(board_of(view), rack_of(view, seat), words_of(view))
    play = best_play(finder)
    return lay_of(view, seat, finder, play) if play else exchange(view, seat)


NAMED: Final[Mapping[str, Callable[[State, Seat, Rng], Move]]] = {"best": best}
"""Players that are not a skill, for `netplay arena`."""


def _pick(finder: Finder, skill: int, rng: Rng) -> Play | None:
    """Return a play whose rank depends on the skill."""
    plays = sorted(all_plays(finder), key=lambda play: -play.score)
    if not plays:
        return None
    share = (1 - skill / TOP) ** 2 * rng.random()
    return plays[int(share * len(plays))]


def exchange(view: State, seat: Seat) -> Pass:
    """Return a pass that discards the whole rack, or what the rules let go of."""
    rack = view.tiles.racks[seat]
    left = tiles.bag_size(view.tiles)
    if view.options.tournament and left < networdz.ground(view.options).edition.rack:
        return Pass()
    return Pass(rack[:left])
