"""How bad a move was: by the chance to win that it lost."""

from typing import Any, Final

from msgspec.structs import replace

from netplay.messages.table_questions import TOTAL, Appraisal, Grade, Offer
from netplay.players.evaluating import Candidate, Evaluation
from netplay.said import Said

GRADES: Final[tuple[tuple[int, Grade], ...]] = (
    (1500, "blunder"),
    (700, "mistake"),
    (300, "inaccuracy"),
)
"""Lost from so many ten-thousandths of the chance to win on."""


def priced(offer: Offer, candidate: Candidate) -> Offer:
    """Return a play with what it is worth."""
    value, chance = round(100 * candidate.value), round(TOTAL * candidate.chance)
    return replace(offer, value=value, chance=chance)


def graded(
    judged: Appraisal,
    found: Evaluation,
    made: Any,  # noqa: ANN401 (a game's own move)
    why: Said | None,
) -> Appraisal:
    """Return a turn with what it lost, if that is more than the judging may err.

    Args:
        judged: The turn.
        found: What its moves are worth.
        made: The move that was made.
        why: What was better about the best one.
    """
    mine = found.of(made)
    judged = replace(judged, work=found.work)
    if mine is None or not found.candidates:
        return judged
    best = found.candidates[0]
    judged = replace(judged, played=priced(judged.played, mine))
    lost = best.chance - mine.chance
    if lost <= 0 or lost <= mine.error:
        return judged
    chance = round(TOTAL * lost)
    grade: Grade = "none"
    for least, name in reversed(GRADES):
        grade = name if chance >= least else grade
    return replace(
        judged,
        equity_lost=max(0, round(100 * (best.value - mine.value))),
        chance_lost=chance,
        grade=grade,
        why=why,
    )
