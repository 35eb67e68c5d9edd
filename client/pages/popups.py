"""The list of the drop-down that is open, on a page or in a dialog."""

from collections.abc import Mapping, Sequence

from client import widgets
from client.model import Model
from client.scene import Node, Rect, find


def opened(
    model: Model,
    window: Rect,
    nodes: Sequence[Node],
    lists: Mapping[str, Sequence[str]],
) -> tuple[Node, ...]:
    """Return the list that is open, if it is one of these; its choice is marked.

    Args:
        model: As it is.
        window: Where it may be.
        nodes: What stands below it, the drop-down among them.
        lists: The texts of each drop-down's rows, by its name.
    """
    items = lists.get(model.open, ())
    by = next((found for root in nodes if (found := find(root, model.open))), None)
    if by is None or not items:
        return ()
    chosen = items.index(by.value) if by.value in items else -1
    at = model.scrolls.get(f"{model.open}:list")
    look = model.look
    return (widgets.popup(model.open, by.rect, items, chosen, window, look, at),)
