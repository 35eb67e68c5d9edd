"""Planted bugs of nodes with several tables: one table takes what is another's."""

from collections import defaultdict
from typing import Any, Final

import pytest
from msgspec.structs import replace

from netplay.match.members import Members
from netplay.match.submitting import Submitting
from netplay.messages.log import Turn
from netplay.record.archive import FileArchive
from netplay.record.votes import quorum
from netplay.table.in_match import InMatch
from netplay.table.places import Places
from netplay.table.tables import Tables
from netplay.wire import pack
from tests.simulation.planting import Planted

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
    """Deliver after a start what was delivered before, for the position there is."""
    whole = Submitting.__init__

    def begin(self: Any, signer: Any, ledger: Any, hidden: Any, members: Any) -> None:
        whole(self, signer, ledger, hidden, members)
        lines = [ln for ln in ledger.log.lines if ln.entry.author == signer.key]
        turns = [line.body for line in lines if isinstance(line.body, Turn)]
        if turns and not self.waiting and turns[-1].seat in ledger.fold.actors:
            head, state = ledger.log.head, ledger.fold.digest()
            body = replace(turns[-1], after=head, state=state)
            own = ledger.log.own(signer.key)
            self.waiting.append(self._sign(own, pack(body), body))

    patch.setattr(Submitting, "__init__", begin)


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

    def enough(self: Any) -> bool:
        count = len(here[self.me] | {self.me})
        return self.host_here and count >= quorum(len(self.electors))

    patch.setattr(Members, "greet", greets)
    patch.setattr(Members, "down", goes)
    patch.setattr(Members, "_enough", enough)


CROSSED: Final = tuple(
    Planted(name, plant=plant, several=True)
    for name, plant in (
        ("a message goes to the wrong table", to_another_table),
        ("matches are let go when another ends", freed_with_another),
        ("a timer rings at another table", timer_of_another),
        ("what was delivered is delivered again", delivered_twice),
        ("a quorum is counted across tables", quorum_across_tables),
    )
)
