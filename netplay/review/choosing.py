"""Judge a move of a game that computer players search: what would they have done?"""

from typing import Any, Final

from netplay.messages.table_questions import Appraisal, Offer
from netplay.messages.types import SEATS
from netplay.players import Rng, player
from netplay.players.evaluating import Evaluation, evaluate
from netplay.review.grading import graded, priced
from netplay.review.turns import Choice
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import writer
from netplay.wire import pack, unpack
from rules import GAMES

SURE: Final = 0.99
"""A chance to win that a search gives only where it sees the end."""


def compare(choice: Choice, rng: Rng) -> Appraisal:
    """Return a move beside the one that the computer's judge likes best.

    It knows what the seat knew, and no more.

    Args:
        choice: The move, and what was known before it.
        rng: Where chance in the judging comes from.
    """
    about = GAMES[choice.game].ABOUT
    view, made = unpack(choice.before, about.state), unpack(choice.move, about.move)
    found = evaluate(choice.game, view, choice.seat, rng, also=(made,))
    best, mine = found.candidates[0], found.of(made)
    if mine is not None and mine.chance >= best.chance:
        best = mine
    judged = Appraisal(
        number=choice.number,
        seat=choice.seat,
        rack=(),
        played=_offer(choice, view, made),
        best=(priced(_offer(choice, view, best.move), best),),
    )
    return graded(judged, found, made, _why(choice, view, found, made))


def _why(
    choice: Choice,
    view: Any,  # noqa: ANN401 (a game's own)
    found: Evaluation,
    made: Any,  # noqa: ANN401 (a game's own)
) -> Said | None:
    """Return what was better about the best move, if that is sure."""
    best, mine = found.candidates[0], found.of(made)
    if mine is None or best.chance <= mine.chance:
        return None
    if GAMES[choice.game].ABOUT.tiled is None:
        if best.chance > SURE > mine.chance:
            return Says.WHY_WIN_MISSED()
        if mine.chance < 1 - SURE < best.chance:
            return Says.WHY_LOST()
    reason = player(choice.game).ABILITIES.reason
    return None if reason is None else reason(view, choice.seat, best.move, made)


def _offer(choice: Choice, view: Any, move: Any) -> Offer:  # noqa: ANN401 (a game's own)
    """Return a move with the points it brings at once, where the game counts them."""
    game, seat = GAMES[choice.game], choice.seat
    text = writer(choice.game).line(view, seat, move, ("",) * SEATS).strip()
    points, scored = 0, game.ABOUT.scored
    if scored is not None:
        after = game.play(view, seat, move)
        points = scored.scores(after)[seat] - scored.scores(view)[seat]
    return Offer(text, points, (), (), pack(move))
