"""Word games with minutes and an encrypted bag, in which one withholds what it owes.

At a moment chosen by the seed one of two to four members stops saying its keys, its
mixings, its spares, its lifts or all of it, and perhaps judges nothing either.  Another
may leave.  The others claim whenever they may, and one claims before it may.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, Final

from netplay.errors import NetplayError
from netplay.match.match import Match
from netplay.messages.log import Judgement, Late, Lift, LogBody, Mask, Mix, Spare
from netplay.record.clocks import told
from netplay.record.fold import Fold
from netplay.record.verify import verify
from netplay.wire import pack
from rules import GAMES
from rules.game import Resign
from rules.networdz import Pass
from tests.netplay.party import Party
from tests.simulation.bags import proofs
from tests.simulation.run import Result, remembering

STEPS: Final = 16

KINDS: Final = ((Mask,), (Mix,), (Spare,), (Lift,), (Lift,), (Mask, Mix, Spare, Lift))


class Withheld:
    """One match, and who withholds what in it."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(f"withheld {seed}")
        self.members = rng.choice((2, 2, 3, 3, 4))
        options = GAMES["networdz"].ABOUT.options(timed=1)
        self.party = Party(
            "networdz", self.members, fairness="encrypted", options=options
        )
        self.liar = rng.randrange(self.members)
        self.kinds = rng.choice(KINDS)
        self.when = 0 if self.kinds[0] is Mask else rng.randrange(STEPS // 2)
        self.silent = rng.random() < 0.4
        self.leaves = rng.random() < 0.3 and self.members > 2
        self.owes_since: dict[int, float] = {}
        """Seat -> when it began to owe what it owes still, by the true clock."""
        self.left: set[int] = set()
        self.counts = Counter[str]()
        self.trace = hashlib.sha256()

    def run(self) -> None:
        """Play, withhold, and look."""
        if self.when == 0:
            self._withhold()
        self.party.link_all()
        self.party.settle()
        for step in range(STEPS):
            if step == self.when:
                self._withhold()
            with suppress(NetplayError, AssertionError, StopIteration, ValueError):
                self._step()
            self._look()
            if self.party.member(0).fold.over:
                break
        self._agree()

    def _withhold(self) -> None:
        """Let the liar's program say no more of some kinds."""
        match, kinds = self.party.member(self.liar), self.kinds
        owed = match.masks.owed

        def less(waiting: Any) -> Iterator[LogBody]:
            return (body for body in owed(waiting) if not isinstance(body, kinds))

        match.masks.owed = less  # type: ignore[method-assign]  # a changed program
        match.submitting.waiting[:] = [
            one for one in match.submitting if not isinstance(one.body, kinds)
        ]
        if Mix in kinds:
            match.jobs = lambda: ()  # type: ignore[method-assign]
        if self.silent:
            match.thinking.owed = lambda: iter(())  # type: ignore[method-assign]
        self.counts["withholds"] += 1

    def _step(self) -> None:
        party, rng = self.party, self.rng
        what = rng.choice("mmmmmwwccfl")
        self.counts[what] += 1
        if what == "m":
            for n, seat in party.movers():
                rack = party.member(n).seats.view(seat).state.tiles.racks[seat]
                count = rng.choice((0, 2, 3))
                party.member(n).play(seat, pack(Pass(rack[:count])), -1, party.now)
        elif what == "w":
            party.wake(rng.choice((5.0, 20.0, 61.0)))
        elif what == "c":
            party.member(rng.randrange(self.members)).claim(party.now)
        elif what == "f":
            self._claim_falsely()
        elif self.leaves and not self.left:
            seat = rng.choice([n for n in range(self.members) if n != self.liar])
            party.member(seat).play(seat, pack(Resign()), -1, party.now)
            self.left.add(seat)
        party.settle()

    def _claim_falsely(self) -> None:
        """Let the liar claim against somebody, whatever is owed."""
        match = self.party.member(self.liar)
        others = [n for n in range(self.members) if n != self.liar]
        fold, head = match.fold, match.ledger.log.head
        early, fold.is_early = fold.is_early, lambda _seat: False
        try:
            seat = self.rng.choice(others)
            match.replication.submit(
                Late(seat, head, fold.digest(), 0, ()), self.party.now
            )
            match.step(self.party.now)
            self.counts["false claim"] += 1
        finally:
            fold.is_early = early

    def _look(self) -> None:
        """Check that nobody but the liar is put out, and nobody wins by its word."""
        for n, match in enumerate(self.party.running):
            fold = match.fold
            self.trace.update(match.ledger.log.head)
            for done in fold.claims.done:
                assert done.seat == self.liar, "who withheld nothing is out of time"
                self.counts["on time"] = max(self.counts["on time"], n == 0)
            gone = fold.resigned - self.left
            assert gone <= {done.seat for done in fold.claims.done}
            self._two(match)

    def _two(self, match: Match) -> None:
        """Check that of two no claim counts but by the word of who is late."""
        if self.members > 2:
            return
        key = self.party.keys[self.liar].key
        said = [line for line in match.ledger.log.lines if line.entry.author == key]
        agreed = any(isinstance(line.body, Judgement) for line in said)
        assert agreed or not match.fold.claims.done, "won by one side's word"

    def _agree(self) -> None:
        """Check that every reader finds the same."""
        for n, match in enumerate(self.party.running):
            alone = Fold(match.fold.terms)
            for line in match.ledger.log.lines:
                alone.apply(line)
            assert alone.claims == match.fold.claims
            data = self.party.archives[n].open(self.party.terms.nonce).read()
            read = verify(data)
            assert read.ok is not False, read.reason
            assert read.claims == told(match.fold)


def simulate_withheld(seed: int) -> Result:
    """Let one seed's match be withheld from."""
    failures = list[str]()
    with remembering(), proofs(seed):
        found = Withheld(seed)
        try:
            found.run()
        except AssertionError as error:
            failures.append(str(error) or repr(error))
    kinds = tuple(kind.__name__ for kind in found.kinds)
    entries = len(found.party.member(0).ledger.log)
    place = found.party.now, found.trace.hexdigest()
    return Result(
        seed, "networdz", found.members, "encrypted", kinds, tuple(failures),
        dict(sorted(found.counts.items())), entries, STEPS, *place,
    )  # fmt: skip
