"""Somebody new: one's own invitation as a line and a picture, and that of another."""

from collections.abc import Sequence
from math import inf
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Closes
from client.app.model import Change, Copy, Effect, Model, Page, ask, edit_of, same, tell
from client.pages import bar, link_offer, nearby, network, person
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect, Role
from client.ui.texts import _, sentence
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from netplay.messages import door
from netplay.messages.node_questions import GetInvitation, Inviting
from netplay.sentences import Says

CALLING: Final = "calling"
WAITING: Final = ("answering", CALLING)
"""What a node does that waits for others (`door.Status.mode`)."""

JOINS: Final = "join"
"""What is asked for from its field: what went wrong stands above that."""

FAR: Final = (JOINS, "answer", "invitation")
"""What is asked for from this card: its faults stand there."""

LINE: Final = "line.own"
"""What a request for one's own invitation, to be drawn, is remembered as."""

AGAIN: Final = "line.again"
"""What a request for it is remembered as once it leads here from elsewhere, too."""

AGAIN_SECONDS: Final = 120
"""After it was copied it is copied again: later something else may be on its way."""

CODE: Final = "code"
"""The button that shows the picture, and the picture that does."""

NEAR: Final = ("near", "random", "web")
"""Where it leads here from one's own network only."""

MEETS: Final = {"meets": Says.INVITES_MEETS, "calls": Says.INVITES_CALLS}
"""Where whoever has it is looked for in public."""

_BESIDE: Final = 320
"""Pixels at 100 % of width from which on the picture stands beside the words."""

_TALL: Final = 104
"""Pixels at 100 % of height that the picture needs."""


class CopyLine(Means, frozen=True):
    """Copy one's own invitation."""


class ShowCode(Means, frozen=True):
    """Show the picture alone, for somebody's camera."""


class JoinThere(Means, frozen=True):
    """Join the table whose invitation is typed, or watch there."""

    watch: bool = False


class Wait(Means, frozen=True):
    """Wait to be called, or no more."""


def waits(model: Model) -> bool:
    """Tell whether the node waits: to be called, or for an answer to a call."""
    return model.status is not None and model.status.mode in WAITING


def reach(model: Model) -> str:
    """Return in words where one's own invitation leads here from."""
    status = model.status
    if status is None or not network.own_addresses(model):
        alone = _("This computer is not on a network: nobody can join.")
        return alone if status else ""  # a node that is about to start knows more soon
    now = status.network
    if now.inviting in NEAR:
        return _near(now.inviting)
    if now.inviting in MEETS:
        return sentence(MEETS[now.inviting]())
    if now.reach == "internet":
        return _("It works from anywhere: a friend has reached you this way.")
    if now.reach in ("no", "network") and now.reached:
        return sentence(now.reached)
    return _("It should work from anywhere; nobody has tried it yet.")


def _near(inviting: Inviting) -> str:
    """Return why an invitation leads here from this network only, and what helps."""
    if inviting == "random":
        why = _("the router takes another port for every call")
        more = _("Join your friend instead, or be reached through another friend.")
    elif inviting == "web":
        why = _("the network seems to let nothing out but the web")
        more = _("Join your friend instead, or be reached through another friend.")
    else:
        why = _("this computer’s address on the internet is not known")
        more = _(
            "For friends elsewhere open Network in the preferences, and switch on “Ask "
            "the router to let players in”."
        )
    return _("On this network only: {why}.").format(why=why) + " " + more


def card(model: Model, rect: Rect) -> Node:
    """Return the card for inviting, and for those who were invited."""
    look, line = model.look, model.look.row
    note = _("Send this line any way you like. Whoever joins by it becomes a friend.")
    wrong = bar.fault(model, JOINS)
    note = "" if wrong else note  # which takes its room, but stands at the field
    room, kids = nearby.headed(model, rect, _("Invite somebody new"), note, FAR[1:])
    foot = Rect(room.x, room.bottom - line, room.w, line)
    go = foot.moved(0, -line - look.gap)
    field = go.moved(0, -line - look.gap)
    words = _("I was sent an invitation")
    told = nearby.note_height(wrong, room.w - look.px(30), look) if wrong else 0
    above = field.y - told
    if wrong:
        spot = Rect(room.x, above - look.px(4), room.w, told)
        said, away = columns(spot, [1, look.px(24)], look.px(6))
        kids += [
            widgets.reading("fault", said, wrong, look, size=look.small,
                            tone=Tone.DANGER, offset=model.scrolls.get("fault", 0)),
            bar.dismissing(away, look),
        ]  # fmt: skip
        above = spot.y
    high = look.line if above - room.y > _least(look) + look.line else 0
    asked = Rect(room.x, above - high, room.w, high)
    top = Rect(room.x, room.y, room.w, asked.y - room.y - look.gap)
    kids += _own(model, top)
    if high:
        kids.append(label(asked, words, look, size=look.small, bold=True,
                          tone=Tone.DIM))  # fmt: skip
    edit, hint = edit_of(model, link_offer.ADDRESS), _("invitation or name")
    kids.append(widgets.entry(link_offer.ADDRESS, field, edit, look, hint=hint))
    may = model.linked and bool(edit.text.strip())
    tone = Tone.MAIN if edit.text.startswith(link_offer.INVITED) else Tone.PLAIN
    watch = _("Watch")
    parts = columns(go, [1, widgets.button_width(watch, look)], look.gap)
    kids += [
        widgets.button(link_offer.JOIN, parts[0], _("Join the table there"), look,
                       tone=tone, enabled=may, means=JoinThere()),
        widgets.button("watch.address", parts[1], watch, look, enabled=may,
                       means=JoinThere(watch=True)),
    ]  # fmt: skip
    on = waits(model)
    text = _("Stop waiting") if on else _("Wait for friends")
    more = _("Network")
    wide = widgets.button_width(more, look)
    if wide + look.gap + widgets.button_width(text, look) > foot.w:
        more, wide = person.MORE, line  # the preferences have it by its name
    parts = columns(foot, [1, wide], look.gap)
    kids += [
        widgets.button("answer", parts[0], text, look, enabled=model.linked,
                       selected=on, means=Wait()),
        widgets.button(network.OPEN, parts[1], more, look, tone=Tone.QUIET,
                       means=network.Connect(), said=_("Network")),
    ]  # fmt: skip
    return widgets.panel(rect, look, kids, name="address")


def _least(look: Look) -> int:
    """Return how high one's own invitation is: a button, and three lines of words."""
    return look.row + look.gap + 3 * round(look.small * typefaces.LINE)


def _own(model: Model, room: Rect) -> list[Node]:
    """Return the button that copies one's invitation, its picture, and its reach."""
    look, line = model.look, model.start.invitation.line
    can = model.linked and bool(network.own_addresses(model))
    words, tone = reach(model), Tone.DIM
    if waits(model) and model.status is not None:
        called = model.status.mode == CALLING
        head = _("Waiting for an answer") if called else _("Waiting for friends")
        words, tone = f"{head}\n{words}", Tone.MAIN
    side = min(room.h, room.w * 46 // 100)
    pictured = bool(line) and room.w >= look.px(_BESIDE) and side >= look.px(_TALL)
    if pictured:  # cameras need that much
        pictured = side >= 2 * widgets.code_modules(line)
    kids: list[Node] = []
    left = room
    if pictured:
        left, right = columns(room, [1, side], look.gap)
        value = _("The invitation as a picture for cameras")
        made = widgets.code(CODE, right, model.start.invitation.line, value)
        made = replace(made, role=Role.BUTTON, live=True, focusable=True)
        kids.append(replace(made, means=ShowCode()))
    copy = Rect(left.x, left.y, left.w, look.row)
    code, text, show = _("QR code"), _("Copy invitation"), ShowCode()
    if line and not pictured:
        wide = widgets.button_width(code, look)
        if wide + look.gap + widgets.button_width(text, look) <= left.w:
            copy, spot = columns(copy, [1, wide], look.gap)
            kids.append(widgets.button(CODE, spot, code, look, means=show))
        elif left.h > _least(look) + look.row + look.gap:
            spot = copy.moved(0, look.row + look.gap)
            left = Rect(left.x, spot.y, left.w, left.bottom - spot.y)
            kids.append(widgets.button(CODE, spot, code, look, means=show))
    kids.append(widgets.button("copy", copy, text, look, enabled=can, means=CopyLine()))
    y = left.y + look.row + look.gap
    rest = Rect(left.x, y, left.w, max(0, left.bottom - y))
    if rest.h < 2 * round(look.small * typefaces.LINE):
        return kids  # what went wrong takes the room
    kids.append(
        widgets.reading("reach", rest, words, look, size=look.small, tone=tone,
                        offset=model.scrolls.get("reach", 0))
    )  # fmt: skip
    return kids


# The picture alone, as large as can be.


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog with the picture."""
    look, words, told = model.look, reach(model), "invite.reach"
    side = min(look.px(420), window.h - look.px(190), window.w - look.px(60))
    wide = side + 2 * (window.w - widgets.inside(window.w, look)) // 2
    high = typefaces.height(words, look.small, widgets.inside(wide, look))
    high = min(high, 5 * look.line)

    def body(room: Rect) -> Sequence[Node]:
        spot = Rect(room.x, room.y, room.w, side)
        text = Rect(room.x, spot.bottom + look.gap, room.w, high)
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        items: list[widgets.Item] = [
            ("close", _("Close"), Tone.PLAIN, True, Closes()),
            ("invite.copy", _("Copy invitation"), Tone.MAIN, model.linked, CopyLine()),
        ]
        value = _("The invitation as a picture for cameras")
        return (
            widgets.code("invite.code", spot, model.start.invitation.line, value),
            widgets.reading(told, text, words, look, size=look.small, tone=Tone.DIM,
                            offset=model.scrolls.get(told, 0)),
            *widgets.flow(foot, look, items),
        )  # fmt: skip

    tall = widgets.around(side + high + look.row + 2 * look.gap, look)
    title = _("Invite somebody new")
    return (widgets.dialog("invite", window, (wide, tall), title, look, body),)


def copied(model: Model, answer: door.Done) -> Change:
    """Put one's invitation on the clipboard, and say where it leads here from.

    The line itself is for programs: nobody has to read it.
    """
    said, now = _("Invitation copied."), model.status and model.status.network
    near = model.now if now and now.inviting in NEAR else -inf
    own = replace(model.start.invitation, near=near, line=answer.text)
    model = replace(model, start=replace(model.start, invitation=own))
    told = tell(model, f"{said} {reach(model)}")
    return told, (Copy(_written(answer)),)


def _written(answer: door.Done) -> str:
    """Return an invitation as it is sent: it says to a person what to do with it."""
    words = _("Play with me: open Netplay and paste this line.")
    return f"{words} {answer.text}"


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take one's own invitation; without one there is no picture.

    If it was copied before the router was asked, it is copied again.
    """
    if what == AGAIN and isinstance(answer, door.Done):
        said = _("Copied again: your invitation now works over the internet, too.")
        if model.status and model.status.network.inviting in MEETS:
            said = _("Invitation copied.") + " " + reach(model)
        return tell(model, said), (Copy(_written(answer)),)
    line = answer.text if isinstance(answer, door.Done) else ""
    own = replace(model.start.invitation, line=str(line))
    return same(replace(model, start=replace(model.start, invitation=own)))


def drawn(change: Change) -> Change:
    """Ask for one's own invitation where its picture is, if it may have changed.

    One that was copied just now, and leads here from elsewhere only since, is asked for
    to be copied again.
    """
    model, effects = change
    status, own = model.status, model.start.invitation
    if status and own.near > -inf and status.network.inviting not in NEAR:
        late = model.now > own.near + AGAIN_SECONDS
        own = replace(own, near=-inf)
        model = replace(model, start=replace(model.start, invitation=own))
        if not late:
            model, again = ask(model, GetInvitation(), AGAIN)
            effects = (*effects, *again)
        change = model, effects
    if model.page is not Page.START or model.guest or not (status and model.linked):
        return change
    now = status.network
    via = tuple(c.invitation for c in now.carry.carriers if c.state == "carries")
    places = (*(place.address for place in now.places), *via)
    if places == model.start.invitation.places:
        return change
    more: tuple[Effect, ...]
    own = replace(model.start.invitation, places=places)
    model = replace(model, start=replace(model.start, invitation=own))
    model, more = ask(model, GetInvitation(shown=True), LINE)
    return model, (*effects, *more)
