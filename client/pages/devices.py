"""The browsers of the owner's: how one is let in, and which are."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from client.app.clicks import Closes, taker
from client.app.model import Change, Copy, Devices, Model, Over, Show, ask, same, tell
from client.pages import bar
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, local, sentence
from client.ui.widgets import Tone, label
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import ForgetDevice, GetDevices, Pair, Paired

OPEN: Final = "devices"
"""The button that opens the dialog."""

LISTED: Final = "devices"
PAIRED: Final = "pair"
"""What requests are remembered as."""


class Browsers(Means, frozen=True):
    """Open the dialog."""


class LetIn(Means, frozen=True):
    """Make what lets one browser in."""

    here: bool
    """On this computer."""


class ForgetOne(Means, frozen=True):
    """Let a browser in no more."""

    name: str


class CopyLink(Means, frozen=True):
    """Put the link on the clipboard."""


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look, now = model.look, model.devices
    wide = min(look.px(560), window.w - look.px(20))
    inner = widgets.inside(wide, look)
    items = _buttons(model)
    low = widgets.flow_height(items, inner, look)
    far = bool(now.fingerprint)
    side = min(look.px(200), window.h - look.px(230)) if far else 0
    room_w = inner - side - look.gap if side else inner
    texts = [*filter(None, (bar.fault(model, PAIRED, LISTED), now.link, _words(now)))]
    if far:
        texts.append(now.fingerprint)
    sizes = [typefaces.height(text, look.small, room_w) for text in texts]
    high = max(side, sum(sizes) + look.gap * (len(sizes) - 1))
    lines = 0 if now.link else min(len(now.listed), 3)
    pitch = look.row + look.px(4)

    def body(room: Rect) -> Sequence[Node]:
        top = Rect(room.x, room.y, room.w, high)
        left, right = columns(top, [max(1, side), 1], look.gap)
        kids: list[Node] = []
        if side:
            spot = Rect(left.x, left.y, side, side)
            words = _("The link as a picture for cameras")
            kids.append(widgets.code("devices.code", spot, now.link, words))
        place = right if side else top
        y = place.y
        for text, tall in zip(texts, sizes, strict=True):
            spot = Rect(place.x, y, place.w, tall)
            name = "devices.link" if text == now.link else ""
            kids.append(label(spot, text, look, name=name, size=look.small, wrap=True))
            y = spot.bottom + look.gap
        foot = Rect(room.x, room.bottom - low, room.w, low)
        if lines:
            spot = Rect(room.x, top.bottom + look.gap, room.w, lines * pitch)
            kids.append(_listed(model, spot, pitch))
        return (*kids, *widgets.flows(foot, look, items))

    whole = high + (lines * pitch + look.gap if lines else 0)
    size = wide, widgets.around(whole + look.px(20) + low, look)
    title = _("Play in a browser")
    return (widgets.dialog("devices.box", window, size, title, look, body),)


def _listed(model: Model, rect: Rect, pitch: int) -> Node:
    """Return the browsers that are let in, each with a button that ends that."""
    look = model.look
    text = _("Forget")

    def row(name: str, since: int) -> widgets.Row:
        day = local(since).date().isoformat()
        words = _("{name}, since {day}").format(name=name, day=day)

        def made(spot: Rect) -> Node:
            place = Rect(spot.x, spot.y, spot.w, look.row)
            wide = widgets.button_width(text, look)
            left, right = columns(place, [1, wide], look.gap)
            return widgets.group(spot, [
                label(left, words, look),
                widgets.button(
                    f"devices.forget:{name}", right, text, look,
                    enabled=model.linked, means=ForgetOne(name),
                ),
            ])  # fmt: skip

        return made

    rows = [row(*each) for each in model.devices.listed]
    offset = model.scrolls.get("devices.list", 0)
    return widgets.scroll("devices.list", rect, rows, pitch, look, offset=offset)


def _words(now: Devices) -> str:
    if now.fingerprint:
        return _(
            "Open this link on the device, or point its camera at the picture: it is "
            "good once, for five minutes. The browser will warn of the certificate. "
            "Go on only if it shows this fingerprint:"
        )
    if now.link:
        return _(
            "The browser opens now. If it does not, open this link: it is good once, "
            "for five minutes."
        )
    return _(
        "All your games, in a browser on this computer, or on your own phone or tablet "
        "in the same network. For that, may your devices there connect to this "
        "computer? They need a code, and what goes over the network is encrypted."
    )


def _buttons(model: Model) -> list[widgets.Item]:
    close = ("close", _("Close"), Tone.PLAIN, True, Closes())
    if model.devices.link:
        return [close, ("devices.copy", _("Copy"), Tone.MAIN, True, CopyLink())]
    can = model.linked and PAIRED not in model.asked.values()
    return [
        ("devices.here", _("On this computer"), Tone.MAIN, can, LetIn(here=True)),
        ("devices.far", _("On a phone or tablet"), Tone.PLAIN, can, LetIn(here=False)),
        close,
    ]


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take the list, or the link that was made."""
    if isinstance(answer, door.Failed):
        return same(tell(model, sentence(answer.error.said), bad=True, about=what))
    if what == PAIRED:
        made: Paired = wire.unpack(answer.data, Paired)
        now = replace(model.devices, link=made.link, fingerprint=made.fingerprint)
        here = () if made.fingerprint else (Show(made.link),)
        return replace(model, devices=now), here
    listed: tuple[tuple[str, int], ...]
    listed = wire.unpack(answer.data, tuple[tuple[str, int], ...])
    return same(replace(model, devices=replace(model.devices, listed=listed)))


@taker
def _opened(model: Model, _message: Browsers) -> Change:
    model = replace(model, over=Over.DEVICES, devices=Devices(), open="")
    return ask(model, GetDevices(), LISTED) if model.linked else same(model)


@taker
def _let_in(model: Model, message: LetIn) -> Change:
    return ask(model, Pair(message.here), PAIRED)


@taker
def _forgotten(model: Model, message: ForgetOne) -> Change:
    return ask(model, ForgetDevice(message.name), LISTED)


@taker
def _copied(model: Model, _message: CopyLink) -> Change:
    told = tell(model, _("The link is on the clipboard."))
    return told, (Copy(model.devices.link),)
