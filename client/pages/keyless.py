"""A home that has lost its key: what that means, and the ways out of it."""

from collections.abc import Sequence

from client.intents import Intent
from client.model import Change, Model
from client.pages.ways_out import Way, choose, dialog, submit
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone
from netplay.ending import LOOK_AGAIN, NEW_KEY

__all__ = ["handle", "scene", "submit"]


def _ways() -> Sequence[Way]:
    return (
        Way("keyless.again", _("It is back: look again"), Tone.MAIN, LOOK_AGAIN),
        Way("keyless.new", _("Begin with a new key"), Tone.DANGER, NEW_KEY),
        Way("keyless.close", _("Close"), Tone.PLAIN),
    )


def _why(model: Model) -> str:
    said = _(
        "Your friends know you by the key in {file}. That file is gone, though there "
        "are matches or known players here. If you have a copy of it, put it back now. "
        "With a new key your friends' programs will say that another key answers, "
        "until they forget the old one, and open matches cannot go on."
    )
    return said.format(file=model.refusal)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    return dialog(model, window, _("Your key is missing"), _why(model), _ways())


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    return choose(model, intent, _ways())
