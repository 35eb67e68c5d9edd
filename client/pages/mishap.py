"""A page that went wrong: what is said of it, while everything else goes on.

No error in showing one thing may end the window.  What went wrong is put aside: a
dialog is closed, of a match only its page says so, and the node hears nothing of it.
The other games, the menu, leaving and a second try stay where they are.
"""

from typing import Final

from msgspec.structs import replace

from client import metrics, widgets
from client.browsing import Purpose
from client.intents import Click, Intent, Key
from client.layout import rows
from client.model import Change, Model, Over, Page, ask, same, tell
from client.pages import bar, chooser, games
from client.scene import Node, Rect
from client.texts import _
from client.widgets import label
from netplay.messages import door

AGAIN: Final = "mishap.again"
REPORT: Final = "mishap.report"
GAMES: Final = "mishap.games"

LONGEST: Final = 200
"""Characters of an error's own words that are shown."""


def place(model: Model) -> tuple[str, int]:
    """Return where in the window a page is: which one, and of which table."""
    table = 0 if model.table is None else model.table.number
    return model.page.value, table


def stands(model: Model) -> bool:
    """Tell whether the page that went wrong is the one that is to be shown."""
    return bool(model.mishap) and model.mishap_at == place(model)


def after(model: Model, error: BaseException) -> Model:
    """Return the model once something in it could not be shown, or done.

    Args:
        model: As it was before.
        error: Why.
    """
    what = f"{type(error).__name__}: {error}".splitlines()[0][:LONGEST]
    if model.over is not Over.NONE:
        shut = replace(
            model, over=Over.NONE, chooser=None, learning=None, open="", focus=""
        )
        said = _("That could not be shown. What happened: {what}")
        return tell(shut, said.format(what=what), bad=True)
    return replace(
        model, mishap=what, mishap_at=place(model), match=None, shelf={}, waiting=(),
        focus="", hover="", open="", report="",
    )  # fmt: skip


def again(model: Model) -> Change:
    """Try once more: the node tells of the match from its beginning."""
    model, seat = replace(model, mishap="", match=None), model.watching
    return same(model) if seat is None else ask(model, door.Watch(seat), "watch")


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the page that says what went wrong."""
    look = model.look
    top, rest = rows(area, [bar.height(look), 1])
    try:
        head: tuple[Node, ...] = (bar.scene(model, top, "Netplay"),)
    except Exception:  # noqa: BLE001 (it may be what went wrong)
        head = ()
    room = bar.body(rest, look)
    kept = _("Nothing is lost: the game goes on at its node, and all moves are kept.")
    what = _("What happened: {what}").format(what=model.mishap)
    texts = [_("Something went wrong with this page."), kept, what, model.report]
    kids: list[Node] = []
    y = room.y + look.gap
    for number, text in enumerate(filter(None, texts)):
        size = look.head if number == 0 else look.body
        high = metrics.height(text, size, room.w, bold=number == 0)
        spot = Rect(room.x, y, room.w, high)
        kids.append(
            label(spot, text, look, name=f"mishap.{number}", size=size,
                  bold=number == 0, wrap=True)
        )  # fmt: skip
        y += high + look.gap
    wanted = [(AGAIN, _("Try again")), (REPORT, _("Write a report"))]
    if model.page is not Page.START:
        wanted.append((GAMES, _("Games")))
    for name, text in wanted:
        spot = Rect(room.x, y, widgets.button_width(text, look), look.row)
        kids.append(widgets.button(name, spot, text, look))
        y += look.row + look.gap
    return (*head, *kids)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to what the page offers; None if it is something else."""
    match intent:
        case Click(name=name) if name == AGAIN:
            return again(model)
        case Click(name=name) if name == REPORT:
            return chooser.opened(model, Purpose.REPORT, "netplay-report")
        case Click(name=name) if name == GAMES:
            return games.back(model)
        case Key(key="escape", down=True) if model.page is not Page.START:
            return games.back(model)
        case _:
            return None
