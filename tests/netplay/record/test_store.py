"""What is on the disk after a crash, and what is said of a damaged file."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from stat import S_ISDIR
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from netplay.errors import Code, LocalError
from netplay.limits import MATCH_BYTES
from netplay.record.ledger import Ledger, may_know
from netplay.record.store import (
    MAGIC,
    Copy,
    DamageError,
    FileDisk,
    MatchFile,
    MemoryDisk,
    frame,
    read_copy,
    records,
    whole,
    write_copy,
)
from netplay.sentences import Says
from tests.netplay.homes import FULL
from tests.netplay.party import Party
from tests.said import like

entries_ = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def file_of(entries: list[bytes]) -> bytes:
    return MAGIC + b"".join(map(frame, entries))


@given(entries_)
def test_what_was_synced_is_read_again(entries: list[bytes]) -> None:
    disk = MemoryDisk()
    kept = MatchFile(disk)
    kept.append(entries)
    kept.sync()

    assert MatchFile(MemoryDisk(disk.read())).entries == tuple(entries)
    assert disk.synced == len(disk.data)


@given(entries_, entries_)
def test_a_file_that_was_handed_on_goes_on_without_what_came_along(
    entries: list[bytes], more: list[bytes]
) -> None:
    disk = MemoryDisk(whole(entries, more))
    file = MatchFile(disk)
    file.append([b"next"])
    file.sync()
    assert disk.read() == file_of([*entries, b"next"])


@given(entries_, st.data())
def test_what_is_kept_of_a_file_is_its_first_entries_and_more_comes_behind_them(
    entries: list[bytes], data: st.DataObject
) -> None:
    disk = MemoryDisk()
    file = MatchFile(disk)
    file.append(entries)
    first = entries[: data.draw(st.integers(0, len(entries)))]

    file.keep(first)
    assert disk.data[: disk.synced] == file_of(first)

    file.append([b"more"])
    file.sync()
    assert disk.read() == file_of([*first, b"more"])


@given(entries_, st.binary(min_size=1, max_size=40), st.data())
def test_a_torn_tail_is_cut_and_the_rest_kept(
    entries: list[bytes], last: bytes, data: st.DataObject
) -> None:
    record = frame(last)
    part = record[: data.draw(st.integers(0, len(record) - 1))]
    disk = MemoryDisk(file_of(entries) + part)

    kept = MatchFile(disk)

    assert kept.entries == tuple(entries)
    assert disk.read() == file_of(entries)


@pytest.mark.parametrize("size", range(len(MAGIC)))
def test_a_file_torn_at_its_birth_begins_anew(size: int) -> None:
    disk = MemoryDisk(MAGIC[:size])

    assert MatchFile(disk).entries == ()
    assert disk.read() == MAGIC


@pytest.mark.parametrize("size", range(len(MAGIC)))
@pytest.mark.parametrize("zeros", [0, 100])
def test_a_birth_whose_last_bytes_were_left_zero_begins_anew(
    size: int, zeros: int
) -> None:
    disk = MemoryDisk(MAGIC[:size] + bytes(len(MAGIC) - size + zeros))
    assert MatchFile(disk).entries == ()
    assert disk.read() == MAGIC


def test_zeros_left_by_a_torn_write_are_cut() -> None:
    disk = MemoryDisk(file_of([b"one"]) + bytes(64))

    assert MatchFile(disk).entries == (b"one",)
    assert disk.read() == file_of([b"one"])


@given(st.lists(st.binary(min_size=1, max_size=40), min_size=1), st.data())
def test_a_file_with_a_bit_changed_is_refused_and_nothing_is_cut(
    entries: list[bytes], data: st.DataObject
) -> None:
    """But in a last one of zeros, which might be a write that was torn: see below."""
    last = data.draw(st.sampled_from([b"end", bytes(30)]))
    whole = bytearray(file_of([*entries, last]))
    most = len(whole) - (1 if any(last) else 39)
    place = data.draw(st.integers(0, most))
    whole[place] ^= 1 << data.draw(st.integers(0, 7))
    disk = MemoryDisk(bytes(whole))
    with pytest.raises(DamageError) as damage:
        MatchFile(disk)
    assert damage.value.code is Code.BAD_LOG
    assert damage.value.offset <= place
    assert disk.read() == bytes(whole)


@pytest.mark.parametrize("zeros", [0, 3, 4, 30])
def test_a_whole_record_with_a_wrong_checksum_is_cut_only_at_the_end_and_in_zeros(
    zeros: int,
) -> None:
    first, both = file_of([b"one"]), bytearray(file_of([b"one", b"two" + bytes(zeros)]))
    both[len(first) + 8] ^= 1
    disk = MemoryDisk(bytes(both))
    if zeros >= 4:
        assert MatchFile(disk).entries == (b"one",)
        assert disk.read() == first
        return
    with pytest.raises(DamageError, match=like(Says.RECORD_CHECKSUM)):
        MatchFile(disk)
    assert disk.read() == bytes(both)


def test_a_length_that_now_leads_to_the_end_of_the_file_is_no_torn_write() -> None:
    whole = bytearray(file_of([b"x", bytes(24)]))
    whole[len(MAGIC) + 3] ^= 32  # 33 bytes: all that is there
    disk = MemoryDisk(bytes(whole))
    with pytest.raises(DamageError, match=like(Says.RECORD_CHECKSUM)):
        MatchFile(disk)
    assert disk.read() == bytes(whole)


def test_another_file_is_no_match() -> None:
    with pytest.raises(DamageError, match=like(Says.NOT_A_MATCH_FILE)):
        MatchFile(MemoryDisk(b"PK\3\4 something else"))


def test_a_file_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.touch()
    os.truncate(path, MATCH_BYTES + 1)

    with pytest.raises(DamageError, match=like(Says.TOO_MANY_BYTES)):
        read_copy(path)
    with pytest.raises(DamageError, match=like(Says.AT_BYTE, offset=0, why="larger")):
        list(records(MAGIC + bytes(MATCH_BYTES)))


def test_a_copy_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    write_copy(path, [b"one", b"two"])

    assert read_copy(path) == Copy((b"one", b"two"))
    assert [each.name for each in tmp_path.iterdir()] == ["copy"]


def test_what_goes_along_with_a_copy_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    write_copy(path, [b"one", b"two"], [b"words", b"edition"])

    assert read_copy(path) == Copy((b"one", b"two"), (b"words", b"edition"))
    write_copy(path, [b"one", b"two"])
    assert path.read_bytes() == file_of([b"one", b"two"])


def test_a_copy_torn_on_its_way_gives_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    path.write_bytes(file_of([b"one", b"two"])[:-1])

    found = read_copy(path)
    assert (found.entries, found.torn) == ((b"one",), True)
    place = len(file_of([b"one"]))
    assert found.damage == Says.DAMAGED_BEHIND(
        what=Says.THE_MATCH(),
        number=0,
        why=Says.AT_BYTE(offset=place, why=Says.RECORD_CUT()),
    )


def test_a_copy_with_nothing_whole_in_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    path.write_bytes(file_of([b"one"])[:-1])

    with pytest.raises(DamageError, match=like(Says.RECORD_CUT)):
        read_copy(path)


def test_a_file_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "match"
    for text in (b"one", b"two", b"three"):
        kept = MatchFile(FileDisk(path))
        kept.append([text])
        kept.sync()
        kept.close()
        kept.close()

    assert MatchFile(FileDisk(path)).entries == (b"one", b"two", b"three")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_file_is_cut_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "match"
    path.write_bytes(file_of([b"one", b"two"])[:-2])

    kept = MatchFile(FileDisk(path))
    kept.append([b"three"])
    kept.close()

    assert path.read_bytes() == file_of([b"one", b"three"])


def test_a_place_that_cannot_be_used_is_a_local_error(tmp_path: Path) -> None:
    for attempt, code in (
        (lambda: FileDisk(tmp_path / "none" / "match"), Code.DISK),
        (lambda: write_copy(tmp_path / "none" / "match", []), Code.DISK),
        (lambda: read_copy(tmp_path / "none"), Code.FILE),
    ):
        with pytest.raises(LocalError) as caught:
            attempt()
        assert caught.value.code is code


def noting(open_: Callable[..., int], opened: list[int]) -> Callable[..., int]:
    """Return how a file is opened, and its number noted."""

    def noted(*words: Any, **more: Any) -> int:
        opened.append(open_(*words, **more))
        return opened[-1]

    return noted


@pytest.mark.parametrize("step", ["append", "sync", "cut", "read"])
def test_a_disk_that_fails_is_a_local_error(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match"
    opened: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", noting(os.open, opened))
        disk = FileDisk(path)
    disk.append(b"x")
    os.close(opened[0])
    path.unlink()

    with pytest.raises(LocalError) as caught:
        {
            "append": lambda: disk.append(b"x"),
            "sync": disk.sync,
            "cut": lambda: disk.cut(0),
            "read": disk.read,
        }[step]()
    assert caught.value.code is Code.DISK


@pytest.mark.skipif(sys.platform == "win32", reason="an open file is kept there")
@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize("replaced", [False, True])
def test_what_is_in_no_folder_any_more_is_not_called_kept(
    tmp_path: Path, *, replaced: bool, moved: bool
) -> None:
    path = tmp_path / "match.netplay"
    disk = FileDisk(path)
    disk.append(MAGIC)
    disk.sync()
    if moved:
        path.rename(tmp_path / "another.netplay")
    else:
        path.unlink()
    if replaced:  # an older copy was put back while the node runs
        path.write_bytes(MAGIC)
    disk.append(frame(b"entry"))
    for _ in range(2):
        with pytest.raises(LocalError) as caught:
            disk.sync()
        assert caught.value.code is Code.DISK


def test_nothing_new_needs_no_sync(tmp_path: Path) -> None:
    disk = FileDisk(tmp_path / "match")
    disk.append(b"x")
    disk.sync()
    disk.close()

    disk.sync()


def test_a_stranger_is_known_without_reading_the_match() -> None:
    genesis, member, stranger = b"genesis of " + b"m" * 32, b"m" * 32, b"s" * 32
    disk = MemoryDisk()
    assert may_know(disk, stranger)  # there is no match yet
    MatchFile(disk).append([genesis, b"what folds to nothing"])
    assert may_know(disk, member)
    assert not may_know(disk, stranger)
    torn = MemoryDisk(disk.read()[:30])
    assert may_know(torn, stranger)


class Syncs:
    """A disk of the system's whose syncs are counted, and fail while it is told to."""

    def __init__(self) -> None:
        self.count = 0
        self.failing = False

    def __call__(self, _number: int) -> None:
        self.count += 1
        if self.failing:
            raise OSError(5, "Input/output error")


@pytest.fixture
def syncs(monkeypatch: pytest.MonkeyPatch) -> Syncs:
    made = Syncs()
    monkeypatch.setattr(os, "fdatasync", made, raising=False)
    return made


def test_the_name_of_a_new_file_is_on_the_disk_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[bool] = []
    monkeypatch.setattr(
        os, "fsync", lambda number: folders.append(S_ISDIR(os.fstat(number).st_mode))
    )
    FileDisk(tmp_path / "match").close()
    assert folders.count(True) == 1
    again = FileDisk(tmp_path / "match")
    again.sync()
    assert folders.count(True) == 2  # who made it may have been killed before
    again.close()


def test_what_a_killed_program_left_is_synced_before_it_counts(
    tmp_path: Path, syncs: Syncs
) -> None:
    MatchFile(FileDisk(tmp_path / "match")).append([b"entry"])
    before = syncs.count

    again = MatchFile(FileDisk(tmp_path / "match"))
    assert again.entries == (b"entry",)
    assert again.dirty
    again.sync()
    assert syncs.count == before + 1
    assert not again.dirty


def test_who_only_reads_a_file_does_not_sync_it(tmp_path: Path, syncs: Syncs) -> None:
    file = MatchFile(FileDisk(tmp_path / "match"))
    file.append([b"entry"])
    before = syncs.count
    reader = FileDisk(tmp_path / "match")
    assert b"entry" in reader.read()
    syncs.failing = True  # the system tells of a failure but once: not to the reader
    reader.close()
    assert syncs.count == before
    with pytest.raises(LocalError):
        file.close()


def test_a_file_whose_sync_failed_is_never_called_clean(
    tmp_path: Path, syncs: Syncs
) -> None:
    file = MatchFile(FileDisk(tmp_path / "match"))
    file.append([b"entry"])
    syncs.failing = True
    with pytest.raises(LocalError):
        file.sync()

    assert file.dirty
    syncs.failing = False
    with pytest.raises(LocalError):
        file.sync()
    assert file.dirty


class Refusing(MemoryDisk):
    """A disk that refuses one kind of work, once."""

    work = ""

    def refuse(self, work: str) -> None:
        if self.work == work:
            self.work = ""
            raise LocalError(Code.DISK, FULL)

    def append(self, data: bytes) -> None:
        self.refuse("append")
        super().append(data)

    def cut(self, size: int) -> None:
        self.refuse("cut")
        super().cut(size)


@pytest.mark.parametrize("work", ["append", "cut"])
def test_behind_a_refusal_of_the_disk_nothing_is_written(work: str) -> None:
    disk = Refusing()
    file = MatchFile(disk)
    disk.work = work
    with pytest.raises(LocalError, match=FULL):
        file.append([b"one", b"two"])
        file.keep([b"one"])
    before = disk.read()
    for step in (
        lambda: file.append([b"three"]),
        file.sync,
        lambda: file.keep([b"one"]),
    ):
        with pytest.raises(LocalError, match=FULL):
            step()
    assert disk.read() == before


def test_a_disk_whose_sync_failed_is_asked_again(tmp_path: Path, syncs: Syncs) -> None:
    disk = FileDisk(tmp_path / "match")
    disk.append(b"entry")
    syncs.failing = True
    with pytest.raises(LocalError):
        disk.sync()

    before = syncs.count
    with pytest.raises(LocalError):
        disk.sync()
    assert syncs.count == before + 1


@pytest.fixture(scope="module")
def played() -> tuple[bytes, ...]:
    """Return the entries of a match of which some were played."""
    party = Party("numlo", 2)
    party.link_all()
    party.settle()
    for _ in range(5):
        party.play_one(Random(1))
        party.settle()
    return party.logs()[0]


STEPS = st.lists(st.tuples(st.booleans(), st.integers(1, 30), st.booleans()))


@given(steps=STEPS)
@example(steps=[(False, 3, True), (True, 2, True), (False, 1, True), (False, 1, True)])
def test_the_file_has_what_the_log_has_whatever_was_cut_between_two_writes(
    played: tuple[bytes, ...], steps: list[tuple[bool, int, bool]]
) -> None:
    disk = MemoryDisk()
    ledger = Ledger(disk, played[:1])
    for cuts, number, writes in [*steps, (False, 1, True)]:
        size = len(ledger.log)
        if cuts:
            ledger.truncate(1 + number % size)
        else:
            for raw in played[size : size + number % 4]:
                ledger.accept(raw)
        if writes:
            ledger.sync()
            assert not ledger.dirty
            assert disk.data[: disk.synced] == file_of([*ledger.raws(0)])
    assert Ledger(MemoryDisk(disk.read())).raws(0) == ledger.raws(0)
