"""A node with many matches starts at once, and opens them one after another."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from netplay.errors import Code
from netplay.limits import QUORUM_SECONDS
from netplay.messages.door import (
    Answer,
    Done,
    LeaveTable,
    Load,
    LookAt,
    Request,
    Say,
    StartMatch,
    Watch,
)
from netplay.messages.log import Entries, Have
from netplay.record.chance import ZERO
from netplay.record.ledger import Ledger
from netplay.record.store import MemoryDisk
from netplay.table.tables import Tables
from netplay.table.unopened import FEW, answer, tail
from tests.netplay.homes import Homes
from tests.netplay.joined_nodes import table
from tests.netplay.match.matches import NUMLO, ready, until_turn_of

COUNT = FEW + 3


class Started(Homes):
    """Two nodes with matches; one of them has just been started again."""

    def __init__(self, folder: Path, count: int = COUNT) -> None:
        super().__init__(folder, "ann", "bob")
        self.done("bob", Answer(on=True))
        for _ in range(count):
            self.done("ann", table("hexagrams", "person", "remote:bob"))
            self.settle()
            number = max(one.table for one in self["ann"].tables.games(self.now))
            self.done("ann", StartMatch(), on=number)
            self.settle()
        self.before = self.opened()
        self.isolate("bob")
        self.start_anew()

    def start_anew(self) -> None:
        bob = self["bob"]
        bob.tables.close()
        bob.tables = Tables(bob.means(), "bob")
        bob.tables.find_kept(self.now)

    def opened(self) -> dict[int, bytes]:
        """Return the matches that are opened, by the numbers of their tables."""
        return {one.table: one.match for one in self["bob"].tables.games(self.now)}


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Started]:
    one = Started(tmp_path)
    yield one
    one.close()


def test_a_few_are_opened_before_anybody_comes_in(tmp_path: Path) -> None:
    few = Started(tmp_path, FEW)
    assert few.opened() == few.before
    assert not few["bob"].tables.open_next(few.now)
    few.close()


def test_many_are_opened_one_by_one_at_the_tables_they_had(net: Started) -> None:
    tables = net["bob"].tables
    assert net.opened() == {}
    assert len(tables.unopened) == COUNT
    for left in range(COUNT - 1, -1, -1):
        assert tables.open_next(net.now) is bool(left)
        assert len(net.opened()) == COUNT - left
    assert net.opened() == net.before
    assert not tables.unopened
    net.settle()
    for number in net.before:
        status = tables.table_status(net.now, number=number)
        assert status is not None
        assert status.phase == "playing"  # both are there


def test_a_match_that_a_peer_speaks_of_is_opened_at_once(net: Started) -> None:
    number, match = max(net.before.items())
    net["bob"].tables.receive(net["ann"].key, Have(match, 0, 0, ZERO), net.now)
    assert net.opened() == {number: match}


def test_what_a_command_asks_is_asked_of_all(net: Started) -> None:
    assert net.failed("bob", Say("Hello")) is Code.USAGE  # which of them?
    assert net.opened() == net.before


def test_a_match_of_before_is_loaded_where_it_was(net: Started) -> None:
    number, match = max(net.before.items())
    net.done("bob", Load(str(net["bob"].files.place(match))))
    assert net.opened() == net.before
    assert net["bob"].tables.open_next(net.now) is False
    net.done("bob", LeaveTable(), on=number)
    net.start_anew()
    net["bob"].tables.unopened.open_all()
    assert set(net.opened()) == set(net.before) - {number}


def test_no_window_is_thrown_into_the_first_that_is_opened(net: Started) -> None:
    tables = net["bob"].tables
    tables.window_up(5)
    for _ in range(COUNT):
        assert tables.table_status(net.now, 5) is None
        tables.open_next(net.now)
    answer = tables.ask(5, Request(1, LookAt(2)), net.now)
    assert isinstance(answer, Done)
    assert tables.ask(5, Request(2, Watch(-1)), net.now) == Done(2)


def test_another_table_takes_no_number_that_is_still_to_come(net: Started) -> None:
    net.done("bob", table("numlo", "person", "computer"))
    assert set(net.opened()) == {COUNT + 1}
    net["bob"].tables.unopened.open_all()
    assert set(net.opened()) == {*net.before, COUNT + 1}


def test_a_link_to_a_friend_is_kept_until_all_are_opened(net: Started) -> None:
    tables, ann = net["bob"].tables, net["ann"].key
    tables.shared.means.known.befriend(ann, "ann")
    net.link("ann", "bob")
    assert tables.expects(ann)
    assert tables.trusts(ann)
    assert not tables.expects(b"x" * 32)
    tables.unopened.open_all()
    assert tables.trusts(ann)
    assert not tables.expects(b"x" * 32)


def test_what_is_read_again_of_a_log_is_what_was_read_first(net: Started) -> None:
    net["bob"].tables.unopened.open_all()
    for number, match in net.before.items():
        ours, theirs = (
            place.table.match
            for name in ("bob", "ann")
            if (place := net[name].tables.places.of_match(match)) is not None
        )
        assert ours is not None
        assert theirs is not None
        old, new = ours.ledger.log.lines, theirs.ledger.log.lines
        assert [(line.raw, line.entry, line.body) for line in old] == [
            (line.raw, line.entry, line.body) for line in new
        ], number


def test_whoever_has_less_or_another_log_is_sent_what_it_can_go_on_with() -> None:
    party = ready("numlo", 3, options=NUMLO)
    until_turn_of(party, 1)
    party.crash(0)
    party.wake(QUORUM_SECONDS + 1)
    for _ in range(2):
        assert party.play_one(Random(1))
        party.settle()
    log = party.member(1).ledger.log
    terms = [line.entry.term for line in log.lines]
    newer = terms.index(log.term)
    assert 0 < newer < len(log) - 1
    for number, head in enumerate(log.heads):
        term = terms[max(0, number - 1)]
        assert tail(log, Have(log.match, term, number, head)) == number
    for number in range(newer, len(log) + 3):  # its host has gone another way
        assert tail(log, Have(log.match, 0, number, ZERO)) == newer
    for n in (1, 2):
        match = party.member(n)
        raws = match.ledger.raws(0)
        for number in range(1, len(log) + 1):
            kept = Ledger(MemoryDisk(), raws[:number])
            answer(party.keys[n], kept, match.hidden, Entries(log.match, raws[number:]))
            comes = n == 1 or number >= newer  # who voted follows no older term
            assert kept.raws(0) == (raws if comes else raws[:number])
