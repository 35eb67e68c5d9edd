"""What the instructions box offers: a hint, to try again, what comes after the end."""

from typing import Final

from client import board
from client.model import Model, Over
from client.pages import agreeing, bystanders, days, first_game, preparing, undelivered
from client.texts import _
from client.widgets import Item, Tone
from netplay import wire
from netplay.messages import door
from rules import GAMES

HINT: Final = "ask.hint"
"""The page's own button; games have buttons of their own called "hint"."""


def buttons(model: Model) -> list[Item]:
    """Return the buttons of the instructions box: hint, retry, what comes after."""
    table = model.table
    if table is None:
        return []
    asked = [] if model.over is Over.WATCHERS else bystanders.answers(table)
    return [*asked, *_others(model, table)]


def _others(model: Model, table: door.TableStatus) -> list[Item]:
    """Return the buttons that have to do with the match itself."""
    both = len(table.seats) > 2 and not table.watching
    asked, held = agreeing.buttons(model), undelivered.buttons(model)
    taken = [*days.buttons(table), *held, *asked, *preparing.buttons(model)]
    if table.phase == "paused":
        again = ("retry", _("Try again now"), Tone.PLAIN, True)
        vote = ("vote", _("Go on without"), Tone.PLAIN, not table.hosting)
        return [*taken, again, vote] if both else [*taken, again]
    if table.phase == "stopped" or (table.watching and table.phase == "over"):
        return [("home", _("To the start"), Tone.MAIN, True)]
    if table.phase == "over":
        shown = _result(model)
        return [
            ("rematch", _("Rematch"), Tone.MAIN, may_again(model, table)),
            ("home", _("To the start"), Tone.PLAIN, True),
            *(_another_host(table, wanted=bool(table.held_up) and both) or shown),
        ]
    other = _another_host(table, wanted=bool(table.doubt) and both)
    match, new = model.match, first_game.buttons(model)
    if match is not None and match.seat in table.turn and _hints(table):
        return [(HINT, _("Hint"), Tone.PLAIN, True), *new, *asked, *other]
    return [*taken, *new, *other]


def _result(model: Model) -> list[Item]:
    """Return the button that shows the card of the result again."""
    shown = model.table is not None and model.celebrated == model.table.match
    return [("result", _("Result"), Tone.PLAIN, True)] if shown else []


def _another_host(table: door.TableStatus, *, wanted: bool) -> list[Item]:
    """Return the button to vote against a host that is there, if it is wanted."""
    vote = ("vote", _("Vote for another host"), Tone.PLAIN, True)
    return [vote] if wanted and not table.hosting else []


def may_again(model: Model, table: door.TableStatus) -> bool:
    """Tell whether this node may propose, or ask the host for, a rematch."""
    wished = model.status is not None and model.status.name in table.rematch
    return table.hosting or not (wished or table.watching or _host_away(table))


def _host_away(table: door.TableStatus) -> bool:
    """Tell whether whoever sets the terms cannot be reached."""
    states = [seat.state for seat in table.seats if seat.name == table.host]
    return bool(states) and "away" in states


def again(table: door.TableStatus) -> str:
    """Return who would like a rematch, or why there can be none."""
    if table.rematch:
        names = ", ".join(table.rematch)
        return _("{names} would like a rematch.").format(names=names)
    if not table.hosting and _host_away(table):
        return _("{name} is away: no rematch now.").format(name=table.host)
    return ""


def _hints(table: door.TableStatus) -> bool:
    """Tell whether this match has hints that the game does not give by itself."""
    about = GAMES[table.game].ABOUT
    if about.hinted is not None:
        return about.hinted.hints(wire.unpack(table.options, about.options))
    if about.hz or board.find(table.game).TRAITS.own_hints:
        return False
    return sum(seat.kind != "computer" for seat in table.seats) == 1
