"""Notices of security releases: where they are looked for, if the player wants that."""

from typing import Final

from msgspec.structs import replace

from client.app.clicks import Asks, taker
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    ask,
    edit_of,
    same,
    tell,
    untouched,
)
from client.pages import preferences, question
from client.ui import widgets
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, sentence
from client.ui.widgets import Row, Tone
from netplay.messages import door
from netplay.messages.node_questions import LookForNews

FIELD: Final = "field.news"
ASKED: Final = "news"
"""What the request is remembered as."""


class Name(Means, frozen=True):
    """Ask where notices are."""


class Answer(Means, frozen=True):
    """Whether to look at the place that is typed."""

    yes: bool


def rows(model: Model) -> list[Row]:
    """Return the row of the preferences."""
    place = model.status.news if model.status else ""
    text = _("Tell me of security releases …")
    if place:
        text = _("Security releases are looked for once a day at {place}")
        text = text.format(place=place)
    means = Asks(LookForNews(""), ASKED) if place else Name()
    return [
        preferences.box(
            "set.news", text, model.look, on=bool(place), enabled=model.linked,
            means=means,
        )
    ]  # fmt: skip


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    waits = ASKED in model.asked.values()
    text = _(
        "Once a day Netplay can look for a notice that your version has to be "
        "updated, and show it here. The page you got Netplay from tells where: at an "
        "address that begins with https, whose owner sees that you ask, or in a "
        "file. Only notices signed by those who release Netplay count."
    )
    edit = edit_of(model, FIELD)
    ready = bool(edit.text.strip()) and model.linked and not waits
    yes = _("Looking …") if waits else _("Look there")
    items: list[widgets.Item] = [
        ("news.yes", yes, Tone.MAIN, ready, Answer(yes=True)),
        ("close", _("Cancel"), Tone.PLAIN, True, Answer(yes=False)),
    ]
    field = question.Field(FIELD, edit, _("address or file"), model.linked)
    title = _("Security releases")
    asked = question.Form("news", title, text, (field,), items, ASKED)
    return (question.form(model, window, asked),)


def submit(model: Model) -> Change:
    """Ask the node to look there."""
    place = edit_of(model, FIELD).text.strip()
    if not place:
        return model, (Give(FIELD),)
    if ASKED in model.asked.values():
        return same(model)
    return ask(model, LookForNews(place), ASKED)


def answered(model: Model, _what: str, answer: door.Done | door.Failed) -> Change:
    """Say what is there; where nothing is to be had the field stays."""
    if isinstance(answer, door.Failed):
        why = sentence(answer.error.said)
        field = (Give(FIELD),) if model.over is Over.NEWS else ()
        return tell(model, why, bad=True, about=ASKED), field
    after = _closed(model) if model.over is Over.NEWS else model
    return same(tell(after, sentence(answer.text)))


@taker
def _clicked(model: Model, message: Name | Answer) -> Change:
    if isinstance(message, Answer):
        return submit(model) if message.yes else same(_closed(model))
    return replace(untouched(model, FIELD), over=Over.NEWS, open=""), (Give(FIELD),)


def _closed(model: Model) -> Model:
    return replace(untouched(model, FIELD), over=Over.NONE)


def escaped(model: Model) -> Change:
    """Close the dialog, and forget what was typed."""
    return same(_closed(model))
