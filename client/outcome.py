"""How a match with points has ended, in a sentence."""

from collections.abc import Sequence

from client.texts import _


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
        return _("The game is over: {names} tie with {n}.").format(names=first, n=n)
    return _("The game is over: {name} wins with {n}.").format(name=first, n=n)
