"""Own bodies on their way: numbered without gaps, whatever becomes of them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from netplay.match.pending import Pending
from netplay.messages.log import Commit, Open, Seed
from netplay.record import signing
from netplay.record.fold import Fold
from netplay.record.hidden import Hidden, KeptBody
from netplay.record.log import Log, Signed, author_data
from netplay.record.store import MemoryDisk
from tests.netplay.match.matches import NUMLO
from tests.netplay.party import Dice, Key, make_terms

ME, HOST = Key("me"), Key("host")
MATCH = b"m" * 32
FOLD = Fold(make_terms("numlo", [ME, HOST], NUMLO))


def log_with(own: int = 0) -> Log:
    log = Log(MATCH, [ME.key, HOST.key], HOST.key)
    log._own[ME.key] = own
    return log


def pending_on(disk: MemoryDisk) -> Pending:
    return Pending(ME, MATCH, Hidden(disk, Dice("x")))


def body(number: int) -> Open:
    return Open(number, bytes(32))


def numbers(pending: Pending) -> list[tuple[int, int]]:
    found = []
    for one in pending:
        assert isinstance(one.body, Open)
        found.append((one.signed.own, one.body.round))
    return found


def check_signatures(pending: Pending, log: Log) -> None:
    for one in pending:
        signed: Signed = one.signed
        signing.verify(
            ME.key, signed.signature, author_data(MATCH, signed.own, signed.body)
        )


def test_bodies_are_numbered_from_where_the_log_is() -> None:
    log, pending = log_with(3), pending_on(MemoryDisk())
    for number in range(4):
        pending.add(log, body(number))
    assert numbers(pending) == [(3, 0), (4, 1), (5, 2), (6, 3)]
    for number in range(2):
        log._own[ME.key] += 1
        pending.entered(log, FOLD, body(number))
    assert numbers(pending) == [(5, 2), (6, 3)]
    assert len(pending) == 2
    check_signatures(pending, log)


def test_behind_a_refused_body_the_others_move_up() -> None:
    log, pending = log_with(), pending_on(MemoryDisk())
    for number in range(4):
        pending.add(log, body(number))
    refused = pending.refuse(1)
    assert refused is not None
    assert numbers(pending) == [(0, 0), (1, 2), (2, 3)]
    assert pending.refuse(9) is None
    check_signatures(pending, log)


def test_after_a_restart_they_are_all_there_again() -> None:
    disk, log = MemoryDisk(), log_with()
    pending = pending_on(disk)
    for number in range(4):
        pending.add(log, body(number))
    pending.refuse(2)
    again = pending_on(disk)
    again.recall(log)
    assert numbers(again) == numbers(pending) == [(0, 0), (1, 1), (2, 3)]
    later = pending_on(disk)
    later.recall(log_with(2))
    assert numbers(later) == [(2, 3)]


def test_what_another_version_wrote_is_left_out() -> None:
    disk, log = MemoryDisk(), log_with()
    hidden = Hidden(disk, Dice("x"))
    hidden.keep(KeptBody(0, b"\xc1"))
    pending = Pending(ME, MATCH, hidden)
    pending.recall(log)
    assert len(pending) == 0


@given(
    st.lists(
        st.one_of(
            st.just(("add", 0)),
            st.tuples(st.just("refuse"), st.integers(0, 6)),
            st.tuples(st.just("enter"), st.integers(0, 2)),
        ),
        max_size=25,
    )
)
def test_numbers_never_have_a_gap_and_a_restart_changes_nothing(steps: Any) -> None:
    disk, log, next_body = MemoryDisk(), log_with(), 0
    pending = pending_on(disk)
    for step, at in steps:
        if step == "add":
            pending.add(log, body(next_body))
            next_body += 1
        elif step == "refuse":
            pending.refuse(log.own(ME.key) + at)
        elif at < len(pending):
            for one in list(pending)[: at + 1]:
                log._own[ME.key] += 1
                pending.entered(log, FOLD, one.body)
        owns = [own for own, _ in numbers(pending)]
        first = log.own(ME.key)
        assert owns == list(range(first, first + len(owns)))
    check_signatures(pending, log)
    again = pending_on(disk)
    again.recall(log)
    assert numbers(again) == numbers(pending)


def test_after_a_new_start_lost_bodies_come_first() -> None:
    log, pending = log_with(2), pending_on(MemoryDisk())
    pending.add(log, body(7))
    pending.rebase(log_with(1), FOLD, [body(5), body(6)])
    assert numbers(pending) == [(1, 5), (2, 6), (3, 7)]


def test_a_body_that_came_into_the_log_under_an_old_number_is_not_sent_again() -> None:
    disk, log = MemoryDisk(), log_with(2)
    pending = pending_on(disk)
    for number in (7, 8, 9):
        pending.add(log, body(number))
    log._own[ME.key] += 1
    pending.entered(log, FOLD, body(8))
    assert numbers(pending) == [(3, 7), (4, 9)]
    again = pending_on(disk)
    again.recall(log)
    assert numbers(again) == [(3, 7), (4, 9)]


def test_nothing_that_had_a_higher_number_comes_back_after_a_new_start() -> None:
    disk, log = MemoryDisk(), log_with(5)
    pending = pending_on(disk)
    for number in range(3):
        pending.add(log, body(number))
    pending.rebase(log_with(1), FOLD, [], [body(1)])
    assert numbers(pending) == [(1, 0), (2, 2)]
    again = pending_on(disk)
    again.recall(log_with(5))
    assert len(again) == 0


def test_what_was_said_of_chance_does_not_come_back_after_a_new_start() -> None:
    """A seed that was told to the host of a history that was dropped is no secret."""
    log, pending = log_with(), pending_on(MemoryDisk())
    pending.add(log, Commit(3, bytes(32)))
    pending.rebase(log, FOLD, [Seed(1, bytes(32)), body(4)])
    assert numbers(pending) == [(0, 4)]
