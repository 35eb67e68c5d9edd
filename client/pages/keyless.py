"""A home that has lost its key: what that means, and the ways out of it.

No node runs then, and none is started before the player has chosen.
"""

from collections.abc import Sequence

from client import widgets
from client.intents import Click, Intent, Key
from client.model import Change, Model, Quit, same
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone, label
from netplay.ending import LOOK_AGAIN, NEW_KEY


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look = model.look
    buttons = (
        ("keyless.again", _("It is back: look again"), Tone.MAIN),
        ("keyless.new", _("Begin with a new key"), Tone.DANGER),
        ("keyless.close", _("Close"), Tone.PLAIN),
    )
    pitch = look.row + look.gap

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, room.h - len(buttons) * pitch)
        kids = [label(note, _why(model), look, name="keyless.why", wrap=True)]
        for i, (name, text, tone) in enumerate(buttons):
            spot = Rect(room.x, note.bottom + i * pitch + look.gap, room.w, look.row)
            kids.append(widgets.button(name, spot, text, look, tone=tone))
        return kids

    size = (look.px(560), look.px(230) + len(buttons) * pitch)
    title = _("Your key is missing")
    return (
        widgets.dialog("keyless", window.inset(look.px(10)), size, title, look, body),
    )


def _why(model: Model) -> str:
    said = _(
        "Your friends know you by the key in {file}. That file is gone, though there "
        "are matches or known players here. If you have a copy of it, put it back now. "
        "With a new key your friends' programs will say that another key answers, "
        "until they forget the old one, and open matches cannot go on."
    )
    return said.format(file=model.refusal)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape") | Click(name="keyless.close"):
            return model, (Quit(),)
        case Click(name="keyless.again"):
            return model, (Quit(LOOK_AGAIN),)
        case Click(name="keyless.new"):
            return model, (Quit(NEW_KEY),)
        case _:
            return same(model)


def submit(model: Model) -> Change:
    """React to Enter: there is no field."""
    return same(model)
