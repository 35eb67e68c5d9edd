"""Lhexicon looked back at: how it ended, and what was best in it."""

from client.board import Made
from client.lhexicon.local import Local, Now
from client.lhexicon.move_list import judged
from client.texts import _
from rules.lhexicon import EMPTY, Lay, State, Verdict
from rules.lhexicon.ending import BARREN
from rules.tiles import bag_size


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    gone = [seen.names[seat] for seat, out in enumerate(view.gone) if out]
    if gone and len(gone) >= len(view.gone) - 1:
        return _("{names} gave up.").format(names=", ".join(gone))
    if view.barren >= BARREN * (len(view.gone) - len(gone)):
        return _("Nobody has found a word for ten turns each.")
    out = [
        seen.names[seat]
        for seat, rack in enumerate(view.tiles.racks)
        if not rack and not view.gone[seat]
    ]
    if out and not bag_size(view.tiles):
        return _("{name} has used up all letters.").format(name=", ".join(out))
    if not bag_size(view.tiles):
        return _("The bank is used up.")
    return _("All have passed twice running.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the words that stood."""
    found: list[Made] = []
    for place, step in enumerate(seen.past):
        if not isinstance(step.move, Lay):
            continue
        verdict = judged(step.before, step.actor, step.move)
        if isinstance(verdict, Verdict) and _stood(seen, place, step.move):
            found.append(Made(place, step.actor, verdict.text, verdict.points))
    return tuple(found)


def _stood(seen: Now, place: int, move: Lay) -> bool:
    """Tell whether a word lay still after all had answered it."""
    later = (step.before for step in seen.past[place + 1 :])
    after = next((each for each in later if each.announced is None), seen.view)
    return all(after.letters[laid.cell] != EMPTY for laid in move.laid)


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the longest word, and the points that traps brought."""
    found = plays(seen)
    if not found:
        return ()
    longest = max(found, key=lambda made: len(made.text))
    told = [(_("Longest word"), f"{longest.text}, {seen.names[longest.seat]}")]
    traps = [0] * len(seen.view.scores)
    for made in found:
        step = seen.past[made.place]
        assert isinstance(step.move, Lay)  # as `plays` says
        verdict = judged(step.before, step.actor, step.move)
        if isinstance(verdict, Verdict):
            traps[made.seat] += verdict.bonus.points
    if any(traps):
        most = max(range(len(traps)), key=lambda seat: traps[seat])
        text = f"{traps[most]}, {seen.names[most]}"
        told.append((_("Most points by traps"), text))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return view.scores


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")
