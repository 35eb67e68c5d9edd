"""Networdz: words on a board of squares, as the source document has it.

The names of the Protocol in rules.game, and what windows and computer players need:
`judge` for the score of tiles not played yet, `lay` to make a move of them, `lays`
for every play, `ground` for what edition and word list come to.
"""

from typing import Any, Final

from msgspec.structs import replace

from rules import tiles as numbered
from rules.game import About, Actor, Seat
from rules.networdz import playing as abilities
from rules.networdz.judging import (
    Placed,
    Verdict,
    judge,
    judge_lay,
    judge_placed,
    lay,
    unchecked,
)
from rules.networdz.listing import lays, moves
from rules.networdz.playing import (
    BONUS,
    MINUTES,
    PENALTY,
    SEATS,
    accepted,
    actors,
    forfeited,
    places,
    play,
    start,
    wrong,
)
from rules.networdz.values import (
    NOBODY,
    Accept,
    Challenge,
    Draw,
    Expire,
    Ground,
    Laid,
    Last,
    Lay,
    Line,
    Move,
    Options,
    Overtime,
    Pass,
    Pending,
    Phase,
    Renew,
    State,
    Trade,
    ground,
)
from rules.tiles import Reveal

__all__ = [
    "ABOUT",
    "BONUS",
    "MINUTES",
    "NOBODY",
    "PENALTY",
    "Accept",
    "Challenge",
    "Draw",
    "Expire",
    "Ground",
    "Laid",
    "Last",
    "Lay",
    "Line",
    "Move",
    "Options",
    "Overtime",
    "Pass",
    "Pending",
    "Phase",
    "Placed",
    "Renew",
    "State",
    "Trade",
    "Verdict",
    "accepted",
    "actors",
    "forfeited",
    "ground",
    "judge",
    "judge_lay",
    "judge_placed",
    "lay",
    "lays",
    "mask",
    "moves",
    "places",
    "play",
    "public",
    "start",
    "unchecked",
    "view",
    "wrong",
]

ABOUT: Final = About(
    title="Networdz",
    seats=SEATS,
    version=1,
    options=Options,
    state=State,
    move=Move,
    crossword=True,
    resources=("edition", "lexicon"),
    scored=abilities,
    tiled=abilities,
    clocked=abilities,
    lapsing=abilities,
    hinted=abilities,
)


def view(state: State, seat: Seat | None) -> State:
    """Return the state as a seat knows it; None is a bystander."""
    return replace(state, tiles=numbered.view(state.tiles, seat))


def public(state: State) -> tuple[Any, ...]:
    """Return the public position as plain values; see `Game.public`."""
    play = state.pending
    return (
        state.phase,
        state.turn,
        numbered.public(state.tiles),
        state.letters,
        state.kinds,
        state.scores,
        state.blanks,
        state.resigned,
        state.passes,
        state.zeros,
        state.out,
        play and (play.seat, tuple(each.cell for each in play.laid), play.points),
    )


def mask(state: State, actor: Actor, move: Move, seat: Seat | None) -> Move:
    """Return the move, made in this state, as a seat sees it."""
    if isinstance(move, Reveal):
        return numbered.mask(state.tiles, move, seat)
    return move
