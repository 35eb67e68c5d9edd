"""What a guest sees, who was lent a seat, while there is no match to be seen."""

from collections.abc import Iterator
from typing import Final

from client.app.model import Change, Model, ask, edit_of, same
from client.pages import bar, lending
from client.ui import typefaces, widgets
from client.ui.intents import Click, Intent
from client.ui.layout import centred
from client.ui.scene import Node, Rect
from client.ui.texts import _
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.table_questions import NameSeat
from rules import title_of

NAME: Final = "field.guest"
"""The field for the name by which a guest sits down."""

SIT: Final = "sit"


def own(model: Model) -> int | None:
    """Return the number of a guest's seat at a table that is being formed."""
    table = model.table
    if table is None or table.phase != "forming":
        return None
    seats = enumerate(table.seats)
    return next((n for n, seat in seats if seat.browser and not seat.lent), None)


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the page."""
    look = model.look
    top = Rect(area.x, area.y, area.w, bar.height(look))
    room = area.inset(look.px(16))
    wide = min(look.px(480), room.w)
    room = Rect(room.x + (room.w - wide) // 2, top.bottom, wide, room.bottom)
    number, table = own(model), model.table
    if number is None or table is None:
        said = _("Looking for the table …")
        if model.linked:
            said = _("Waiting for the match …")
        spot = centred(room, wide, look.px(120))
        words = label(spot, said, look, name="said", size=look.head, wrap=True)
        return bar.scene(model, top, "Netplay"), words
    title = title_of(table.game) or table.game
    return bar.scene(model, top, title), *_sitting(model, room, number, table)


def _sitting(
    model: Model, room: Rect, number: int, table: door.TableStatus
) -> Iterator[Node]:
    """Yield who plays, and the question for the guest's name until it is answered."""
    look, y = model.look, room.y + model.look.px(24)
    for i, seat in enumerate(table.seats):
        words = f"{i + 1}  {seat.name or '–'}"
        more = _("you") if i == number else lending.at(seat)
        yield label(
            Rect(room.x, y, room.w, look.line),
            f"{words} ({more})" if more else words,
            look, name=f"seat{i}.name", bold=i == number,
        )  # fmt: skip
        y += look.line + look.px(4)
    y += look.px(16)
    asks = not table.seats[number].name
    text = _("This is the name that the others at a table will see.")
    if not asks:
        text = _("Waiting for the match …")
    high = typefaces.height(text, look.body, room.w)
    yield label(
        Rect(room.x, y, room.w, high), text, look, name="said", wrap=True, tone=Tone.DIM
    )
    y += high + look.gap
    if asks:
        side = max(look.row, look.px(44))
        edit = edit_of(model, NAME, "")
        field = Rect(room.x, y, room.w, side)
        yield widgets.entry(NAME, field, edit, look, hint=_("name"))
        spot = Rect(room.x, field.bottom + look.gap, room.w, side)
        can = model.linked and bool(edit.text.strip())
        yield widgets.button(
            SIT, spot, _("Sit down"), look, tone=Tone.MAIN, enabled=can
        )
        y = spot.bottom + look.gap
    words, bad = bar.passing(model)
    if words and bad:
        high = typefaces.height(words, look.small, room.w)
        spot = Rect(room.x, y, room.w, high)
        yield label(
            spot,
            words,
            look,
            name="fault",
            size=look.small,
            tone=Tone.DANGER,
            wrap=True,
        )


def handle(model: Model, intent: Intent) -> Change | None:
    """React to what a guest does before the match."""
    match intent:
        case Click(name="sit"):
            return submit(model, NAME)
        case _:
            return None


def submit(model: Model, name: str) -> Change:
    """Sit down by the name that was typed."""
    number, text = own(model), edit_of(model, NAME, "").text.strip()
    if name != NAME or number is None or not text:
        return same(model)
    return ask(model, NameSeat(number, text), SIT)
