"""A home that was copied: two real nodes with one key, and a friend of theirs."""

import shutil
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest
import trio

from netplay.demo.show import living
from netplay.errors import Code, LocalError
from netplay.messages.door import Join, Retry
from netplay.messages.node_questions import BringHome
from netplay.moving import homes
from netplay.sentences import Says
from tests.hostile.nodes import Victim
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import begin, host, join
from tools.bench.pair import Node, nodes

pytestmark = [pytest.mark.processes]

QUIET_SECONDS = 4.0
"""Many times as long as two copies took to push each other out once."""


def openings(one: Victim) -> int:
    """Return how often a link has opened at a node."""
    return one.home.journal.read_text().count("link.up")


def copied(one: Victim, folder: Path) -> Victim:
    """Return a node in a copy of the home of one that has ended."""
    copy = Victim(folder, one.number)
    shutil.copytree(
        one.home.path,
        copy.home.path,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("door*", "lock", "*.log"),
    )
    return copy


async def test_copies_of_a_home_are_told_so_and_one_can_go_on(tmp_path: Path) -> None:
    anna, ben = Victim(tmp_path, 0), Victim(tmp_path, 1)
    with trio.fail_after(PATIENCE):
        async with living(anna, ben) as nursery:
            await host(anna, 1, size=8)
            await join(ben, anna.address)
            await begin([anna, ben])
            await ben.stop()
            copy = copied(ben, tmp_path / "copy")
            for one in (ben, copy):
                await one.start()
                await one.meet(nursery)
            try:
                for one in (ben, copy):
                    await one.until(lambda status: bool(status.faults))
                    (fault,) = map(str, one.window.status.faults)  # type: ignore[union-attr]
                    assert says(fault, Says.KEY_USED_SAYS, who=anna.name)
                    while not one.window.said(fault):
                        await one.player.news()
                while not anna.window.said(f"the key of {ben.name} is in use on two"):
                    await anna.player.news()
                await anna.until(lambda status: bool(status.faults))
                await anna.until_peer(lambda peer: not peer.connected)
                before = openings(anna)
                assert before <= 5
                await trio.sleep(QUIET_SECONDS)
                assert openings(anna) <= before + 1  # Anna may try one of them herself
            finally:
                await copy.stop()
            await ben.player.ask(Retry())
            await ben.until_peer(lambda peer: peer.connected)
            await anna.until_table(lambda t: t.seats[1].state != "away")
            await anna.until(lambda status: not status.faults)


async def test_copies_of_a_home_that_meet_are_told_so(tmp_path: Path) -> None:
    ben = Victim(tmp_path, 1)
    with trio.fail_after(PATIENCE):
        async with living(ben) as nursery:
            await host(ben, 1, size=8)
            copy = copied(ben, tmp_path / "copy")
            await copy.start()
            try:
                await copy.meet(nursery)
                await copy.player.ask(Join(ben.address, 0))
                for one in (ben, copy):
                    await one.until(lambda status: bool(status.faults))
                    (fault,) = map(str, one.window.status.faults)  # type: ignore[union-attr]
                    assert says(fault, Says.KEY_USED_AT)
                    assert "127.0.0.1" in fault
                while not copy.window.said("one key is in use on two computers"):
                    await copy.player.news()
            finally:
                await copy.stop()


def test_a_node_goes_on_with_what_another_computer_has_exported(tmp_path: Path) -> None:
    file, words = tmp_path / "all.copy", "four words and more"
    with nodes(tmp_path, 2, Node) as (old, new):
        with old.visit() as visit:
            key = visit.status().key
        file.write_bytes(homes.lock(homes.to_bytes(homes.pack(old.home)), words))
        old.stop()
        with new.visit() as visit:
            own = visit.status().key
            with pytest.raises(LocalError) as wrong:
                visit.ask(BringHome(str(file), "other words"), PATIENCE)
            assert wrong.value.code is Code.FILE
            assert visit.status().key == own
            visit.ask(BringHome(str(file), words), PATIENCE)
        late = monotonic() + PATIENCE
        while (found := told(new))[0] in {own, ""}:
            assert monotonic() < late
            sleep(0.1)
        assert found == (key, old.home.path.name)
        assert new.process.poll() is None
        kept = new.home.path / homes.BEFORE / new.home.key.name
        assert kept.read_bytes() != new.home.key.read_bytes()
        assert not (new.home.path / homes.ARRIVING).exists()


def test_a_node_that_cannot_take_up_what_has_come_goes_on_and_says_so(
    tmp_path: Path,
) -> None:
    file, words = tmp_path / "all.copy", "four words and more"
    with nodes(tmp_path, 2, Node) as (old, new):
        packed = homes.pack(old.home)
        (new.home.path / "window.json").mkdir()  # in the way of a file of that name
        items = (*packed.items, homes.Item("window.json", 0, b"{}"))
        packed = homes.PackedFiles(items)
        file.write_bytes(homes.lock(homes.to_bytes(packed), words))
        with new.visit() as visit:
            own = visit.status().key
            visit.ask(BringHome(str(file), words), PATIENCE)
        late, faults = monotonic() + PATIENCE, ()
        while not faults:
            assert monotonic() < late
            sleep(0.1)
            with suppress(LocalError), new.visit() as visit:
                faults = visit.status().faults
        assert told(new)[0] == own
        assert new.process.poll() is None


def told(node: Node) -> tuple[str, str]:
    """Return key and name of the player; nothing while the node begins anew."""
    with suppress(LocalError), node.visit() as visit:
        status = visit.status()
        return status.key, status.name
    return "", ""
