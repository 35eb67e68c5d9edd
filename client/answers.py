"""What the node answers to the questions of a window."""

from collections.abc import Mapping

from msgspec.structs import replace

from client import board, follow
from client.board import Step
from client.model import Change, Give, Match, Model, Page, Play, ask, same, tell
from client.pages import (
    agreeing,
    chooser,
    chooser_input,
    dictionary,
    editor_input,
    faults,
    finished,
    games,
    network,
    person,
    refused,
    review,
    setup_input,
)
from client.sound import Sound
from client.texts import _, phrase, sentence
from netplay import wire
from netplay.messages import door
from netplay.messages.node_questions import GetKnown
from rules import GAMES


def take(model: Model, answer: door.Done | door.Failed) -> Change:
    """Take what the node answers to a question of this window."""
    asked: Mapping[int, str] = model.asked
    what = asked.get(answer.id, "")
    rest = {number: why for number, why in asked.items() if number != answer.id}
    model = replace(model, asked=rest)
    match = model.match
    if match is not None and match.sent == answer.id:
        model = replace(model, match=replace(match, sent=0))
    answered = {
        "words": dictionary.answered,
        "edition": editor_input.answered,
        review.ASKED: review.answered,
        games.GLANCE: games.glanced,
        finished.ASKED: finished.answered,
    }
    if what == follow.PIECE:
        return follow.longer(model, answer)
    if (tool := what.partition(".")[0]) in answered:
        return answered[tool](model, what, answer)
    return _answered(model, what, answer)


def _answered(  # noqa: PLR0911 (one a kind of request)
    model: Model, what: str, answer: door.Done | door.Failed
) -> Change:
    if isinstance(answer, door.Failed):
        return _failed(model, what, answer)
    if what in ("host", "change", "host.start"):
        model = setup_input.settled(model, taken=True)
    model = chooser_input.answered(faults.called(model, what), what)
    match what:
        case "host.start":
            return ask(model, door.StartMatch(), "start")
        case "name" | "host" | "change" | "start" | "network" | "left" | agreeing.VERB:
            return same(model)  # what came of it is to be seen anyway
        case "crashed":
            return same(replace(model, crashed=False))
        case "hint":
            return _hint(model, answer)
        case person.ASKED:
            known = ask(model, GetKnown(), "peers")
            return tell(known[0], phrase(answer.text)), known[1]
        case "peers" | "invitation":
            return network.answered(model, what, answer)
        case _:
            return same(tell(model, sentence(answer.text)) if answer.text else model)


def _failed(model: Model, what: str, answer: door.Failed) -> Change:
    """Say why something was refused; of terms also what can be done about it."""
    if what == "host":
        model = replace(model, page=Page.TABLE if model.table else Page.START)
    if what == "change":
        model = setup_input.settled(model, taken=False)
    why = phrase(answer.error.said)
    if what in ("host", "host.start") and refused.ways(model):
        return refused.refused(model, why), (Play(Sound.REFUSED),)
    if (file := chooser_input.refused(model, what, why)) is not None:
        return file, (Play(Sound.REFUSED), Give(chooser.FIELD))
    wrong = tell(model, sentence(answer.error.said), bad=True, about=what)
    return wrong, (Play(Sound.REFUSED),)


def _hint(model: Model, answer: door.Done) -> Change:
    """Show a hint in words, as long as the turn goes on."""
    if model.match is None or model.match.covered:
        return same(model)
    play = _as_listed(model.match, answer.data) or phrase(answer.text)
    hint = _("Hint: {play}").format(play=play)
    return replace(model, match=replace(model.match, hint=hint)), ()


def _as_listed(match: Match, data: bytes) -> str:
    """Return a move as the list of moves has it, with the names along the board.

    Args:
        match: In which it may be made.
        data: The move as the node has sent it.

    Returns:
        Nothing for what is no play on the board.
    """
    entered = board.find(match.game).TRAITS.entered
    if entered is None or not data:
        return ""
    move = wire.unpack(data, GAMES[match.game].ABOUT.move)
    found = entered(Step(match.state, match.seat, move))
    if found is None:
        return ""
    points = "" if found.points is None else str(found.points)
    return " ".join(filter(None, (found.where, found.what, points)))
