"""A dialog in place of a node that cannot be started: why, and a button a way out.

No node runs then, and none is started before the player has chosen.
"""

from collections.abc import Sequence
from typing import NamedTuple

from client import widgets
from client.intents import Click, Intent, Key
from client.model import Change, Model, Quit, same
from client.scene import Node, Rect
from client.widgets import Tone, label


class Way(NamedTuple):
    """A button that ends the window."""

    name: str
    """The button's."""
    text: str
    tone: Tone
    ending: int = 0
    """What the window ends with, see `netplay.ending`; 0 for no more."""


def dialog(
    model: Model, window: Rect, title: str, why: str, ways: Sequence[Way]
) -> tuple[Node, ...]:
    """Return the dialog.

    Args:
        model: The look.
        window: Where it may be.
        title: What is wrong.
        why: What that means, and what can be done.
        ways: The buttons, from the top; their names begin with the dialog's.
    """
    look, name = model.look, ways[0].name.partition(".")[0]
    pitch = look.row + look.gap

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, room.h - len(ways) * pitch)
        kids = [label(note, why, look, name=f"{name}.why", wrap=True)]
        for i, way in enumerate(ways):
            spot = Rect(room.x, note.bottom + i * pitch + look.gap, room.w, look.row)
            kids.append(widgets.button(way.name, spot, way.text, look, tone=way.tone))
        return kids

    size = (look.px(560), look.px(230) + len(ways) * pitch)
    return (widgets.dialog(name, window.inset(look.px(10)), size, title, look, body),)


def choose(model: Model, intent: Intent, ways: Sequence[Way]) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape"):
            return model, (Quit(),)
        case Click(name=name):
            ending = next((way.ending for way in ways if way.name == name), None)
            return same(model) if ending is None else (model, (Quit(ending),))
        case _:
            return same(model)


def submit(model: Model) -> Change:
    """React to Enter: there is no field."""
    return same(model)
