"""Which features of a match have met: ordered pairs, counted as cells of a table.

Two features have met where both were used in one match, or in a match and its rematch,
and the second came behind the first with at most `NEAR` entries of the log between.
What a log tells is read from the log, by protocol.md and not by the program; the rest
is noted by whoever does it.  `cannot_meet.toml` says which never meet, or do not yet,
and why.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import msgpack

from netplay.messages.log import (
    Genesis,
    Hand,
    Late,
    Lift,
    LogBody,
    Mix,
    Response,
    Root,
    Term,
    Turn,
    Wish,
)

FEATURES: Final = (
    "take-back", "resign", "leave", "hand over", "exchange", "challenge", "days off",
    "claim", "offer", "prepared", "dispute", "rematch", "restart", "save and load",
    "export and import", "blocked", "onlooker", "letters", "carried", "second deal",
    "third deal", "mixing anew", "early leaver", "host lost",
)  # fmt: skip
"""Of a match, in the order in which they are printed."""

NEAR: Final = 24
"""Entries between two features that have met, at the most."""

REVIEWED: Final = Path(__file__).with_name("cannot_meet.toml")

EXCHANGES: Final = ("renew", "trade", "discard")
"""Moves that put tiles back, besides a pass with tiles."""

TILED: Final = ("networdz", "lhexicon")

Cell: TypeAlias = tuple[str, str]
"""A feature, and one that came behind it."""


class Cells:
    """The cells of one run: how often each was filled."""

    def __init__(self) -> None:
        self.met: Counter[Cell] = Counter()
        self.base = 0
        """Entries of the matches before a rematch."""
        self._last: dict[str, int] = {}
        self._logs: dict[bytes, _Log] = {}

    def note(self, feature: str, entries: int) -> None:
        """Note that a feature is used, in a match that has so many entries."""
        assert feature in FEATURES, feature
        place = self.base + entries
        for before, at in self._last.items():
            if 0 <= place - at <= NEAR:
                self.met[before, feature] += 1
        self._last[feature] = place

    def read(self, match: bytes, number: int, body: LogBody, *, back: bool) -> None:
        """Read an entry of a log that has just been written.

        Args:
            match: Of which match.
            number: Of the entry.
            body: What it says.
            back: Whether a turn is taken back by it.
        """
        if number == 0 and self._logs and match not in self._logs:
            self.base = max(self._last.values(), default=0)
            self.note("rematch", 0)
        log = self._logs.setdefault(match, _Log())
        for feature in log.features(body, back=back):
            self.note(feature, number)


class _Log:
    """What is remembered of one log."""

    def __init__(self) -> None:
        self._ready = True
        """The first bag, if there is one, can be drawn from."""
        self._begun: set[int] = set()
        """Rounds of which a mixing has begun."""

    def features(self, body: LogBody, *, back: bool) -> Iterator[str]:
        """Yield the features that an entry uses."""
        match body:
            case Genesis(terms=terms):
                self._ready = terms.game not in TILED
            case Turn():
                yield from self._move(msgpack.decode(body.move))
            case Wish(what="days"):
                yield "days off"
            case Wish():
                yield "offer"
            case Late():
                yield "claim"
            case Hand():
                yield "hand over"
            case Term():
                yield "host lost"
            case Root(round=round_):
                self._ready = True
                yield from _deal(round_)
            case Mix(round=round_, step=0) if round_ in self._begun:
                yield "mixing anew"
            case Mix(round=round_, step=0):
                self._begun.add(round_)
                yield from _deal(round_)
            case Lift():
                self._ready = True
            case _:
                pass
        if back and isinstance(body, Wish | Response):
            yield "take-back"

    def _move(self, move: Any) -> Iterator[str]:
        kind = move[0]
        if kind == "resign":
            yield "resign"
            if not self._ready:
                yield "early leaver"
        elif kind in EXCHANGES or (kind == "pass" and len(move) > 1 and move[1]):
            yield "exchange"
        elif kind == "challenge":
            yield "challenge"


def _deal(round_: int) -> Iterator[str]:
    if round_ > 1:
        yield "second deal" if round_ == 2 else "third deal"


def reviewed() -> Mapping[Cell, str]:
    """Return the cells that are known to be empty, and why."""
    found: dict[Cell, str] = {}
    listed = tomllib.loads(REVIEWED.read_text("utf-8"))
    for group in (*listed["never"], *listed.get("lacking", ())):
        ways = list(product(group["first"], group["then"]))
        if group.get("either", False):
            ways += [(then, first) for first, then in ways]
        for cell in ways:
            assert set(cell) <= set(FEATURES), cell
            found.setdefault(cell, group["why"])
    return found


def empty(met: Mapping[Cell, int]) -> list[Cell]:
    """Return the cells that are neither filled nor known to stay empty."""
    known = reviewed()
    return [
        cell
        for cell in product(FEATURES, FEATURES)
        if not met.get(cell) and cell not in known
    ]


def told(met: Mapping[Cell, int]) -> Iterator[str]:
    """Yield the table in lines: counts, `-` for known to be empty, `!` for empty."""
    known, wide = reviewed(), max(map(len, FEATURES))
    yield " " * wide + "".join(f"{n:5}" for n in range(1, len(FEATURES) + 1))
    for number, first in enumerate(FEATURES, 1):
        marks = (
            met.get((first, then)) or ("-" if (first, then) in known else "!")
            for then in FEATURES
        )
        yield f"{number:2} {first:{wide - 3}}" + "".join(f"{m:>5}" for m in marks)
    total = len(FEATURES) ** 2
    filled = sum(1 for cell in product(FEATURES, FEATURES) if met.get(cell))
    never = sum(1 for cell in known if not met.get(cell))
    yield f"{filled} of {total} cells filled, {never} known to be empty,"
    lacking = empty(met)
    yield f"empty: {len(lacking) or 'none'}"
    for first, then in lacking:
        yield f"  {first}, then {then}"
