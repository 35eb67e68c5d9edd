"""Tiles of a rack, as a player names them: by what stands on them."""

from typing import TypeAlias

from rules.game import IllegalMoveError

Held: TypeAlias = tuple[int, int]
"""Number and kind of a tile."""


def take(held: list[Held], kind: int, name: str) -> int:
    """Take a tile of a kind from what is left of a rack; return its number.

    Raises:
        IllegalMoveError: None is left of what is called so.
    """
    for each in held:
        if each[1] == kind:
            held.remove(each)
            return each[0]
    raise IllegalMoveError(
        "You have no {letter} left; small letters are blanks", letter=name
    )
