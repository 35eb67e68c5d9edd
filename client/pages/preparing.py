"""Moves prepared on condition: made on the analysis board, listed there, removed.

While it is another's turn the board opens from the position of the match.  What is
tried there - the others' moves, then one's own - can be prepared: the node plays it by
itself once the game has come just so.
"""

from contextlib import suppress
from typing import Final

from msgspec.structs import replace

from client import board
from client.board import AnyStep, Step
from client.lessons import Learning
from client.model import Change, Model, ask, same, seen
from client.texts import _
from client.widgets import Item, Row, Tone, row
from netplay import wire
from netplay.errors import PeerError
from netplay.messages.preparing import DropPrepared, Prepare, PreparedLine
from rules import GAMES
from rules.game import IllegalMoveError

OPEN: Final = "prepare"
"""The button of the match page."""

KEEP: Final = "tryout.prepare"
"""The button on the board that prepares what is tried."""

DROP: Final = "tryout.drop:"
"""Begins the names of the lines that are prepared: a click removes one."""

VERB: Final = "prepare"
"""What a request is remembered as."""


def may(model: Model) -> bool:
    """Tell whether something can be prepared for the seat that is shown."""
    table, match = model.table, model.match
    if table is None or match is None or match.covered or match.back >= 0:
        return False
    return match.seat in table.made.prepares


def buttons(model: Model) -> list[Item]:
    """Return the button that opens the board."""
    return [(OPEN, _("Prepare…"), Tone.PLAIN, True)] if may(model) else []


def _tried(now: Learning) -> list[AnyStep]:
    """Return what was tried on the board, from its first position on."""
    return [later.past[-1] for later in (*now.earlier[1:], now) if now.earlier]


def fits(model: Model, now: Learning) -> bool:
    """Tell whether what was tried is a line from here on that ends with one's own."""
    match, tried = model.match, _tried(now)
    if match is None or not tried or not may(model):
        return False
    here = tried[0].before == seen(model, match).view
    return here and tried[0].actor != match.seat == tried[-1].actor


def prepared(model: Model, now: Learning) -> Change:
    """Ask the node to prepare what was tried."""
    match = model.match
    if match is None or not fits(model, now):
        return same(model)
    moves = tuple(wire.pack(step.move) for step in _tried(now))
    return ask(model, Prepare(match.seat, moves, match.number), VERB)


def _lines(model: Model) -> list[PreparedLine]:
    table, match = model.table, model.match
    if table is None or match is None:
        return []
    return [one for one in table.made.prepared if one.seat == match.seat]


def rows(model: Model) -> list[Row]:
    """Return what is prepared as rows of a list; a click on one removes it."""
    found = enumerate(_told(model, one) for one in _lines(model))
    right = _("Remove")
    return [row(f"{DROP}{n}", text, model.look, right=right) for n, text in found]


def _told(model: Model, line: PreparedLine) -> str:
    match = model.match
    assert match is not None  # else nothing is listed
    rules, module = GAMES[match.game], board.find(match.game)
    state, told = seen(model, match).view, list[str]()
    with suppress(IllegalMoveError, PeerError):  # the game has just gone on
        for seat, raw in line.moves:
            move = wire.unpack(raw, rules.ABOUT.move)
            told.append(module.tell(Step(state, seat, move), model.names))
            state = rules.play(state, seat, move)
    return ", ".join(told)


def clicked(model: Model, now: Learning, name: str) -> Change | None:
    """React to a click on the board's page that is about what is prepared."""
    if name.startswith(DROP):
        return _dropped(model, name)
    if name != KEEP:
        return None
    start = now.earlier[0] if now.earlier else now
    asked, effects = prepared(model, now)
    fresh = replace(start, since=model.now) if effects else now
    return replace(asked, learning=fresh), effects


def _dropped(model: Model, name: str) -> Change:
    """Ask the node to drop the line whose row was clicked."""
    lines, at = _lines(model), int(name.removeprefix(DROP))
    if at >= len(lines):
        return same(model)
    line = lines[at]
    moves = tuple(raw for _seat, raw in line.moves)
    return ask(model, DropPrepared(line.seat, moves), VERB)


def page(model: Model, now: Learning) -> tuple[list[Item], list[Row], str]:
    """Return the buttons and rows for the board, and what it says of itself."""
    if not may(model):
        return [], [], ""
    keep = (KEEP, _("Prepare this"), Tone.PLAIN, fits(model, now))
    note = _("Make the other's move on the board, then yours, and prepare that.")
    return [keep], rows(model), note
