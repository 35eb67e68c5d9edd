"""A player at another computer: the key, doubts about the name, remove and block."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from client.app.model import Change, Model, Over, Who, ask, same
from client.pages import lending
from client.ui import typefaces, widgets
from client.ui.intents import Click, Intent, Key
from client.ui.scene import Node, Rect
from client.ui.texts import _, phrase
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import Block, Forget
from netplay.messages.table_questions import Kick, Mute
from netplay.said import Words

MORE: Final = "…"
"""On the button that opens the dialog."""

WARNED: Final = "!"
"""The same where there is a doubt."""

ASKED: Final = "person"
"""What a request is remembered as."""


def missed(seat: door.SeatStatus) -> bool:
    """Tell whether somebody is away, and since when is known."""
    return seat.state == "away" and seat.since >= 0


def elsewhere(seat: door.SeatStatus) -> bool:
    """Tell whether somebody plays a seat at another computer."""
    taken = bool(seat.key) and seat.state != "awaited"
    return seat.kind == "remote" and taken


def more(seat: door.SeatStatus) -> bool:
    """Tell whether there is a button beside a player's name."""
    return elsewhere(seat) or lending.mine(seat)


def away_for(seconds: int) -> str:
    """Return for how long somebody has been away, in the unit that tells most."""
    if seconds < 60:
        return _("away {n} s").format(n=seconds)
    if seconds < 3600:
        return _("away {n} min").format(n=seconds // 60)
    return _("away {n} h").format(n=seconds // 3600)


def short() -> str:
    """Return what is said of a doubtful name where there is little room."""
    return _("other key!")


def button(model: Model, name: str, rect: Rect, doubt: Words) -> Node:
    """Return the button beside a player's name."""
    face, tone = (WARNED, Tone.DANGER) if doubt else (MORE, Tone.QUIET)
    return widgets.button(name, rect, face, model.look, tone=tone)


def clicked(model: Model, name: str) -> Change | None:
    """Open the dialog about a player, wherever one is shown; None for other buttons."""
    table = model.table
    if table is None or not name.startswith("who"):
        return None
    head, colon, tail = name.partition(":")
    if head == "who" and colon:
        names = [each for key, each in table.asking if key == tail]
        return opened(model, Who(tail, phrase(names[0]))) if names else None
    number = name.removeprefix("who")
    seat = seat_at(model, int(number)) if number.isdecimal() else None
    if seat is None:
        return None
    if lending.mine(seat):
        return lending.opened(model, table.seats.index(seat), seat)
    seated = table.hosting and not table.match
    guest = seat.name if seat.browser else ""
    return opened(model, Who(seat.key, seat.name, seat.doubt, seated, guest))


def through(model: Model, key: str) -> str:
    """Return in words who carries the link to a player; nothing where nobody does."""
    peers = model.status.peers if model.status else ()
    names = [one.through for one in peers if one.key == key and one.connected]
    return _("through {name}").format(name=names[0]) if names and names[0] else ""


def seat_at(model: Model, i: int) -> door.SeatStatus | None:
    """Return the seat at a place of the page.

    A host that forms a table sees four places, some of them unused.
    """
    table = model.table
    if table is None:
        return None
    if table.hosting and not table.match:
        i = model.draft.seat_of(i)
    return table.seats[i] if i < len(table.seats) else None


def near(model: Model) -> Change:
    """Open the dialog about the one chosen of those nearby."""
    found = model.status.nearby if model.status else ()
    if not 0 <= model.chosen < len(found):
        return same(model)
    one = found[model.chosen]
    return opened(model, Who(one.key, one.name, one.doubt))


def opened(model: Model, who: Who) -> Change:
    """Open the dialog about somebody."""
    return replace(model, over=Over.PERSON, who=who, open=""), ()


def _is_muted(model: Model, who: Who) -> bool:
    """Tell whether a player is muted, or the guest who is meant."""
    voice = f"{who.key} {who.guest}".strip()
    return model.status is not None and voice in model.status.muted


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, who = model.look, model.who
    if who is None:
        return ()

    wide = min(look.px(480), window.w)
    inner = widgets.inside(wide, look)
    doubt, words = _doubt(who) if who.doubt else "", _note(who)
    items = _buttons(model, who)
    first = typefaces.height(doubt, look.body, inner) if doubt else 0
    second = typefaces.height(words, look.small, inner)
    low = widgets.flow_height(items, inner, look)

    def body(room: Rect) -> Sequence[Node]:
        key = Rect(room.x, room.y, room.w, look.line)
        above = Rect(room.x, key.bottom + look.px(4), room.w, first)
        y = above.bottom + look.px(8)
        foot = Rect(room.x, room.bottom - low, room.w, low)
        warned = label(
            above, doubt, look, name="person.doubt", wrap=True, tone=Tone.DANGER
        )
        key_words = " ".join(filter(None, (who.key, through(model, who.key))))
        return (
            label(key, key_words, look, name="person.key"),
            *([warned] if doubt else []),
            label(Rect(room.x, y, room.w, min(second, foot.y - y)), words, look,
                  wrap=True, tone=Tone.DIM, size=look.small),
            *widgets.flows(foot, look, items),
        )  # fmt: skip

    high = look.line + look.px(12) + first + second + look.px(20) + low
    size = wide, widgets.around(high, look)
    return (widgets.dialog("person", window, size, who.name or "–", look, body),)


def _note(who: Who) -> str:
    """Return what removing and blocking do."""
    words = _("Who is blocked is never heard from again, until you unblock them.")
    if who.guest:
        words = _(
            "Removing or blocking applies to everyone who plays at that computer."
        )
    if not who.seated or who.guest:
        return words
    return _("Who is removed cannot come back to this table.") + " " + words


def _buttons(model: Model, who: Who) -> list[widgets.Item]:
    mute = _("Unmute") if _is_muted(model, who) else _("Mute")
    kick: list[widgets.Item] = [("person.kick", _("Remove"), Tone.PLAIN, model.linked)]
    forget: list[widgets.Item] = [
        ("person.forget", _("Forget"), Tone.PLAIN, model.linked)
    ]
    return [
        ("close", _("Close"), Tone.MAIN, True),
        *(kick if who.seated else []),
        ("person.mute", mute, Tone.PLAIN, model.linked),
        *(forget if who.friend else []),
        ("person.block", _("Block"), Tone.DANGER, model.linked),
    ]


def _doubt(who: Who) -> str:
    ask_them = _("Ask them, and compare the key, before you play.")
    return f"{who.name}: {phrase(who.doubt)}. {ask_them}"


_ASKS: Final[Mapping[str, type[Kick | Block | Forget]]] = {
    "person.kick": Kick,
    "person.block": Block,
    "person.forget": Forget,
}
"""Buttons, and what the node is asked of the player."""


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    who = model.who
    match intent:
        case Key(key="escape") | Click(name="close"):
            return replace(model, over=Over.NONE, who=None), ()
        case Click(name=name) if who is not None and name in _ASKS:
            question = _ASKS[name]
            model = replace(model, over=Over.NONE, who=None)
            return ask(model, question(who.key), ASKED)
        case Click(name="person.mute") if who is not None:
            on = not _is_muted(model, who)
            model = replace(model, over=Over.NONE, who=None)
            return ask(model, Mute(on, who.key, who.guest), ASKED)
        case _:
            return same(model)
