"""What is new in the first game against computers: pointed at, once for each game."""

from typing import Final

from msgspec.structs import replace

from client import board
from client.model import Change, Model, Store
from client.texts import _
from client.widgets import Item, Tone

LEARN: Final = "tip.learn"
CLOSE: Final = "tip.close"


def due(model: Model) -> bool:
    """Tell whether somebody plays a game for the first time, against computers."""
    match, table = model.match, model.table
    if match is None or table is None or match.game in model.settings.tips:
        return False
    if table.phase != "playing" or match.back >= 0 or match.seat < 0:
        return False
    if board.find(match.game).TRAITS.tip is None:
        return False
    others = [seat.kind for i, seat in enumerate(table.seats) if i != match.seat]
    return bool(others) and set(others) == {"computer"}


def pointed(model: Model, said: str) -> str:
    """Return what the game says, and before it what is new."""
    match = model.match
    if match is None or not due(model):
        return said
    tip = board.find(match.game).TRAITS.tip
    return said if tip is None else f"{tip()}\n{said}"


def buttons(model: Model) -> list[Item]:
    """Return the buttons that go with it."""
    if not due(model):
        return []
    return [
        (LEARN, _("How to play"), Tone.PLAIN, True),
        (CLOSE, _("Got it"), Tone.PLAIN, True),
    ]


def known(change: Change) -> Change:
    """Return a change after which nothing is new in the game any more."""
    model, effects = change
    if model.match is None or not due(model):
        return change
    tips = (*model.settings.tips, model.match.game)
    model = replace(model, settings=replace(model.settings, tips=tips))
    return model, (*effects, Store())
