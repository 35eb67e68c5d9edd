"""A look at a game that is not open: for its picture in the list of games."""

from typing import Any

from msgspec import Struct


class Glimpse(Struct, frozen=True, eq=False):
    """The board of a game in hand, as a bystander saw it last."""

    game: str
    names: tuple[str, ...]
    number: int
    """Entries folded in."""
    state: Any
    """None where it could not be had."""
    below: int = -1
    """Whose side of the board is the lower one, as on its page; -1: a bystander's."""
