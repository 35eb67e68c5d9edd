"""What was done here and is not delivered yet: what is said of it, and taking it back.

A move that is made while the others are away stands on the board as if it were entered.
It can be taken back as long as it has left this computer by no way.
"""

from typing import Final

from client.model import Change, Model, ask, same
from client.texts import _
from client.widgets import Item, Tone
from netplay.messages import door
from netplay.messages.table_questions import TakeBack
from netplay.said import Said
from netplay.text import delivery

BACK: Final = "made.back"
"""The button that takes a move back."""


def waits(model: Model) -> bool:
    """Tell whether a move of the seat that is shown is made and not delivered."""
    table, match = model.table, model.match
    return table is not None and match is not None and match.seat in table.made.moves


def may_take_back(model: Model) -> bool:
    """Tell whether that move can be taken back."""
    table, match = model.table, model.match
    return table is not None and match is not None and match.seat in table.made.back


def buttons(model: Model) -> list[Item]:
    """Return the button that takes it back, if it can be."""
    if not may_take_back(model):
        return []
    return [(BACK, _("Take it back"), Tone.PLAIN, True)]


def taken_back(model: Model) -> Change:
    """Ask the node to take it back."""
    match = model.match
    if match is None or not may_take_back(model):
        return same(model)
    return ask(model, TakeBack(match.seat), "take-back")


def said(model: Model) -> str:
    """Return what is said of what waits, empty if nothing does."""
    table = model.table
    if table is None:
        return ""
    lines: list[str] = []
    if waits(model):
        lines += delivery.moves(table)
    elif absent := missed(model):
        line = _("{who} is away: your move is kept, and delivered later.")
        lines.append(line.format(who=absent))
    elif held := delivery.left(table):
        lines.append(held)
    return "\n".join((*lines, *delivery.consents(table)))


def missed(model: Model) -> str:
    """Return who is away while the seat shown can move all the same."""
    table, match = model.table, model.match
    if table is None or match is None or table.phase != "playing":
        return ""
    known = table.waiting and not isinstance(table.waiting, Said)
    return delivery.away(table) if known and match.seat in table.turn else ""


def of_line(model: Model, line: door.Line) -> str:
    """Return what is said of a line that is at no other player's yet, and stays so.

    What was said while somebody is there is on its way, and soon heard.
    """
    table = model.table
    if table is None or line.number < table.made.lines:
        return ""
    there = any(seat.state == "connected" for seat in table.seats)
    others = any(seat.state in ("away", "elsewhere") for seat in table.seats)
    if there or not others:
        return ""
    return delivery.line(table, line.number)
