"""The question whether the router may be asked to let others in; asked once."""

from collections.abc import Sequence

from msgspec.structs import replace

from client import widgets
from client.intents import Click, Intent, Key
from client.layout import columns
from client.model import Change, Model, Over, Page, ask, same
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone, label
from netplay.messages.node_questions import Switch


def offered(model: Model) -> Model:
    """Return the model with the question, if the node would have it asked now.

    Never over a match, and not again in a window that has put it away.  A match that
    begins before it is answered goes first.
    """
    if model.over is Over.ROUTER and model.page is Page.MATCH:
        return replace(model, over=Over.NONE)
    wanted = model.status is not None and model.status.network.may_ask
    free = model.over is Over.NONE and model.page is not Page.MATCH
    if not wanted or not free or model.put_off:
        return model
    return replace(model, over=Over.ROUTER, open="")


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look = model.look

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        note = Rect(room.x, room.y, room.w, foot.y - room.y - look.gap)
        text = _(
            "Shall Netplay ask your router to let friends in from the internet, for "
            "as long as it runs?"
        )
        yes, no = columns(foot, [1, 1], look.gap)
        return (
            label(note, text, look, name="router.why", wrap=True),
            widgets.button("router.yes", yes, _("Yes"), look, tone=Tone.MAIN),
            widgets.button("router.no", no, _("Not now"), look),
        )

    size = (look.px(480), look.px(190))
    inner = window.inset(look.px(10))
    title = _("Over the internet")
    return (widgets.dialog("router", inner, size, title, look, body),)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    closed = replace(model, over=Over.NONE, put_off=True)
    match intent:
        case Key(key="escape"):
            return same(closed)
        case Click(name="router.yes"):
            return ask(closed, Switch("map-port", on=True), "network")
        case Click(name="router.no"):
            return ask(closed, Switch("map-port", on=False), "network")
        case _:
            return same(model)


def submit(model: Model) -> Change:
    """React to Enter: there is no field."""
    return same(model)
