"""Computer players, one module for each game.

A player is given what its seat sees, so it cannot cheat, and a source of random
numbers, so that a match of computer players can be played again.  Players are pure
functions and run in worker processes.
"""

from collections.abc import Callable, Mapping, MutableSequence, Sequence
from importlib import import_module
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

from netplay.levels import SKILLS
from rules import GAMES
from rules.game import Seat

T = TypeVar("T")
BEST: Final = 100
"""The highest skill."""

S_contra = TypeVar("S_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)


class Rng(Protocol):
    """Random numbers; `random.Random` is one."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
        ...

    def choice(self, seq: Sequence[T]) -> T:
        """Return an element of a sequence that is not empty."""
        ...

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put a list into another order, each as likely."""
        ...

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return a number from the normal distribution."""
        ...


class Brief(NamedTuple):
    """How to play a match that does not go on for an hour, to show the game."""

    skill: int = 60
    options: tuple[tuple[str, str], ...] = ()
    """Keys and values, as typed."""


class Abilities(NamedTuple):
    """What a game's computer player can do besides choosing a move."""

    prepare: Callable[[Any], None] | None = None
    """Loads what a match needs, from a view, before the first move is asked for."""

    timed: bool = False
    """Its `choose` also takes `budget`, how long it may take, and `clock`: seconds."""

    named: Mapping[str, Callable[..., Any]] = MappingProxyType({})
    """Players that are not a skill, for `netplay arena`: as `choose`, without one."""

    named_timed: bool = False
    """These, too, take `budget` and `clock`."""

    brief: Brief = Brief()

    talents: tuple[int, ...] = (0, *SKILLS.values(), BEST)
    """What `choose` is asked for as skill where one of skill 0 plays, one of each
    level, and the best there is."""

    evaluate: Callable[..., Any] | None = None
    """What moves are worth (`netplay.players.evaluating`): takes view, seat, budget
    (work), rng and moves to judge besides; None in games without turns."""

    reason: Callable[..., Any] | None = None
    """What a better move had that another had not, as a sentence, if that is sure:
    takes view, seat, the better move and the one made."""

    later: Callable[..., Any] | None = None
    """Likewise what a mistake costs a few moves on, which takes some thought."""

    free: Callable[..., Any] | None = None
    """A move that costs no turn and is always worth it, or None: takes view, seat and
    skill.  It is not among those that are compared."""

    judged: Callable[..., bool] | None = None
    """Which moves of players a review looks at: takes the view before one, and it;
    None for all."""

    even: tuple[float, float] = (1.0, 0.0)
    """Of a match of one alone: the lead with which 73 % of games of two were won in the
    middle of them, and by how much the worth of moves may err; in points."""

    work: int = 0
    """The budget of a review for one position."""

    glance: int = 1
    """Likewise for its first look, which takes some hundredths of a second."""


class Player(Protocol[S_contra, M_co]):
    """What a module in netplay/players/ must define."""

    @property
    def ABILITIES(self) -> Abilities:  # noqa: N802 (a module's constant, seen as a property)
        """What the player can do besides."""
        ...

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


def talent(game: str, skill: int) -> int:
    """Return what a game's player is asked for where somebody of a skill plays."""
    talents = player(game).ABILITIES.talents
    points = zip((0, *SKILLS.values(), BEST), talents, strict=True)
    for (low, least), (high, most) in pairwise(points):
        if skill <= high:
            return least + round((most - least) * (skill - low) / (high - low))
    return talents[-1]
