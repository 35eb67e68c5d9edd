"""The question whether the router may be asked to let others in; asked once."""

from msgspec.structs import replace

from client.app.model import Change, Model, Over, Page, ask, same
from client.pages import question
from client.ui.intents import Click, Intent, Key
from client.ui.scene import Node, Rect
from client.ui.texts import _
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
    text = _(
        "Shall Netplay ask your router to let friends in from the internet, for "
        "as long as it runs?"
    )
    return (question.dialog(model, window, "router", _("Over the internet"), text),)


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
