"""The whole window: the page, what lies over it, the passing notice."""

from client.model import Model, Page
from client.pages import bar, overlays, play, setup, start
from client.scene import Node, Rect, Role, Shape


def scene(model: Model) -> Node:
    """Return the tree of everything in the window."""
    area = Rect(0, 0, *model.size)
    pages = {Page.START: start, Page.TABLE: setup, Page.MATCH: play}
    kids = pages[model.page].scene(model, area)
    over = overlays.scene(model, area)
    return Node(
        Role.PANEL, "window", area, kids=(*kids, *over, *bar.notice(model, area)),
        value=title(model), shape=Shape.RECT, bg=model.look.theme.ground,
    )  # fmt: skip


def title(model: Model) -> str:
    """Return the window's title: whose turn it is, and the game."""
    if model.page is not Page.MATCH or model.table is None:
        return "Netplay"
    parts = dict.fromkeys((play.headline(model), play.board_title(model)))
    return " – ".join(parts)
