"""Clicks by the names of nodes: what each means is looked up in the scene."""

from typing import Any

from msgspec.structs import replace

from client import update as real
from client.app.model import Change, Model, Over
from client.pages import screen
from client.ui import hand
from client.ui.intents import Click, Scroll
from client.ui.scene import Node, Rect, Role, top, walk
from client.ui.theme import Look


def meaning(root: Node, click: Click) -> Click:
    """Return a click that was made up for a test as it comes from a scene."""
    listed, row = hand.open_list(root), click.name.rpartition(":")[2]
    node = _live(top(root), click.name)
    means = node.means if node is not None and node.enabled else None
    if node is None and listed is not None and row.isdigit():  # scrolled out of sight
        means = hand.chosen(listed, int(row))
    return replace(click, means=means)


def _live(root: Node, name: str) -> Node | None:
    """Return what can be clicked of that name: a sign beside it may bear it, too."""
    return next((n for n in walk(root) if n.name == name and n.live), None)


def handle(module: Any, seen: Any, local: Any, intent: Any) -> tuple[Any, Any]:
    """Do as a game's own part does, where a click need only say which node it is on."""
    if isinstance(intent, Click) and intent.name and intent.means is None:
        root = module.scene(seen, local, Rect(0, 0, 900, 700), Look())
        intent = meaning(root, intent)
    found: tuple[Any, Any] = module.handle(seen, local, intent)
    return found


def update(model: Model, event: Any) -> Change:
    """Do as the window does, where a click need only say which node it is on."""
    if isinstance(event, Click) and event.name and event.means is None:
        root = screen.scene(model)
        if model.over is Over.RESULT and _live(top(root), event.name) is None:
            model, _effects = real.update(
                model, Click("")
            )  # hands close the card first
            root = screen.scene(model)
        rules = _live(top(root), "rules")
        if rules is not None and _live(root, event.name) is None:  # behind that button
            model, _effects = real.update(model, Click("rules", means=rules.means))
            root = screen.scene(model)
        if _live(root, event.name) is None:
            model, root = _scrolled(model, root, event.name)
        event = meaning(root, event)
    return real.update(model, event)


def _scrolled(model: Model, root: Node, name: str) -> tuple[Model, Node]:
    """Return the window with its lists scrolled until the node is seen, if it is."""
    for each in walk(top(root)):
        if each.role is not Role.LIST or each.content <= each.rect.h:
            continue
        high = {kid.rect.h for kid in each.kids if kid.rect.x == each.rect.x}
        row = high.pop() if len(high) == 1 else 1  # as the wheel stops
        half = max(1, each.rect.h // 2 // row) * row
        for offset in range(0, each.content, half):
            at = min(offset, each.content - each.rect.h)
            tried, _effects = real.update(model, Scroll(each.name, at))
            shown = screen.scene(tried)
            if _live(shown, name) is not None:
                return tried, shown
    return model, root
