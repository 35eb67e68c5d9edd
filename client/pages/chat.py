"""The chat, beside a table and beside a match."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from client.app.model import (
    Change,
    Chat,
    Model,
    ask,
    edit_of,
    same,
    unscrolled,
    with_edit,
)
from client.pages import unfinished
from client.ui import typefaces, widgets
from client.ui.hand import Edit, of
from client.ui.scene import Node, Rect
from client.ui.texts import _, phrase, plainly
from client.ui.widgets import Tone, label
from netplay.messages import door

FIELD: Final = "field.chat"
LIST: Final = "chat"
SAID: Final = "say"
"""What a line that one says is remembered as until the node has taken it."""

NEWS: Final = 2.0
"""Seconds for which what the node tells may be about the table that comes next."""


def card(model: Model, rect: Rect) -> Node:
    """Return the chat as a card of its own."""
    look = model.look
    inner = rect.inset(look.px(12), look.px(10))
    head = Rect(inner.x, inner.y, inner.w, look.px(26))
    room = Rect(inner.x, head.bottom, inner.w, inner.bottom - head.bottom)
    kids = [label(head, _("Chat"), look, size=look.head, bold=True)]
    return widgets.panel(rect, look, [*kids, *inside(model, room)], name="chat.card")


def inside(model: Model, room: Rect) -> tuple[Node, ...]:
    """Return the lines and the field, within a rectangle."""
    look = model.look
    pitch = round(look.small * typefaces.LINE) + look.px(1)
    foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
    space = Rect(room.x, room.y, room.w, max(0, foot.y - room.y - look.px(6)))
    space = Rect(space.x, space.y, space.w, space.h // pitch * pitch)
    wide = space.w - look.px(12)
    made: list[widgets.Row] = []
    for line in model.chat.lines:
        if isinstance(line, door.Line):
            text, tone = f"{phrase(line.author)}: {line.text}", Tone.PLAIN
            if told := unfinished.of_line(model, line):
                text, tone = f"{text} ({told})", Tone.DIM
        else:
            text = f"— {phrase(plainly(line.said))}"
            tone = Tone.DIM if line.tone == "system" else Tone.DANGER
        made += widgets.wrapped(text, wide, look, size=look.small, tone=tone)
    at = model.scrolls.get(LIST)
    listed = widgets.scroll(
        LIST, space, made, pitch, look, offset=at or 0, at_end=at is None
    )
    if model.table is not None and model.table.watching:
        words = _("Spectators cannot use the chat.")
        silent = label(foot, words, look, name="chat.none", tone=Tone.DIM)
        return listed, silent
    field = widgets.entry(
        FIELD, foot, edit_of(model, FIELD), look, hint=_("Say something")
    )
    return listed, field


def heard(model: Model, line: door.Line | door.Notice, *, watched: bool) -> Model:
    """Return the model with one more line; unread unless the chat is watched."""
    before, stamps = model.chat.lines, model.chat.times
    last = before[-1] if before else None
    if (
        isinstance(line, door.Notice)
        and isinstance(last, door.Notice)
        and last.said == line.said
    ):
        before, stamps = before[:-1], stamps[:-1]  # once is enough to be read
    lines = (*before, line)[-500:]
    times = (*stamps, model.now)[-500:]
    counts = isinstance(line, door.Line) and not (
        watched or line.muted or mine(model, line)
    )
    unread = model.chat.unread + 1 if counts else (0 if watched else model.chat.unread)
    return replace(model, chat=Chat(lines, unread, times))


def mine(model: Model, line: door.Line) -> bool:
    """Tell whether a line is of whoever sits here.

    A guest in a browser speaks with the voice of the node, which names it.
    """
    if line.number < 0:
        return False
    if model.guest:
        name = model.status.name if model.status is not None else ""
        return line.text.startswith(f"{name}: ")
    seats = () if model.table is None else model.table.seats
    guests = [seat.name for seat in seats if seat.lent and seat.name]
    return not line.text.startswith(tuple(f"{guest}: " for guest in guests))


def fresh(model: Model, table: int) -> Model:
    """Return the model at another table: what was said at the last stays there.

    What was said at this one may have come before its state. What the node told just
    now is about the new one ("Anna calls to a table").
    """
    notice, fault = model.notice, model.fault
    if notice is not None and model.now - notice.told > NEWS:
        model = replace(model, notice=None)
    if fault is not None and model.now - fault.told > NEWS:
        model = replace(model, fault=None)
    return _kept(
        model,
        lambda line, at: (
            model.now - at <= NEWS
            if isinstance(line, door.Notice)
            else line.table == table
        ),
    )


def rematched(model: Model) -> Model:
    """Return the model at a rematch: lines are numbered anew, what was said was heard.

    The number of an earlier line would be taken for one that is not delivered yet.
    """
    lines = tuple(
        replace(line, number=-1) if isinstance(line, door.Line) else line
        for line in model.chat.lines
    )
    return replace(model, chat=replace(model.chat, lines=lines))


def moved(model: Model, before: int, after: int) -> Model:
    """Return the model at another table: a line that was begun waits at its own.

    Args:
        model: As it is.
        before: The number of the table so far; 0 for none.
        after: That of the one now.
    """
    edits = dict(model.edits)
    begun = edits.pop(FIELD, None)
    if before and begun is not None:
        edits[f"{FIELD}:{before}"] = begun
    kept = edits.pop(f"{FIELD}:{after}", None)
    if after and kept is not None:
        edits[FIELD] = kept
    return replace(model, edits=edits)


def unsaid(model: Model) -> Model:
    """Return the model without what people said: a node that is new says it again."""
    return _kept(model, lambda line, _at: isinstance(line, door.Notice))


def _kept(
    model: Model, keep: Callable[[door.Line | door.Notice, float], bool]
) -> Model:
    pairs = zip(model.chat.lines, model.chat.times, strict=True)
    kept = [(line, at) for line, at in pairs if keep(line, at)]
    lines, times = tuple(line for line, _ in kept), tuple(at for _, at in kept)
    return replace(model, chat=Chat(lines, 0, times, model.chat.sent))


def say(model: Model) -> Change:
    """Say what stands in the field."""
    text = edit_of(model, FIELD).text.strip()
    if not text:
        return same(model)
    model = unscrolled(with_edit(model, FIELD, Edit()), LIST)
    sent = {**model.chat.sent, model.next_id: text}
    return ask(
        replace(model, chat=replace(model.chat, sent=sent)), door.Say(text), SAID
    )


def given_back(model: Model, answer: door.Done | door.Failed) -> Model:
    """Put a line that was refused back into the field, before what is typed there."""
    sent = dict(model.chat.sent)
    text = sent.pop(answer.id, "")
    model = replace(model, chat=replace(model.chat, sent=sent))
    if not text or isinstance(answer, door.Done):
        return model
    typed = edit_of(model, FIELD).text
    return with_edit(model, FIELD, of(f"{text} {typed}" if typed else text))
