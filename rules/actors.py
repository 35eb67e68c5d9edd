"""Who moves in a match, and how a move is refused."""

from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from rules.sentence import RulesError

Seat: TypeAlias = int
"""A chair at the table, from 0 in turn order."""

Actor: TypeAlias = int
"""Who makes a move: a seat, `CHANCE` or `CLOCK`."""

CHANCE: Final = -1
CLOCK: Final = -2


T = TypeVar("T")


def put_at(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    """Return what there is by seat, with something else at one of them."""
    return (*values[:seat], value, *values[seat + 1 :])


class IllegalMoveError(RulesError):
    """The rules forbid this move here; the message is what the player sees."""


class OptionsError(IllegalMoveError, ValueError):
    """A match cannot start with these options; the message says why."""


class Resign(Struct, frozen=True, array_like=True, tag="resign"):
    """A seat leaves the match for good; every game takes it at any time."""
