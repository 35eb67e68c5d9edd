"""A question in a sentence, answered with Yes or Not now."""

from collections.abc import Sequence

from client.app.model import Model
from client.ui import typefaces, widgets
from client.ui.layout import columns
from client.ui.scene import Node, Rect
from client.ui.texts import _
from client.ui.widgets import Tone, label


def dialog(model: Model, window: Rect, name: str, title: str, text: str) -> Node:
    """Return the dialog of a question.

    Args:
        model: Of the window.
        window: The whole of it.
        name: Of the dialog; its parts are called `NAME.why`, `NAME.yes`, `NAME.no`.
        title: Above it.
        text: The question.
    """
    look = model.look
    wide = min(look.px(480), window.w)
    high = typefaces.height(text, look.body, widgets.inside(wide, look))

    def body(room: Rect) -> Sequence[Node]:
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        note = Rect(room.x, room.y, room.w, min(high, foot.y - room.y - look.gap))
        yes, no = columns(foot, [1, 1], look.gap)
        return (
            label(note, text, look, name=f"{name}.why", wrap=True),
            widgets.button(f"{name}.yes", yes, _("Yes"), look, tone=Tone.MAIN),
            widgets.button(f"{name}.no", no, _("Not now"), look),
        )

    size = wide, widgets.around(high + look.px(20) + look.row, look)
    return widgets.dialog(name, window.inset(look.px(10)), size, title, look, body)
