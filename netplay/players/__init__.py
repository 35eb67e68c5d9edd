"""Computer players, one module for each game.

A module may also have `prepare(view)`, which loads what a match needs before a player
is asked for a move, and `NAMED`, players that are not a skill.

A player is given what its seat sees, so it cannot cheat, and a source of random
numbers, so that a match of computer players can be played again.  Players are pure
functions and run in worker processes.
"""

from collections.abc import MutableSequence, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast

from rules import GAMES
from rules.game import Seat

T = TypeVar("T")
S_contra = TypeVar("S_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)


class Rng(Protocol):
    """Random numbers; `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
        ...

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return an element of `range(start, stop, step)`, or of `range(start)`."""
        ...

    def choice(self, seq: Sequence[T]) -> T:
        """Return an element of a sequence that is not empty."""
        ...

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put a list into another order, each as likely."""
        ...

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return `k` different elements in random order."""
        ...

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a number from the normal distribution."""
        ...


class Player(Protocol[S_contra, M_co]):
    """What a module in netplay/players/ must define."""

    def choose(self, view: S_contra, seat: Seat, skill: int, rng: Rng) -> M_co:
        """Return a legal move for a seat that is among the actors of the view.

        Args:
            view: The state as the seat knows it.
            seat: Whose move it is.
            skill: From 0, a beginner, to 100, the best there is.
            rng: Where all chance in the choice comes from.
        """
        ...


def player(game: str) -> "Player[Any, Any]":
    """Return the computer player of a game, imported when first asked for.

    Raises:
        KeyError: There is no such game.
    """
    if game not in GAMES:
        raise KeyError(game)
    module = import_module(f"netplay.players.{game}")
    return cast("Player[Any, Any]", module)
