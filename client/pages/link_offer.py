"""The question whether clicked invitations may come to this program; asked once."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import (
    Change,
    Effect,
    Model,
    OpenLinks,
    Over,
    Store,
    edit_of,
    same,
    tell,
)
from client.pages import preferences, question
from client.ui import widgets
from client.ui.scene import Means
from client.ui.texts import _, phrase
from netplay.fingerprint import invitation_in
from netplay.said import Words

INVITED: Final = "netplay:"
"""Begins an invitation; and, among the tips, says that this was asked."""

ADDRESS: Final = "field.address"
"""The field of the start page for one."""

JOIN: Final = "join.address"
"""The button beside it."""

SWITCH: Final = "set.links"


class Answer(Means, frozen=True):
    """Whether clicked invitations are to come here."""

    on: bool


class Turn(Means, frozen=True):
    """Have it the other way round."""


class LinksKnown(Struct, frozen=True):
    """Whether clicked lines are opened by this program, and what came of a wish."""

    on: bool | None
    """None where this computer cannot be told."""
    words: Words = ""
    """What was done, or why not."""
    bad: bool = False


def offered(change: Change) -> Change:
    """Return a change after which it is asked, if it was not before.

    It matters to who has pasted one and played there, and is asked once they are back
    on the start page; never where this computer cannot be told.
    """
    model, effects = change
    wanted = model.links is False and INVITED not in model.settings.tips
    if not wanted or not question.may(model):
        return change
    games = model.status.games if model.status else ()
    played = model.past.found or any(one.phase == "over" for one in games)
    if not played or not any(map(invites, model.settings.recent)):
        return change
    return replace(model, offer=Over.LINKS), effects


INVITED_TO: Final = frozenset({ADDRESS, "field.new-key", "field.through"})
"""Fields that take an invitation, beside those of seats."""


def invites(text: str) -> bool:
    """Tell whether a text is an invitation."""
    return text.strip().lower().startswith(INVITED)


def whole(field: str, text: str) -> str:
    """Return what takes the place of all that a field holds; nothing for other texts.

    An invitation is an address, and whole: a second one is meant instead of the first.
    """
    if field not in INVITED_TO and not field.startswith("field.seat"):
        return ""
    line = invitation_in(text)
    own = text.strip().startswith(f"{line} ")  # with the comment of who has typed it
    return text.strip() if invites(text) and (own or not line) else line


def typed(model: Model, field: str) -> str:
    """Return what a field for an invitation means, which may stand in a sentence."""
    text = edit_of(model, field).text
    return whole(field, text) or text.strip()


def known(model: Model, news: LinksKnown) -> Change:
    """Take how it is now, and what came of a wish."""
    model = replace(model, links=news.on)
    if not news.words:
        return same(model)
    about = "network" if news.bad else ""  # the preferences tell what went wrong there
    return same(tell(model, phrase(news.words), bad=news.bad, about=about))


def strip(model: Model) -> question.Strip | None:
    """Return the question, while it is not answered."""
    if model.links is not False:
        return None
    text = _(
        "When you click an invitation in an e-mail or on a web page, shall "
        "Netplay open it?"
    )
    return question.Strip("links", text, question.yes_or_no("links", Answer))


@taker
def _answered(model: Model, message: Answer) -> Change:
    return _closed(model, OpenLinks(True)) if message.on else _closed(model)


def _closed(model: Model, *effects: Effect) -> Change:
    """Ask it no more."""
    put_off = model.put_off | {Over.LINKS}
    model = _asked(replace(model, offer=Over.NONE, put_off=put_off))
    return model, (Store(), *effects)


def _asked(model: Model) -> Model:
    """Return the model in which this was asked."""
    tips = model.settings.tips
    tips = tips if INVITED in tips else (*tips, INVITED)
    return replace(model, settings=replace(model.settings, tips=tips))


def rows(model: Model) -> list[widgets.Row]:
    """Return the row of the preferences, where this computer can be told."""
    if model.links is None:
        return []
    text = _("Show clicked invitations")
    return [preferences.box(SWITCH, text, model.look, on=model.links, means=Turn())]


@taker
def switched(model: Model, _message: Turn) -> Change:
    """Have it the other way round; then it need not be asked any more."""
    return _asked(model), (Store(), OpenLinks(not model.links))
