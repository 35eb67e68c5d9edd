"""The preferences of being told: notifications, quiet hours, and this game or not."""

from typing import Final

from msgspec.structs import replace

from client import widgets
from client.model import Change, Model, ask
from client.pages import form
from client.texts import _
from netplay.messages.table_questions import Mute, SetQuiet

NOTIFY: Final = "set.notify"
QUIET: Final = "set.quiet"
GAME: Final = "set.told"

HOURS: Final = (
    "", "20:00-08:00", "21:00-07:00", "22:00-07:00", "22:00-08:00", "23:00-07:00",
    "23:00-08:00", "00:00-08:00",
)  # fmt: skip
"""To choose from; a command sets others."""


def _now(model: Model) -> str:
    return model.status.quiet if model.status else ""


def _hours(model: Model) -> tuple[str, ...]:
    """Return what there is to choose from: what is set now among it."""
    now = _now(model)
    return HOURS if now in HOURS else (*HOURS, now)


def lists(model: Model) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the drop-down as (value, words)."""
    return {QUIET: tuple((one, _shown(one)) for one in _hours(model))}


def _shown(hours: str) -> str:
    return hours.replace("-", " – ") if hours else _("none")


def is_muted(model: Model, number: int) -> bool:
    """Tell whether the player wants to be told nothing of a table."""
    games = () if model.status is None else model.status.games
    return any(one.muted for one in games if one.table == number)


def rows(model: Model) -> list[widgets.Row]:
    """Return the rows of the preferences."""
    look, table, own = model.look, model.table, model.settings
    words = _("Notify me while another window is in front")
    hours = _shown(_now(model))
    made = [
        form.box(NOTIFY, words, look, on=own.notify),
        form.choice(QUIET, _("Quiet hours"), hours, look, enabled=model.linked),
    ]
    if table is not None:
        on = not is_muted(model, table.number)
        made.append(form.box(GAME, _("Tell me of this game"), look, on=on))
    return made


def clicked(model: Model, name: str) -> Change | None:
    """React to a click on one of the rows that the node keeps; None for others."""
    head, _colon, tail = name.partition(":")
    hours = _hours(model)
    if head == QUIET and tail.isdigit() and int(tail) < len(hours):
        return ask(replace(model, open=""), SetQuiet(hours[int(tail)]), "network")
    if name == GAME and model.table is not None:
        return ask(model, Mute(not is_muted(model, model.table.number)), "network")
    return None
