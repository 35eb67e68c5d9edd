"""One journal writes the files of a match, and releases what waits for that."""

from random import Random

import pytest

from netplay.errors import Code, LocalError
from netplay.messages.log import Entries, Submit
from netplay.messages.table import Chat
from netplay.record.hidden import Kept, KeptChat, KeptGrant, KeptSeed
from netplay.record.store import MemoryDisk
from tests.netplay.homes import FULL
from tests.netplay.match.elections import hosts, isolate, party_of
from tests.netplay.match.matches import NUMLO, promise, until_turn_of
from tests.netplay.party import Party


class Refusing(MemoryDisk):
    """A disk that refuses for a while."""

    refuses = False

    def append(self, data: bytes) -> None:
        if self.refuses:
            raise LocalError(Code.DISK, FULL)
        super().append(data)

    def sync(self) -> None:
        if self.refuses:
            raise LocalError(Code.DISK, FULL)
        super().sync()


def party_on(disks: list[Refusing]) -> Party:
    """Return a party of two that plays, whose host writes to these disks."""
    party = Party("numlo", 2, NUMLO)
    archive = party.archives[0]
    party.crash(0)
    for name, disk in archive.disks.items():
        made = Refusing(bytes(disk.data))
        disks.append(made)
        archive.disks[name] = made
    party.start(0)
    party.link_all()
    party.settle()
    return party


@pytest.mark.parametrize("which", [0, 1])
def test_what_a_disk_refused_is_never_told_of_and_nothing_else_either(
    which: int,
) -> None:
    disks: list[Refusing] = []
    party = party_on(disks)
    host = party.member(0)
    while party.movers()[0][0] != 0:
        party.play_one(Random(1))
        party.settle()
    disks[which].refuses = True
    if which == 1:
        with pytest.raises(LocalError):
            host.keep(KeptChat(Chat(host.match, host.me, 0, "hello", bytes(64))))
    disks[which].refuses = which == 0
    with pytest.raises(LocalError, match=FULL):
        for _ in range(2):
            party.play_one(Random(1))
            host.wake(party.now)
            host.outgoing()
    disks[which].refuses = False
    for _ in range(3):  # whatever is done with it, and however well the disk is by now
        host.step(party.now)
        with pytest.raises(LocalError, match=FULL):
            host.outgoing()
    sizes = [len(disk.data) for disk in disks]
    host.wake(party.now + 100)
    assert [len(disk.data) for disk in disks] == sizes


@pytest.mark.parametrize("kept", [KeptSeed(9, 0, 0, bytes(32)), KeptGrant(0, 0)])
def test_what_others_may_rest_on_is_safe_as_soon_as_it_is_written(kept: Kept) -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    secrets = party.archives[1].open_secrets(party.terms.nonce)
    assert isinstance(secrets, MemoryDisk)
    party.member(1).keep(kept)
    assert secrets.synced == len(secrets.data)


def test_what_a_node_stands_for_is_safe_before_it_promises_a_newer_term() -> None:
    party = Party("numlo", 3, NUMLO)
    party.link_all()
    party.settle()
    party.play_one(Random(2))
    while not any(isinstance(m, Entries) for _, to, m in party.wire if to == 2):
        party.deliver()
    while any(isinstance(m, Entries) for _, to, m in party.wire if to == 2):
        party.deliver()
    member = party.member(2)
    log = party.archives[2].open(party.terms.nonce)
    assert isinstance(log, MemoryDisk)
    assert log.synced < len(log.data)
    promise(member, 5)
    assert log.synced == len(log.data)
    assert member.hidden.vouched == len(member.ledger.log)


def test_what_waits_keeps_its_order_behind_what_promises_nothing() -> None:
    party = Party("numlo", 2, NUMLO)
    party.link_all()
    party.settle()
    while party.movers()[0][0] != 1:
        party.play_one(Random(2))
        party.settle()
    party.play_one(Random(2))
    member = party.member(1)
    member.greet(party.keys[0].key)
    first, second = member.outgoing()
    assert isinstance(first.message, Submit)
    assert second.message == member.replica.have()


def test_what_another_branch_cut_off_is_acknowledged_no_more() -> None:
    """A host comes back with an entry that nobody has, and hears all at once."""
    party = party_of(3)
    until_turn_of(party, 0)
    party.play_one(Random(2))
    isolate(party, 0)
    party.wake(0.1)
    party.wake(61)
    assert hosts(party) == [0, 1, 1]
    party.link_all()
    party.collect()
    for _ in range(len(party.wire)):
        if party.wire[0][1] == 0:
            party.wire.rotate(-1)
        else:
            party.pass_on()
    party.collect_from(1)
    party.collect_from(2)
    while party.wire:
        party.pass_on()
    assert party.member(0).ledger.log.term == 1
    party.settle()  # `collect_from` looks whether what is said is so
    assert len(set(party.logs())) == 1
