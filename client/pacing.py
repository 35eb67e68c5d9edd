"""Computers' moves, one at a time: shown no sooner than one can follow them.

A computer answers within milliseconds.  What the node tells of its move waits here
until the move before has been seen for a moment; then the pages learn of it as if it
had come just now, so that board, clocks, sounds and results always fit each other.
The game itself waits for nothing: the node and the other windows have gone on.
"""

from typing import Final, TypeAlias

from msgspec.structs import replace

from client import follow
from client.model import Model
from netplay.messages import door
from rules.game import CHANCE

News: TypeAlias = door.Status | door.View
"""What the node pushes about the match."""

MOST: Final = 400
"""News that wait at most: a window that fell so far behind shows the newest."""


def take(model: Model, news: News) -> tuple[Model, tuple[News, ...]]:
    """Return the model with what must wait, and the news that are shown at once."""
    if not _goes_on(model, news):
        said = model.waiting if isinstance(news, door.View) else ()
        behind = tuple(each for each in said if isinstance(each, door.Status))
        return replace(model, waiting=()), (*behind, news)
    parts = follow.parts(model, news) if isinstance(news, door.View) else (news,)
    now: tuple[News, ...] = ()
    if not model.waiting and model.now >= due(model, parts[0]):
        now, parts = parts[:1], parts[1:]
    waiting = (*model.waiting, *parts)
    return replace(model, waiting=waiting[-MOST:]), now


def _goes_on(model: Model, news: News) -> bool:
    """Tell whether news are of the match shown, and of a part not shown yet."""
    match = model.match
    if match is None or match.hurries or not model.settings.wait:
        return False
    if isinstance(news, door.View):
        shown = (news.match, news.seat) == (match.id, match.seat)
        fresh = follow.anew(news)  # all of it: to a window that is new
        return news.live and shown and not fresh
    told = news.table
    if told is None or told.match != match.id:
        return False
    return bool(model.waiting) or told.entries > match.number


def due(model: Model, news: News) -> float:
    """Return from when on news may be shown: a computer's move after a moment."""
    movers = _movers(news) if isinstance(news, door.View) else _turn(model, news)
    seats = model.table.seats if model.table is not None else ()
    if not any(seats[a].kind == "computer" for a in movers if 0 <= a < len(seats)):
        return 0.0
    own = model.settings
    return model.seen_at + own.wait + own.pace


def _movers(view: door.View) -> tuple[int, ...]:
    """Return who has moved first in what a view tells."""
    return tuple(each.actor for each in view.happened if each.actor != CHANCE)[:1]


def _turn(model: Model, status: door.Status) -> tuple[int, ...]:
    """Return whom the match shown waits for, if a status tells of moves not shown."""
    told, match, shown = status.table, model.match, model.table
    if told is None or match is None or shown is None or told.entries <= match.number:
        return ()
    return shown.turn


def ready(model: Model) -> bool:
    """Tell whether the news that wait longest may be shown now."""
    return bool(model.waiting) and model.now >= due(model, model.waiting[0])


def moved(view: door.View) -> bool:
    """Tell whether somebody has moved in what a view tells."""
    return bool(_movers(view))
