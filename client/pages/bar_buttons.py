"""What the buttons of the bar do."""

from msgspec.structs import replace

from client.browsing import Purpose
from client.model import Change, Give, Model, Over
from client.pages import chooser, dictionary, finished, games, learn, network


def _file(model: Model, name: str) -> Change:
    if name == "load" or model.table is None:
        return chooser.opened(model, Purpose.LOAD)
    names = "-".join(each for each in model.names if each)
    return chooser.opened(model, Purpose.SAVE, f"{model.table.game}-{names}")


def handle(model: Model, name: str) -> Change | None:  # noqa: PLR0911 (one a button)
    """React to a click on one of the bar's buttons; None if it is none."""
    overs = {
        "preferences": Over.PREFERENCES,
        "rename": Over.NAME,
        "leave": Over.LEAVE,
        "dictionary": Over.DICTIONARY,
    }
    if name == "help":
        return learn.helped(model), ()
    if name in ("save", "load") and model.over is Over.NONE:
        return _file(model, name)
    if name == "finished" and model.over is Over.NONE:
        return finished.opened(model)
    if name == "games" and model.over is Over.NONE:
        return finished.back(model)
    if name == "games.next" and model.over is Over.NONE:
        return games.onward(model)
    if name not in overs:
        return None
    over = overs[name]
    if over is Over.DICTIONARY and model.over is Over.NONE:
        return dictionary.opened(model)
    if model.over is over:
        return replace(model, over=Over.NONE, open=""), ()
    if over is Over.PREFERENCES and model.linked:
        return network.opened(replace(model, over=over, open=""))
    gives = (Give("field.name"),) if over is Over.NAME else ()
    return replace(model, over=over, open=""), gives
