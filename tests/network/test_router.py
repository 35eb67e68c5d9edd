"""A real miniupnpd is the router: it is asked, found out about, and given back to."""

import os
import pty
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.node_questions import GetInvitation, Network, Switch
from netplay.said import Said
from netplay.sentences import Says
from tests.network.homes import ONLY, serve
from tests.network.laboratory import NO_TCP, Dweller, Host, lab
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import host, join

pytestmark = pytest.mark.processes


TCP, UDP = "0x6", "0x11"
"""How they stand in the rules that miniupnpd writes."""


def passes(box: Host, kind: str = TCP) -> str:
    """Return the router's rule that passes the node's port on, its number behind it.

    It is empty if there is none; who asks once more gets another number.
    """
    rules = box.run("nft", "-a", "list", "chain", "inet", "filter", "miniupnpd")
    mapped = (rule for rule in rules.splitlines() if "4770" in rule)
    return next((rule for rule in mapped if f" {kind} " in rule), "")


def mapping_of(network: Network) -> str:
    mapping = network.mapping
    return mapping.code if isinstance(mapping, Said) else mapping


@pytest.mark.parametrize("language", ONLY)
async def test_a_router_of_one_language_lets_a_friend_in_and_gets_its_port_back(
    language: str, tmp_path: Path
) -> None:
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        friend = found.host("friend")
        found.online(friend, 2)
        leases = serve(found, box, tmp_path, language)
        await trio.sleep(0.3)  # a daemon that has not begun to listen cannot hear
        ann = Dweller(tmp_path, 0, inside, "--map-port")
        bob = Dweller(tmp_path, 1, friend)
        async with living(ann, bob):
            with trio.fail_after(PATIENCE):
                took = await ann.until(lambda status: bool(status.network.external))
            print(f"{language}: mapped {took:.2f} s after the door had opened")
            assert ann.player.status is not None
            network = ann.player.status.network
            assert network.external == "8.9.1.2:4770"
            await ann.until(lambda s: mapping_of(s.network) == Says.MAPPED_BOTH.name)
            assert passes(box)
            assert passes(box, UDP)
            if language == "UPnP":  # of the others the daemon keeps no list
                due = int(leases.read_text().split(":")[4]) - time.time()
                assert 0 < due <= 1200  # after a power cut it is gone by itself
            await host(ann, 1, 8)
            line = str((await ann.player.ask(GetInvitation())).text)
            assert "8.9.1.2:4770" in line
            with trio.fail_after(PATIENCE):
                await join(bob, line)
            await ann.stop()
        assert not passes(box)
        assert not passes(box, UDP)


async def test_a_friend_to_whom_no_tcp_gets_comes_over_the_port_of_udp(
    tmp_path: Path,
) -> None:
    pytest.importorskip("aioquic")
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        friend = found.host("friend")
        found.online(friend, 2)
        inside.rules(NO_TCP)
        serve(found, box, tmp_path, "NAT-PMP")  # UPnP is TCP
        await trio.sleep(0.3)
        ann = Dweller(tmp_path, 0, inside, "--map-port")
        bob = Dweller(tmp_path, 1, friend)
        async with living(ann, bob):
            with trio.fail_after(PATIENCE):
                await ann.until(
                    lambda s: mapping_of(s.network) == Says.MAPPED_BOTH.name
                )
            await host(ann, 1, 8)
            line = str((await ann.player.ask(GetInvitation())).text)
            with trio.fail_after(PATIENCE):
                took = await join(bob, line)
                await bob.until_peer(lambda peer: peer.udp)
            print(f"joined over UDP after {took:.2f} s")


@pytest.mark.slow
async def test_where_no_router_answers_that_is_said_and_a_lan_is_played_on(
    tmp_path: Path,
) -> None:
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        box.run("nft", "add", "rule", "inet", "filter", "input", "udp", "dport", "5351",
                "drop")  # fmt: skip
        ann = Dweller(tmp_path, 0, inside, "--map-port")
        async with living(ann):
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: bool(status.network.mapping))
            assert ann.player.status is not None
            assert mapping_of(ann.player.status.network) == Says.ROUTER_SILENT.name


@asynccontextmanager
async def joined_through_a_promise(
    tmp_path: Path,
) -> AsyncIterator[tuple[Host, Dweller, Dweller]]:
    """Yield a router that has promised a port, its home, and who has joined there."""
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        friend = found.host("friend")
        found.online(friend, 2)
        serve(found, box, tmp_path, "NAT-PMP")
        await trio.sleep(0.3)
        ann = Dweller(tmp_path, 0, inside, "--map-port")
        bob = Dweller(tmp_path, 1, friend)
        async with living(ann, bob):
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: bool(status.network.external))
            # A table that is full is none to come to, and the router is asked then,
            # too: here it must be asked because of the link alone.
            await host(ann, 2, 8)
            line = str((await ann.player.ask(GetInvitation())).text)
            await join(bob, line)
            yield box, ann, bob


async def test_a_router_that_has_forgotten_is_asked_again_when_a_link_is_lost(
    tmp_path: Path,
) -> None:
    async with joined_through_a_promise(tmp_path) as (box, _ann, bob):
        forgotten = passes(box)
        assert forgotten
        # At once, as where it is started anew: of rules that are half there miniupnpd
        # makes no whole ones when it is asked in between.
        chains = "miniupnpd", "prerouting_miniupnpd"
        box.run("nft", "; ".join(f"flush chain inet filter {each}" for each in chains))
        await bob.stop()
        with trio.fail_after(PATIENCE):
            while passes(box) in {"", forgotten}:  # noqa: ASYNC110 (another program)
                await trio.sleep(0.2)


async def test_what_a_router_does_not_promise_any_more_is_not_told(
    tmp_path: Path,
) -> None:
    async with joined_through_a_promise(tmp_path) as (box, ann, bob):
        box.run("nft", "insert", "rule", "inet", "filter", "input", "udp",
                "dport", "5351", "drop")  # fmt: skip
        await bob.stop()
        with trio.fail_after(PATIENCE):
            await ann.until(lambda status: not status.network.external)
        assert ann.player.status is not None
        assert mapping_of(ann.player.status.network) == Says.ROUTER_SILENT.name


@pytest.mark.parametrize("language", ["UPnP", "NAT-PMP"])
async def test_a_router_behind_the_providers_says_that_it_has_no_address(
    language: str, tmp_path: Path
) -> None:
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1, online=False)
        carrier, _none = found.home(101, online=False)[::-1]
        found.online(carrier, 1)
        found.cable(carrier, "homes", box, "wan")
        carrier.address("100.64.1.1/24", "homes")
        box.address("100.64.1.2/24", "wan")
        box.ip("route", "add", "default", "via", "100.64.1.1")
        serve(found, box, tmp_path, language)
        await trio.sleep(0.3)
        ann = Dweller(tmp_path, 0, inside, "--map-port")
        async with living(ann):
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: bool(status.network.mapping))
            assert ann.player.status is not None
            words = str(ann.player.status.network.mapping)
            assert says(words, Says.ROUTER_OFFLINE)


async def test_the_player_is_asked_once_whether_the_router_may_be_asked(
    tmp_path: Path,
) -> None:
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        serve(found, box, tmp_path, "NAT-PMP")
        ann = Dweller(tmp_path, 0, inside)
        async with living(ann):
            assert ann.player.status is not None
            assert not ann.player.status.network.may_ask
            await host(ann, 1, 8)
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: status.network.may_ask)
            assert not passes(box)
            await ann.player.ask(Switch("map-port", on=True))
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: bool(status.network.external))
            assert passes(box)
            assert not ann.player.status.network.may_ask


async def test_at_a_terminal_the_same_is_asked_and_remembered(tmp_path: Path) -> None:
    with lab("miniupnpd") as found, trio.fail_after(2 * PATIENCE):
        inside, box = found.home(1)
        serve(found, box, tmp_path, "NAT-PMP")
        ann = Dweller(tmp_path, 0, inside)
        async with living(ann):
            asked = await trio.to_thread.run_sync(
                typed, ann, "y\n", "answer", "--anybody"
            )
            assert "Shall" in asked
            assert says(asked, Says.SWITCHED, name="map-port", wish="on")
            with trio.fail_after(PATIENCE):
                await ann.until(lambda status: bool(status.network.external))
            assert "Shall" not in await trio.to_thread.run_sync(
                typed, ann, "", "answer", "--anybody"
            )
            assert ann.home.setting("map-port") == "on"


def typed(one: Dweller, keys: str, *words: str) -> str:
    """Run a command at a terminal, type something there, and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*one.prefix, sys.executable, "-m", "netplay", "--home", str(one.home.path),
         *words],
        stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "LANG": "C"},
    )  # fmt: skip
    os.close(theirs)
    os.write(ours, keys.encode())
    shown = b""
    with suppress(OSError):  # the terminal goes with its program
        while data := os.read(ours, 4096):
            shown += data
    os.close(ours)
    assert process.wait(30) == 0, shown
    return shown.decode()
