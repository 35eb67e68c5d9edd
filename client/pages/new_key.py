"""A friend who has lost the key: taken back by the fingerprint of the new one."""

from typing import Final

from msgspec.structs import replace

from client.app.clicks import taker
from client.app.model import (
    Change,
    Give,
    Model,
    Over,
    Who,
    ask,
    edit_of,
    same,
    tell,
    untouched,
)
from client.pages import link_offer, question
from client.ui import widgets
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _, sentence
from client.ui.widgets import Tone
from netplay.messages import door
from netplay.messages.node_questions import Succeed

FIELD: Final = "field.new-key"
ASKED: Final = "new-key"
"""What the request is remembered as."""


class Answer(Means, frozen=True):
    """Whether the key that is typed is the friend's."""

    yes: bool


def offered(model: Model, who: Who) -> bool:
    """Tell whether somebody is a friend, who may have lost the key."""
    friends = model.status.friends if model.status else ()
    return not who.guest and any(key == who.key for _name, key in friends)


def opened(model: Model) -> Change:
    """Ask for the new key of whom the dialog before was about."""
    model = untouched(model, FIELD)
    return replace(model, over=Over.NEW_KEY, open=""), (Give(FIELD),)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the dialog."""
    who = model.who
    if who is None:
        return ()
    text = _(
        "Has {name} lost the key? Ask {name}, by telephone for instance, for the new "
        "invitation or fingerprint. Whoever has that key is {name} from then on, and "
        "gets the seats of {name} once all the other players have said the same."
    ).format(name=who.name or "–")
    items: list[widgets.Item] = [
        ("close", _("Cancel"), Tone.PLAIN, True, Answer(yes=False)),
        (
            "new-key.yes",
            _("That is {name}").format(name=who.name or "–"),
            Tone.MAIN,
            model.linked and bool(edit_of(model, FIELD).text.strip()),
            Answer(yes=True),
        ),
    ]
    hint = _("invitation or fingerprint")
    field = question.Field(FIELD, edit_of(model, FIELD), hint, model.linked)
    title = _("A new key of {name}").format(name=who.name or "–")
    asked = question.Form("new-key", title, text, (field,), items, ASKED, 480)
    return (question.form(model, window, asked),)


def submit(model: Model) -> Change:
    """Ask the node to take the friend back."""
    text, who = link_offer.typed(model, FIELD), model.who
    if who is None or not text:
        return model, (Give(FIELD),)
    return ask(model, Succeed(who.key, text), ASKED)


def answered(model: Model, _what: str, answer: door.Done | door.Failed) -> Change:
    """Say what came of it; where it is refused the field stays."""
    if isinstance(answer, door.Failed):
        why = sentence(answer.error.said)
        field = (Give(FIELD),) if model.over is Over.NEW_KEY else ()
        return tell(model, why, bad=True, about=ASKED), field
    if model.over is Over.NEW_KEY:
        model, _effects = escaped(model)
    return same(tell(model, sentence(answer.text)))


def escaped(model: Model) -> Change:
    """Take it for a no."""
    return same(replace(untouched(model, FIELD), over=Over.NONE, who=None))


@taker
def _answered(model: Model, message: Answer) -> Change:
    return submit(model) if message.yes else escaped(model)
