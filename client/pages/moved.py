"""A home that has moved to another computer: what that means, and the way back."""

from collections.abc import Sequence

from client.intents import Intent
from client.model import Change, Model
from client.pages.ways_out import Way, choose, dialog, submit
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone
from netplay.ending import PLAY_HERE

__all__ = ["handle", "scene", "submit"]


def _ways() -> Sequence[Way]:
    return (
        Way("moved.close", _("Close"), Tone.MAIN),
        Way("moved.here", _("Play here again"), Tone.DANGER, PLAY_HERE),
    )


def _why(model: Model) -> str:
    said = _(
        "Your key, friends, matches and words were put into {file}, for another "
        "computer. Play there: with one key at two computers, neither can. If that "
        "file was not imported anywhere, and will not be, you can play here again."
    )
    return said.format(file=model.refusal)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    return dialog(model, window, _("You have moved"), _why(model), _ways())


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    return choose(model, intent, _ways())
