"""Hexcolumns looked back at: how it ended, and how far each well came."""

from client.board import Made
from client.hexcolumns.input import Local, Now
from client.hexcolumns.text import far
from client.texts import _
from rules.hexcolumns import State


def why(seen: Now) -> str:
    """Return why the match ended."""
    wells = seen.view.wells
    resigned = [seat for seat, well in enumerate(wells) if well.resigned]
    # Computers give up when nobody else plays on: they are no reason.
    gone = [seen.names[seat] for seat in resigned if seat not in seen.computers]
    if gone:
        return _("{names} gave up.").format(names=", ".join(gone))
    return _("The well is full.") if len(wells) == 1 else _("All wells are full.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return nothing: of a game in real time only the newest inputs are kept."""
    return ()


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return pieces and level of each well, and the best that was seen in any."""
    wells = zip(seen.names, seen.view.wells, strict=True)
    told = [(name, far(well)) for name, well in wells]
    sent = [(well.sent, seen.names[n]) for n, well in enumerate(seen.view.wells)]
    if seen.view.attacks:
        text = ", ".join(f"{rows} {name}" for rows, name in sent)
        told.append((_("Rows sent"), text))
    for what, which in (
        (_("Longest chain"), [each.chain for each in local.records]),
        (_("Best piece"), [each.gained for each in local.records]),
    ):
        most = max(which, default=0)
        if most:
            told.append((what, f"{most}, {seen.names[which.index(most)]}"))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each well."""
    return tuple(well.score for well in view.wells)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")
