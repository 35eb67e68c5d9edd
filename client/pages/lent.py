"""What a guest sees, who was lent a seat: all before the match, and no more in it."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, taker
from client.app.model import Change, Model, ask, edit_of, same
from client.pages import bar, here, lending
from client.ui import typefaces, widgets
from client.ui.intents import Intent
from client.ui.layout import columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.theme import FLAT_THUMB, THUMB, Look, upright
from client.ui.widgets import Item, Tone, label
from netplay.messages import door
from netplay.messages.table_questions import NameSeat
from rules import LISTED, title_of

NAME: Final = "field.guest"
"""The field for the name by which a guest sits down."""

SIT: Final = "sit"

OWNERS: Final = frozenset({
    "game.new", "game.quit", "go-on", "home", "prepare", "rematch", "result.home",
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
    """Return the page: who plays what, and beside or below it what is to be done."""
    look, beside = model.look, not upright(model.size)
    top = Rect(area.x, area.y, area.w, bar.height(look))
    room = Rect(area.x, top.bottom, area.w, area.bottom - top.bottom)
    room = room.inset(look.px(16), look.px(8))
    number, table = own(model), model.table
    known = number is not None and table is not None
    wide = min(look.px(820 if beside and known else 480), room.w)
    room = Rect(room.x + (room.w - wide) // 2, room.y, wide, room.h)
    inner = room.inset(look.px(16))
    if number is None or table is None:
        title, kids = "Netplay", [*_awaiting(model, inner)]
    else:
        title = title_of(table.game)
        left, right = columns(inner, [1, 1], look.px(24)) if beside else (inner, inner)
        kids = [*_invited(model, left, number, table)]
        if not beside:
            y = max(each.rect.bottom for each in kids) + look.px(16)
            right = Rect(inner.x, y, inner.w, max(0, inner.bottom - y))
        kids += _sitting(model, right, number, table)
    y = max(each.rect.bottom for each in kids) + look.px(16)
    card = Rect(room.x, room.y, room.w, y - room.y)
    return bar.strip(model, top, title), widgets.panel(card, look, kids, name="guest")


def _awaiting(model: Model, room: Rect) -> Iterator[Node]:
    """Yield what is waited for, where no seat is known, and what comes of it."""
    look = model.look
    said, more = _("Looking for the table …"), ""
    if model.linked and model.status is not None:
        said = _("Waiting for the game …")
        if model.table is not None:
            more = _("The board is shown here as soon as the game begins.")
        elif model.looks:
            more = _(
                "The board is shown here as soon as the game goes on and all players "
                "agree."
            )
        else:  # its host has left it, unfinished or over: the link stays good
            said = _("The game is not open right now.")
            more = _(
                "It is kept at the computer your link leads to. The board comes back "
                "here by itself once the game is opened there again."
            )
    high = typefaces.height(said, look.head, room.w, bold=True)
    spot = Rect(room.x, room.y, room.w, high)
    yield label(spot, said, look, name="said", size=look.head, bold=True, wrap=True)
    if more:
        yield _told(spot.bottom + look.gap, room, more, look)


def _told(y: int, room: Rect, text: str, look: Look, name: str = "") -> Node:
    """Return a text of as many lines as it needs."""
    spot = Rect(room.x, y, room.w, typefaces.height(text, look.body, room.w))
    return label(spot, text, look, name=name, wrap=True, tone=Tone.DIM)


def _invited(
    model: Model, room: Rect, number: int, table: door.TableStatus
) -> Iterator[Node]:
    """Yield who invites to which game, its picture, and who plays."""
    look, side = model.look, model.look.px(112)
    spot, right = columns(Rect(room.x, room.y, room.w, side), [side, 1], look.px(14))
    if table.game in LISTED:
        yield here.picture(model, spot, table.game, look.px(6))
    text = _("{name} invites you").format(name=table.seats[number].browser)
    head, title, motto = rows(right, [1, look.line, 1])
    # A name of others may be long, and the letters here are wide.
    size = typefaces.within(text, look.head, look.px(9), (head.w * 9 // 10, head.h))
    yield label(head, text, look, name="host", size=size, bold=True, wrap=True)
    yield label(title, title_of(table.game), look)
    if table.game in LISTED:
        words = _(LISTED[table.game].motto)
        size = typefaces.within(words, look.small, look.px(8), (motto.w, motto.h))
        yield label(motto, words, look, size=size, tone=Tone.DIM, wrap=True)
    y = spot.bottom + look.px(14)
    for i, seat in enumerate(table.seats):
        words = f"{i + 1}  {seat.name or '–'}"
        more = _("you") if i == number else lending.at(seat)
        line, name = Rect(room.x, y, room.w, look.line), f"seat{i}.name"
        words = f"{words} ({more})" if more else words
        if i == number:
            yield label(line, words, look, name=name, bold=True)
        else:
            yield widgets.note(line, words, look, name=name, tone=Tone.PLAIN)
        y += look.line + look.px(4)


def _sitting(
    model: Model, room: Rect, number: int, table: door.TableStatus
) -> Iterator[Node]:
    """Yield the question for the guest's name, and then what comes next."""
    look, y = model.look, room.y
    # As high as a thumb needs it on the narrowest phone, whose page is drawn smaller.
    side = look.px(FLAT_THUMB if look.lying else THUMB if look.held else 44)
    asks = not table.seats[number].name
    text, stands = _("The other players will see this name."), table.beginning
    if not asks:
        text = _("You sit at the table. The game comes up here once it begins.")
    if not asks and stands.asked:
        host = table.seats[number].browser
        text = _("{name} is ready to start. Are you?").format(name=host)
    said = _told(y, room, text, look, "said")
    yield said
    y = said.rect.bottom + look.gap
    if not asks and (stands.asked or stands.seconds):
        count = _("Begins in {n}").format(n=stands.seconds)
        face = Rect(room.x, y, room.w, side)
        yield widgets.button(
            "accept", face, _("I am ready") if stands.asked else count, look,
            tone=Tone.MAIN, enabled=stands.asked and model.linked,
            means=Asks(door.Consent(True, table.revision), "accept"),
        )  # fmt: skip
        y = face.bottom + look.gap
    if asks:
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
