"""What the host has changed of the terms since the player said yes, in red."""

from collections.abc import Callable

from client import options, widgets
from client.model import Model
from client.pages import bystanders, days, fairness
from client.scene import Rect
from client.texts import _
from client.widgets import Tone, label
from rules import title_of


def rows(model: Model, game: str) -> list[widgets.Row]:
    """Return a row for each change."""
    changes = () if model.table is None else model.table.changes
    return [_row(model, each[0], _words(game, *each)) for each in changes]


def _row(model: Model, what: str, words: str) -> widgets.Row:
    look = model.look
    return lambda rect: label(
        Rect(rect.x, rect.y, rect.w, look.row), words, look, name=f"changed:{what}",
        size=look.small, tone=Tone.DANGER, wrap=True,
    )  # fmt: skip


def _words(game: str, what: str, before: str, now: str) -> str:
    titles = {
        "game": _("Game"),
        "players": _("Players"),
        "edition": _("Edition"),
        "words": _("Words"),
        "bystanders": _("Who may watch"),
        "fairness": _("How tiles are drawn"),
        "days": _("Days to think"),
        "keepers": _("Who is believed about letters"),
    }
    if what in {"players", "edition", "words", "keepers"}:
        return _("Changed: {what}").format(what=titles[what])
    shown: dict[str, Callable[[str], str]] = {
        "game": title_of,
        "bystanders": bystanders.wish,
        "fairness": fairness.wish,
        "days": lambda count: days.words(int(count)),
    }
    if what in shown:
        return f"{titles[what]}: {shown[what](now)}"
    old, new = (options.shown(game, what, each) for each in (before, now))
    return f"{options.label(game, what)}: {old} → {new}"
