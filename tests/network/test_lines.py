"""Lines that fail in the ways of real ones, and what the players are told of it."""

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from string import ascii_uppercase

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import HostTable, Join, LeaveTable
from netplay.sentences import Says
from tests.network.laboratory import Dweller, Laboratory, lab
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import begin, burden, hand, host, join, one_log

pytestmark = pytest.mark.processes

SIZE = 10
LARGE_SECONDS = 10.0
BLACKOUT_SECONDS = 8.0
AFTERWARDS_SECONDS = 3.0
"""For a line that is up again to be used: nobody waits for the twelve of silence."""

LARGE = """
    table inet path { chain forward {
        type filter hook forward priority 0; policy accept;
        meta length > 1300 drop
    }
    }
"""
DARK = """
    table inet path { chain forward {
        type filter hook forward priority 0; policy drop;
    }
    }
"""


@asynccontextmanager
async def match(
    ann: Dweller, bob: Dweller, pause: float = 0.3
) -> AsyncIterator[trio.Nursery]:
    """Run a match that is played, until it is left."""
    async with living(ann, bob) as nursery:
        await host(ann, 1, SIZE)
        await join(bob, ann.address)
        await begin((ann, bob))
        for one in (ann, bob):
            nursery.start_soon(hand, one, pause)
        await ann.until_table(lambda t: t.entries > 8)
        yield nursery


async def moves(one: Dweller, count: int) -> float:
    """Wait until so many more moves are final; return the seconds."""
    entries = one.table.final
    return await one.until_table(lambda t: t.final >= entries + count)


def online(found: Laboratory, folder: Path) -> tuple[Dweller, Dweller]:
    """Return two nodes that are on the internet without a router."""
    hosts = [found.host(name) for name in ("ann", "bob")]
    for number, each in enumerate(hosts, 1):
        found.online(each, number)
    ann, bob = (Dweller(folder, n, each) for n, each in enumerate(hosts))
    return ann, bob


async def run(one: Dweller, *words: str) -> tuple[int, str]:
    """Run a command there; return its exit code and what it prints."""
    done = await trio.run_process(
        [*one.prefix, sys.executable, "-m", "netplay", "--home", str(one.home.path),
         *words],
        capture_stdout=True, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.decode()


async def test_a_path_that_swallows_large_packets_carries_words_and_a_match(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = online(found, tmp_path)
        found.internet.rules(LARGE)
        async with living(ann, bob):
            words = tmp_path / "words.txt"
            some = Random(1)  # no order in them: they travel packed
            listed = {"".join(some.choices(ascii_uppercase, k=9)) for _ in range(4000)}
            words.write_text("\n".join(sorted(listed)))
            seats = ("person", "remote")
            await ann.player.ask(HostTable("networdz", seats, (), "", str(words)))
            await join(bob, ann.address)
            with trio.fail_after(LARGE_SECONDS * burden()):
                await ann.until_table(lambda t: all(s.accepted for s in t.seats))
            await ann.player.ask(LeaveTable())
            await bob.until(lambda status: status.table is None)
        async with match(ann, bob, 0.05):
            took = await moves(ann, 25)
            print(f"25 moves in {took:.1f} s where packets over 1,300 bytes are lost")
            assert all(peer.connected for peer in ann.player.status.peers)
            assert await one_log((ann, bob)) > 8


async def test_a_blackout_of_eight_seconds_costs_little_more(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = online(found, tmp_path)
        async with match(ann, bob):
            found.internet.rules(DARK)
            await trio.sleep(BLACKOUT_SECONDS)
            found.internet.rules("")
            took = await moves(ann, 2)
            print(f"a move of each {took:.2f} s after {BLACKOUT_SECONDS} s of darkness")
            assert took < AFTERWARDS_SECONDS * burden()


@pytest.mark.slow
async def test_whose_address_has_changed_is_found_where_a_friend_says(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        inside, _box = found.home(2)  # nobody can call there
        server = found.host("ann")
        found.online(server, 1)
        ann, bob = Dweller(tmp_path, 0, server), Dweller(tmp_path, 1, inside)
        async with match(ann, bob, 2.0):  # not over meanwhile
            server.ip("address", "del", "8.9.1.2/24", "dev", "wan")
            server.address("8.9.1.77/24", "wan")
            server.ip("route", "add", "default", "via", "8.9.1.1")
            await bob.until_peer(lambda peer: not peer.connected)
            code, said = await run(bob, "join", "8.9.1.3")
            assert code == 1  # the wrong place is told, and harms nothing
            assert "8.9.1.3:4770" in said
            code, said = await run(bob, "join", "8.9.1.77")
            assert (code, ann.name in said) == (0, True), said
            took = await moves(ann, 2)
            print(f"a move of each {took:.2f} s after the new address was told")
            line = "netplay:8.9.1.9#AAAA-AAAA-AAAA-AAAA-AAAA"
            code, said = await run(bob, "join", line)
            assert (code, "8.9.1.9" in said) == (1, True), said
            await moves(ann, 2)  # somebody else's table is another one


async def test_why_nobody_answers_is_told_of_each_place(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        bob_host, gone = found.host("bob"), found.host("gone")
        found.online(bob_host, 2)
        found.online(gone, 1)
        found.home(3)  # a router that drops
        bob = Dweller(tmp_path, 1, bob_host)
        async with living(bob):
            places = "8.9.1.2,8.9.3.2:4771,10.9.9.9"
            bob_host.ip("route", "add", "unreachable", "10.9.9.0/24")
            line = f"netplay:{places}#AAAA-AAAA-AAAA-AAAA-AAAA"
            code, said = await run(bob, "join", line)
            assert code == 1
            assert "8.9.1.2:4770 refuses" in said
            assert says(said, Says.PLACE_SILENT, place="8.9.3.2:4771")
            assert says(said, Says.NO_WAY_TO, place="10.9.9.9:4770")


async def test_who_joins_over_a_link_that_is_there_is_told_of_the_seat(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = online(found, tmp_path)
        async with living(ann, bob):
            await host(ann, 1, SIZE)
            await bob.player.ask(Join(ann.address, 1))
            await bob.until_table(lambda t: t.seats[1].name == bob.name)
            await bob.player.ask(LeaveTable())
            await ann.until_table(lambda t: not t.seats[1].name)
            assert any(peer.connected for peer in bob.player.status.peers)
            code, said = await run(bob, "join", ann.address)
            assert (code, said.splitlines()[-1]) == (
                0,
                str(Says.CONNECTED_TO(names="Ada")),
            )
            assert says(said, Says.HOST_KNOWS, name="Ada")
            assert bob.table.seats[1].name == bob.name
            await bob.player.ask(LeaveTable())
            await ann.until_table(lambda t: not t.seats[1].name)
            await run(bob, "answer")
            code, said = await run(ann, "call", bob.address)
            assert (code, says(said, Says.CONNECTED_TO, names="Blaise")) == (0, True), (
                said
            )
