"""A match that is played while its log is kept."""

from typing import Any
from zlib import crc32

from netplay import wire
from netplay.arena import Chance
from netplay.puzzles import Entry, Kind, Puzzle
from rules import GAMES
from rules.game import CHANCE, Actor


class Logged:
    """A match as it goes, with all that led to where it is."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Any,  # noqa: ANN401 (each game's own)
        seed: str,
    ) -> None:
        """Begin a match; chance comes from the seed."""
        self.game = GAMES[game]
        self.options = options
        self.seats = seats
        self.state = self.game.start(seats, options)
        self.log: list[tuple[Actor, Any]] = []
        self._chance = Chance(self.game, hash_of(seed))

    def play(self, actor: Actor, move: Any) -> None:  # noqa: ANN401 (each game's own)
        """Make a move."""
        self.state = self.game.play(self.state, actor, move)
        self.log.append((actor, move))

    def settle(self) -> frozenset[Actor]:
        """Let chance do what it may; return whom the match waits for then."""
        while CHANCE in (actors := self.game.actors(self.state)):
            self.play(CHANCE, self._chance.choose(self.state))
        return actors

    def puzzle(
        self, kind: Kind, line: list[tuple[Actor, Any]], worth: int, margin: int
    ) -> Puzzle:
        """Return the position as a puzzle."""
        return Puzzle(
            kind, self.seats, wire.pack(self.options), packed(self.log), packed(line),
            worth, margin,
        )  # fmt: skip


def packed(log: list[tuple[Actor, Any]]) -> tuple[Entry, ...]:
    """Return entries as files have them."""
    return tuple((actor, wire.pack(move)) for actor, move in log)


def hash_of(seed: str) -> float:
    """Return a number for a seed, the same in every process."""
    return float(crc32(seed.encode()))
