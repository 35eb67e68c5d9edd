"""Leaving a table, which is no harm, and resigning, which is asked about once more."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import Change, Model, Over, Page, ask, same
from client.ui import typefaces, widgets
from client.ui.intents import Intent, Key
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door
from rules.game import Resign

_OVERS: Final = frozenset({Over.LEAVE, Over.RESIGN, Over.LEND, Over.AGREE})


class Stay(Means, frozen=True):
    """Close the dialog."""


class Leave(Means, frozen=True):
    """Leave the table."""


class ToResign(Means, frozen=True):
    """Ask whether the game is to be given up."""


class GiveUp(Means, frozen=True):
    """Resign."""


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    if model.over is Over.RESIGN:
        # What ends the game stands where the click before it was not
        items: list[widgets.Item] = [
            ("resign.yes", _("Resign the game"), Tone.DANGER, True, GiveUp()),
            ("resign.no", _("Go on playing"), Tone.MAIN, True, Stay()),
        ]
        title, seats = _("Resign?"), len(model.table.seats) if model.table else 0
        loses = _("You lose this game, and it is over. It cannot go on later.")
        if seats == 1:
            loses = _("The game ends here, and cannot go on later.")
        elif seats > 2:
            loses = _("You are out of this game for good; the others play on.")
        return (_dialog(model, window, "resign.ask", title, loses, items),)
    text, later = _stops(model)
    leave = _("Leave for now") if later else _("Leave")
    items = [
        ("leave.no", _("Stay"), Tone.MAIN, True, Stay()),
        ("leave.stop", leave, Tone.PLAIN, True, Leave()),
    ]
    if later:
        may = may_resign(model)
        items.append(("leave.resign", _("Resign …"), Tone.DANGER, may, ToResign()))
    return (_dialog(model, window, "leave.ask", _("Leave?"), text, items),)


def leave(model: Model) -> Change:
    """Ask, or ask no more; only a game that is over here is left at once."""
    if model.over is Over.LEAVE:
        return same(_closed(model))
    table = model.table
    if table is not None and model.page is Page.MATCH and table.phase == "over":
        others = any(seat.kind == "remote" or seat.lent for seat in table.seats)
        if not others and not table.watching:
            return _left(model)
    return replace(model, over=Over.LEAVE, open=""), ()


def _left(model: Model) -> Change:
    model = replace(model, over=Over.NONE, page=Page.START, match=None)
    return ask(model, door.LeaveTable(), "left")


def may_resign(model: Model) -> bool:
    """Tell whether the game can be given up: it goes on, and has not been yet."""
    table, match = model.table, model.match
    if table is None or match is None or model.phase != "playing" or match.seat < 0:
        return False
    return table.seats[match.seat].state not in {"resigned", "late"}


def _dialog(
    model: Model,
    window: Rect,
    name: str,
    title: str,
    text: str,
    items: list[widgets.Item],
) -> Node:
    look, window = model.look, window.inset(model.look.px(10))
    wide = min(look.px(440), window.w)
    inner = widgets.inside(wide, look)
    high = typefaces.height(text, look.body, inner)
    low = widgets.flow_height(items, inner, look)

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, high)
        foot = Rect(room.x, room.bottom - low, room.w, low)
        return (label(note, text, look, wrap=True), *widgets.flows(foot, look, items))

    size = wide, widgets.around(high + look.px(20) + low, look)
    return widgets.dialog(name, window, size, title, look, body)


def _stops(model: Model) -> tuple[str, bool]:
    """Return what leaving does, and whether one could resign instead."""
    table = model.table
    if table is not None and table.watching:
        return _("You watch no longer. What you have seen is kept."), False
    if model.page is not Page.MATCH:
        return _("You leave this table before the game has begun."), False
    if model.phase == "over":
        return _("The game is over. Without you there is no rematch."), False
    seats = () if table is None else table.seats
    if table is not None and all(seat.kind == "computer" for seat in seats):
        return _("The demo ends."), False
    # Whether nobody plays from elsewhere
    if all(seat.kind == "computer" or seat.state == "here" for seat in seats):
        return _("The game stops. It can go on later, from the start page."), True
    words = _("The game stops for everybody. It can go on later.")
    if table is not None and table.thinking.days:
        words = _("The others play on, and your days run. You can come back to it.")
    return words, True


def outdated(before: Model, after: Model) -> Model:
    """Return a model without the question, if another game would be meant by it now.

    The next game has other seats, too, and one that is over or stopped takes no offer.
    """
    if after.over not in _OVERS or _place(before) == _place(after):
        return after
    return replace(after, over=Over.NONE)


def _place(model: Model) -> tuple[object, ...]:
    table = model.table
    if table is None:
        return (model.page,)
    return model.page, table.number, table.match, table.phase in ("over", "stopped")


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done besides clicks: Enter, too, means to stay."""
    match intent:
        case Key(key="escape" | "enter", down=True):
            return same(_closed(model))
        case _:
            return same(model)


def _closed(model: Model) -> Model:
    return replace(model, over=Over.NONE, open="")


@taker
def _clicked(model: Model, message: Stay | Leave | ToResign | GiveUp) -> Change:
    match message:
        case Stay():
            return same(_closed(model))
        case Leave():
            return _left(model)
        case ToResign():
            return same(replace(model, over=Over.RESIGN))
        case GiveUp() if model.match is None:
            return same(_closed(model))
        case GiveUp():
            match = model.match
            play = door.Play(match.seat, wire.pack(Resign()), match.number)
            return ask(_closed(model), play, "play")
