"""The finished matches of a home: with whom, how they ended, and when."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from netplay.errors import NetplayError
from netplay.record.copies import read_copy
from netplay.record.saved import ended, written
from netplay.record.store import SECRETS, SUFFIX
from netplay.record.verify import replay
from netplay.sanitize import shown_name
from rules import title_of
from rules.game import IllegalMoveError

Result: TypeAlias = Literal["won", "lost", "tied", ""]
"""Of the seats here; nothing where nobody else played, or in dispute."""


class Finished(Struct, frozen=True):
    """A match that is over."""

    path: str
    game: str
    players: tuple[str, ...]
    """In turn order."""
    places: tuple[int, ...]
    own: tuple[int, ...]
    """Seats that were played here by persons at the end."""
    friends: tuple[str, ...]
    """Who played at other nodes."""
    result: Result
    at: int
    """When its last entry was written, in Unix time."""

    @property
    def title(self) -> str:
        """What the game is called."""
        return title_of(self.game)


class Record(Struct, frozen=True):
    """Results against a friend."""

    name: str
    won: int = 0
    lost: int = 0
    tied: int = 0


def finished(folder: Path, me: bytes) -> Iterator[Finished]:
    """Yield the finished matches of a folder, the latest first.

    Args:
        folder: With the files of the matches.
        me: This node's key.
    """
    for path in sorted(folder.glob(f"*{SUFFIX}"), key=written, reverse=True):
        over = ended(path.with_suffix(SECRETS)).standing == "over"
        if over and (found := _read(path, me)) is not None:
            yield found


def _read(path: Path, me: bytes) -> Finished | None:
    """Return how a match has ended; None if its file does not tell."""
    try:
        fold = replay(read_copy(path).entries)
    except (NetplayError, IllegalMoveError):
        return None
    if not fold.over:
        return None
    seats = fold.terms.seats
    own = tuple(
        n
        for n, seat in enumerate(seats)
        if fold.holders[n] == me and seat.kind == "person"
    )
    others = [n for n, key in enumerate(fold.holders) if key != me]
    return Finished(
        path=str(path),
        game=fold.terms.game,
        players=tuple(map(shown_name, fold.names)),
        places=fold.places,
        own=own,
        friends=tuple(dict.fromkeys(shown_name(fold.names[n]) for n in others)),
        result=_result(fold.places, own),
        at=int(written(path)),
    )


def _result(places: tuple[int, ...], own: tuple[int, ...]) -> Result:
    """Return how a match ended for some of its seats."""
    if not places or not own or len(own) == len(places):
        return ""
    best = min(places[seat] for seat in own)
    rest = min(place for seat, place in enumerate(places) if seat not in own)
    if best == rest:
        return "tied"
    return "won" if best < rest else "lost"


def matching(found: Iterable[Finished], text: str) -> list[Finished]:
    """Return the matches with every word of a text in game, players or result."""
    words = text.casefold().split()
    return [one for one in found if all(word in _searched(one) for word in words)]


def _searched(one: Finished) -> str:
    """Return what words are looked for in."""
    return " ".join((one.title, *one.players, one.result)).casefold()


def records(found: Iterable[Finished]) -> list[Record]:
    """Return the results against each friend, the one played with most first."""
    made: dict[str, Counter[str]] = {}
    for one in found:
        for name in one.friends if one.result else ():
            made.setdefault(name, Counter())[one.result] += 1
    often = sorted(made.items(), key=lambda one: -one[1].total())
    return [Record(name, c["won"], c["lost"], c["tied"]) for name, c in often]
