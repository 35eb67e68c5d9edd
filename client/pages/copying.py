"""An encrypted copy of everything, on another disk: offered, begun and ended."""

from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
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
from client.ui.texts import _, local, sentence
from client.ui.widgets import Row, Tone
from netplay.messages import door
from netplay.messages.node_questions import CopyStatus, KeepCopy, KeepNoCopy

FOLDER: Final = "field.copy.folder"
PHRASE: Final = "field.copy.phrase"
ASKED: Final = "copy"
"""What the request is remembered as."""


class Offer(Means, frozen=True):
    """Ask for a folder and a passphrase."""


class Keep(Means, frozen=True):
    """Keep a copy there."""


class Refuse(Means, frozen=True):
    """Keep no copy, and offer it no more."""


def _now(model: Model) -> CopyStatus:
    return model.status.copy if model.status else CopyStatus()


def offered(model: Model) -> Model:
    """Return the model with the offer, once there is a friend."""
    if not question.may(model) or not _now(model).offers:
        return model
    return replace(model, offer=Over.COPY)


def strip(model: Model) -> question.Strip | None:
    """Return the offer, as long as the node has not been told."""
    if not _now(model).offers:
        return None
    text = _("If you lose this disk, your friends will take you for somebody else.")
    items: list[widgets.Item] = [
        ("copy.offer", _("Keep a copy …"), Tone.PLAIN, True, Offer()),
        ("copy.no", _("No"), Tone.QUIET, True, Refuse()),
    ]
    return question.Strip("copy.asked", text, items)


def typed(model: Model, name: str) -> str:
    """Return what the fields show before they are touched."""
    return (_now(model).folder or _now(model).place) if name == FOLDER else ""


def rows(model: Model) -> list[Row]:
    """Return the row of the preferences."""
    now, look = _now(model), model.look
    text = _("Keep an encrypted copy of everything …")
    if now.folder:
        text = _("A copy of everything is in {folder}").format(folder=now.folder)
    if now.folder and now.made:
        day = local(now.made).date()
        text = _("A copy of everything, of {day}, is in {folder}")
        text = text.format(day=day.isoformat(), folder=now.folder)
    means = Refuse() if now.folder else Offer()
    return [
        preferences.box(
            "set.copy", text, look, on=bool(now.folder), enabled=model.linked,
            means=means,
        )
    ]  # fmt: skip


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    waits = ASKED in model.asked.values()
    text = _(
        "Your friends know you by a key on this disk. If you lose the disk, they "
        "will take you for somebody else. Shall Netplay keep an encrypted copy of "
        "your key, friends, games and settings in a folder on another disk?"
    )
    where = _("folder, best on another disk")
    if model.apart:
        where = _("folder of {computer}, best on another disk")
        where = where.format(computer=model.computer)
    edits = [edit_of(model, name, typed(model, name)) for name in (FOLDER, PHRASE)]
    whole = all(edit.text.strip() for edit in edits)
    yes = _("Making it …") if waits else _("Keep a copy")
    items: list[widgets.Item] = [
        ("copy.yes", yes, Tone.MAIN, whole and model.linked and not waits, Keep()),
        ("copy.no", _("No"), Tone.PLAIN, not waits, Refuse()),
    ]
    fields = (
        question.Field(FOLDER, edits[0], where),
        question.Field(PHRASE, edits[1], _("passphrase: keep it in mind")),
    )
    title = _("If this disk is lost")
    asked = question.Form("copying", title, text, fields, items, ASKED)
    return (question.form(model, window, asked),)


def submit(model: Model) -> Change:
    """Ask the node to keep a copy, or go on to the field that is empty."""
    folder, phrase = (
        edit_of(model, name, typed(model, name)).text.strip()
        for name in (FOLDER, PHRASE)
    )
    if not (folder and phrase):
        return model, (Give(PHRASE if folder else FOLDER),)
    if ASKED in model.asked.values():
        return same(model)
    return ask(model, KeepCopy(folder, phrase), ASKED)


def answered(model: Model, _what: str, answer: door.Done | door.Failed) -> Change:
    """Say what came of it; where it is refused the fields stay."""
    if isinstance(answer, door.Failed):
        return same(tell(model, sentence(answer.error.said), bad=True, about=ASKED))
    return same(tell(_closed(model), sentence(answer.text)))


def _closed(model: Model) -> Model:
    if Over.COPY not in (model.over, model.offer):
        return model
    model = replace(untouched(model, FOLDER, PHRASE), offer=Over.NONE)
    over = Over.NONE if model.over is Over.COPY else model.over
    return replace(model, over=over, put_off=model.put_off | {Over.COPY})


@taker
def _clicked(model: Model, message: Offer | Keep | Refuse) -> Change:
    match message:
        case Offer():
            model = untouched(model, FOLDER, PHRASE)
            known = model.put_off | {Over.COPY}
            model = replace(model, over=Over.COPY, open="", put_off=known)
            return replace(model, offer=Over.NONE), (Give(FOLDER),)
        case Keep():
            return submit(model)
        case Refuse():
            if Over.COPY in (model.over, model.offer):
                later = _("The preferences have it, should you want a copy later.")
                model = tell(model, later)
            return ask(_closed(model), KeepNoCopy(), "network")


def escaped(model: Model) -> Change:
    """Close the dialog, as *Not now* does."""
    return same(_closed(model))
