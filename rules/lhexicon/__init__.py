"""Lhexicon: words along paths of hexagons, and traps walled in by letters.

Source document: "Lhex-i'-con, Rules of Play".

Besides what makes it a game (`rules.game.Game`) the module offers what a window shows
before a move is made: `judge`, `traps`, `touching`, and `lay` and `pick_up`, which put
a move together.  Cells are numbers into `rules.hexes.hexagon(side)`.
"""

from typing import Any, Final

from msgspec.structs import replace

from rules import tiles
from rules.game import About, Actor, Seat
from rules.lhexicon import state as abilities
from rules.lhexicon.cells import Refusal
from rules.lhexicon.judging import (
    Bonus,
    Verdict,
    judge,
    judge_lay,
    lay,
    pick_up,
    touching,
    traps,
)
from rules.lhexicon.search import moves
from rules.lhexicon.state import (
    BLANK,
    COUNTS,
    EMPTY,
    LETTERS,
    OFFICIAL_MINUTES,
    POINTS,
    QU,
    RACK,
    Accept,
    Announced,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Options,
    Pass,
    PickUp,
    Placed,
    State,
    Swap,
    Withdraw,
    text,
)
from rules.lhexicon.turns import SEATS, actors, mistaken, over, places, play, start
from rules.tiles import Reveal

__all__ = [
    "ABOUT",
    "BLANK",
    "COUNTS",
    "EMPTY",
    "LETTERS",
    "OFFICIAL_MINUTES",
    "POINTS",
    "QU",
    "RACK",
    "Accept",
    "Announced",
    "Bonus",
    "Challenge",
    "Discard",
    "Expire",
    "Insist",
    "Lay",
    "Move",
    "Options",
    "Pass",
    "PickUp",
    "Placed",
    "Refusal",
    "Reveal",
    "State",
    "Swap",
    "Verdict",
    "Withdraw",
    "actors",
    "judge",
    "judge_lay",
    "lay",
    "mask",
    "mistaken",
    "moves",
    "over",
    "pick_up",
    "places",
    "play",
    "public",
    "start",
    "text",
    "touching",
    "traps",
    "view",
]

ABOUT: Final = About(
    title="Lhexicon",
    seats=SEATS,
    version=2,
    options=Options,
    state=State,
    move=Move,
    resources=("lexicon",),
    scored=abilities,
    tiled=abilities,
    clocked=abilities,
    lapsing=abilities,
)


def view(state: State, seat: Seat | None) -> State:
    """Return the state as a seat knows it: the letters on other racks are hidden."""
    return replace(state, tiles=tiles.view(state.tiles, seat))


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    word = state.announced
    waits = word and (word.word, word.points, word.answers, word.challenger)
    return (
        state.turn,
        tiles.public(state.tiles),
        state.letters,
        state.numbers,
        state.blanks,
        state.scores,
        state.passes,
        state.barren,
        state.debts,
        state.gone,
        waits,
    )


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move as a seat sees it: only a letter drawn is for its owner alone."""
    if isinstance(move, Reveal):
        return tiles.mask(state.tiles, move, seat)
    return move
