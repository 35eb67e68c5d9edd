"""Own bodies on their way: numbered without gaps, whatever becomes of them."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from netplay.errors import Code, PeerError
from netplay.match.effects import Effect, Keep
from netplay.match.submitting import Submitting, Waiting
from netplay.messages.log import Commit, Hand, Late, LogBody, Open, Seed, Turn, Wish
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, KeptBody
from netplay.record.log import Line, Log, Signed, author_data, check_signature
from netplay.record.store import MemoryDisk
from netplay.wire import pack
from rules.game import Resign
from rules.numlo import Place
from tests.netplay.match.matches import NUMLO, ready, until_turn_of
from tests.netplay.party import Dice, Key, make_terms

ME, HOST = Key("me"), Key("host")
MATCH = b"m" * 32
FOLD = Fold(make_terms("numlo", [ME, HOST], NUMLO))


class Counted(Log):
    """A log that has so many of one's own entries."""

    mine = 0

    @override
    def own(self, author: bytes) -> int:
        return self.mine if author == ME.key else super().own(author)


def log_with(own: int = 0) -> Counted:
    log = Counted(MATCH, [ME.key, HOST.key], HOST.key)
    log.mine = own
    return log


class Own:
    """A guest's bodies, without a host in reach; what is to be kept is."""

    def __init__(self, disk: MemoryDisk, log: Log) -> None:
        self.hidden = Hidden(disk, Dice("x"))
        self.ledger: Any = SimpleNamespace(log=log, fold=FOLD, terms=FOLD.terms)
        self.guest: Any = SimpleNamespace(
            hosting=False, host=HOST.key, greeted=frozenset(), linked=frozenset()
        )
        self.bodies = Submitting(ME, self.ledger, self.hidden, self.guest)

    def do(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            assert isinstance(effect, Keep)
            self.hidden.keep(effect.kept)

    def add(self, body: LogBody) -> None:
        self.do(self.bodies.submit(body, 0))

    def entered(self, body: LogBody) -> None:
        self.ledger.log.mine += 1
        self.do(self.bodies.entered(body))

    def refuse(self, own: int) -> Waiting | None:
        mine = [w.signed for w in self.bodies.waiting if w.signed.own == own]
        refused, effects = self.bodies.refuse(own, mine[0].signature if mine else b"")
        self.do(effects)
        return refused

    def rebase(self, log: Log, lost: list[Any], entered: tuple[LogBody, ...]) -> None:
        self.ledger.log = log
        self.do(self.bodies.rebase(lost, entered)[0])


def body(number: int) -> Open:
    return Open(number, bytes(32))


def numbers(pending: Own) -> list[tuple[int, int]]:
    found = []
    for one in pending.bodies:
        assert isinstance(one.body, Open)
        found.append((one.signed.own, one.body.round))
    return found


def gone(pending: Own) -> set[int]:
    """Return those that others may hold, by which none can be taken back."""
    left = {one.signed.own for one in pending.bodies if one.left}
    return {number for own, number in numbers(pending) if own in left}


def check_signatures(pending: Own) -> None:
    for one in pending.bodies:
        signed: Signed = one.signed
        check_signature(
            ME.key, signed.signature, author_data(MATCH, signed.own, signed.body)
        )


def test_bodies_are_numbered_from_where_the_log_is() -> None:
    log = log_with(3)
    pending = Own(MemoryDisk(), log)
    for number in range(4):
        pending.add(body(number))
    assert numbers(pending) == [(3, 0), (4, 1), (5, 2), (6, 3)]
    for number in range(2):
        pending.entered(body(number))
    assert numbers(pending) == [(5, 2), (6, 3)]
    assert len(pending.bodies) == 2
    check_signatures(pending)


def test_behind_a_refused_body_the_others_move_up() -> None:
    log = log_with()
    pending = Own(MemoryDisk(), log)
    for number in range(4):
        pending.add(body(number))
    refused = pending.refuse(1)
    assert refused is not None
    assert numbers(pending) == [(0, 0), (1, 2), (2, 3)]
    assert pending.refuse(9) is None
    check_signatures(pending)


def test_after_a_restart_they_are_all_there_again() -> None:
    disk, log = MemoryDisk(), log_with()
    pending = Own(disk, log)
    for number in range(4):
        pending.add(body(number))
    pending.refuse(2)
    again = Own(disk, log)
    assert numbers(again) == numbers(pending) == [(0, 0), (1, 1), (2, 3)]
    later = Own(disk, log_with(2))
    assert numbers(later) == [(2, 3)]


def test_what_another_version_wrote_is_left_out() -> None:
    disk, log = MemoryDisk(), log_with()
    hidden = Hidden(disk, Dice("x"))
    hidden.keep(KeptBody(0, b"\xc1"))
    assert len(Own(disk, log).bodies) == 0


@given(
    st.lists(
        st.one_of(
            st.just(("add", 0)),
            st.just(("leave", 0)),
            st.tuples(st.just("refuse"), st.integers(0, 6)),
            st.tuples(st.just("enter"), st.integers(0, 2)),
        ),
        max_size=25,
    )
)
def test_numbers_have_no_gap_what_left_has_left_and_a_restart_changes_nothing(
    steps: Any,
) -> None:
    disk, log, next_body = MemoryDisk(), log_with(), 0
    pending = Own(disk, log)
    left = set[int]()
    for step, at in steps:
        if step == "add":
            pending.add(body(next_body))
            next_body += 1
        elif step == "leave":
            pending.do(pending.bodies.leave())
            left.update(number for _, number in numbers(pending))
        elif step == "refuse":
            pending.refuse(log.own(ME.key) + at)
        elif at < len(pending.bodies):
            for one in list(pending.bodies)[: at + 1]:
                pending.entered(one.body)
        owns = [own for own, _ in numbers(pending)]
        first = log.own(ME.key)
        assert owns == list(range(first, first + len(owns)))
        assert gone(pending) == {number for _, number in numbers(pending)} & left
    check_signatures(pending)
    again = Own(disk, log)
    assert numbers(again) == numbers(pending)
    assert gone(again) == gone(pending)


def test_after_a_new_start_lost_bodies_come_first() -> None:
    log = log_with(2)
    pending = Own(MemoryDisk(), log)
    pending.add(body(7))
    pending.rebase(log_with(1), [body(5), body(6)], ())
    assert numbers(pending) == [(1, 5), (2, 6), (3, 7)]


ELSEWHERE = bytes([1]) * 32, bytes([2]) * 32
"""A head and a position of another history."""


@pytest.mark.parametrize(
    ("lost", "told"),
    [
        (Turn(0, *ELSEWHERE, pack(Place(0)), ()), True),
        (Late(1, *ELSEWHERE, 0, ()), True),
        (Wish(0, "draw", 0, *ELSEWHERE), False),
        (Turn(0, *ELSEWHERE, pack(Resign()), ()), False),
        (body(1), False),
    ],
)
def test_whose_move_or_claim_is_dropped_with_a_history_is_told(
    lost: LogBody, told: bool
) -> None:
    """An offer lapses with any move; who has resigned has."""
    log = log_with()
    for waits in (False, True):
        pending = Own(disk := MemoryDisk(), log)
        if waits:
            pending.add(lost)
        stays = not isinstance(lost, Late | Wish) and not told
        effects, said = pending.bodies.rebase(() if waits else (lost,))
        assert said is told
        pending.do(effects)
        for each in (pending, Own(disk, log)):  # and after a new start
            assert each.bodies.bodies == ([lost] if stays else [])


def test_a_body_that_came_into_the_log_under_an_old_number_is_not_sent_again() -> None:
    disk, log = MemoryDisk(), log_with(2)
    pending = Own(disk, log)
    for number in (7, 8, 9):
        pending.add(body(number))
    pending.entered(body(8))
    assert numbers(pending) == [(3, 7), (4, 9)]
    again = Own(disk, log)
    assert numbers(again) == [(3, 7), (4, 9)]


def test_nothing_that_had_a_higher_number_comes_back_after_a_new_start() -> None:
    disk, log = MemoryDisk(), log_with(5)
    pending = Own(disk, log)
    for number in range(3):
        pending.add(body(number))
    pending.rebase(log_with(1), [], (body(1),))
    assert numbers(pending) == [(1, 0), (2, 2)]
    again = Own(disk, log_with(5))
    assert len(again.bodies) == 0


def test_what_was_said_of_chance_does_not_come_back_after_a_new_start() -> None:
    """A seed that was told to the host of a history that was dropped is no secret."""
    log = log_with()
    pending = Own(MemoryDisk(), log)
    pending.add(Commit(3, bytes(32)))
    pending.rebase(log, [Seed(1, bytes(32)), body(4)], ())
    assert numbers(pending) == [(0, 4)]


def test_a_body_that_the_log_refuses_in_front_leaves_all_that_waits_as_it_was() -> None:
    disk = MemoryDisk()
    pending = Own(disk, log_with(2))
    for number in range(3):
        pending.add(body(number))

    def append(line: Line, *, strict: bool) -> None:
        raise PeerError(Code.UNEXPECTED, f"{line.entry.number} {strict}")

    pending.ledger.append = append
    hand = Hand(0, HOST.key, "host", ())
    with pytest.raises(PeerError):
        pending.bodies.enter_first(hand, 0, None)
    assert numbers(pending) == numbers(Own(disk, log_with(2)))
    assert numbers(pending) == [(2, 0), (3, 1), (4, 2)]


def test_a_second_refusal_of_one_body_does_not_take_the_next_one_with_it() -> None:
    """What is submitted again when a link is back may be refused twice."""
    party = ready("numlo", 2, options=NUMLO)
    until_turn_of(party, 1)
    host, guest = party.member(0), party.member(1)
    guest.replication.submit(Commit(0, bytes(32)), party.now)  # much too late
    guest.replication.do(guest.submitting.submit_all(), party.now)
    first = next(iter(party.game.moves(guest.fold.state, 1)))
    guest.play(1, pack(first), -1, party.now)
    party.settle()
    assert party.logs()[0] == party.logs()[1]
    turns = [line.body for line in host.ledger.log.lines if isinstance(line.body, Turn)]
    assert [(turn.seat, turn.move) for turn in turns][-1] == (1, pack(first))
    assert party.notices[1] == []
