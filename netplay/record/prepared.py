"""Moves that a player has prepared on condition, kept at the player's own node.

A line is what is to be played from a position on, turn by turn: what the others are
assumed to do, and what the player does then.  Each step names the position in which it
is made.  So a line stands as long as exactly its steps have been made, and in no other
position; what has been taken back counts as a move, and ends it like any other.
"""

from typing import Annotated, Final, Protocol, TypeAlias

from msgspec import Meta

from netplay.messages.types import Body, Digest, Message, Natural, SeatNumber
from netplay.record.past import Past
from netplay.wire import pack

LINES: Final = 20
"""Of one seat at once."""


class Step(Message, frozen=True):
    """A turn of a line."""

    seat: SeatNumber
    state: Digest
    """Of the public position in which it is made."""
    move: Body


class Prepared(Message, frozen=True):
    """A line."""

    moves: Natural
    """Made before it, by seats and the clock."""
    place: Natural
    """How much had happened before it, counted with chance."""
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    made: Natural
    """So many steps at its start this node makes no more: it has, or the player."""


Lines: TypeAlias = tuple[Prepared, ...]


class KeptLines(Message, frozen=True, tag=31):
    """All lines that are prepared for a seat."""

    seat: SeatNumber
    lines: Lines


class Situation(Protocol):
    """How a match stands, as a line is looked at."""

    moves: int
    over: bool
    history: list[Past]

    def digest(self) -> bytes:
        """Return the digest of the public position."""
        ...


def reached(line: Prepared, match: Situation) -> int | None:
    """Return how many steps of a line have been made, and nothing else since.

    None if the game has gone another way, or the line is at its end.
    """
    count = match.moves - line.moves
    if match.over or not 0 <= count < len(line.steps):
        return None
    if len(match.history) - line.place != count:
        return None
    past = match.history[line.place :]
    played = [(each.actor, pack(each.move)) for each in past]
    if played != [(step.seat, step.move) for step in line.steps[:count]]:
        return None
    return count if line.steps[count].state == match.digest() else None


def parts_at(one: tuple[Step, ...], other: tuple[Step, ...]) -> int | None:
    """Return whose turn it is where two lines part; None where one holds the other."""
    for mine, theirs in zip(one, other, strict=False):
        if mine.move != theirs.move:
            return mine.seat
    return None
