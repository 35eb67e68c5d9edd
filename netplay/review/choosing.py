"""Judge a move of a game that computer players search: what would they have done?"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from netplay.messages.review import Appraisal, Offer
from netplay.messages.types import SEATS
from netplay.players import Rng
from netplay.players.evaluating import Evaluation, evaluate
from netplay.review.grading import graded, priced
from netplay.review.turns import Choice
from netplay.said import Said
from netplay.sentences import Says
from netplay.text import writer
from netplay.wire import pack, unpack
from rules import GAMES, hexagrams, lhexicon, numlo

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
    if choice.game != "lhexicon":
        if best.chance > SURE > mine.chance:
            return Says.WHY_WIN_MISSED()
        if mine.chance < 1 - SURE < best.chance:
            return Says.WHY_LOST()
    reason = _REASONS.get(choice.game)
    return None if reason is None else reason(choice, view, best.move, made)


def _words(
    choice: Choice, view: lhexicon.State, best: lhexicon.Move, made: lhexicon.Move
) -> Said | None:
    """Return what a word of Lhexicon had that another, or none, had not."""
    if not isinstance(best, lhexicon.Lay):
        return None
    good = lhexicon.judge_lay(view, choice.seat, best)
    if isinstance(good, lhexicon.Refusal):
        return None
    if not isinstance(made, lhexicon.Lay):
        return Says.WHY_NO_PLAY(play=good.text)
    own = lhexicon.judge_lay(view, choice.seat, made)
    if isinstance(own, lhexicon.Refusal):
        return None
    less = good.points - own.points
    return Says.WHY_POINTS(count=less, play=good.text) if less > 0 else Says.WHY_LEAVE()


def _squares(
    choice: Choice, view: numlo.State, best: numlo.Move, made: numlo.Move
) -> Said | None:
    """Return whether a corner was missed or given away in Numlo."""
    size = view.options.size
    corners = {0, size - 1, size * (size - 1), size * size - 1}
    if isinstance(best, numlo.Place) and isinstance(made, numlo.Place):
        if best.square in corners and made.square not in corners:
            return Says.WHY_CORNER_MISSED()

        def open_after(move: numlo.Place) -> set[int]:
            after = numlo.play(view, choice.seat, move)
            if after.turn in {choice.seat, numlo.OVER}:
                return set()
            replies = numlo.moves(after, after.turn)
            squares = {m.square for m in replies if isinstance(m, numlo.Place)}
            return squares & corners

        if open_after(made) - open_after(best):
            return Says.WHY_CORNER_GIVEN()
    return None


def _pieces(
    choice: Choice, view: hexagrams.State, best: hexagrams.Move, made: hexagrams.Move
) -> Said | None:
    """Return whether a hexad was missed, or left to be taken, in Hexagrams."""
    seat, other = choice.seat, 1 - choice.seat

    def hexads(state: hexagrams.State, of: int) -> int:
        return state.hexads[of].bit_count()

    def least(move: hexagrams.Move) -> int:
        """Return how many hexads are left after the worst answer to a move."""
        after = hexagrams.play(view, seat, move)
        if after.turn != other:
            return hexads(after, seat)
        replies = hexagrams.moves(after, other)
        left = (hexads(hexagrams.play(after, other, each), seat) for each in replies)
        return min(left, default=hexads(after, seat))

    taken = hexads(hexagrams.play(view, seat, best), other)
    if taken < hexads(hexagrams.play(view, seat, made), other):
        return Says.WHY_HEXAD_MISSED()
    return Says.WHY_HEXAD_LEFT() if least(made) < least(best) else None


_REASONS: Final[Mapping[str, Callable[[Choice, Any, Any, Any], Said | None]]] = {
    "hexagrams": _pieces,
    "lhexicon": _words,
    "numlo": _squares,
}
"""What a game can tell of two moves, the better and the one made."""


def _offer(choice: Choice, view: Any, move: Any) -> Offer:  # noqa: ANN401 (a game's own)
    """Return a move with the points it brings at once, where the game counts them."""
    game, seat = GAMES[choice.game], choice.seat
    text = writer(choice.game).line(view, seat, move, ("",) * SEATS).strip()
    points, scored = 0, game.ABOUT.scored
    if scored is not None:
        after = game.play(view, seat, move)
        points = scored.scores(after)[seat] - scored.scores(view)[seat]
    return Offer(text, points, (), (), pack(move))
