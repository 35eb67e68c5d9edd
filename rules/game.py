"""What a game is: a module of pure functions over frozen values.

A match is a log of (actor, move) entries; its state is the fold of `play` over
that log from `start`.  Rules never draw a random number, read a clock or touch a
socket: chance and time enter as moves by `CHANCE` and `CLOCK`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

from rules.actors import (
    CHANCE,
    CLOCK,
    Actor,
    IllegalMoveError,
    OptionsError,
    Resign,
    Seat,
)
from rules.tiles import UNKNOWN, Reveal, Shown, Tiles, known

__all__ = [
    "CHANCE",
    "CLOCK",
    "About",
    "Actor",
    "Clocked",
    "Drawn",
    "Game",
    "Hinted",
    "IllegalMoveError",
    "IndexedChance",
    "OptionsError",
    "RealTime",
    "Resign",
    "Resource",
    "Scored",
    "Seat",
    "Tiled",
    "followed",
    "with_own",
]

Resource: TypeAlias = Literal["edition", "lexicon"]
"""A field of a game's options that names, by digest, what travels to the others."""


class Scored(Protocol):
    """Seats have points.

    Move lists, the end of a match, the arena and the demonstration show them; of a
    game without, only the places.
    """

    def scores(self, state: Any) -> tuple[int, ...]:  # noqa: ANN401 (each game its own)
        """Return each seat's points as the match stands."""
        ...


class Tiled(Protocol):
    """Numbered tiles are drawn unseen (`rules.tiles`).

    The node then deals: it commits to an order, tells owners what they have drawn,
    and proves each tile that a move shows.
    """

    def tiles(self, state: Any) -> Tiles:  # noqa: ANN401 (each game its own)
        """Return the bag and the racks of a state."""
        ...

    def shown(self, move: Any) -> tuple[Shown, ...]:  # noqa: ANN401 (each game its own)
        """Return the tiles that a move makes public, in the order of their proofs."""
        ...

    def answers(self, state: Any) -> bool:  # noqa: ANN401 (each game its own)
        """Tell whether a word waits for an answer, which takes none of one's tiles."""
        ...


class Clocked(Protocol):
    """Turns may be timed, by the options: CLOCK then ends them, or fines a seat.

    The host keeps the clock and the others check it; windows show what is left.
    """

    def turn_minutes(self, options: Any) -> int:  # noqa: ANN401 (each game its own)
        """Return the minutes that a turn may take; 0 for as long as one likes."""
        ...

    def match_minutes(self, options: Any) -> int:  # noqa: ANN401 (each game its own)
        """Return the minutes that a seat has for the whole match; 0 for no limit."""
        ...

    def fined(self, move: Any) -> Seat | None:  # noqa: ANN401 (each game its own)
        """Return the seat that a move by CLOCK fines; None if it ends the turn."""
        ...

    def answering(self, state: Any) -> bool:  # noqa: ANN401 (each game its own)
        """Tell whether the time runs for others to answer, not for the turn."""
        ...


class Lapsing(Protocol):
    """A turn may lapse, and the match goes on; else who does not move has resigned."""

    def lapse(self, state: Any, seat: Seat, /) -> Any:  # noqa: ANN401 (each game its own)
        """Return the move that is made for a seat on turn that has made none."""
        ...


class Drawn(Protocol):
    """Players may agree on a draw."""

    def lead(self, state: Any, seat: Seat, /) -> int:  # noqa: ANN401 (each game its own)
        """Return how far a seat is ahead of the best other, as the board shows it.

        0 where they are even, below 0 where it is behind: a computer player agrees to
        no draw while it is ahead.
        """
        ...


class RealTime(Protocol):
    """There are no turns: each seat plays in its own time, on its own part.

    An input or a tick changes its own seat's part alone, so that stretches of
    different seats may be folded in any order.
    """

    def advance(self, state: Any, seat: Seat, ticks: int) -> tuple[Any, int]:  # noqa: ANN401 (each game its own)
        """Play ticks of a seat as so many moves by CLOCK would, but quickly.

        Returns:
            The state after, and how many ticks are left because CHANCE must move
            first or the seat is out.
        """
        ...

    def public_part(self, state: Any, seat: Seat) -> tuple[Any, ...]:  # noqa: ANN401 (each game its own)
        """Return a seat's own part of the public position; see `Game.public`."""
        ...

    def pieces(self, state: Any) -> tuple[int, ...]:  # noqa: ANN401 (each game its own)
        """Return how many pieces each seat has got."""
        ...

    def sent(self, state: Any, seat: Seat) -> int:  # noqa: ANN401 (each game its own)
        """Return how much the others have sent to a seat in all; 0 once it is out.

        What is sent changes nothing of the seat's part until a move of its own takes
        it; its node makes that move, and a log in which it is not made is refused.
        """
        ...

    def taken(self, state: Any, seat: Seat) -> int:  # noqa: ANN401 (each game its own)
        """Return how much of that a seat has taken."""
        ...

    def taking(self, owed: int) -> Any:  # noqa: ANN401 (each game its own)
        """Return the move by which a seat takes what it owes, or some of it."""
        ...

    def is_taking(self, move: Any) -> bool:  # noqa: ANN401 (each game its own)
        """Tell whether a move is one of those, which no player makes."""
        ...

    def landed(self, state: Any) -> int:  # noqa: ANN401 (each game its own)
        """Return how many pieces have landed: what counts as a move in such a game."""
        ...


class IndexedChance(Protocol):
    """An outcome of chance is found by its number, which spares us the list."""

    def chance_count(self, state: Any) -> int:  # noqa: ANN401 (each game its own)
        """Return how many equally likely moves `Game.moves` would yield for CHANCE."""
        ...

    def chance_move(self, state: Any, index: int) -> Any:  # noqa: ANN401 (each game its own)
        """Return the move at an index below `chance_count`, in that order."""
        ...


class Hinted(Protocol):
    """The rules of a table may allow to ask the computer for a hint."""

    def hints(self, options: Any) -> bool:  # noqa: ANN401 (each game its own)
        """Tell whether they do."""
        ...


class About(Struct, frozen=True):
    """What a game declares: what the table must know of it, and what it can do.

    What is None or empty a game cannot do, or does not have; nothing is found out by
    looking at its states, options or moves.
    """

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

    usual: int = 2
    """How many seats it is made for."""

    crossword: bool = False
    """It is played as crossword games are: their records (GCG) fit it, and its turns
    can be judged beside the best plays."""

    resources: tuple[Resource, ...] = ()
    """Editions and word lists its options name."""

    scored: Scored | None = None
    tiled: Tiled | None = None
    clocked: Clocked | None = None
    lapsing: Lapsing | None = None
    drawn: Drawn | None = None
    real_time: RealTime | None = None
    """There exactly if `hz` is not 0."""
    indexed_chance: IndexedChance | None = None
    hinted: Hinted | None = None
    advised: Callable[[Any], Any] | None = None
    """Takes a state; returns the move that the game's own HINT names for whoever is on
    turn, at every table, or None.  It says nothing that one could not see."""

    def digests(self, options: Any) -> dict[str, str]:  # noqa: ANN401 (each game its own)
        """Return the digest that options name for each of `resources`."""
        return {k: v for k, v in asdict(options).items() if k in self.resources}

    def settings(self, options: Any) -> dict[str, Any]:  # noqa: ANN401 (each game its own)
        """Return all that options say, by name, but for `resources`."""
        return {k: v for k, v in asdict(options).items() if k not in self.resources}


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


def with_own(
    game: Game[S, M], state: S, seat: Seat | None, kinds: Mapping[int, int]
) -> S:
    """Return a state that a bystander sees, with what a seat knows put in.

    So each position of a match can be had as a seat knows it: what everybody sees
    follows from the log alone, and what a seat knows of a tile it has for good.

    Args:
        game: The game.
        state: As a bystander sees it.
        seat: Who looks; None is a bystander.
        kinds: Number -> kind, of tiles that the seat has drawn, now or earlier.
    """
    tiled = game.ABOUT.tiled
    if tiled is None or seat is None:
        return state
    whole: Any = state
    told: Any = replace(whole, tiles=known(tiled.tiles(state), seat, kinds))
    return cast("S", told)


def followed(
    game: Game[S, M],
    first: S,
    moves: Iterable[tuple[Actor, M]],
    seat: Seat | None,
    kinds: Mapping[int, int],
) -> Iterator[tuple[S, Actor, M]]:
    """Yield each move with the state before it, both as a seat knows them.

    Args:
        game: The game.
        first: The state before the first of them, as anybody knows it.
        moves: Who made them and what, as anybody knows them.
        seat: Who looks; None is a bystander.
        kinds: Number -> kind, of tiles that the seat has drawn, now or earlier.

    Raises:
        IllegalMoveError: They do not follow each other from there.
    """
    state = game.view(first, None)
    for actor, move in moves:
        before = with_own(game, state, seat, kinds)
        told: Any = move
        if isinstance(move, Reveal) and move.kind == UNKNOWN:
            told = Reveal(move.tile, kinds.get(move.tile, UNKNOWN))
        yield before, actor, game.mask(before, actor, told, seat)
        state = game.play(state, actor, game.mask(state, actor, move, None))


def played_alone(game: Game[S, M], state: S) -> bool:
    """Tell whether one plays for points alone: there is nobody to win against."""
    scored = game.ABOUT.scored
    return scored is not None and len(scored.scores(state)) == 1


def meant(game: Game[S, M], before: S, actor: Actor, move: M) -> tuple[Actor, M]:
    """Return who is to be judged by a move, and for what: a turn not used is a pass."""
    timed, lapsing = game.ABOUT.clocked, game.ABOUT.lapsing
    if actor != CLOCK or timed is None or lapsing is None or timed.answering(before):
        return actor, move
    seat = max(game.actors(before))
    return seat, lapsing.lapse(before, seat)
