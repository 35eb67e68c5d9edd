"""What happens so rarely that it is made to happen: found by messages, files, words."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from netplay.errors import LocalError
from netplay.messages.log import Ack, Entries, Have, Term
from netplay.record.hidden import KeptGrant
from netplay.record.ledger import Ledger
from netplay.record.log import Signed, author_data, term_data
from netplay.record.store import FileDisk, MatchFile, MemoryDisk
from netplay.wire import pack
from rules import GAMES
from tests.netplay.party import Party
from tests.simulation.drive import Drive, Drives

SMALL = GAMES["numlo"].ABOUT.options(size=8, values=False)


def played(members: int) -> Party:
    party = Party("numlo", members, SMALL)
    party.link_all()
    party.settle()
    for _ in range(4):
        party.play_one(Random(1))
        party.settle()
    return party


@contextmanager
def drive(seed: int = 0) -> Generator[Drive]:
    """Yield a disk that is in place of the system's."""
    with TemporaryDirectory() as folder:
        drives = Drives(Path(folder) / "all")
        made = Drive(Path(folder) / "all" / "ann", lambda _: None, Random(seed))
        drives.add(made)
        with drives.in_place():
            yield made


def test_who_follows_a_term_older_than_promised_stands_for_none_of_it() -> None:
    party = played(3)
    victim, host = party.member(2), party.keys[1]
    log = victim.ledger.log
    number = len(log) - 1
    victim.keep(KeptGrant(9, len(log)))
    other = Ledger(MemoryDisk(), victim.ledger.raws(0, number))
    data = term_data(log.match, 1, host.key, number, other.log.head)
    votes = tuple((n, party.keys[n].sign(data)) for n in (1, 2))
    body, own = pack(Term(1, votes)), other.log.own(host.key)
    signature = host.sign(author_data(log.match, own, body))
    line = other.log.compose(
        host, Signed(host.key, own, body, signature), other.log.at, 1
    )
    before = len(party.sent[2, 1])
    victim.receive(host.key, Entries(log.match, (line.raw,)), party.now)
    party.sync()
    party.collect()
    assert victim.ledger.log.lines[number].raw == line.raw
    acks = [m for m in party.sent[2, 1][before:] if isinstance(m, Ack)]
    assert acks
    assert all(ack.number <= number for ack in acks)


def test_who_had_entries_that_are_gone_has_them_no_more() -> None:
    party = played(3)
    host = party.member(0)
    assert host.final == len(host.ledger.log)
    host.replica.truncated(3)
    assert host.final == 3


def test_a_file_whose_sync_failed_is_not_clean() -> None:
    with drive() as disk:
        file = MatchFile(FileDisk(disk.root / "match"))
        file.append([b"entry"])
        disk.failing, disk.once = ("sync", 0), True
        with pytest.raises(LocalError):
            file.sync()
        assert file.dirty


def test_what_was_cut_stays_cut_when_the_power_fails() -> None:
    for seed in range(8):
        with drive(seed) as disk:
            path = disk.root / "match"
            file = FileDisk(path)
            file.append(b"what was there before")
            file.sync()
            file.cut(4)
            disk.ends()
            disk.power_fails()
            assert path.read_bytes() == b"what"


def test_the_name_of_a_new_file_outlives_a_power_cut() -> None:
    for seed in range(8):
        with drive(seed) as disk:
            path = disk.root / "match"
            file = FileDisk(path)
            file.append(b"entry")
            file.sync()
            disk.ends()
            disk.power_fails()
            assert path.exists()
            assert path.read_bytes() == b"entry"


def test_what_a_killed_program_left_is_safe_before_it_is_told() -> None:
    party = played(3)
    disk = party.archives[2].open(party.terms.nonce)
    assert isinstance(disk, MemoryDisk)
    while party.movers() != [(0, 0)]:
        party.play_one(Random(1))
        party.settle()
    number, host = len(party.member(2).ledger.log), party.member(0)
    party.play_one(Random(1))
    raws = host.ledger.raws(number)
    party.member(2).receive(host.me, Entries(host.match, raws), party.now)
    assert disk.synced < len(disk.data)
    for other in (0, 1):
        party.cut(2, other)
    party.start(2)  # it was killed: the system has what it wrote, the disk has not
    assert len(party.member(2).ledger.log) > number
    party.link(0, 2)
    assert any(isinstance(o.message, Have) for o in party.member(2).outgoing())
    assert disk.synced == len(disk.data)
