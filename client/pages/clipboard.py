"""An invitation on the clipboard: pasted on any page, or offered when one comes back.

The window looks there by itself only if the player has said so, and nothing but an
invitation ever gets from there into the model.
"""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import (
    Change,
    Effect,
    Give,
    LookThere,
    Model,
    Over,
    Page,
    Store,
    edit_of,
    same,
    tell,
    with_edit,
)
from client.pages import link_offer, setup, start
from client.pages import question as asking
from client.ui import hand
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from netplay.fingerprint import folded, invitation_in

ASKED: Final = "clipboard"
"""Among the tips: that it was asked whether the window may look."""


class ToFront(Struct, frozen=True):
    """The window has come to the front."""


class Found(Struct, frozen=True):
    """There is an invitation on the clipboard."""

    line: str


class May(Means, frozen=True):
    """Whether the window may look."""

    on: bool


class Lay(Means, frozen=True):
    """Whether the invitation is wanted."""

    on: bool


def fronted(model: Model) -> Change:
    """Look at the clipboard, or ask once whether one may: the player was elsewhere.

    It is asked of who has pasted an invitation by hand before, and knows what it saves.
    """
    if not asking.calm(model):  # a click may have brought it here, and goes on
        return same(replace(model, came_back=True))
    again, model = model.fronts, replace(model, fronts=True, came_back=False)
    free = model.page is Page.START and model.over is Over.NONE and model.linked
    if not free or model.guest or not (model.status and model.status.name):
        return same(model)
    own = model.settings
    if own.clipboard:
        return model, (LookThere(),)
    pasted = any(map(link_offer.invites, own.recent))
    if again and pasted and ASKED not in own.tips and asking.may(model):
        return same(replace(model, offer=Over.MAY_LOOK))
    return same(model)


def found(model: Model, line: str) -> Change:
    """Offer an invitation: not one's own, and each only once."""
    own, status = model.settings, model.status
    key = folded(line.rpartition("#")[2])
    known = status is None or key == folded(status.key)
    known = known or line == own.clipped or line in edit_of(model, start.ADDRESS).text
    known = known or any(each.partition(" ")[0] == line for each in own.recent)
    if known or model.page is not Page.START or model.over is not Over.NONE:
        return same(model)
    model = replace(model, settings=replace(own, clipped=line))
    return replace(model, over=Over.CLIPBOARD, open=""), (Store(),)


def strip(model: Model) -> asking.Strip | None:
    """Return the question whether the window may look, while it is not answered."""
    if ASKED in model.settings.tips:
        return None
    text = _(
        "When you come back to this window, may Netplay check whether you have "
        "copied an invitation? It looks at nothing else on the clipboard."
    )
    return asking.Strip("may-look", text, asking.yes_or_no("may-look", May))


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the question."""
    title = _("An invitation")
    text = _("You have copied an invitation. Use it?")
    return (
        asking.dialog(
            model, window, "clipboard", title, text, yes=Lay(True), no=Lay(False)
        ),
    )


@taker
def _may(model: Model, message: May) -> Change:
    own = model.settings
    tips = own.tips if ASKED in own.tips else (*own.tips, ASKED)
    own = replace(own, clipboard=message.on, tips=tips)
    put_off = model.put_off | {Over.MAY_LOOK}
    model = replace(model, settings=own, offer=Over.NONE, put_off=put_off)
    look: tuple[Effect, ...] = (LookThere(),) if message.on else ()
    return model, (Store(), *look)


@taker
def _laid(model: Model, message: Lay) -> Change:
    if not message.on:
        return same(replace(model, over=Over.NONE))
    return pasted(replace(model, over=Over.NONE), model.settings.clipped)


# Pasted by hand, wherever the keyboard is.


def takes(model: Model) -> bool:
    """Tell whether a pasted invitation has a place here besides any field."""
    pages = model.page in (Page.START, Page.TABLE) and model.over is Over.NONE
    return pages and not model.guest and not model.focus.startswith("field.")


def pasted(model: Model, text: str) -> Change:
    """Lay an invitation where it belongs on this page, instead of what was there."""
    line = invitation_in(text)
    if not line:
        return same(model)
    model = replace(model, open="")
    if model.page is Page.TABLE and setup.hosting(model):
        return setup.invited(model, line)
    if model.page is Page.TABLE:
        laid = with_edit(model, start.ADDRESS, hand.of(line))
        return same(tell(laid, _("An invitation is on the start page")))
    return start.invited(model, line), (Give(link_offer.JOIN),)
