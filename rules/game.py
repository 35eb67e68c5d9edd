"""What a game is: a module of pure functions over frozen values.

A match is a log of (actor, move) entries; its state is the fold of `play` over
that log from `start`.  Rules never draw a random number, read a clock or touch a
socket: chance and time enter as moves by `CHANCE` and `CLOCK`.
"""

from collections.abc import Iterator
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from msgspec import Struct

Seat: TypeAlias = int
"""A chair at the table, from 0 in turn order."""

Actor: TypeAlias = int
"""Who makes a move: a seat, `CHANCE` or `CLOCK`."""

CHANCE: Final = -1
CLOCK: Final = -2


class IllegalMoveError(Exception):
    """The rules forbid this move here; the message is what the player sees."""


class OptionsError(IllegalMoveError, ValueError):
    """A match cannot start with these options; the message says why."""


class Resign(Struct, frozen=True, array_like=True, tag="resign"):
    """A seat leaves the match for good; every game takes it at any time."""


class About(Struct, frozen=True):
    """What the table must know of a game before a match starts."""

    title: str
    """The game's name as players read it."""

    seats: range
    """How many seats it may be played with."""

    version: int
    """Raised whenever some log would fold to another state."""

    options: Any
    """The frozen struct that `start` takes; every field has a default."""

    state: Any
    """The frozen struct that `start` returns and `play` folds."""

    move: Any
    """The union of frozen, tagged structs that `play` takes, `Resign` included."""

    hz: int = 0
    """Clock moves a second and well; 0 for a game that does not hurry."""


S = TypeVar("S")
M = TypeVar("M")


class Game(Protocol[S, M]):
    """The names a module in rules/ must define to be a game."""

    @property
    def ABOUT(self) -> About:  # noqa: N802 (a module's constant, seen as a property)
        """What the table must know before a match."""
        ...

    def start(self, seats: int, options: Any) -> S:  # noqa: ANN401 (each game its own)
        """Return the state before the first move.

        Raises:
            ValueError: The options do not go together, or not with so many seats;
                the message is what the user sees.
        """
        ...

    def actors(self, state: S) -> frozenset[Actor]:
        """Return whom the table waits for; nobody once the match is over."""
        ...

    def moves(self, state: S, actor: Actor) -> Iterator[M]:
        """Yield every legal move but `Resign`, lazily, in a fixed order.

        `CHANCE` yields each outcome as often as it is likely.
        """
        ...

    def play(self, state: S, actor: Actor, move: M) -> S:
        """Return the state after the move.

        Raises:
            IllegalMoveError: The rules forbid it here; `state` is unchanged.
        """
        ...

    def view(self, state: S, seat: Seat | None) -> S:
        """Return the state as a seat knows it; None is a bystander."""
        ...

    def mask(self, state: S, actor: Actor, move: M, seat: Seat | None) -> M:
        """Return the move, made in this state, as a seat sees it."""
        ...

    def places(self, state: S) -> tuple[int, ...]:
        """Return each seat's place, 1 for first; ties share a place."""
        ...

    def public(self, state: S) -> tuple[Any, ...]:
        """Return a bystander's view as plain values: the public position.

        All that play goes on from, and nothing that a program is free to keep in
        another way: what two programs of one match must agree on (protocol.md).
        """
        ...
