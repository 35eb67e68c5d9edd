"""Numlo looked back at: how it ended, and what was best in it."""

from client.board import Made
from client.numlo.input import Local, Now
from client.texts import _, ngettext
from rules import numlo
from rules.numlo import Place, State
from rules.numlo.notation import square_name


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    if len(view.gone) >= len(view.tiles) - 1:
        names = ", ".join(seen.names[seat] for seat in view.gone)
        return _("{names} gave up.").format(names=names)
    if None not in numlo.owners(view):
        return _("The board is full.")
    return _("Nobody can flip a tile any more.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the tiles laid, by their squares."""
    return tuple(
        Made(
            place,
            step.actor,
            square_name(step.before.options.size, step.move.square),
            numlo.gain(step.before, step.actor, step.move.square),
        )
        for place, step in enumerate(seen.past)
        if isinstance(step.move, Place)
    )


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the move that flipped most tiles."""
    moves = [step for step in seen.past if isinstance(step.move, Place)]
    flips = [_flipped(step.before, step.actor, step.move) for step in moves]
    if not flips:
        return ()
    most = max(flips)
    step = moves[flips.index(most)]
    text = ngettext("{n} tile", "{n} tiles", most).format(n=most)
    return ((_("Most flipped at once"), f"{text}, {seen.names[step.actor]}"),)


def _flipped(before: State, seat: int, move: object) -> int:
    assert isinstance(move, Place)  # no other moves are asked for
    return len(numlo.flips(before, seat, move.square))


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return numlo.scores(view)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")
