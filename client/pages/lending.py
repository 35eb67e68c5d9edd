"""A seat for a guest in a browser: its link, as text and picture, and its end."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, Closes, taker
from client.app.model import Change, Copy, Lend, Model, Over, ask, same, tell
from client.pages import preferences
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.table_questions import LendSeat
from rules import GAMES

ASKED: Final = "lend"
"""What a request for a link is remembered as."""

LOOK: Final = "look.on"
"""The button to a link for somebody who looks on."""


class LookOn(Means, frozen=True):
    """Open the dialog with a link for somebody who looks on in a browser."""


class ShowSeat(Means, frozen=True):
    """Open the dialog about a guest's seat."""

    number: int


class CopyLink(Means, frozen=True):
    """Put the link on the clipboard."""

    link: str


def mine(seat: door.SeatStatus) -> bool:
    """Tell whether a seat here is, or is to be, a guest's in a browser."""
    own = seat.kind == "person" and bool(seat.key)  # of which a guest is not told
    return own and (seat.lent or bool(seat.browser))


def lends(model: Model, seat: door.SeatStatus) -> bool:
    """Tell whether a seat is a guest's, or its player here may go on in a browser."""
    table = model.table
    if mine(seat) or table is None or model.guest or not table.match:
        return mine(seat)
    several = len(table.persons) > 1 and table.phase == "playing"
    return several and seat.kind == "person" and seat.state == "here"


def at(seat: door.SeatStatus) -> str:
    """Return in words at whose computer a seat is played in a browser; mostly ""."""
    if not seat.browser:
        return ""
    text = _("plays in a browser at {name}’s computer")
    return text.format(name=seat.browser)


def awaited(table: door.TableStatus) -> tuple[str, list[widgets.Item]]:
    """Return what can be done about a guest for whom a match waits, and its button.

    Nobody can be called then but who is away with a node; mostly there is nothing.
    """
    for number in table.turn:
        seat = table.seats[number]
        if seat.state == "away" and mine(seat):
            means = ShowSeat(number)
            item = "who.seat", _("The guest’s seat …"), Tone.PLAIN, True, means
            text = _("Or you end the guest’s play, and the seat is yours.")
            if GAMES[table.game].ABOUT.hz:  # one has no hands for two at once
                text = _("Or you end the guest’s play.")
            return text, [item]
        if seat.vacant:
            text = _("Or {name}, at whose computer the guest plays, takes the seat.")
            # A seat that was lent in the middle of a match is one of two at a computer
            there = (each.name for each in table.seats if each.key == seat.key)
            beside = next((name for name in there if name != seat.name), seat.name)
            return text.format(name=seat.browser or beside), []
    return "", []


def calls(table: door.TableStatus) -> bool:
    """Tell whether calling helps a match that waits.

    Guests are not called, nor who is blocked here.
    """
    gone = [seat for seat in table.seats if seat.state in ("away", "blocked")]
    return not gone or not all(seat.vacant or seat.state == "blocked" for seat in gone)


def to_send(lacking: Sequence[door.SeatStatus]) -> str:
    """Return how those are called who are lacking: friends, or guests alone."""
    if all(seat.browser for seat in lacking):
        return _("Send each guest the link of a free seat.")
    return _("Ask a friend, or copy the invitation for somebody new.")


def can_look(model: Model) -> bool:
    """Tell whether a link may be made for somebody who looks on."""
    table = model.table
    if table is None or table.watching or model.guest or table.bystanders == "nobody":
        return False
    return table.phase == "playing" or (table.phase == "forming" and table.hosting)


def way(model: Model, tone: Tone) -> list[widgets.Item]:
    """Return the button to a link for somebody who looks on, if one may be made."""
    if not can_look(model):
        return []
    return [(LOOK, _("Link to watch"), tone, True, LookOn())]


def row(look: Look) -> widgets.Row:
    """Return the row of a list with the way to a link for somebody who looks on."""
    words = _("Show the link")
    return preferences.titled(
        _("Link to watch"), look,
        lambda face: widgets.button(LOOK, face, words, look, means=LookOn()),
        share=0.48, gap=look.px(4),
    )  # fmt: skip


@taker
def _looked_on(model: Model, _message: LookOn) -> Change:
    return opened(model, door.BYSTANDER)


@taker
def _shown(model: Model, message: ShowSeat) -> Change:
    seats = () if model.table is None else model.table.seats
    seat = seats[message.number] if message.number < len(seats) else None
    return same(model) if seat is None else opened(model, message.number, seat)


def opened(model: Model, number: int, seat: door.SeatStatus | None = None) -> Change:
    """Open the dialog about a guest's seat of the table, or about who only looks on.

    The link is made at once where that asks nothing more of the player: browsers on the
    network may come already, and it takes the seat from nobody.
    """
    lend = Lend(number, seat.name if seat is not None else "")
    shown = replace(model, over=Over.LEND, lend=lend, open="")
    taken = seat is not None and (seat.lent or not seat.browser)
    if _may_come(model) and not taken and model.linked and not _is_over(model):
        return ask(shown, LendSeat(number, served=True), ASKED)
    return same(shown)


def answered(model: Model, answer: door.Done) -> Change:
    """Show the link that the node has made."""
    lend = model.lend
    if lend is None or not isinstance(answer.text, str):
        return same(model)
    return same(replace(model, lend=replace(lend, link=answer.text)))


def _is_lent(model: Model, lend: Lend) -> bool:
    """Tell whether somebody has the seat, or a link to it."""
    seats = () if model.table is None else model.table.seats
    return 0 <= lend.seat < len(seats) and seats[lend.seat].lent


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, lend = model.look, model.lend
    if lend is None:
        return ()
    wide = min(look.px(560), window.w - look.px(20))
    inner = widgets.inside(wide, look)
    items = _buttons(model, lend)
    low = widgets.flow_height(items, inner, look)
    side = min(look.px(230), window.h - look.px(190)) if lend.link else 0
    room_w = inner - side - look.gap if side else inner
    words = _words(model, lend)
    texts = (lend.link, words) if lend.link else (words,)
    sizes = [typefaces.height(text, look.small, room_w) for text in texts]
    high = max(side, sum(sizes) + look.gap * (len(sizes) - 1))

    def body(room: Rect) -> Sequence[Node]:
        left, right = columns(
            Rect(room.x, room.y, room.w, high), [max(1, side), 1], look.gap
        )
        kids: list[Node] = []
        if side:
            value = _("The link as a picture for cameras")
            kids.append(widgets.code("lend.code", left, lend.link, value))
        place = right if side else Rect(room.x, room.y, room.w, high)
        y = place.y
        for text, tall in zip(texts, sizes, strict=True):
            spot = Rect(place.x, y, place.w, tall)
            name = "lend.link" if text == lend.link else "lend.why"
            kids.append(label(spot, text, look, name=name, size=look.small, wrap=True))
            y = spot.bottom + look.gap
        foot = Rect(room.x, room.bottom - low, room.w, low)
        return (*kids, *widgets.flows(foot, look, items))

    size = wide, widgets.around(high + look.px(20) + low, look)
    seat = _("Seat {number}").format(number=lend.seat + 1)
    title = f"{seat}: {lend.name}" if lend.name else seat
    if lend.seat == door.BYSTANDER:
        title = _("Bystanders")
    return (widgets.dialog("lend", window, size, title, look, body),)


def _may_come(model: Model) -> bool:
    """Tell whether browsers on the local network may come: the player has said so."""
    return model.status is not None and model.status.browsers


def _is_over(model: Model) -> bool:
    """Tell whether nobody can be lent a seat of the match any more."""
    return model.table is not None and model.table.phase in {"over", "stopped"}


def _words(model: Model, lend: Lend) -> str:
    if _is_over(model):
        if not _is_lent(model, lend):
            return _("No link can be made for this seat any more.")
        return _("If you end the guest’s play, that page shows the game no more.")
    first = _("Whoever opens the link first sits here, with nothing installed.")
    if lend.seat == door.BYSTANDER:
        first = _(
            "Whoever opens the link first looks on, with nothing installed, once all "
            "players agree."
        )
    plain = _("Others on your local network could read and change what goes over it.")
    if lend.link or (_may_come(model) and not _is_lent(model, lend)):
        return f"{first} {plain}"
    asked = _("May browsers on your local network connect to this computer?")
    ends = _("A new link replaces the old one, and whoever plays by that is out.")
    yours = _("If you end the guest’s play, the seat is yours.")
    return f"{first} {plain} {f'{ends} {yours}' if _is_lent(model, lend) else asked}"


def _buttons(model: Model, lend: Lend) -> list[widgets.Item]:
    if lend.link:
        return [
            ("close", _("Close"), Tone.PLAIN, True, Closes()),
            ("lend.copy", _("Copy"), Tone.MAIN, True, CopyLink(lend.link)),
        ]
    lent = _is_lent(model, lend)
    show = _("New link") if lent else _("Show the link")
    waits = ASKED in model.asked.values()
    wanted = Asks(LendSeat(lend.seat, served=True), ASKED)
    items: list[widgets.Item] = [
        ("close", _("Close"), Tone.PLAIN, True, Closes()),
        ("lend.show", show, Tone.MAIN, model.linked and not waits, wanted),
    ]
    if _is_over(model):
        items.pop()
    if lent:
        text = _("End the guest’s play")
        end = Asks(LendSeat(lend.seat, on=False), "lend.end", closes=True)
        items.append(("lend.end", text, Tone.DANGER, model.linked, end))
    return items


def escaped(model: Model) -> Change:
    """Close the dialog."""
    return same(replace(model, over=Over.NONE, lend=None))


@taker
def _copied(model: Model, message: CopyLink) -> Change:
    closed, _effects = escaped(model)
    return tell(closed, _("The link is on the clipboard.")), (Copy(message.link),)
