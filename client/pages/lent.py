"""What a guest sees, who was lent a seat, while there is no match to be seen."""

from client import widgets
from client.layout import centred
from client.model import Model
from client.pages import bar
from client.scene import Node, Rect
from client.texts import _


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the page."""
    look = model.look
    top = Rect(area.x, area.y, area.w, bar.height(look))
    room = centred(area.inset(look.px(16)), look.px(600), look.px(120))
    said = (
        _("Waiting for the match …") if model.linked else _("Looking for the table …")
    )
    return (
        bar.scene(model, top, "Netplay"),
        widgets.label(room, said, look, name="said", size=look.head, wrap=True),
    )
