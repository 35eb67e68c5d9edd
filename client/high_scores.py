"""The best points of one's own, by the terms they were made on."""

from typing import Final

from msgspec.structs import replace

from client import board
from client.model import Match, Model
from client.settings import Settings
from netplay import wire
from rules import GAMES

MOST: Final = 5
"""Results kept of each kind."""


def terms(model: Model, match: Match) -> str:
    """Return what the best points of such a match are kept under; empty for none."""
    ranked, table = board.find(match.game).TRAITS.ranked, model.table
    if ranked is None or table is None:
        return ""
    options = wire.unpack(table.options, GAMES[match.game].ABOUT.options)
    return f"{match.game} {ranked(options)}"


def points(model: Model, match: Match) -> int:
    """Return the points of the person at this window; 0 for none."""
    table, scored = model.table, GAMES[match.game].ABOUT.scored
    if table is None or scored is None or not 0 <= match.seat < len(table.seats):
        return 0
    own = table.seats[match.seat]
    if own.kind != "person" or own.state == "away":
        return 0
    return scored.scores(match.state)[match.seat]


def of(settings: Settings, kind: str) -> tuple[int, ...]:
    """Return the best points of a kind, the highest first."""
    return dict(settings.best).get(kind, ())


def entered(model: Model) -> Settings:
    """Return the settings with the match that has ended among the best, if it is."""
    match, own = model.match, model.settings
    kind = "" if match is None else terms(model, match)
    if match is None or not kind or not points(model, match):
        return own
    every = {*of(own, kind), points(model, match)}
    best = tuple(sorted(every, reverse=True)[:MOST])
    kept = {**dict(own.best), kind: best}
    return replace(own, best=tuple(sorted(kept.items())))
