"""How tiles are drawn: the choice of a host, and what it means, in words."""

from typing import Final, Literal

from client.model import Model
from client.table_draft import Kind
from client.texts import _
from netplay.messages import door
from netplay.messages.table import USUALLY, Fairness
from netplay.text.fairness import promise
from netplay.text.fairness import promised as told
from rules import GAMES

FAIRNESS: Final = "fairness"
"""The drop-down with the choice."""

WISHES: Final[tuple[Fairness, ...]] = ("encrypted", "committed")


def wishes() -> tuple[str, ...]:
    """Return what a host can choose, in the order of `WISHES`."""
    return _("Encrypted"), _("Committed")


def wish(fairness: str) -> str:
    """Return how tiles are drawn, in a word."""
    encrypted, committed = wishes()
    return encrypted if fairness == "encrypted" else committed


def promised(model: Model, fairness: Fairness) -> str:
    """Return what is promised, in a sentence or two, and why not more."""
    table = model.table
    agreed = table is not None and table.fairness == fairness
    if table is None or not agreed or model.draft.fairness:
        return promise(fairness)
    return told(table)


def note(table: door.TableStatus) -> str:
    """Return how tiles are drawn in a match; empty where there are none."""
    if not table.tiled:
        return ""
    return _("How tiles are drawn: {how}").format(how=wish(table.fairness))


def chosen(model: Model) -> Fairness | None:
    """Return how tiles are drawn at the table that is agreed on.

    None where there are none, or where all play at one computer.
    """
    table, draft = model.table, model.draft
    if table is not None and not table.hosting:
        return table.fairness if table.tiled else None
    about = GAMES[draft.game].ABOUT
    apart = any(seat.kind is Kind.REMOTE for seat in draft.seats)
    if not apart or about.tiled is None:
        return None
    return draft.fairness or usual(table, draft.game)


def usual(table: door.TableStatus | None, game: str) -> Fairness:
    """Return how tiles are drawn where the host has no wish; the node knows best."""
    known = table is not None and table.game == game and is_apart(table)
    return table.fairness if table is not None and known else USUALLY


def is_apart(table: door.TableStatus) -> bool:
    """Tell whether somebody plays from another computer."""
    return any(seat.kind == "remote" for seat in table.seats)


def wished(table: door.TableStatus) -> Fairness | Literal[""]:
    """Return what a host has wished for, as far as a table tells."""
    other = table.tiled and is_apart(table) and table.fairness != USUALLY
    return table.fairness if other and not table.why_fairness else ""
