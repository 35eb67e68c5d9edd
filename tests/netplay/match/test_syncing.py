"""What leaves before the disk is waited for, and what does not."""

from random import Random

import pytest

from netplay.match.journal import SYNC_SECONDS
from netplay.messages.log import Ack, Have, Submit
from netplay.messages.table import Chat
from netplay.record.hidden import KeptChat
from tests.netplay.match.matches import NUMLO
from tests.netplay.party import Party


def on_turn(mover: int = 1) -> Party:
    """Return a party of two in which a member is to move, all said and synced."""
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    while party.movers()[0][0] != mover:
        party.play_one(Random(2))
        party.settle()
    return party


def unsynced(party: Party, member: int) -> int:
    """Return how many bytes a power cut would take from a member."""
    disks = party.archives[member].disks.values()
    return sum(len(disk.data) - disk.synced for disk in disks)


def test_a_submit_leaves_before_the_disk_is_waited_for() -> None:
    party = on_turn()
    party.play_one(Random(2))
    (out,) = party.member(1).outgoing()
    assert isinstance(out.message, Submit)
    assert unsynced(party, 1)


def test_an_entry_is_on_the_hosts_disk_before_anybody_is_told() -> None:
    party = on_turn(0)
    party.play_one(Random(2))
    party.collect()
    assert party.wire
    assert not unsynced(party, 0)


def test_what_came_is_acknowledged_a_moment_later_once_it_is_safe() -> None:
    party = on_turn(0)
    party.play_one(Random(2))
    party.deliver()
    member = party.member(1)
    assert not member.outgoing()
    assert unsynced(party, 1)
    assert member.final == len(member.ledger.log) - 1
    assert member.deadline() == party.now + SYNC_SECONDS
    member.wake(party.now + SYNC_SECONDS / 2)
    assert not member.outgoing()
    member.wake(party.now + SYNC_SECONDS)
    (out,) = member.outgoing()
    assert isinstance(out.message, Ack)
    assert out.message.number == len(member.ledger.log) == member.final
    assert not unsynced(party, 1)
    assert member.deadline() is None


def test_what_waits_does_not_wait_longer_for_what_comes_later() -> None:
    party = on_turn(0)
    party.play_one(Random(2))
    party.deliver()
    due = party.member(1).deadline()
    party.now += SYNC_SECONDS / 2
    assert party.movers() == [(1, 1)]
    party.play_one(Random(2))
    party.collect()
    assert unsynced(party, 1)
    assert party.member(1).deadline() == due


@pytest.mark.parametrize("what", ["have", "chat"])
def test_whatever_else_leaves_waits_for_the_disk(what: str) -> None:
    party = on_turn()
    party.play_one(Random(2))
    member = party.member(1)
    if what == "have":
        member.greet(party.keys[0].key)
    else:
        line = Chat(member.match, member.me, 0, "hello", bytes(64))
        member.hidden.keep(KeptChat(line))
    said = [type(out.message) for out in member.outgoing()]
    assert said[0] is Submit
    assert said[1:] == ([Have] if what == "have" else [])
    assert not unsynced(party, 1)


def test_a_body_that_a_power_cut_took_comes_back_with_the_log() -> None:
    party = on_turn()
    entered = len(party.logs()[0])
    party.play_one(Random(2))
    party.deliver()  # the host has it
    party.crash(1)
    party.start(1)
    assert not len(party.member(1).submitting)
    party.link_all()
    party.settle()
    assert len(party.logs()[0]) > entered
    assert party.logs()[0] == party.logs()[1]
    party.play_out(Random(3))
    assert {match.audit() for match in party.running} == {"ok"}


def test_a_body_that_a_power_cut_took_everywhere_was_never_made() -> None:
    party = on_turn()
    before = party.logs()[0]
    party.play_one(Random(2))
    party.collect()
    party.crash(1)
    party.start(1)
    party.link_all()
    party.settle()
    assert party.logs() == [before, before]
    assert party.movers()[0][0] == 1
    party.play_out(Random(3))
    owns = [
        (line.entry.author, line.entry.own) for line in party.member(0).ledger.log.lines
    ]
    assert len(owns) == len(set(owns))
    assert party.logs()[0] == party.logs()[1]


def test_another_body_with_the_number_of_one_that_was_lost_is_numbered_anew() -> None:
    party = on_turn()
    party.play_one(Random(2))
    party.deliver()  # the host has it, and what it says of it is under way
    party.collect()
    entered = party.logs()[0]
    party.crash(1)
    party.start(1)
    party.link(0, 1)
    while not party.member(1).quorate:
        party.deliver()
    if len(party.member(1).ledger.log) == len(entered):
        pytest.fail("the member was told before it could move")
    assert party.play_one(Random(5))  # it does not know that it has moved
    party.settle()
    assert party.logs()[0][: len(entered)] == entered
    assert party.logs()[0] == party.logs()[1]
    party.play_out(Random(3))
    assert {match.audit() for match in party.running} == {"ok"}
