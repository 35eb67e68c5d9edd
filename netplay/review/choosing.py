"""Judge a move of a game that computer players search: what would they have done?"""

from typing import Any, Final

from netplay.messages.review import Appraisal, Offer
from netplay.messages.types import SEATS
from netplay.players import Rng, player
from netplay.review.turns import Choice
from netplay.text import writer
from netplay.wire import pack, unpack
from rules import GAMES

BEST: Final = 100
"""The skill that a move is compared with."""


def compare(choice: Choice, rng: Rng) -> Appraisal:
    """Return a move beside the one that the best computer player would have made.

    It knows what the seat knew, and no more.

    Args:
        choice: The move, and what was known before it.
        rng: Where the player's whims come from.
    """
    about = GAMES[choice.game].ABOUT
    view, made = unpack(choice.before, about.state), unpack(choice.move, about.move)
    best = player(choice.game).choose(view, choice.seat, BEST, rng)
    return Appraisal(
        number=choice.number,
        seat=choice.seat,
        rack=(),
        played=_offer(choice, view, made),
        best=(_offer(choice, view, best),),
    )


def _offer(choice: Choice, view: Any, move: Any) -> Offer:  # noqa: ANN401 (a game's own)
    """Return a move with the points it brings at once, where the game counts them."""
    game, seat = GAMES[choice.game], choice.seat
    text = writer(choice.game).line(view, seat, move, ("",) * SEATS).strip()
    points, scored = 0, game.ABOUT.scored
    if scored is not None:
        after = game.play(view, seat, move)
        points = scored.scores(after)[seat] - scored.scores(view)[seat]
    return Offer(text, points, (), (), pack(move))
