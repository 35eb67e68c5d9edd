"""Random matches of any game, kept with every state they went through."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import msgspec

from rules import GAMES
from rules.game import CHANCE, Game, IllegalMoveError, Resign
from tests.rules.strategies import all_options

LONGEST = 100_000
"""A random match longer than this is taken never to end."""

DEEPEST = 64
"""How far down the list of its moves an actor looks at most."""

POOL = int(os.environ.get("CONTRACT_MATCHES", "4"))
"""Matches of each game that the contract is checked on."""


@dataclass
class Match:
    """A match and its whole history."""

    name: str
    seats: int
    options: Any
    states: list[Any]
    """One more than entries: before the first one, and after each."""

    log: list[tuple[int, Any]] = field(default_factory=list)

    @property
    def game(self) -> Game[Any, Any]:
        return GAMES[self.name]

    @property
    def viewers(self) -> list[int | None]:
        return [*range(self.seats), None]

    def gone(self, index: int) -> set[int]:
        """Return who has resigned before an entry."""
        return {actor for actor, move in self.log[:index] if isinstance(move, Resign)}

    def add(self, actor: int, move: Any) -> None:
        self.states.append(self.game.play(self.states[-1], actor, move))
        self.log.append((actor, move))

    def __repr__(self) -> str:
        return f"<{self.name}, {self.seats} seats, {self.options}, {len(self.log)} in>"


def begin(name: str, seats: int, options: Any) -> Match:
    return Match(name, seats, options, [GAMES[name].start(seats, options)])


def finish(
    match: Match, rng: Random, resigning: float = 0.0, deepest: int = DEEPEST
) -> Match:
    """Play on at random until the match is over."""
    game = match.game
    left = [
        seat for seat in range(match.seats) if seat not in match.gone(len(match.log))
    ]
    while actors := game.actors(match.states[-1]):
        assert len(match.log) < LONGEST, "this match does not end"
        if left and rng.random() < resigning:
            match.add(left.pop(rng.randrange(len(left))), Resign())
        else:
            waited = sorted(actors)
            match.add(*_any_move(game, match.states[-1], waited, rng, deepest))
    return match


def _any_move(
    game: Game[Any, Any], state: Any, actors: list[int], rng: Random, deepest: int
) -> tuple[int, Any]:
    rng.shuffle(actors)
    for actor in actors:
        for move in some_moves(game, state, actor, rng, deepest=deepest):
            return actor, move
    raise AssertionError(f"nobody of {actors} has a move in {state}")


def some_moves(
    game: Game[Any, Any],
    state: Any,
    actor: int,
    rng: Random,
    most: int = 1,
    deepest: int = DEEPEST,
) -> list[Any]:
    """Return a few moves of an actor: of chance fairly, else from random depths.

    A word game may have a hundred thousand moves, so what comes far behind in the
    list is looked at only now and then.
    """
    if actor == CHANCE:
        every = list(game.moves(state, CHANCE))
        return rng.sample(every, min(most, len(every)))
    depth = min(deepest, rng.choice((1, 4, 16, DEEPEST)))
    first = list(islice(game.moves(state, actor), depth))
    return rng.sample(first, min(most, len(first)))


@cache
def pool(name: str) -> tuple[Match, ...]:
    """Return some finished matches, with different seats and options."""
    return tuple(islice(matches(name), POOL))


def matches(name: str, seed: str = "", deepest: int = DEEPEST) -> Iterator[Match]:
    """Yield random matches played to the end, in ever new seats and options."""
    about = GAMES[name].ABOUT
    rng = Random(name + seed)
    tables = [
        (seats, options)
        for options in all_options(about.options)
        for seats in about.seats
    ]
    rng.shuffle(tables)
    while True:
        for number, (seats, options) in enumerate(tables):
            try:
                match = begin(name, seats, options)
            except ValueError:
                continue
            yield finish(match, rng, number % 2 * 0.01, deepest)


def encoded(state: Any) -> bytes:
    return msgspec.msgpack.encode(state)


def refused(game: Game[Any, Any], state: Any, actor: int, move: Any) -> bool:
    """Play a move; return whether the rules said no, and in words."""
    try:
        game.play(state, actor, move)
    except IllegalMoveError as error:
        assert str(error)
        return True
    return False
