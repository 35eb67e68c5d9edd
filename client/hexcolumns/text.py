"""Hexcolumns in words: instructions, scores, the keys.

For the ear: what falls, over which column, and what lies there.
"""

from collections.abc import Mapping

from client.app import results
from client.app.board import Made, Sheet, Step
from client.hexcolumns import wells
from client.hexcolumns.input import Local, Now, own
from client.ui.texts import _, ngettext
from rules import hexcolumns
from rules.game import Resign


def status(seen: Now, local: Local) -> str:
    """Return the text of the instructions box."""
    if not hexcolumns.actors(seen.view):
        scores = [well.score for well in seen.view.wells]
        return results.told(seen.names, hexcolumns.places(seen.view), scores)
    well = own(seen)
    if well is None:
        return _("You are watching.")
    if well.over:
        # What is still to come for somebody whose well is full
        said = _("Your well is full. The others play on.")
        if len(seen.view.wells) == 1:
            return said
        more = _("Watch them play for points, or choose Leave to resign.")
        return f"{said}\n{more}"
    coming = wells.warning(seen)
    return f"{coming}\n{_advice(well)}" if coming else _advice(well)


def _advice(well: hexcolumns.Well) -> str:
    """Return what there is to do in a well that plays on."""
    if well.paused:
        return _("Pause: the piece stands still, but the time runs on.")
    if well.radar:
        return _("Line up three of a colour. While the radar is on they score less.")
    return _("Line up three of a colour, in any of three directions.")


def far(well: hexcolumns.Well) -> str:
    """Return how far a well has come: its level and its pieces."""
    text = ngettext(
        "level {level}, {n} piece", "level {level}, {n} pieces", well.pieces
    )
    return text.format(level=well.level, n=well.pieces)


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score, level and pieces of each seat."""
    return tuple(
        Sheet(str(well.score), far(well), out=well.resigned) for well in seen.view.wells
    )


def tell(step: Step[hexcolumns.State, hexcolumns.Move], names: tuple[str, ...]) -> str:
    """Return a line for what is worth one: thousands of inputs are not."""
    if isinstance(step.move, Resign):
        return _("{name} resigns.").format(name=names[step.actor])
    return ""


def option_notes() -> dict[str, str]:
    """Return what each option means."""
    return {
        "size": _("Hexes along a side of each well."),
        "level": _(
            "The higher, the faster the pieces fall; the time of the levels "
            "left out is added to the first one."
        ),
        "attacks": _("A chain of two rounds or more sends rows into the other wells."),
    }


def option_words() -> dict[str, str]:
    """Return the words for the options, and for their values."""
    return {"size": _("Size"), "level": _("First level"), "attacks": _("Attacks")}


def agreed(values: Mapping[str, str]) -> list[str]:
    """Return what the options come to, in parts of a sentence."""
    size, level = values.get("size", ""), values.get("level", "0")
    sent = values.get("attacks") == "on"
    return [
        _("{n} hexes along each side").format(n=size),
        _("from level {n}").format(n=level),
        _("long chains send rows to the others") if sent else _("no attacks"),
    ]


def tip() -> str:
    """Return what is new to somebody who plays for the first time."""
    return _(
        "New here? Keys move, turn and drop the column; so do the buttons below it."
    )


# Hexcolumns looked back at: how it ended, and how far each well came.


def why(seen: Now) -> str:
    """Return why the match ended."""
    found = seen.view.wells
    resigned = [seat for seat, well in enumerate(found) if well.resigned]
    # Computers give up when nobody else plays on: they are no reason.
    gone = [seen.names[seat] for seat in resigned if seat not in seen.computers]
    told = [_("{names} resigned.").format(names=", ".join(gone))] if gone else []
    pushed = [seat for seat in range(len(found)) if wells.pushed_out(seen.view, seat)]
    for seat in pushed:  # by rows of others: whose they were
        whose = [
            seen.names[n] for n, well in enumerate(found) if well.sent and n != seat
        ]
        text = _("{name} was pushed out by rows of {names}.")
        told.append(text.format(name=seen.names[seat], names=", ".join(whose)))
    if told:
        return " ".join(told)
    return _("The well is full.") if len(found) == 1 else _("All wells are full.")


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


def standing(view: hexcolumns.State) -> tuple[int, ...]:
    """Return the points of each well."""
    return tuple(well.score for well in view.wells)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")


def aloud(seen: Now, local: Local) -> tuple[str, ...]:
    """Return what is said of one's own well; see `Traits.aloud`."""
    del local
    if seen.seat is None:
        return ()
    well, found = seen.view.wells[seen.seat], list[str]()
    if well.piece:
        names = ", ".join(_hex(each) for each in reversed(well.piece))
        text = _("Piece {n}: {hexes} from the top")
        # Over which column the piece is, what lies on top there and beside it
        size, told = seen.view.size, list[str]()
        for column in (well.column, well.column - 1, well.column + 1):
            if abs(column) < size:
                told.append(_pile(size, well, column))
        found += [text.format(n=well.pieces, hexes=names), "; ".join(told)]
    if following := hexcolumns.next_piece(seen.view, seen.seat):
        names = ", ".join(_hex(each) for each in reversed(following))
        found.append(_("Next: {hexes}").format(hexes=names))
    return tuple(found)


def _pile(size: int, well: hexcolumns.Well, column: int) -> str:
    """Return how high the hexes of a column lie, and what the upper ones are."""
    cells = [
        well.cells[hexcolumns.index(size, column, h)]
        for h in range(hexcolumns.depth(size, column))
    ]
    lying = [cell for cell in cells if cell != hexcolumns.EMPTY]
    if not lying:
        return _("column {n}: empty").format(n=column)
    top = ", ".join(_hex(each) for each in lying[:-3:-1])
    text = _("column {n}: {high} high, on top {hexes}")
    return text.format(n=column, high=len(lying), hexes=top)


def _hex(cell: int) -> str:
    name, sign = _(hexcolumns.COLOURS[hexcolumns.colour(cell)]), hexcolumns.motif(cell)
    if sign is hexcolumns.Motif.PLAIN:
        return name
    kind = _(sign.name.lower())
    return f"{name} {kind}"
