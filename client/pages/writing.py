"""Writing to a friend, with a game or without: what both have said, and a field."""

from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import (
    Change,
    Effect,
    Give,
    Model,
    Over,
    Who,
    ask,
    edit_of,
    same,
    tell,
    unscrolled,
    untouched,
)
from client.pages import bar
from client.ui import typefaces, widgets
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, local, ngettext, sentence
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import Correspondent, GetTalk, Talked, WriteTo
from netplay.wire import unpack

FIELD: Final = "field.write"
LIST: Final = "written"
ASKED: Final = "talk"
SAID: Final = "write"
"""What the requests are remembered as."""

WIDE, HIGH = 520, 460


class Write(Means, frozen=True):
    """Open the conversation with a friend."""

    who: Who


class Send(Means, frozen=True):
    """Say what was typed."""


class Close(Means, frozen=True):
    """Close the conversation."""


def written(model: Model, key: str) -> Correspondent:
    """Return how it stands with what a friend and the player have written."""
    found = model.status.written if model.status else ()
    nothing = Correspondent(key, 0, 0, 0)
    return next((one for one in found if one.key == key), nothing)


def face(model: Model, key: str) -> str:
    """Return what stands on it."""
    unread = written(model, key).unread
    words = ngettext("{n} new line", "{n} new lines", unread)
    return words.format(n=unread) if unread else _("Write")


@taker
def opened(model: Model, message: Write) -> Change:
    """Show what was written, and take the next line."""
    start = replace(model.start, talk=Talked("", ()))
    model = untouched(unscrolled(model, LIST), FIELD)
    model = replace(model, over=Over.WRITING, who=message.who, open="", start=start)
    asking, effects = ask(model, GetTalk(message.who.key), ASKED)
    return asking, (Give(FIELD), *effects)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take what was written; or what came of a line, which stays where it is not."""
    if isinstance(answer, door.Failed):
        why = sentence(answer.error.said)
        return same(tell(model, why, bad=True, about=SAID))
    if what == SAID:
        return same(untouched(unscrolled(model, LIST), FIELD))
    start = replace(model.start, talk=unpack(answer.data, Talked))
    return same(replace(model, start=start))


def refreshed(change: Change) -> Change:
    """Ask again for what was written, where there is news of it on the screen."""
    model, effects = change
    if model.over is not Over.WRITING or model.who is None or not model.linked:
        return change
    seen = written(model, model.who.key)
    if seen == model.start.seen or ASKED in model.asked.values():
        return change
    asked = GetTalk(model.who.key)
    model = replace(model, start=replace(model.start, seen=seen))
    more: tuple[Effect, ...]
    model, more = ask(model, asked, ASKED)
    return model, (*effects, *more)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, who = model.look, model.who
    if who is None:
        return ()
    window = window.inset(look.px(10))
    size = min(look.px(WIDE), window.w), min(look.px(HIGH), window.h)
    wrong = bar.fault(model, SAID)
    words = wrong or _stand(model, who)
    typed = bool(edit_of(model, FIELD).text.strip())
    items: list[widgets.Item] = [
        ("close", _("Close"), Tone.PLAIN, True, Close()),
        ("write.send", _("Send"), Tone.MAIN, model.linked and typed, Send()),
    ]

    def body(room: Rect) -> tuple[Node, ...]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        high = typefaces.height(words, look.small, room.w) if words else 0
        told = Rect(room.x, foot.y - look.px(8) - high, room.w, high)
        field = Rect(room.x, told.y - look.px(6) - look.row, room.w, look.row)
        space = Rect(room.x, room.y, room.w, max(0, field.y - look.px(8) - room.y))
        tone = Tone.DANGER if wrong else Tone.DIM
        return (
            _lines(model, space),
            widgets.entry(FIELD, field, edit_of(model, FIELD), look,
                          hint=_("Say something"), enabled=model.linked),
            label(told, words, look, name="write.stand", size=look.small, tone=tone,
                  wrap=True),
            *widgets.flow(foot, look, items),
        )  # fmt: skip

    title = _("You and {name}").format(name=named(model, who))
    return (widgets.dialog("writing", window, size, title, look, body),)


def named(model: Model, who: Who) -> str:
    """Return what the player calls a friend."""
    friends = model.status.friends if model.status else ()
    return {key: name for name, key in friends}.get(who.key) or who.name or "–"


def called(model: Model, key: str) -> bool:
    """Tell whether a friend who is awake would be seen: else nobody has called."""
    status = model.status
    if status is None or status.network.greet or written(model, key).waiting:
        return True
    return any(key in game.keys and game.phase != "over" for game in status.games)


def _stand(model: Model, who: Who) -> str:
    """Return where what was said is, while it is not at the friend's."""
    status, name = model.status, named(model, who)
    peers = status.peers if status else ()
    waiting, by = written(model, who.key).waiting, model.start.talk.by
    if waiting and by:
        return _("{keeper} keeps it until {name} is awake.").format(
            keeper=by, name=name
        )
    if any(peer.connected and peer.key == who.key for peer in peers):
        return ""
    if waiting:
        return _("Not delivered yet: it goes by itself when {name} is awake.").format(
            name=name
        )
    words = _("{name} is asleep: what you write is kept, and goes by itself.")
    if not called(model, who.key):
        words = _(
            "{name} may be asleep: then what you write is kept, and goes by itself."
        )
    return words.format(name=name)


def _lines(model: Model, space: Rect) -> Node:
    """Return the lines, each with its author and time, the newest below."""
    look, who = model.look, model.who
    assert who is not None
    pitch = round(look.small * typefaces.LINE) + look.px(1)
    space = Rect(space.x, space.y, space.w, space.h // pitch * pitch)
    wide, name = space.w - look.px(12), named(model, who)
    made: list[widgets.Row] = []
    day = ""
    for line in model.start.talk.lines:
        at = local(line.at)
        if f"{at:%Y-%m-%d}" != day:
            day = f"{at:%Y-%m-%d}"
            made += widgets.wrapped(
                f"— {day}", wide, look, size=look.small, tone=Tone.DIM
            )
        by = _("You") if line.mine else name
        text = f"{at:%H:%M} {by}: {line.text}"
        tone = Tone.PLAIN
        if line.mine and not line.there:
            state = _("not delivered yet")
            text, tone = f"{text} ({state})", Tone.DIM
        made += widgets.wrapped(text, wide, look, size=look.small, tone=tone)
    at_end = model.scrolls.get(LIST)
    return widgets.scroll(
        LIST, space, made, pitch, look, offset=at_end or 0, at_end=at_end is None
    )


def submit(model: Model) -> Change:
    """Say what was typed."""
    text, who = edit_of(model, FIELD).text.strip(), model.who
    if who is None or not text or not model.linked:
        return same(model)
    return ask(model, WriteTo(who.key, text), SAID)


@taker
def _sent(model: Model, _message: Send) -> Change:
    said, effects = submit(model)
    return said, (*effects, Give(FIELD))


def escaped(model: Model) -> Change:
    """Close the dialog."""
    return same(replace(untouched(model, FIELD), over=Over.NONE, who=None))


@taker
def _closed(model: Model, _message: Close) -> Change:
    return escaped(model)
