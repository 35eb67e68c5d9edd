"""An encrypted copy of everything: kept on another disk, or brought from there."""

from typing import Final

from msgspec.structs import replace

from client.app.browsing import Purpose
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
    with_edit,
)
from client.pages import preferences, question
from client.pages.chooser import opened
from client.ui import widgets
from client.ui.hand import Edit
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, local, sentence
from client.ui.widgets import Row, Tone
from netplay.messages import door
from netplay.messages.node_questions import BringHome, CopyStatus, KeepCopy, KeepNoCopy

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


FILE: Final = "field.bring.file"
OPENS: Final = "field.bring.phrase"
BROUGHT: Final = "bring"
"""What that request is remembered as."""


class Choose(Means, frozen=True):
    """Choose the file with everything from another computer."""


class Bring(Means, frozen=True):
    """Go on with what is in it, or not."""

    yes: bool


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
    name, words, _tone, linked, choose = bringing("bring", model)

    def bring(rect: Rect) -> Node:
        spot = preferences.line(rect, look)
        return widgets.button(name, spot, words, look, enabled=linked, means=choose)

    return [
        preferences.box(
            "set.copy", text, look, on=bool(now.folder), enabled=model.linked,
            means=means,
        ),
        bring,
    ]  # fmt: skip


def bringing(name: str, model: Model) -> widgets.Item:
    """Return the button that brings everything from another computer."""
    words = _("Bring everything from another computer …")
    return name, words, Tone.QUIET, model.linked, Choose()


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog that is open."""
    if model.over is Over.BRING:
        return _bring(model, window)
    return _keep(model, window)


def _bring(model: Model, window: Rect) -> tuple[Node, ...]:
    waits = BROUGHT in model.asked.values()
    text = _(
        "Your key, friends, games, words and settings come here from the other "
        "computer. Do not play there any more: with one key at two computers, neither "
        "can. What is here now is put aside."
    )
    file, phrase = (edit_of(model, name) for name in (FILE, OPENS))
    whole = bool(file.text.strip() and phrase.text.strip())
    yes = _("Bringing it …") if waits else _("Bring everything here")
    ready = whole and model.linked and not waits
    items: list[widgets.Item] = [
        ("bring.yes", yes, Tone.MAIN, ready, Bring(yes=True)),
        ("bring.no", _("Cancel"), Tone.PLAIN, not waits, Bring(yes=False)),
    ]
    fields = (
        question.Field(FILE, file, _("file")),
        question.Field(OPENS, phrase, _("its passphrase")),
    )
    title = _("From another computer")
    asked = question.Form("bringing", title, text, fields, items, BROUGHT)
    return (question.form(model, window, asked),)


def _keep(model: Model, window: Rect) -> tuple[Node, ...]:
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
    """Ask the node for what the dialog is about, or go on to the empty field."""
    brings = model.over is Over.BRING
    names = (FILE, OPENS) if brings else (FOLDER, PHRASE)
    place, phrase = (
        edit_of(model, name, typed(model, name)).text.strip() for name in names
    )
    if not (place and phrase):
        return model, (Give(names[1] if place else names[0]),)
    if {ASKED, BROUGHT}.intersection(model.asked.values()):
        return same(model)
    if brings:
        return ask(model, BringHome(place, phrase), BROUGHT)
    return ask(model, KeepCopy(place, phrase), ASKED)


def chosen(model: Model, path: str) -> Change:
    """Ask for what opens the file that was chosen."""
    model = with_edit(untouched(model, OPENS), FILE, Edit(path, len(path), len(path)))
    return replace(model, over=Over.BRING, open=""), (Give(OPENS),)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Say what came of it; where it is refused the fields stay."""
    if isinstance(answer, door.Failed):
        return same(tell(model, sentence(answer.error.said), bad=True, about=what))
    if what == BROUGHT:
        over = Over.NONE if model.over is Over.BRING else model.over
        model = replace(untouched(model, FILE, OPENS), over=over, brought=True)
    else:
        model = _closed(model)
    return same(tell(model, sentence(answer.text)))


def _closed(model: Model) -> Model:
    if Over.COPY not in (model.over, model.offer):
        return model
    model = replace(untouched(model, FOLDER, PHRASE), offer=Over.NONE)
    over = Over.NONE if model.over is Over.COPY else model.over
    return replace(model, over=over, put_off=model.put_off | {Over.COPY})


@taker
def _clicked(model: Model, message: Offer | Keep | Refuse | Choose | Bring) -> Change:
    match message:
        case Choose():
            return opened(model, Purpose.BRING)
        case Bring(yes=True):
            return submit(model)
        case Bring():
            return escaped(model)
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
    """Close the dialog, as *Not now* does; who has no name yet is asked for it."""
    if model.over is not Over.BRING:
        return same(_closed(model))
    if BROUGHT in model.asked.values():
        return same(model)
    model = untouched(model, FILE, OPENS)
    if model.status and not model.status.name:
        return replace(model, over=Over.NAME), (Give("field.name"),)
    return same(replace(model, over=Over.NONE))
