"""What a guest sees, who was lent a seat: all before the match, and no more in it."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import Change, Model, ask, edit_of, same
from client.pages import bar, lending
from client.ui import typefaces, widgets
from client.ui.intents import Intent
from client.ui.layout import centred
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.widgets import Item, Tone, label
from netplay.messages import door
from netplay.messages.table_questions import NameSeat
from rules import title_of

NAME: Final = "field.guest"
"""The field for the name by which a guest sits down."""

SIT: Final = "sit"

OWNERS: Final = frozenset({
    "game.new", "game.quit", "home", "prepare", "rematch", "result.home",
    "result.rematch", "retry", "take-back", "tryout", "vote", "claim",
})  # fmt: skip
"""Buttons of a match that are about the table: its owner's, and no guest's."""


def offered(model: Model, items: Sequence[Item]) -> list[Item]:
    """Return those of some buttons that are there for whoever looks."""
    return [each for each in items if not (model.guest and each[0] in OWNERS)]


def without(node: Node) -> Node:
    """Return a part of a game without what is its owner's."""
    kids = tuple(without(kid) for kid in node.kids if kid.name not in OWNERS)
    return replace(node, kids=kids)


class SitDown(Means, frozen=True):
    """Sit down by the name that was typed."""


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
    top = Rect(area.x, area.y, area.w, bar.line_height(look))
    room = area.inset(look.px(16))
    wide = min(look.px(480), room.w)
    room = Rect(room.x + (room.w - wide) // 2, top.bottom, wide, room.bottom)
    number, table = own(model), model.table
    if number is None or table is None:
        said = _("Looking for the table …")
        if model.linked:
            said = _("Waiting for the game …")
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
    text = _("The other players will see this name.")
    if not asks:
        text = _("Waiting for the game …")
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
            SIT, spot, _("Sit down"), look, tone=Tone.MAIN, enabled=can, means=SitDown()
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


def handle(_model: Model, _intent: Intent) -> None:
    """React to what a guest does before the match: there is but the button."""


@taker
def _seated(model: Model, _message: SitDown) -> Change:
    return submit(model, NAME)


def submit(model: Model, name: str) -> Change:
    """Sit down by the name that was typed."""
    number, text = own(model), edit_of(model, NAME, "").text.strip()
    if name != NAME or number is None or not text:
        return same(model)
    return ask(model, NameSeat(number, text), SIT)
