"""Questions: in a sentence, answered with Yes or Not now, or with fields to fill in.

What makes things easier is asked at the foot of the start page: it covers no game.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, NamedTuple, cast

from msgspec.structs import replace

from client.app.model import Model, Over, Page, edit_of
from client.pages import bar
from client.ui import typefaces, widgets
from client.ui.hand import Edit
from client.ui.intents import Click, Focus, Intent, Key
from client.ui.layout import columns
from client.ui.scene import Align, Means, Node, Rect, Write
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label

CALM: Final = 1.0
"""Seconds without a key, a click or the pointer's moving, before anything is asked."""

OF_EASE: Final = frozenset({Over.LINKS, Over.COPY, Over.MAY_LOOK})
"""Questions about what makes things easier: no game waits for an answer."""

OF_NETWORK: Final = frozenset({Over.ROUTER, Over.SERVERS, Over.MEET})
"""Those that matter to who may come, or is called."""


def calm(model: Model) -> bool:
    """Tell whether a question that nobody has asked for may come now.

    It would swallow what somebody is typing, or be hit by a click meant for the page.
    """
    return not model.typing and model.touched + CALM <= model.now


def calmed(before: Model, after: Model) -> bool:
    """Tell whether it has become calm by the passing of time."""
    return after.touched + CALM > before.now and calm(after)


def handled(before: Model, after: Model, intent: Intent) -> Model:
    """Return the model after an intent, with the field in which somebody types.

    One is about to type where one has put the keyboard, until Enter or a click on
    something else; words that were typed and not sent keep it so.
    """
    name = before.typing
    match intent:
        case Focus(name=other):
            field = other.startswith("field.")
            kept = name if edit_of(after, name).text.strip() else ""
            name = other if field else kept
        case Key(key="enter" | "escape"):
            name = ""
        case Click(means=means) if means and not isinstance(means, Write):
            name = ""
        case _ if after.edits is not before.edits:
            name = after.focus if after.focus.startswith("field.") else name
        case _:
            pass
    return after if name == after.typing else replace(after, typing=name)


def may(model: Model) -> bool:
    """Tell whether something may be asked now that makes things easier.

    On the start page alone, and one such question as long as the window is open, none
    after those of the network.
    """
    free = model.page is Page.START and model.over is Over.NONE and calm(model)
    free = free and model.offer is Over.NONE
    return free and not (OF_EASE | OF_NETWORK) & model.put_off


def left(before: Model, after: Model) -> Model:
    """Return a model without a question of it, if a table or a game has come."""
    asked = after.over is Over.CLIPBOARD
    came = before.page is Page.START and after.page is not Page.START
    return replace(after, over=Over.NONE) if asked and came else after


class Strip(NamedTuple):
    """What is asked at the foot of the start page."""

    name: str
    """Its text is called `NAME.why`."""
    text: str
    items: list[widgets.Item]
    """The buttons."""


def yes_or_no(name: str, answer: Callable[[bool], Means]) -> list[widgets.Item]:
    """Return the buttons of a question, `NAME.yes` and `NAME.no`.

    Args:
        name: Of the question.
        answer: Returns what an answer means.
    """
    return [
        (f"{name}.yes", _("Yes"), Tone.PLAIN, True, answer(True)),
        (f"{name}.no", _("Not now"), Tone.QUIET, True, answer(False)),
    ]


_STRIPS: Final = {
    Over.COPY: "copying",
    Over.LINKS: "link_offer",
    Over.MAY_LOOK: "clipboard",
}
"""Where each is asked."""


def strip(model: Model) -> Strip | None:
    """Return what is asked there, if it is still to be known."""
    if model.offer is Over.NONE or model.guest:
        return None
    module = import_module(f"client.pages.{_STRIPS[model.offer]}")
    return cast("Strip | None", module.strip(model))


def _beside(asked: Strip, wide: int, look: Look) -> int:
    """Return how wide the text is beside the buttons; 0: it stands above them."""
    wides = [widgets.button_width(text, look) for _name, text, *_rest in asked.items]
    room = wide - sum(wides) - look.gap * len(wides)
    fits = room > 0 and typefaces.height(asked.text, look.small, room) <= look.row
    return room if fits else 0


def foot_height(asked: Strip, wide: int, look: Look) -> int:
    """Return how high it is in a window of a width."""
    wide -= 2 * look.px(16)
    if _beside(asked, wide, look):
        return look.row + look.px(8)
    text = typefaces.height(asked.text, look.small, wide)
    return text + look.gap + widgets.flow_height(asked.items, wide, look) + look.px(8)


def foot(asked: Strip, area: Rect, look: Look) -> Node:
    """Return the line with the question and its answers."""
    inner = Rect(area.x + look.px(16), area.y, area.w - 2 * look.px(16), area.h)
    if wide := _beside(asked, inner.w, look):
        words = Rect(inner.x, inner.y, wide, look.row)
        high = min(look.row, typefaces.height(asked.text, look.small, wide))
        words = Rect(words.x, words.y + (look.row - high) // 2, wide, high)
        rest = Rect(inner.x + wide, inner.y, inner.w - wide, look.row)
    else:
        high = typefaces.height(asked.text, look.small, inner.w)
        words = Rect(inner.x, inner.y, inner.w, high)
        y = words.bottom + look.gap
        rest = Rect(inner.x, y, inner.w, max(look.row, area.bottom - y))
    kids = [
        label(words, asked.text, look, name=f"{asked.name}.why", size=look.small,
              wrap=True),
        *widgets.flows(rest, look, asked.items, align=Align.RIGHT),
    ]  # fmt: skip
    return widgets.group(area, kids, name=asked.name)


def dialog(  # noqa: PLR0913 (what a question is made of)
    model: Model, window: Rect, name: str, title: str, text: str, *,
    yes: Means, no: Means, verb: str = "",
) -> Node:  # fmt: skip
    """Return the dialog of a question.

    Args:
        model: Of the window.
        window: The whole of it.
        name: Of the dialog; its parts are called `NAME.why`, `NAME.yes`, `NAME.no`.
        title: Above it.
        text: The question.
        yes: What the answer means;
        no: and the other one.
        verb: What cannot be undone is called so on its button, in red.
    """
    look = model.look
    window = window.inset(look.px(10))
    wide = min(look.px(480), window.w)
    high = typefaces.height(text, look.body, widgets.inside(wide, look))

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        note = Rect(room.x, room.y, room.w, min(high, foot.y - room.y - look.gap))
        spots = columns(foot, [1, 1], look.gap)
        tones = (Tone.DANGER, Tone.MAIN) if verb else (Tone.MAIN, Tone.PLAIN)
        texts = verb or _("Yes"), _("Not now")
        ends = zip(("yes", "no"), spots, texts, tones, (yes, no), strict=True)
        return (
            label(note, text, look, name=f"{name}.why", wrap=True),
            *(widgets.button(f"{name}.{end}", spot, face, look, tone=tone, means=means)
              for end, spot, face, tone, means in ends),
        )  # fmt: skip

    size = wide, widgets.around(high + look.px(20) + look.row, look)
    return widgets.dialog(name, window, size, title, look, body)


class Field(NamedTuple):
    """Something to be filled in."""

    name: str
    edit: Edit
    hint: str
    enabled: bool = True


class Form(NamedTuple):
    """A question with fields."""

    name: str
    """Of the dialog; its text is called `NAME.why`."""
    title: str
    text: str
    fields: Sequence[Field]
    items: list[widgets.Item]
    """The buttons."""
    asked: str
    """What the request is remembered as: its fault stands below the fields."""
    wide: int = 500
    """Pixels at 100 %."""


def form(model: Model, window: Rect, asked: Form) -> Node:
    """Return the dialog of a question with fields."""
    look, wrong = model.look, bar.fault(model, asked.asked)
    window = window.inset(look.px(10))
    wide = min(look.px(asked.wide), window.w)
    inner = widgets.inside(wide, look)
    high = typefaces.height(asked.text, look.body, inner)
    low = widgets.flow_height(asked.items, inner, look)
    red = typefaces.height(wrong, look.small, inner - look.px(30)) if wrong else 0

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, high)
        first = Rect(room.x, note.bottom + look.gap, room.w, look.row)
        pitch = look.row + look.px(6)
        spots = [first.moved(0, i * pitch) for i in range(len(asked.fields))]
        entries = [
            widgets.entry(name, spot, edit, look, hint=hint, enabled=enabled)
            for spot, (name, edit, hint, enabled) in zip(
                spots, asked.fields, strict=True
            )
        ]
        fault = Rect(room.x, spots[-1].bottom + look.px(4), room.w, max(red, 1))
        foot = Rect(room.x, room.bottom - low, room.w, low)
        return (
            label(note, asked.text, look, name=f"{asked.name}.why", wrap=True),
            *entries,
            *(bar.wrong(wrong, fault, look) if wrong else []),
            *widgets.flows(foot, look, asked.items),
        )

    more = len(asked.fields) - 1
    tall = high + look.row + red + low + 2 * look.gap
    tall += more * look.row + look.px(12 + 8 * more)
    size = wide, widgets.around(tall, look)
    return widgets.dialog(asked.name, window, size, asked.title, look, body)
