"""Why no table can be opened on these terms, and the ways out of it."""

from msgspec.structs import replace

from client.intents import Click, Intent, Key
from client.model import Change, Model, Over, ask, same
from client.pages.ways_out import Way, dialog
from client.scene import Node, Rect
from client.texts import _
from client.widgets import Tone
from netplay.messages import door


def asked(model: Model, terms: door.HostTable, what: str) -> Change:
    """Open a table on some terms; they are kept in case they are refused.

    Args:
        model: As it is.
        terms: Game, seats, rules, edition and word list.
        what: `host` for a table, `host.start` for a match that begins at once.
    """
    return ask(replace(model, wanted=(terms, what)), terms, what)


def refused(model: Model, why: str) -> Model:
    """Return the model with the question what to do about terms that are refused."""
    return replace(model, over=Over.REFUSED, refusal=why, open="")


def ways(model: Model) -> list[tuple[str, str]]:
    """Return what can be given up, as far as it differs from the usual: name, text."""
    if model.wanted is None:
        return []
    terms, _what = model.wanted
    rules = [("refused.rules", _("Take the usual rules"))]
    files = [("refused.files", _("Take the usual tiles and words"))]
    return [
        *(rules if terms.options else ()),
        *(files if terms.edition or terms.words else ()),
    ]


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    buttons = [Way(name, text, Tone.MAIN) for name, text in ways(model)]
    buttons.append(Way("refused.no", _("Not now"), Tone.PLAIN))
    title = _("This cannot be played so")
    return dialog(model, window, title, model.refusal, buttons, (480, 170))


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the dialog."""
    match intent:
        case Key(key="escape") | Click(name="refused.no"):
            return same(replace(model, over=Over.NONE))
        case Key(key="enter", down=True) if ways(model):
            return handle(model, Click(ways(model)[0][0]))
        case Click(name="refused.rules"):
            return _again(model, rules=True)
        case Click(name="refused.files"):
            return _again(model, rules=False)
        case _:
            return same(model)


def _again(model: Model, *, rules: bool) -> Change:
    """Ask once more, without the rules, or without the files, that were chosen."""
    model = replace(model, over=Over.NONE)
    if model.wanted is None:
        return same(model)
    terms, what = model.wanted
    if rules:
        draft, terms = replace(model.draft, options=()), replace(terms, options=())
    else:
        draft = replace(model.draft, edition="", words="")
        terms = replace(terms, edition="", words="")
    return asked(replace(model, draft=draft), terms, what)
