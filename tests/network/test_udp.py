"""Two nodes where only UDP gets through, and a match whose line changes its address."""

import signal
from itertools import pairwise
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Call, Join
from netplay.messages.node_questions import GetInvitation, NameServers, Switch
from tests.network.homes import PORT, RANDOM, REFUSES, STEADY_PORT
from tests.network.laboratory import NO_TCP, Dweller, Host, Laboratory, lab
from tests.patience import PATIENCE
from tests.system.nodes import begin, burden, hand, host, join

pytest.importorskip("aioquic")

pytestmark = pytest.mark.processes

STILL_SECONDS = 1.0
"""For which a match may stand still while a line changes its address."""

LOSSY = 1e6, 0.04, 0.01, 0.1
"""Bits a second, delay, more or less of it, and loss."""

LOSSY_ENTRIES = 40

LOSSY_SECONDS = 3.0
"""For which a match may stand still there: what is lost twice is there by then."""

MET_SECONDS = 10.0
"""For two to meet who paste each other's line within a second."""


def two(
    found: Laboratory, folder: Path, *, online: bool = True
) -> tuple[Dweller, Dweller]:
    """Return two nodes at the internet, to which no TCP comes."""
    cast: list[Dweller] = []
    for number in (1, 2):
        computer = found.host(f"h{number}")
        if online:
            found.online(computer, number)
        computer.rules(NO_TCP)
        cast.append(Dweller(folder, number - 1, computer, "--no-map-port"))
    return cast[0], cast[1]


async def over_udp(ann: Dweller, bob: Dweller) -> None:
    """Wait until both show that their link goes over UDP."""
    for one, other in ((ann, bob), (bob, ann)):
        await one.until_peer(lambda p, n=other.name: p.name == n and p.udp)


async def finals(one: Dweller, times: list[float]) -> None:
    """Note when something becomes final."""
    last = -1
    while True:
        status = one.player.status
        table = status.table if status else None
        if table is not None and table.final != last:
            last = table.final
            times.append(trio.current_time())
        await one.player.news()


async def test_a_match_goes_on_while_the_address_of_a_line_changes(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = two(found, tmp_path)
        async with living(ann, bob) as nursery:
            await host(ann, 1, 12)
            took = await join(bob, ann.address)
            print(f"joined after {took:.2f} s")
            await begin((ann, bob))
            await over_udp(ann, bob)
            times: list[float] = []
            nursery.start_soon(finals, ann, times)
            for one in (ann, bob):
                nursery.start_soon(hand, one, 0.05)
            await ann.until_table(lambda t: t.final > 20)
            usual = max(b - a for a, b in pairwise(times))
            before = len(times)
            for number in (77, 78):
                bob.host.ip("address", "flush", "dev", "wan", "scope", "global")
                bob.host.address(f"8.9.2.{number}/24", "wan")
                bob.host.ip("route", "add", "default", "via", "8.9.2.1")
                done = ann.table.final
                await ann.until_table(lambda t, n=done: t.final > n + 10)
            still = max(b - a for a, b in pairwise(times[before - 1 :]))
            print(f"stood still for {still:.2f} s, before for {usual:.2f} s")
            await over_udp(ann, bob)
            downs = [
                line
                for one in (ann, bob)
                for line in (one.home.path / "journal.log").read_text().splitlines()
                if " link.down " in line
            ]
            nursery.cancel_scope.cancel()
        assert not downs
        assert still <= max(STILL_SECONDS * burden(), 3 * usual)


async def test_a_match_goes_on_over_a_line_that_loses_one_packet_in_ten(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = two(found, tmp_path, online=False)
        line = found.line([ann.host, bob.host], LOSSY, tmp_path / "line")
        async with living(ann, bob) as nursery:
            await host(ann, 1, 12)
            await join(bob, "8.9.1.2:4770")
            await begin((ann, bob))
            await over_udp(ann, bob)
            line.send_signal(signal.SIGUSR1)
            times: list[float] = []
            nursery.start_soon(finals, bob, times)
            for one in (ann, bob):
                nursery.start_soon(hand, one, 0.1)
            await bob.until_table(lambda t: t.final > LOSSY_ENTRIES)
            await over_udp(ann, bob)
            still = max(b - a for a, b in pairwise(times))
            print(f"stood still for {still:.2f} s at the longest")
            nursery.cancel_scope.cancel()
        assert still <= LOSSY_SECONDS * burden()


@pytest.mark.parametrize(
    "unasked", ["drop", pytest.param("reject with tcp reset", marks=pytest.mark.slow)]
)
async def test_two_behind_routers_that_let_no_tcp_out_meet_over_udp(
    unasked: str, tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        cast: list[Dweller] = []
        for number in (1, 2):
            inside, _box = found.home(number, unasked=unasked)
            inside.rules(NO_TCP)
            cast.append(Dweller(tmp_path, number - 1, inside, "--no-map-port"))
        ann, bob = cast
        async with living(ann, bob):
            await host(ann, 1, 8)
            lines: list[str] = []
            for number, one in enumerate(cast, 1):
                status = one.player.status
                assert status is not None
                key = str((await one.player.ask(GetInvitation())).text).partition("#")
                lines.append(f"netplay:8.9.{number}.2:4770#{key[2]}")
            await ann.player.ask(Call(lines[1], 1))
            began = trio.current_time()
            await bob.player.ask(Join(lines[0], 1))
            await over_udp(ann, bob)
            took = trio.current_time() - began
            print(f"met after {took:.2f} s")
            await begin((ann, bob))
        assert took <= MET_SECONDS * burden()


def comes_out_elsewhere(box: Host, number: int) -> None:
    """Have a router map datagrams steadily to another port; TCP it maps at random."""
    box.run("nft", "-f", "-", given=f"""
        table inet steady {{ chain postrouting {{
            type nat hook postrouting priority 90;
            oifname "wan" ip saddr 192.168.{number}.2 udp sport {PORT} \
                masquerade to :{STEADY_PORT}
        }}
        }}
    """)  # fmt: skip


async def test_two_whose_datagrams_alone_come_out_at_one_port_meet_over_udp(
    tmp_path: Path,
) -> None:
    """Nobody knows the port but servers that are asked over UDP; the routers refuse."""
    with lab() as found, trio.fail_after(2 * PATIENCE):
        clerks: list[Dweller] = []
        for number in (0, 3):
            outside = found.host(f"clerk{number}")
            found.online(outside, 11 + number)
            clerks.append(Dweller(tmp_path, number, outside))
        cast: list[Dweller] = []
        for number in (1, 2):
            inside, box = found.home(number, nat=RANDOM, unasked=REFUSES)
            comes_out_elsewhere(box, number)
            cast.append(Dweller(tmp_path, number, inside, "--no-map-port"))
        ann, bob = cast
        async with living(*clerks, ann, bob):
            await host(ann, 1, 8)
            lines: list[str] = []
            for number, one in enumerate(cast, 1):
                named = " ".join(clerk.address for clerk in clerks)
                await one.player.ask(NameServers(named))
                await one.player.ask(Switch("ask-servers", on=True))
                place = f"8.9.{number}.2:{STEADY_PORT}"
                await one.until(
                    lambda s, p=place: p in [each.address for each in s.network.places]
                )
                lines.append(str((await one.player.ask(GetInvitation())).text))
                assert place in lines[-1]
            await ann.player.ask(Call(lines[1], 1))
            began = trio.current_time()
            await bob.player.ask(Join(lines[0], 1))
            await over_udp(ann, bob)
            print(f"met after {trio.current_time() - began:.2f} s")
            await begin((ann, bob))
