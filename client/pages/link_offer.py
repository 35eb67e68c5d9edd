"""The question whether clicked invitations may come to this program; asked once."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app.model import (
    Change,
    Effect,
    Give,
    Model,
    OpenLinks,
    Over,
    Page,
    Store,
    edit_of,
    same,
    tell,
)
from client.pages import preferences, question
from client.ui import widgets
from client.ui.intents import Click, Intent, Key
from client.ui.scene import Node, Rect
from client.ui.texts import _, phrase
from netplay.said import Words

INVITED: Final = "netplay:"
"""Begins an invitation; and, among the tips, says that this was asked."""

ADDRESS: Final = "field.address"
"""The field of the start page for one."""

JOIN: Final = "join.address"
"""The button beside it."""

SWITCH: Final = "set.links"


class LinksKnown(Struct, frozen=True):
    """Whether clicked lines are opened by this program, and what came of a wish."""

    on: bool | None
    """None where this computer cannot be told."""
    words: Words = ""
    """What was done, or why not."""
    bad: bool = False


def offered(change: Change) -> Change:
    """Return a change after which it is asked, if it was not before.

    Never over a match, nor where this computer cannot be told.
    """
    model, effects = change
    wanted = model.links is False and INVITED not in model.settings.tips
    if not wanted or model.over is not Over.NONE or model.page is Page.MATCH:
        return change
    return replace(model, over=Over.LINKS, open=""), effects


def _invites(text: str) -> bool:
    return text.strip().lower().startswith(INVITED)


def replaces(field: str, text: str) -> bool:
    """Tell whether a text takes the place of all that a field holds.

    An invitation is an address, and whole: a second one is meant instead of the first.
    """
    return _invites(text) and (field == ADDRESS or field.startswith("field.seat"))


def pasted(model: Model, text: str) -> Change:
    """Return the change where a text was put into a field: if it is an invitation."""
    return offered(same(model)) if _invites(text) else same(model)


def known(model: Model, news: LinksKnown) -> Change:
    """Take how it is now, and what came of a wish."""
    model = replace(model, links=news.on)
    if not news.words:
        return same(model)
    about = "network" if news.bad else ""  # the preferences tell what went wrong there
    return same(tell(model, phrase(news.words), bad=news.bad, about=about))


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    text = _("Shall a click on an invitation, in a letter or on a page, show it here?")
    return (question.dialog(model, window, "links", _("Clicked invitations"), text),)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Click(name="links.yes"):
            return _closed(model, OpenLinks(True))
        case Click(name="links.no") | Key(key="escape"):
            return _closed(model)
        case _:
            return same(model)


def _closed(model: Model, *effects: Effect) -> Change:
    """Close the dialog for good; an invitation just pasted is joined by Enter."""
    model = _asked(replace(model, over=Over.NONE))
    waits = edit_of(model, ADDRESS).text.lower().startswith(INVITED)
    back = (Give(JOIN),) if waits and model.page is Page.START else ()
    return model, (Store(), *effects, *back)


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
    return [preferences.box(SWITCH, text, model.look, on=model.links)]


def switched(model: Model) -> Change:
    """Have it the other way round; then it need not be asked any more."""
    return _asked(model), (Store(), OpenLinks(not model.links))
