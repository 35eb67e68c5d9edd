"""The best points of one's own, by the terms they were made on."""

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app import board
from client.app.board import AnyMove, AnyState, AnyStep
from client.app.model import Match, Model
from client.app.settings import Settings
from client.ui.texts import _
from netplay import wire
from netplay.messages.table_questions import Offer
from rules import GAMES
from rules.game import CLOCK, Seat, meant

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


# How a match with points has ended, in a sentence.


def told(names: Sequence[str], places: Sequence[int], scores: Sequence[int]) -> str:
    """Return who has won with how many points, or who tie; of one alone the points.

    Args:
        names: Each seat's name.
        places: Each seat's place, from 1.
        scores: Each seat's points.
    """
    best = [seat for seat, place in enumerate(places) if place == 1]
    first, n = ", ".join(names[seat] for seat in best), scores[best[0]]
    if len(scores) == 1:
        return _("The game is over: {n} points.").format(n=n)
    if len(best) > 1:
        return _("The game is over, a tie: {names}, {n}.").format(names=first, n=n)
    if n < max(scores):  # whoever has more has given up, or is out of time
        return _("The game is over: {name} wins.").format(name=first)
    return _("The game is over: {name} wins with {n}.").format(name=first, n=n)


# Looking back at games whose computer players search: their move beside each made.


class Searched(Struct, frozen=True):
    """What the review must know of such a game; see `client.app.board.Analysed`."""

    game: str
    turns: tuple[type, ...]
    """The kinds of moves that are judged."""
    faces: tuple[str, ...] = ()
    """What stands on each kind of tile; empty where no tiles are held."""
    mistaken: Callable[[AnyState, AnyMove], bool] = lambda _before, _move: False
    """Tells whether another move, an answer to somebody, is judged: it was wrong."""

    def turn_of(self, step: AnyStep) -> Seat | None:
        """Return whose turn a step was, None if it is none that is judged."""
        seat, move = step.actor, step.move
        if seat == CLOCK:  # all others mean what they are; this is asked at each frame
            seat, move = meant(GAMES[self.game], step.before, seat, move)
        judged = isinstance(move, self.turns) or self.mistaken(step.before, move)
        return seat if judged else None

    def laid(self, before: AnyState, seat: Seat, offer: Offer) -> AnyState:
        """Return the view after another move than the one made."""
        game = GAMES[self.game]
        return game.play(before, seat, wire.unpack(offer.move, game.ABOUT.move))

    def same(self, offer: Offer, move: AnyMove) -> bool:
        """Tell whether a move is the one that was offered."""
        return offer.move == wire.pack(move)

    def letters(self, view: AnyState, rack: tuple[int, ...]) -> str:  # noqa: ARG002 (see `Analysed`)
        """Return the letters of a rack, a dash for a tile that nobody knows."""
        return " ".join(self.faces[kind] if kind >= 0 else "–" for kind in rack)

    def chosen_from(
        self, before: AnyState, seat: Seat, after: AnyState
    ) -> tuple[tuple[int, ...], AnyState]:
        """Return the kinds held before a turn, and the view after it."""
        tiled = GAMES[self.game].ABOUT.tiled
        held = () if tiled is None else tiled.tiles(before).kinds[seat]
        return tuple(held), after
