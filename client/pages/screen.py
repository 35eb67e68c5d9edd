"""The whole window: the page, and what lies over it.

A page is loaded when it is first shown: the first frame needs but one of them.
"""

from importlib import import_module
from typing import Final, Protocol, cast

from msgspec.structs import replace

from client.app.model import Model, Over, Page
from client.ui import typefaces
from client.ui.scene import Node, Rect, Role, Shape, find, is_sign, top
from client.ui.widgets import label, panel

_PAGES: Final = {Page.START: "start", Page.TABLE: "setup", Page.MATCH: "play"}


class _Shown(Protocol):
    """A module that shows a page, or what lies over one."""

    def scene(self, model: Model, area: Rect) -> tuple[Node, ...]: ...


def _shown(name: str) -> _Shown:
    return cast("_Shown", import_module(f"client.pages.{name}"))


def scene(model: Model) -> Node:
    """Return the tree of everything in the window."""
    area = Rect(0, 0, *model.size)
    name = _PAGES[model.page]
    if model.mishap and import_module("client.pages.faults").stands(model):
        name = "faults"
    if name == "play" and model.look.held:
        name = "held"
    if model.guest and model.page is not Page.MATCH:
        name = "lent"
    kids = _shown(name).scene(model, area)
    lies = model.over is not Over.NONE
    over = _shown("overlays").scene(model, area) if lies else ()
    root = Node(
        Role.PANEL, "window", area, kids=(*kids, *over),
        value=title(model), shape=Shape.RECT, bg=model.look.theme.ground,
    )  # fmt: skip
    # A dialog comes last: it dims what is drawn before. A game draws its own with its
    # board, and the players' cards come after that.
    found = top(root)
    dims = found.role is Role.DIALOG and found.depth
    if dims and not any(kid is found for kid in root.kids):
        root = replace(root, kids=(*_without(root, found).kids, found))
    tip = _tip(model, root)
    return replace(root, kids=(*root.kids, *tip)) if tip else root


def _without(node: Node, part: Node) -> Node:
    kids = tuple(_without(kid, part) for kid in node.kids if kid is not part)
    return replace(node, kids=kids)


def _tip(model: Model, root: Node) -> tuple[Node, ...]:
    """Return the words for a button that the pointer is at, if its face is a sign."""
    look, window = model.look, root.rect
    by = find(top(root), model.hover)
    if by is None or not is_sign(by):
        return ()
    wide = min(look.width(by.value, look.small) + look.px(16), window.w)
    high = typefaces.height(by.value, look.small, wide - look.px(14)) + look.px(8)
    x = min(by.rect.x, window.right - wide)
    below = by.rect.bottom + look.px(4)
    y = below if below + high <= window.bottom else by.rect.y - look.px(4) - high
    rect = Rect(x, y, wide, high)
    words = Rect(x + look.px(8), y + look.px(4), wide - look.px(14), high - look.px(8))
    kids = [label(words, by.value, look, size=look.small, wrap=True)]
    return (panel(rect, look, kids, name="tip"),)


def title(model: Model) -> str:
    """Return the window's title: how many games wait, whose turn it is, the game."""
    from client.pages import games  # noqa: PLC0415 (when it is first shown)

    count = games.waiting(model) if games.others(model) else 0
    return f"({count}) {_here(model)}" if count else _here(model)


def _here(model: Model) -> str:
    """Return what is shown in the window: whose turn it is, and the game."""
    if model.page is not Page.MATCH or model.table is None:
        return "Netplay"
    from client.pages import play  # noqa: PLC0415 (when it is first shown)

    parts = dict.fromkeys((play.headline(model), play.board_title(model)))
    return " – ".join(parts)
