"""An invitation that was clicked elsewhere, while this window is open."""

from msgspec.structs import replace

from client.model import Change, Give, Model, Over, Page, ToFront, ask, tell
from client.pages import games, start
from client.texts import _
from netplay.messages.node_questions import Shown
from netplay.messages.summons import Clicked


def shown(model: Model, clicked: Clicked) -> Change:
    """Show the invitation where it can be joined, and come to the front.

    Anybody may have written it: nothing is called, and no key that is on its way to
    something else may do so; the keyboard is given to nothing.  A game in real time
    goes on before the player, and so does the question for a name.
    """
    laid = replace(start.invited(model, clicked.line), focus=model.focus)
    model, effects = ask(laid, Shown(clicked.number), "shown")
    effects = (*effects, ToFront())
    if _hurries(model):
        words = _("An invitation is on the start page, By address")
        return tell(model, words), effects
    if model.over is not Over.NAME:
        model = replace(model, over=Over.NONE, open="")
    if model.page is not Page.START:
        model, more = games.back(model)
        effects = (*effects, *more)
    return model, (*effects, Give(""))


def _hurries(model: Model) -> bool:
    """Tell whether a game in real time goes on in this window."""
    match = model.match
    return match is not None and match.hurries and model.phase == "playing"
