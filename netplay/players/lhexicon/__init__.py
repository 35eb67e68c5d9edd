"""A computer player of Lhexicon.

It looks for all plays it has time for (`seeking`), weighs the best of them for the
tiles they leave and the traps they open (`weighing`), and takes the best, or with less
skill one further down; then it also knows fewer words (`vocabulary`) and misses traps.
"""

from collections.abc import Callable, Mapping
from time import perf_counter  # noqa: TID251 (it thinks for so long and no longer)
from typing import Final

from netplay.players import Rng
from netplay.players.lhexicon.ground import Ground
from netplay.players.lhexicon.seeking import Found, Seeker
from netplay.players.lhexicon.weighing import unwanted, worth
from netplay.players.words.vocabulary import vocabulary
from rules import lexicon, lhexicon, tiles
from rules.game import Seat
from rules.lhexicon import (
    EMPTY,
    Accept,
    Challenge,
    Discard,
    Lay,
    Move,
    Pass,
    Placed,
    State,
)
from rules.lhexicon.spellings import known

BUDGET: Final = 1.5
"""Seconds for a move."""

SEEKING: Final = 0.7
"""The share of the time after which no more plays are looked for."""

WINDING: Final = 0.8
"""The share after which they are not tried on other ways; the rest is weighing."""

TOP: Final = 100
"""The highest skill: the best play and no other."""


def choose(
    view: State,
    seat: Seat,
    skill: int,
    rng: Rng,
    *,
    budget: float = BUDGET,
    clock: Callable[[], float] = perf_counter,
) -> Move:
    """Return a legal move for a seat that is among the actors of the view.

    Args:
        view: The match as the seat knows it.
        seat: Whose move it is.
        skill: 0-100.
        rng: Where the choice among plays comes from.
        budget: Seconds it may take; with less time it finds less.
        clock: Tells seconds.
    """
    if view.announced:
        return _answer(view, skill, rng)
    late = _clock(budget, clock)
    ground = Ground(view)
    plays = _seek(view, seat, ground, skill, late)
    play = _pick(view, seat, ground, plays, skill, rng, late)
    return _lay(view, seat, play) if play else _without_a_word(view, seat)


def best(view: State, seat: Seat, rng: Rng) -> Move:
    """Return the play that scores most, whatever it leaves: a rival to measure by."""
    if view.announced:
        return _answer(view, TOP, rng)
    plays = _seek(view, seat, Ground(view), TOP, _clock(BUDGET, perf_counter))
    return _lay(view, seat, plays[0]) if plays else _without_a_word(view, seat)


NAMED: Final[Mapping[str, Callable[[State, Seat, Rng], Move]]] = {"best": best}
"""Players without a skill, for `netplay arena`."""


def _clock(budget: float, clock: Callable[[], float]) -> Callable[[float], bool]:
    """Return what says whether a share of the time has gone by since now."""
    begun = clock()
    return lambda share: clock() - begun > share * budget


def _seek(
    view: State,
    seat: Seat,
    ground: Ground,
    skill: int,
    late: Callable[[float], bool],
) -> list[Found]:
    """Return the plays that score most of those the player sees in time."""
    words = known(view.options.lexicon)
    knows = vocabulary(view.options.lexicon, skill)
    seeker = Seeker(ground, words, lambda: late(SEEKING), knows)
    seeker.seek(tuple(sorted(view.tiles.kinds[seat])))
    return seeker.best(lambda: late(WINDING))


def _answer(view: State, skill: int, rng: Rng) -> Move:
    """Challenge a word that is none, as often as the skill notices it."""
    assert view.announced is not None  # asked for only then
    right = lexicon.find(view.options.lexicon).has(view.announced.word)
    return Accept() if right or rng.random() * TOP >= skill else Challenge()


def _pick(
    view: State,
    seat: Seat,
    ground: Ground,
    plays: list[Found],
    skill: int,
    rng: Rng,
    late: Callable[[float], bool],
) -> Found | None:
    """Return the best play, or with less skill one further down."""
    if not plays:
        return None
    if skill < TOP:
        share = (1 - skill / TOP) ** 2 * rng.random()
        return plays[int(share * len(plays))]
    best, most = plays[0], worth(view, seat, ground, plays[0])
    for play in plays[1:]:
        if late(1.0):
            break
        value = worth(view, seat, ground, play)
        if value > most:
            best, most = play, value
    return best


def _lay(view: State, seat: Seat, play: Found) -> Lay:
    """Return the move that makes a play."""
    rack = list(zip(view.tiles.kinds[seat], view.tiles.racks[seat], strict=True))
    laid: list[Placed] = []
    for cell, (letter, kind) in zip(play.path, play.marks, strict=True):
        if kind != EMPTY:
            held = next(each for each in rack if each[0] == kind)
            rack.remove(held)
            laid.append(Placed(held[1], cell, letter))
    return lhexicon.lay(view, laid, play.path)


def _without_a_word(view: State, seat: Seat) -> Move:
    """Return the discard of the worst tiles, or a pass when the bank is empty."""
    left = tiles.bag_size(view.tiles)
    if not left:
        return Pass()
    rack = view.tiles.racks[seat]
    return Discard(
        tuple(rack[place] for place in unwanted(view.tiles.kinds[seat], left))
    )
