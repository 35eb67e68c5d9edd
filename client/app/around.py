"""What lies where the keyboard is on a board, and around it, in words to be heard."""

from collections.abc import Iterable, Sequence

from client.ui.texts import _

ABOVE, RIGHT, BELOW, LEFT = "above", "right", "below", "left"
ABOVE_RIGHT, BELOW_RIGHT = "above right", "below right"
ABOVE_LEFT, BELOW_LEFT = "above left", "below left"


def told(place: str, there: Sequence[str], near: Iterable[tuple[str, str]]) -> str:
    """Return a line on a cell.

    Args:
        place: What it is called.
        there: What lies there, and what is special about it.
        near: Ways and what lies there; nothing of a way is left out.
    """
    words = _ways()
    around = [words[way].format(what=what) for way, what in near if what]
    return "; ".join((f"{place}: {', '.join(filter(None, there))}", *around))


def _ways() -> dict[str, str]:
    """Return how what lies on each way is told."""
    return {
        ABOVE: _("above: {what}"),
        ABOVE_RIGHT: _("above right: {what}"),
        RIGHT: _("right: {what}"),
        BELOW_RIGHT: _("below right: {what}"),
        BELOW: _("below: {what}"),
        BELOW_LEFT: _("below left: {what}"),
        LEFT: _("left: {what}"),
        ABOVE_LEFT: _("above left: {what}"),
    }
