"""A home that has moved to another computer: what that means, and the way back.

No node runs then, and none is started before the player has chosen.
"""

from collections.abc import Sequence

from client import widgets
from client.intents import Click, Intent, Key
from client.model import Change, Model, Quit, same
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone, label
from netplay.ending import PLAY_HERE


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    look = model.look
    buttons = (
        ("moved.close", _("Close"), Tone.MAIN),
        ("moved.here", _("Play here again"), Tone.DANGER),
    )
    pitch = look.row + look.gap

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, room.h - len(buttons) * pitch)
        kids = [label(note, _why(model), look, name="moved.why", wrap=True)]
        for i, (name, text, tone) in enumerate(buttons):
            spot = Rect(room.x, note.bottom + i * pitch + look.gap, room.w, look.row)
            kids.append(widgets.button(name, spot, text, look, tone=tone))
        return kids

    size = (look.px(560), look.px(230) + len(buttons) * pitch)
    title = _("You have moved")
    return (
        widgets.dialog("moved", window.inset(look.px(10)), size, title, look, body),
    )


def _why(model: Model) -> str:
    said = _(
        "Your key, friends, matches and words were put into {file}, for another "
        "computer. Play there: with one key at two computers, neither can. If that "
        "file was not imported anywhere, and will not be, you can play here again."
    )
    return said.format(file=model.refusal)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape") | Click(name="moved.close"):
            return model, (Quit(),)
        case Click(name="moved.here"):
            return model, (Quit(PLAY_HERE),)
        case _:
            return same(model)


def submit(model: Model) -> Change:
    """React to Enter: there is no field."""
    return same(model)
