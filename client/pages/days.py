"""Days to think: the host's choice, what is left of them, and the claim."""

from collections.abc import Iterable
from typing import Final, get_args

from client.model import Model
from client.table_draft import Kind
from client.texts import _
from client.widgets import Item, Tone
from netplay.messages import door
from netplay.messages.table import Days
from netplay.text import spans
from rules import GAMES

DAYS: Final = "days"
"""The drop-down with the choice."""

CLAIM: Final = "claim"
"""The button."""

WISHES: Final[tuple[Days, ...]] = get_args(Days)


def wishes() -> tuple[str, ...]:
    """Return what a host can choose, in the order of `WISHES`."""
    return tuple(map(words, WISHES))


def words(days: int) -> str:
    """Return so many days in words."""
    if not days:
        return _("no limit")
    return spans.lasting(days * spans.DAY)


def chosen(model: Model) -> int | None:
    """Return the days at the table that is agreed on; None where there can be none."""
    table, draft = model.table, model.draft
    if table is not None and not table.hosting:
        return None if GAMES[table.game].ABOUT.hz else table.thinking.days
    apart = any(seat.kind is Kind.REMOTE for seat in draft.seats)
    return draft.days if apart and not GAMES[draft.game].ABOUT.hz else None


def left(seconds: int) -> str:
    """Return the time that is left in words."""
    if seconds <= 0:
        return _("time is over")
    short = spans.lasting(max(spans.MINUTE, seconds))
    time = spans.left(seconds) if seconds >= spans.HOUR else short
    return _("{time} left").format(time=time)


def off(table: door.TableStatus) -> str:
    """Return who has days off, empty if nobody has."""
    seats = table.seats
    return " · ".join(
        absent((seats[seat].name, left) for seat, left in table.offers.off)
    )


def absent(off: Iterable[tuple[str, int]]) -> list[str]:
    """Return of each who has days off for how many seconds that is so, in words."""
    line = _("{name} has days off: {time}")
    return [
        line.format(name=name, time=spans.lasting(max(60, seconds)))
        for name, seconds in off
    ]


def note(table: door.TableStatus) -> str:
    """Return who has days off, and how long the turn may yet take, if it is limited."""
    return " · ".join(filter(None, (off(table), _left(table))))


def _left(table: door.TableStatus) -> str:
    """Return how long the turn may yet take, or that it was claimed."""
    now = table.thinking
    if table.contested:
        return _("Won on time, contested")
    if now.claim == "made":
        won = now.ends and len(table.seats) == 2
        return _("Won on time, unanswered") if won else _("Claimed, unanswered")
    return "" if now.left is None else left(now.left)


def buttons(table: door.TableStatus) -> list[Item]:
    """Return the button that claims the turn, if it may be."""
    if table.thinking.claim != "may":
        return []
    now = table.thinking
    text = _("Claim the game") if now.ends else _("Let the turn pass")
    if not now.days and not now.ends:
        text = _("Say that tiles are withheld")
    return [(CLAIM, text, Tone.PLAIN, True)]
