"""A dialog in place of a node that cannot be started: why, and a button a way out.

No node runs then, and none is started before the player has chosen.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from client.app.clicks import taker
from client.app.model import Change, Model, Over, Quit
from client.ui import widgets
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.widgets import Tone, label
from netplay.ending import LOOK_AGAIN, NEW_KEY, PLAY_HERE

_SIZE: Final = (560, 230)
"""Pixels of the dialog at 100 %, without the buttons."""


class Ends(Means, frozen=True):
    """End the window."""

    code: int = 0
    """With which, see `netplay.ending`; 0 for no more."""


class Way(NamedTuple):
    """A button."""

    name: str
    """The button's."""
    text: str
    tone: Tone
    means: Means


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog: what is wrong, what that means, and the ways out."""
    if model.over is Over.MOVED:
        title = _("You have moved")
        why = _(
            "Your key, friends, games and words were put into {file}, for another "
            "computer. Play there: with one key at two computers, neither can. If that "
            "file was not imported anywhere, and will not be, you can play here again."
        )
        ways = [
            Way("moved.close", _("Close"), Tone.MAIN, Ends()),
            Way("moved.here", _("Play here again"), Tone.DANGER, Ends(PLAY_HERE)),
        ]
    else:
        title = _("Your key is missing")
        why = _(
            "Your friends know you by the key in {file}. That file is gone, though "
            "there are games or known players here. If you have a copy of it, put it "
            "back now. With a new key your friends' programs will say that another key "
            "answers, until they forget the old one, and open games cannot go on."
        )
        again = _("It is back: look again")
        new = _("Begin with a new key")
        ways = [
            Way("keyless.again", again, Tone.MAIN, Ends(LOOK_AGAIN)),
            Way("keyless.new", new, Tone.DANGER, Ends(NEW_KEY)),
            Way("keyless.close", _("Close"), Tone.PLAIN, Ends()),
        ]
    said = why.format(file=model.refusal)
    return dialog(model, window, title, said, ways, _SIZE)


def dialog(
    model: Model,
    window: Rect,
    title: str,
    why: str,
    ways: Sequence[Way],
    size: tuple[int, int],
) -> tuple[Node, ...]:
    """Return a dialog that says why, with a button a way out of it.

    Args:
        model: The look.
        window: Where it may be.
        title: What is wrong.
        why: What that means, and what can be done.
        ways: The buttons, from the top; their names begin with the dialog's.
        size: Pixels at 100 %, without the buttons.
    """
    look, name = model.look, ways[0].name.partition(".")[0]
    pitch = look.row + look.gap

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, room.h - len(ways) * pitch)
        kids = [label(note, why, look, name=f"{name}.why", wrap=True)]
        for i, way in enumerate(ways):
            spot = Rect(room.x, note.bottom + i * pitch + look.gap, room.w, look.row)
            face = widgets.button(
                way.name, spot, way.text, look, tone=way.tone, means=way.means
            )
            kids.append(face)
        return kids

    whole = look.px(size[0]), look.px(size[1]) + len(ways) * pitch
    return (widgets.dialog(name, window.inset(look.px(10)), whole, title, look, body),)


def escaped(model: Model) -> Change:
    """Close the window: without a key there is nothing behind the dialog."""
    return model, (Quit(),)


@taker
def _ended(model: Model, message: Ends) -> Change:
    return model, (Quit(message.code),)
