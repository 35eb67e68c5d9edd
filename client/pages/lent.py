"""What a guest sees, who was lent a seat, while there is no match to be seen."""

from client.app.model import Model
from client.pages import bar
from client.ui import widgets
from client.ui.layout import centred
from client.ui.scene import Node, Rect
from client.ui.texts import _


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
