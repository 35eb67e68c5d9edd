"""Links that are cut, nodes that are killed."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.messages.log import Ack
from netplay.sentences import Says
from netplay.wire import pack
from rules.game import Resign
from tests.netplay.match.matches import NUMLO, entries
from tests.netplay.party import Party
from tests.said import says


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 3))
def test_cuts_crashes_and_restarts_lose_nothing_and_double_nothing(
    seed: int, members: int
) -> None:
    rng = Random(seed)
    party = Party("numlo", members, NUMLO)
    for _ in range(400):
        if all(match.fold.over and match.audit() for match in party.running):
            break
        trouble(party, rng)
        party.link_all()
        party.play_one(rng)
        for _ in range(rng.randrange(12)):
            party.deliver()
    party.link_all()
    party.play_out(rng)
    logs = party.logs()
    assert all(log == logs[0] for log in logs)
    assert {match.audit() for match in party.running} == {"ok"}
    owns = [(e.author, e.own) for e in entries(party)]
    assert len(owns) == len(set(owns))


def trouble(party: Party, rng: Random) -> None:
    """Cut a link or kill a member, now and then; those killed come back."""
    members = len(party.keys)
    chance = rng.random()
    if chance < 0.1:
        party.cut(rng.randrange(members), rng.randrange(members))
    elif chance < 0.2:
        victim = rng.randrange(members)
        before = party.member(victim).ledger.file
        acked = [
            message.number
            for (a, _), sent in party.sent.items()
            if a == victim
            for message in sent
            if isinstance(message, Ack)
        ]
        assert before is not None
        party.crash(victim)
        party.start(victim)
        assert len(party.member(victim).ledger.log) >= max(acked, default=0)


@pytest.mark.parametrize(
    "lost",  # of every six fortieths one is cut by day
    [n if n % 2 else pytest.param(n, marks=pytest.mark.slow) for n in range(0, 40, 3)],
)
def test_a_member_resumes_from_any_prefix_of_the_log(lost: int) -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    rng = Random(6)
    for _ in range(12):
        party.play_one(rng)
        party.settle()
    party.crash(1)
    disk = party.archives[1].open(party.terms.nonce)
    whole = bytes(disk.data)  # type: ignore[attr-defined]
    disk.cut(len(whole) * lost // 40)
    party.start(1)
    party.link_all()
    party.play_out(rng)
    logs = party.logs()
    assert logs[0] == logs[1]
    assert party.member(1).audit() == "ok"


def test_a_host_that_lost_its_last_entries_takes_them_back_from_its_peer() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    for _ in range(4):
        party.play_one(Random(2))
        party.settle()
    before = party.logs()[0]
    party.crash(0)
    party.archives[0].open(party.terms.nonce).cut(2000)
    party.start(0)
    assert len(party.member(0).ledger.log) < len(before)
    party.link_all()
    party.settle()
    assert party.logs() == [before, before]
    assert says(party.notices[0][-1], Says.FILES_TOO_OLD)
    assert not party.member(0).quorate
    party.wake(1)
    assert party.member(0).ledger.log.term > 0
    party.play_out(Random(3))
    assert not party.member(1).stopped


def test_a_move_made_before_a_crash_is_entered_once_after_it() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    while party.movers() != [(1, 1)]:
        party.play_one(Random(2))
        party.settle()
    entered = len(party.member(0).ledger.log)
    party.play_one(Random(2))
    party.member(1).hidden.sync()
    party.crash(1)
    party.start(1)
    assert len(party.member(1).submitting) == 1
    party.link_all()
    party.settle()
    assert len(party.member(0).ledger.log) == entered + 1
    assert not party.member(1).submitting.waiting


def test_nothing_is_entered_while_a_quorum_is_missing() -> None:
    party = Party("numlo", 2, NUMLO)
    party.settle()
    assert len(party.member(0).ledger.log) == 1
    party.link_all()
    party.settle()
    party.cut(0, 1)
    before = [*party.logs()]

    while party.play_one(Random(1)):
        party.settle()

    assert party.logs() == before
    assert any(match.submitting.early for match in party.running)
    assert party.member(0).paused


def test_time_stands_while_somebody_on_turn_is_missed() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    party.now += 2
    assert party.member(0).timing.at(party.now) == 2000
    party.cut(0, 1)
    party.now += 50
    assert party.member(0).timing.at(party.now) == 2000
    party.link_all()
    party.settle()
    party.now += 1
    assert party.member(0).timing.at(party.now) == 3000


def test_resigning_is_possible_out_of_turn_and_ends_a_match_of_two() -> None:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    [(n, _)] = party.movers()
    other = 1 - n
    party.member(other).play(other, pack(Resign()), -1, party.now)
    party.settle()
    assert all(match.fold.over for match in party.running)
    assert {match.audit() for match in party.running} == {"ok"}
