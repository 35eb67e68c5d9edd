"""Vectors of the public position, of all five games: its bytes and its digest."""

from random import Random
from typing import Any

from netplay.record.fold import Fold
from netplay.record.standing import state_digest, well_digest
from netplay.wire import pack
from rules import GAMES
from tests.netplay.party import Party

MOVES = 6
"""Made at random before the last position of a game."""

PLAYED = ("networdz", "lhexicon", "numlo", "hexagrams")


def positions() -> dict[str, Any]:
    """Return the vectors."""
    turns = [each for name in PLAYED for each in _turns(name)]
    return {"positions": [*turns, _falling()["position"]], "wells": _falling()["wells"]}


def _party(name: str) -> Party:
    """Return a match that has begun."""
    options: Any = GAMES[name].ABOUT.options
    party = Party(name, 2, options(size=8) if name == "numlo" else options())
    party.link_all()
    party.settle()
    return party


def _turns(name: str) -> list[dict[str, Any]]:
    """Return the position at the first turn and after some."""
    party, rng = _party(name), Random(5)  # noqa: S311 (no secret)
    found = [_position(party.member(0).fold)]
    for _ in range(MOVES):
        party.play_one(rng)
        party.settle()
    return [*found, _position(party.member(0).fold)]


def _position(fold: Fold) -> dict[str, Any]:
    """Return a position."""
    return {
        "game": fold.terms.game,
        "match": fold.match.hex(),
        "position": pack(fold.game.public(fold.state)).hex(),
        "digest": state_digest(fold.match, fold.game, fold.state).hex(),
    }


def _falling() -> dict[str, Any]:
    """Return the position of a game of ticks, and each seat's part of it."""
    party = _party("hexcolumns")
    for _ in range(40):
        party.wake(1 / 30)
    fold = party.member(0).fold
    game: Any = fold.game
    wells = [
        {
            "match": fold.match.hex(),
            "seat": seat,
            "position": pack(game.public_well(well)).hex(),
            "digest": well_digest(fold.match, game, fold.state, seat).hex(),
        }
        for seat, well in enumerate(fold.state.wells)
    ]
    return {"position": _position(fold), "wells": wells}
