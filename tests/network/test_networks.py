"""Networks that are not as usual, and those that change in the middle of a match."""

import os
import sys
import time
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Answer, Call
from netplay.messages.node_questions import GetInvitation
from tests.network.laboratory import Dweller, Host, Laboratory, lab
from tests.network.test_lines import match, moves
from tests.patience import PATIENCE
from tests.system.nodes import begin, burden, hand, host, join

pytestmark = pytest.mark.processes

MET_AGAIN_SECONDS = 20.0
"""For a beacon, and for the longest wait between two calls."""

NEARBY_SECONDS = 20.0
"""For what takes five at the most: a beacon comes so often."""

RESUMED_SECONDS = 15.0


def six_only(_lab: Laboratory, one: Host, number: int) -> str:
    one.address(f"2a00:b::{number}/64", "eth0", "nodad")
    return f"[2a00:b::{number}]"


def unnumbered(_lab: Laboratory, one: Host, number: int) -> str:
    one.ip("-6", "address", "flush", "dev", "eth0")
    one.address(f"169.254.7.{number}/16", "eth0")
    return f"169.254.7.{number}"


def routeless(_lab: Laboratory, one: Host, number: int) -> str:
    one.ip("-6", "address", "flush", "dev", "eth0")
    one.address(f"192.168.7.{number}/24", "eth0")
    return f"192.168.7.{number}"


HOLD = """
import fcntl, os, struct, time
held = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(held, 0x400454CA, struct.pack("16sH22x", b"vpn", 0x1001))
time.sleep(3600)
"""
"""What a VPN's own program does: without it its interface is not in use."""


def behind_a_vpn(lab: Laboratory, one: Host, number: int) -> str:
    if not Path("/dev/net/tun").exists():
        pytest.skip("no VPN can be made here: /dev/net/tun is missing")
    where = routeless(lab, one, number)
    lab.runs(one, [sys.executable, "-c", HOLD], Path(os.devnull))
    for _ in range(100):
        time.sleep(0.05)
        if "vpn" in one.run("ip", "-o", "link"):
            break
    one.address(f"10.8.0.{number}/24", "vpn")
    one.ip("link", "set", "vpn", "up")
    one.ip("route", "add", "default", "dev", "vpn")
    return where


@pytest.mark.parametrize("net", [six_only, unnumbered, routeless, behind_a_vpn])
async def test_who_is_on_the_same_cable_is_found_joined_and_invited(
    net: object, tmp_path: Path
) -> None:
    assert callable(net)
    with lab() as found, trio.fail_after(2 * PATIENCE):
        one, two = found.host("ann"), found.host("bob")
        found.cable(one, "eth0", two, "eth0")
        where = [net(found, each, n) for n, each in enumerate((one, two), 1)]
        ann = Dweller(tmp_path, 0, one, "--beacon")
        bob = Dweller(tmp_path, 1, two, "--beacon")
        async with living(ann, bob):
            await host(ann, 1, 8)
            line = str((await ann.player.ask(GetInvitation())).text)
            assert line.startswith(f"netplay:{where[0]}:4770")
            with trio.fail_after(NEARBY_SECONDS * burden()):
                await bob.until(lambda status: bool(status.nearby))
            assert bob.player.status is not None
            (near,) = bob.player.status.nearby
            assert near.name == ann.name
            with trio.fail_after(NEARBY_SECONDS * burden()):
                await join(bob, near.invitation)


async def test_two_who_both_moved_meet_again_when_one_hears_the_others_beacon(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        one, two = found.host("ann"), found.host("bob")
        found.cable(one, "eth0", two, "eth0")
        for number, each in enumerate((one, two), 1):
            each.address(f"192.168.5.{number}/24", "eth0")
        ann = Dweller(tmp_path, 0, one, "--beacon")
        bob = Dweller(tmp_path, 1, two, "--beacon")
        async with living(ann, bob):
            await host(ann, 1, 10)
            await join(bob, ann.address)
            await begin((ann, bob))
            for node in (ann, bob):
                await node.stop()
            for number, each in enumerate((one, two), 1):
                each.ip("address", "del", f"192.168.5.{number}/24", "dev", "eth0")
                each.address(f"192.168.6.{number}/24", "eth0")
            for node in (ann, bob):
                await node.start()
            async with trio.open_nursery() as nursery:
                for node in (ann, bob):
                    await node.meet(nursery)
                await ann.player.ask(Answer(on=True))
                with trio.fail_after(MET_AGAIN_SECONDS * burden()):
                    await bob.until_peer(lambda peer: peer.connected)
                nursery.cancel_scope.cancel()


async def test_a_match_goes_on_over_the_other_network_when_one_is_unplugged(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        one, two = found.host("ann"), found.host("bob")
        for n in (0, 1):
            found.cable(one, f"eth{n}", two, f"eth{n}")
            for number, each in enumerate((one, two), 1):
                each.address(f"192.168.{n}.{number}/24", f"eth{n}")
        ann, bob = Dweller(tmp_path, 0, one), Dweller(tmp_path, 1, two)
        async with match(ann, bob):
            one.unplug("eth0")
            two.unplug("eth0")
            took = await moves(ann, 2)
            print(f"a move of each {took:.2f} s after a cable was pulled")
            assert took < RESUMED_SECONDS * burden()


async def test_a_match_goes_on_by_itself_when_the_router_has_another_address(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        outside = found.host("bob")
        found.online(outside, 2)
        ann, bob = Dweller(tmp_path, 0, inside), Dweller(tmp_path, 1, outside)
        async with living(ann, bob) as nursery:
            await host(ann, 1, 10)
            await bob.player.ask(Answer(on=True, first=True))
            await ann.player.ask(Call(bob.address, 1))
            await begin((ann, bob))
            for each in (ann, bob):
                nursery.start_soon(hand, each, 0.3)
            await moves(ann, 4)
            box.ip("address", "del", "8.9.1.2/24", "dev", "wan")
            box.ip("address", "add", "8.9.1.77/24", "dev", "wan")
            box.ip("route", "add", "default", "via", "8.9.1.1")
            took = await moves(ann, 4)
            print(f"four moves {took:.2f} s after the router had another address")
            assert took < RESUMED_SECONDS * burden()
