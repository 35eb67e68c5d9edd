"""A seat for a guest in a browser: its link, as text and picture, and its end."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from client.app.model import Change, Copy, Lend, Model, Over, ask, same, tell
from client.ui import typefaces, widgets
from client.ui.intents import Click, Intent, Key
from client.ui.layout import columns
from client.ui.scene import Node, Rect, Role, Shape
from client.ui.texts import _
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.table_questions import LendSeat

ASKED: Final = "lend"
"""What a request for a link is remembered as."""

QUIET: Final = 4
"""Modules around a QR code that stay light, as cameras need them."""

LIGHT, DARK = (255, 255, 255), (0, 0, 0)


def mine(seat: door.SeatStatus) -> bool:
    """Tell whether a seat here is, or is to be, a guest's in a browser."""
    own = seat.kind == "person" and bool(seat.key)  # of which a guest is not told
    return own and (seat.lent or bool(seat.browser))


def at(seat: door.SeatStatus) -> str:
    """Return in words at whose computer a seat is played in a browser; mostly ""."""
    if not seat.browser:
        return ""
    text = _("plays in a browser at {name}’s computer")
    return text.format(name=seat.browser)


def opened(model: Model, number: int, seat: door.SeatStatus) -> Change:
    """Open the dialog about a guest's seat of the table."""
    lend = Lend(number, seat.name)
    return same(replace(model, over=Over.LEND, lend=lend, open=""))


def answered(model: Model, answer: door.Done) -> Change:
    """Show the link that the node has made."""
    lend = model.lend
    if lend is None or not isinstance(answer.text, str):
        return same(model)
    return same(replace(model, lend=replace(lend, link=answer.text)))


def _seat(model: Model) -> door.SeatStatus | None:
    table, lend = model.table, model.lend
    if table is None or lend is None or lend.seat >= len(table.seats):
        return None
    return table.seats[lend.seat]


def _is_lent(model: Model) -> bool:
    """Tell whether somebody has the seat, or a link to it."""
    seat = _seat(model)
    return seat is not None and seat.lent


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, lend = model.look, model.lend
    if lend is None:
        return ()
    wide = min(look.px(560), window.w)
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
        kids: list[Node] = [_picture(left, side, lend.link)] if side else []
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
    return (widgets.dialog("lend", window, size, title, look, body),)


def _words(model: Model, lend: Lend) -> str:
    first = _("Whoever opens the link first sits here, with nothing installed.")
    plain = _("Others on your local network could read and change what goes over it.")
    if lend.link:
        return f"{first} {plain}"
    asked = _("May browsers on your local network connect to this computer?")
    ends = _("A new link replaces the old one, and whoever plays by that is out.")
    return " ".join((first, plain, ends if _is_lent(model) else asked))


def _buttons(model: Model, lend: Lend) -> list[widgets.Item]:
    if lend.link:
        return [
            ("close", _("Close"), Tone.PLAIN, True),
            ("lend.copy", _("Copy"), Tone.MAIN, True),
        ]
    lent = _is_lent(model)
    show = _("New link") if lent else _("Show the link")
    waits = ASKED in model.asked.values()
    items: list[widgets.Item] = [
        ("close", _("Close"), Tone.PLAIN, True),
        ("lend.show", show, Tone.MAIN, model.linked and not waits),
    ]
    if lent:
        items.append(("lend.end", _("End the guest’s play"), Tone.DANGER, model.linked))
    return items


@lru_cache(maxsize=4)
def _runs(link: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many modules a code is wide, and its dark runs: row, first, past."""
    import segno  # noqa: PLC0415 (brings ssl: the first frame waits for none of it)

    rows = [bytes(row) for row in segno.make(link, micro=False).matrix]
    found: list[tuple[int, int, int]] = []
    for y, row in enumerate(rows):
        x = 0
        while (x := row.find(1, x)) >= 0:
            end = row.find(0, x)
            end = len(row) if end < 0 else end
            found.append((y, x, end))
            x = end
    return len(rows), tuple(found)


def _picture(rect: Rect, side: int, link: str) -> Node:
    """Return a QR code, dark on light in every theme: not all cameras read others."""
    count, runs = _runs(link)
    module = max(1, side // (count + 2 * QUIET))
    whole = module * (count + 2 * QUIET)
    x, y = rect.x + (side - whole) // 2, rect.y
    first = QUIET * module
    kids = tuple(
        Node(
            Role.PANEL, "",
            Rect(x + first + a * module, y + first + row * module,
                 (b - a) * module, module),
            shape=Shape.RECT, bg=DARK,
        )
        for row, a, b in runs
    )  # fmt: skip
    place = Rect(x, y, whole, whole)
    return Node(
        Role.LABEL, "lend.code", place, kids=kids, shape=Shape.RECT, bg=LIGHT,
        value=_("The link as a picture for cameras"),
    )  # fmt: skip


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    lend = model.lend
    closed = replace(model, over=Over.NONE, lend=None)
    if lend is None:
        return same(closed)
    match intent:
        case Key(key="escape") | Click(name="close"):
            return same(closed)
        case Click(name="lend.show"):
            return ask(model, LendSeat(lend.seat, served=True), ASKED)
        case Click(name="lend.copy"):
            told = tell(closed, _("The link is on the clipboard."))
            return told, (Copy(lend.link),)
        case Click(name="lend.end"):
            return ask(closed, LendSeat(lend.seat, on=False), "lend.end")
        case _:
            return same(model)
