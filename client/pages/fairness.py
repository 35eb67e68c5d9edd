"""How tiles are drawn, in words."""

from typing import Final

from client.texts import _
from netplay.messages.table import Fairness

WISHES: Final[tuple[Fairness, ...]] = ("encrypted", "committed")


def wishes() -> tuple[str, ...]:
    """Return what a host can choose, in the order of `WISHES`."""
    return _("Encrypted"), _("Committed")


def wish(fairness: str) -> str:
    """Return how tiles are drawn, in a word."""
    names = dict(zip(WISHES, wishes(), strict=True))
    return names.get("encrypted" if fairness == "encrypted" else "committed", "")
