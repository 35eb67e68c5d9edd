"""Planted bugs of nodes with several tables: one table takes what is another's."""

from collections import defaultdict
from typing import Any, Final

import pytest
from msgspec.structs import replace

from netplay.match.members import Members
from netplay.match.submitting import Submitting
from netplay.messages.log import Turn
from netplay.record.archive import FileArchive
from netplay.table.in_match import InMatch
from netplay.table.places import Places
from netplay.table.tables import Tables
from tests.simulation.planting import Planted, Slip

Patch = pytest.MonkeyPatch


def to_another_table(patch: Patch) -> None:
    """Take what is said of a table to the one that the same people play at last."""
    whole = Places.of_match

    def of_match(self: Any, match: bytes) -> Any:
        found = whole(self, match)
        if found is None or not isinstance(found.table, InMatch):
            return found
        same = [p for p in self if isinstance(p.table, InMatch)]
        same = [p for p in same if p.table.others == found.table.others]
        return same[-1] if same else found

    patch.setattr(Places, "of_match", of_match)


def freed_with_another(patch: Patch) -> None:
    """Forget all matches in hand when one of them is over."""

    def let_go(self: Any, match: bytes) -> None:
        if self._in_hand.pop(match, None) is not None:
            self._in_hand.clear()
            self._write_in_hand()

    patch.setattr(FileArchive, "let_go", let_go)


def timer_of_another(patch: Patch) -> None:
    """Wake the table that came first when any wants to be woken."""

    def wake(self: Any, now: float) -> None:
        self.shared.now = now
        for place in list(self.places)[:1]:
            with place:
                place.table.wake(now)

    patch.setattr(Tables, "wake", wake)


def delivered_twice(patch: Patch) -> None:
    """Deliver to a host that comes what it has entered before, for the next turn."""
    whole = Submitting.submit_all

    def submit_all(self: Any) -> Any:
        log, fold = self._ledger.log, self._ledger.fold
        own = [ln.body for ln in log.lines if ln.entry.author == self._signer.key]
        turns = [body for body in own if isinstance(body, Turn)]
        on_turn = turns and turns[-1].seat in fold.actors
        if on_turn and not self.waiting and not self._members.hosting:
            self.add(replace(turns[-1], after=log.head, state=fold.digest()))
        return whole(self)

    patch.setattr(Submitting, "submit_all", submit_all)


def taken_back_late(patch: Patch) -> None:
    """Let a player take back what has been delivered and is not entered yet."""

    def last(self: Any, seat: int) -> Any:
        own = [one for one in self.waiting if one.is_turn_of(seat)]
        return own[-1] if own else None

    def may(self: Any, seat: int) -> bool:
        return last(self, seat) is not None

    def take_back(self: Any, seat: int) -> Any:
        return self._drop(last(self, seat))

    patch.setattr(Submitting, "may_take_back", may)
    patch.setattr(Submitting, "take_back", take_back)


def quorum_across_tables(patch: Patch) -> None:
    """Count for a quorum whoever is here, at whichever table."""
    here: dict[bytes, set[bytes]] = defaultdict(set)
    greet, down = Members.greet, Members.down

    def greets(self: Any, key: bytes) -> bool:
        here[self.me].add(key)
        return greet(self, key)

    def goes(self: Any, key: bytes) -> None:
        here[self.me].discard(key)
        down(self, key)

    def anywhere(self: Any) -> set[bytes]:
        return here[self.me] | {self.me}

    patch.setattr(Members, "greet", greets)
    patch.setattr(Members, "down", goes)
    patch.setattr(Members, "anywhere", property(anywhere), raising=False)


CROSSED: Final = tuple(
    Planted(name, tuple(slips), plant=plant, several=True)
    for name, plant, *slips in (
        ("a message goes to the wrong table", to_another_table),
        ("matches are let go when another ends", freed_with_another),
        ("a timer rings at another table", timer_of_another),
        ("what was delivered is delivered again", delivered_twice),
        ("a move is taken back after it has left", taken_back_late),
        (
            "a quorum is counted across tables",
            quorum_across_tables,
            Slip("self.host_here and len(self.here) >=", "len(self.anywhere) >="),
        ),
    )
)
