"""From the message that a clicked node carries to the function that takes it.

A page says what its buttons mean by frozen structs and marks the function that takes
them with `taker`; the type of its second parameter says which.  So a type checker sees
a message that nobody takes, and no page is asked whether a click might be its own.
"""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, get_args

from msgspec.structs import replace

from client.app.model import Change, Model, Over, ask, same, toggled
from client.ui.intents import Click
from client.ui.scene import Chosen, Means, Unfold
from netplay.messages import door

Taker: TypeAlias = Callable[[Model, Any], Change]
F = TypeVar("F", bound=Taker)

_TAKERS: dict[type[Means], Taker] = {}
_TWICE: dict[type[Means], Taker] = {}


def _enter(takers: dict[type[Means], Taker], function: F) -> F:
    _model, kinds = list(function.__annotations__.values())[:2]
    for kind in get_args(kinds) or (kinds,):
        assert kind not in takers, f"{kind.__qualname__} is taken twice"
        takers[kind] = function
    return function


def taker(function: F) -> F:
    """Have a function take the messages that its second parameter names."""
    return _enter(_TAKERS, function)


def taker_of_second(function: F) -> F:
    """Have a function take the second click of a double click on such a node."""
    return _enter(_TWICE, function)


def is_taken(means: Means) -> bool:
    """Tell whether somebody takes such a message; a game's own the game takes."""
    return type(means.of if isinstance(means, Chosen) else means) in _TAKERS


def taken(model: Model, click: Click) -> Change | None:
    """Return what a click changes; None if its message is a game's, or it has none."""
    means = click.means
    if isinstance(means, Chosen):
        model, means = replace(model, open=""), means.of
    elif model.open and means is not None:
        return same(replace(model, open=""))  # a click beside a list closes it
    if means is None:
        return None
    kind = type(means)
    function = (click.count == 2 and _TWICE.get(kind)) or _TAKERS.get(kind)
    return function(model, means) if function else None


# What buttons of many pages mean.


class Asks(Means, frozen=True):
    """Ask the node something."""

    question: door.Question
    what: str
    """Remembered until the answer comes."""
    closes: bool = False
    """The dialog, too."""


class Opens(Means, frozen=True):
    """Open a dialog about which nothing need be known before."""

    over: Over


class Closes(Means, frozen=True):
    """Close the dialog, and change nothing else."""


@taker
def _unfold(model: Model, message: Unfold) -> Change:
    return toggled(model, message.name)


@taker
def _asked(model: Model, message: Asks) -> Change:
    shut = _shut(model) if message.closes else model
    return ask(shut, message.question, message.what)


@taker
def _opened(model: Model, message: Opens) -> Change:
    return replace(model, over=message.over, open=""), ()


@taker
def _closed(model: Model, _message: Closes) -> Change:
    return _shut(model), ()


def _shut(model: Model) -> Model:
    """Return the model without the dialog, and whom it was about."""
    return replace(model, over=Over.NONE, open="", who=None, lend=None)
