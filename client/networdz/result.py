"""Networdz looked back at: how it ended, and what was best in it."""

from client.board import Made
from client.networdz.local import Local, Now
from client.texts import _, ngettext
from rules import networdz
from rules.networdz import Lay, State
from rules.networdz.laying import judge_lay
from rules.networdz.values import NOBODY
from rules.tiles import bag_size


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    if view.out != NOBODY:
        return _("{name} has played all tiles.").format(name=seen.names[view.out])
    gone = view.resigned
    if len(gone) >= len(view.scores) - 1 and gone:
        names = ", ".join(seen.names[seat] for seat in gone)
        return _("{names} gave up.").format(names=names)
    if not bag_size(view.tiles):
        return _("The pool is empty, and all have passed.")
    return _("Nobody has scored for several turns.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the words that scored, the main word of each play."""
    found: list[Made] = []
    for place, step in enumerate(seen.past):
        if not isinstance(step.move, Lay) or step.actor < 0:
            continue
        judged = judge_lay(step.before, step.move)
        if not judged.error:
            word = judged.lines[0].word
            found.append(Made(place, step.actor, word, judged.points))
    return tuple(found)


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the longest word, and how often a whole rack was laid."""
    found = plays(seen)
    if not found:
        return ()
    longest = max(found, key=lambda made: len(made.text))
    told = [(_("Longest word"), f"{longest.text}, {seen.names[longest.seat]}")]
    rack = networdz.ground(seen.view.options).edition.rack
    moves = [seen.past[made.place].move for made in found]
    full = sum(isinstance(move, Lay) and len(move.laid) == rack for move in moves)
    if full:
        text = ngettext("{n} time", "{n} times", full)
        told.append((_("All tiles at once"), text.format(n=full)))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return view.scores


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")
