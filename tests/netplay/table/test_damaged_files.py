"""Match files that are damaged, gone or put back: said, mended, and never a fork."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from netplay.messages.door import LeaveTable, Load, Say
from netplay.messages.table_questions import StandIn
from netplay.record.archive import IN_HAND
from netplay.record.store import MAGIC, SECRETS, SUFFIX, MatchFile, MemoryDisk
from netplay.record.verify import verify
from netplay.sentences import Says
from tests.netplay.homes import Homes
from tests.said import says

NAMES = ("ann", "bob", "cyd")


@contextmanager
def homes() -> Iterator[Homes]:
    """Three nodes with folders of their own."""
    with tempfile.TemporaryDirectory() as folder:
        net = Homes(Path(folder), *NAMES)
        yield net
        net.close()


def steps(net: Homes, count: int, seed: int = 1) -> None:
    for _ in range(count):
        net.think(Random(seed))
        net.settle()


def flip(path: Path, at: int, mask: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[at % len(data)] ^= mask
    path.write_bytes(data)


def come_back(net: Homes, name: str) -> None:
    """Let a node end, and start again with what lies in its folder."""
    net[name].begin(net.now)
    if name != "ann":
        net.done(name, StandIn(40))
    net.settle()
    for _ in range(4):
        net.wake(1)


def ended_well(net: Homes, *names: str) -> None:
    net.play_out(Random(5))
    assert {net.status(name).audit for name in names} == {"ok"}
    files = {net[name].file().read_bytes() for name in names}
    assert len(files) == 1
    assert verify(files.pop()).audit == "ok"


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(("ann", "bob")), st.integers(0, 10**6), st.integers(1, 255))
@example("ann", 3, 1)  # the magic
@example("ann", 9, 1)  # the length of the genesis
@example("bob", 60, 1)
@example("ann", -1, 1)  # the last byte of the last entry
@example("bob", -1, 255)
def test_one_flipped_byte_in_a_match_file_is_said_and_mended_from_the_peer(
    name: str, at: int, mask: int
) -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        net.isolate(name)
        net[name].tables.close()
        damaged = net[name].file()
        flip(damaged, at, mask)
        before = damaged.read_bytes()
        come_back(net, name)
        (aside,) = net[name].folder.glob(f"*{SUFFIX}.damaged")
        assert aside.read_bytes() == before
        said = list(net[name].tables.shared.means.faults)
        assert any(aside.name in str(text) for text in said)
        assert net.status(name).phase == "playing"
        assert not net[name].errors
        assert not net["ann"].errors
        ended_well(net, "ann", "bob")


@pytest.mark.parametrize("name", ["ann", "bob"])
@pytest.mark.parametrize("entry", [-1, -2])
def test_the_damaged_end_of_a_match_that_is_over_comes_back_from_the_peer(
    name: str, entry: int
) -> None:
    with homes() as net:
        net.start("bob")
        ended_well(net, "ann", "bob")
        net.isolate(name)
        net[name].tables.close()
        damaged = net[name].file()
        whole = damaged.read_bytes()
        file = MatchFile(MemoryDisk(whole))
        flip(damaged, whole.rindex(file.entries[entry]))
        come_back(net, name)
        assert damaged.read_bytes() == whole


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(("ann", "bob")), st.integers(0, 10**6), st.integers(1, 255))
@example("bob", -1, 7)
@example("bob", 10, 1)  # the length of a record
def test_one_flipped_byte_in_the_secrets_is_said_and_the_rest_is_kept(
    name: str, at: int, mask: int
) -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        net.isolate(name)
        net[name].tables.close()
        assume(net[name].file(SECRETS).stat().st_size > len(MAGIC))
        flip(net[name].file(SECRETS), at, mask)
        come_back(net, name)
        (aside,) = net[name].folder.glob(f"*{SECRETS}.damaged")
        assert any(
            aside.name in str(text) for text in net[name].tables.shared.means.faults
        )
        assert net.status(name).phase == "playing"
        ended_well(net, "ann", "bob")


@pytest.mark.parametrize("name", ["ann", "bob"])
def test_what_is_kept_beside_a_mended_file_of_secrets_outlives_the_next_start(
    name: str,
) -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        net.isolate(name)
        net[name].tables.close()
        flip(net[name].file(SECRETS), 20, 1)
        come_back(net, name)
        net.done(name, Say("not to be numbered twice"))
        net.settle()
        data = net[name].file(SECRETS).read_bytes()
        assert b"not to be numbered twice" in data


@pytest.mark.parametrize("name", ["ann", "bob"])
@pytest.mark.parametrize("lost", [(SUFFIX,), (SECRETS,), (SUFFIX, SECRETS)])
def test_files_that_are_gone_come_back_and_no_number_is_signed_twice(
    name: str, lost: tuple[str, ...]
) -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        net.isolate(name)
        net[name].tables.close()
        for suffix in lost:
            net[name].file(suffix).unlink()
        come_back(net, name)
        here = net[name].match
        assert here.ledger.log.term > 0, "it goes on in a newer term alone"
        ended_well(net, "ann", "bob")


@pytest.mark.parametrize("guests", [("bob",), ("bob", "cyd")])
@pytest.mark.parametrize("name", ["ann", "bob"])
def test_a_home_put_back_from_an_old_copy_forks_nothing(
    name: str, guests: tuple[str, ...]
) -> None:
    with homes() as net:
        net.start(*guests)
        steps(net, 3)
        net.isolate(name)
        net[name].tables.close()
        copy = net[name].folder.with_suffix(".copy")
        shutil.copytree(net[name].folder, copy)
        come_back(net, name)
        steps(net, 4)
        net.isolate(name)
        net[name].tables.close()
        shutil.rmtree(net[name].folder)
        copy.rename(net[name].folder)
        come_back(net, name)
        ended_well(net, "ann", *guests)
        told = [
            text for text in net[name].lines("system") if says(text, Says.FILES_TOO_OLD)
        ]
        assert len(told) == (1 if name == "ann" else 0)


def test_a_damaged_host_that_meets_only_who_has_less_forks_nothing() -> None:
    with homes() as net:
        net.start("bob", "cyd")
        steps(net, 3)
        net.isolate("cyd")
        cyd = net.nodes.pop("cyd")
        steps(net, 4)
        net.isolate("ann")
        bob = net.nodes.pop("bob")
        net["ann"].tables.close()
        flip(net["ann"].file(), -1500)
        net.nodes["cyd"] = cyd
        come_back(net, "ann")
        steps(net, 2)
        entries = net.status("ann").entries
        assert net.status("ann").phase == "paused"
        assert net.status("cyd").entries == entries
        net.nodes["bob"] = bob
        net.settle()
        for _ in range(4):
            net.wake(1)
        assert not any(net[name].errors for name in NAMES)
        ended_well(net, *NAMES)


def test_a_match_left_behind_is_mended_when_it_is_loaded() -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        for name in ("bob", "ann"):
            net.done(name, LeaveTable())
            net.settle()
        path = net["ann"].file()
        flip(path, -200)
        net.done("ann", Load(str(path)))
        net.settle()
        for _ in range(3):
            net.wake(1)
        ended_well(net, "ann", "bob")


def test_a_damaged_file_from_elsewhere_is_refused_and_left_alone() -> None:
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        other = net["ann"].folder.with_name(f"letter{SUFFIX}")
        shutil.copy(net["ann"].file(), other)
        flip(other, -200)
        data = other.read_bytes()
        assert net.failed("bob", Load(str(other))).name == "BAD_LOG"
        assert other.read_bytes() == data
        assert net.status("bob").phase == "playing"


@pytest.mark.parametrize("rest", [b"", b"\0", MAGIC[:3]])
def test_secrets_of_nothing_but_zeros_are_said_to_be_gone(rest: bytes) -> None:
    """So a power cut leaves what the disk had made room for."""
    with homes() as net:
        net.start("bob")
        steps(net, 4)
        net.isolate("bob")
        net["bob"].tables.close()
        secrets = net["bob"].file(SECRETS)
        secrets.write_bytes(rest.ljust(secrets.stat().st_size if rest else 0, b"\0"))
        net["bob"].begin(net.now)
        told = net["bob"].tables.shared.means.faults
        assert any(says(str(text), Says.SECRETS_GONE) for text in told)
        come_back(net, "bob")
        ended_well(net, "ann", "bob")


def test_a_match_in_hand_whose_file_is_empty_gone_or_not_named_is_told_of() -> None:
    for damage in ("empty", "gone", "junk", "bytes"):
        with homes() as net:
            net.start("bob")
            steps(net, 4)
            net.isolate("ann")
            net["ann"].tables.close()
            named = net["ann"].folder / IN_HAND
            match damage:
                case "empty":
                    net["ann"].file().write_bytes(b"")
                case "gone":
                    net["ann"].file().unlink()
                case "junk":
                    named.write_text("0f" * 31)
                case _:
                    named.write_bytes(bytes(range(120, 250)))
            net["ann"].begin(net.now)
            said = list(net["ann"].tables.shared.means.faults)
            told = "in hand" if damage in {"empty", "gone"} else "were taken up again"
            assert any(told in str(text) for text in said), damage
            come_back(net, "ann")
            ended_well(net, "ann", "bob")
