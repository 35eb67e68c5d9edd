"""A node learns from friends and servers where its router lets its calls come out."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from netplay.daemon.presence import ROUTER_SECONDS
from netplay.demo.show import living
from netplay.messages.door import Call, Join
from netplay.messages.node_questions import (
    CheckReach,
    GetInvitation,
    NameServers,
    Network,
    Switch,
)
from netplay.sentences import Says
from tests.network.homes import KINDS
from tests.network.laboratory import Dweller, Laboratory, lab
from tests.network.test_lines import run
from tests.patience import PATIENCE
from tests.system.nodes import host, join

pytestmark = pytest.mark.processes

SAID = {
    "keeps": "your router keeps ports: with",
    "steady": "your router turns the port of your node into 34770, always",
    "random": "your router takes another port for every call",
}


@asynccontextmanager
async def at_home(
    found: Laboratory, kind: str, folder: Path
) -> AsyncGenerator[tuple[Dweller, Dweller]]:
    """Run a node at a home, and one of a friend at the internet."""
    inside = KINDS[kind].build(found, 3, folder)
    friend = found.host("friend")
    found.online(friend, 1)
    ann, bob = Dweller(folder, 1, inside), Dweller(folder, 0, friend)
    async with living(ann, bob):
        yield ann, bob


def network(one: Dweller) -> Network:
    assert one.player.status is not None
    return one.player.status.network


async def line(one: Dweller) -> str:
    return str((await one.player.ask(GetInvitation())).text)


def names(one: Dweller, place: str) -> bool:
    """Whether a place is among those that the node shows."""
    return any(each.address == place for each in network(one).places)


async def test_who_has_joined_a_friend_outside_invites_to_the_routers_place(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with at_home(found, "steady-ports", tmp_path) as (ann, bob):
            code, told = await run(ann, "invite")
            assert code == 0
            assert "34770" not in told
            assert str(Says.INVITES_NEAR()) in told
            await host(bob, 1, 8)
            await join(ann, bob.address)
            await ann.until(lambda _status: names(ann, "8.9.3.2:34770"))
            assert "8.9.3.2:34770" in await line(ann)
            code, told = await run(ann, "invite")
            assert code == 0
            assert str(Says.INVITES_NEAR()) not in told
            # Nobody is there to be asked after the restart.
            await bob.stop()
            await ann.stop()
            await ann.start()
            async with trio.open_nursery() as nursery:
                await ann.meet(nursery)
                assert "8.9.3.2:34770" in await line(ann)
                nursery.cancel_scope.cancel()


async def test_the_player_is_asked_once_whether_servers_may_be_asked(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with at_home(found, "steady-ports", tmp_path) as (ann, server):
            assert not network(ann).may_ask_servers
            assert len(network(ann).servers) == 2
            await ann.player.ask(NameServers(server.address))
            await host(ann, 1, 8)
            await ann.until(lambda status: status.network.may_ask)
            assert not network(ann).may_ask_servers  # the router is asked first
            await ann.player.ask(Switch("map-port", on=False))
            await ann.until(lambda _status: network(ann).may_ask_servers)
            assert "8.9.3.2" not in await line(ann)
            await ann.player.ask(Switch("ask-servers", on=True))
            await ann.until(lambda _status: names(ann, "8.9.3.2:34770"))
            assert not network(ann).may_ask_servers
            assert network(ann).servers == (server.address,)
            await ann.player.ask(Switch("ask-servers", on=False))
            await ann.stop()
            await ann.start()
            async with trio.open_nursery() as nursery:
                await ann.meet(nursery)
                await host(ann, 1, 8)
                await trio.sleep(ROUTER_SECONDS + 1)
                assert not network(ann).may_ask_servers
                nursery.cancel_scope.cancel()


async def test_who_waits_for_the_others_call_is_asked_about_servers_too(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        other = KINDS["keeps-drops"].build(found, 4, tmp_path)
        cid = Dweller(tmp_path, 2, other)
        async with at_home(found, "keeps-drops", tmp_path) as (ann, _bob), living(cid):
            await host(cid, 1, 8)
            inside, _, key = (await line(cid)).rpartition("#")
            await ann.player.ask(Join(f"{inside},8.9.4.2:4770#{key}", 1))
            await ann.until(lambda _status: network(ann).may_ask_servers)


@pytest.mark.parametrize(
    ("kind", "place", "ports"),
    [
        ("keeps-refuses", "8.9.3.2:4770", "keeps"),
        ("steady-carrier", "8.9.3.2:34770", "steady"),
        ("random", "8.9.3.2:4770", "random"),
    ],
)
async def test_two_servers_tell_what_the_router_does_with_ports(
    kind: str, place: str, ports: str, tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        inside = KINDS[kind].build(found, 3, tmp_path)
        servers: list[Dweller] = []
        for number in (1, 2):
            server = found.host(f"s{number}")
            found.online(server, number)
            servers.append(Dweller(tmp_path, number, server))
        ann = Dweller(tmp_path, 0, inside)
        async with living(ann, *servers):
            assert network(ann).ports == "unknown"
            where = " ".join(one.address for one in servers)
            await ann.player.ask(NameServers(where))
            await ann.player.ask(Switch("ask-servers", on=True))
            await ann.until(lambda _status: network(ann).ports == ports)
            told = await line(ann)
            assert place in told
            code, told = await run(ann, "reach")
            assert code == 0  # nobody has tried
            assert SAID[ports] in told
            assert (str(Says.INVITES_RANDOM()) in told) == (ports == "random")


@pytest.mark.parametrize(
    "kinds",
    [
        ("keeps-drops", "steady-ports"),
        ("steady-carrier", "steady-restricted"),
        ("steady-restricted", "random"),
    ],
)
async def test_two_strangers_meet_with_both_their_lines_once_servers_were_asked(
    kinds: tuple[str, str], tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        homes = [
            KINDS[kind].build(found, n, tmp_path) for n, kind in enumerate(kinds, 3)
        ]
        outside = found.host("s")
        found.online(outside, 1)
        server = Dweller(tmp_path, 2, outside)
        ann, bob = (Dweller(tmp_path, n, home) for n, home in enumerate(homes))
        async with living(ann, bob, server):
            for one in (ann, bob):
                await one.player.ask(NameServers(server.address))
                await one.player.ask(Switch("ask-servers", on=True))
            for number, one in enumerate((ann, bob), 3):
                wide = f"8.9.{number}.2:"
                await one.until(
                    lambda _status, one=one, wide=wide: any(
                        each.address.startswith(wide) for each in network(one).places
                    )
                )
            await host(ann, 1, 8)
            await ann.player.ask(Call(await line(bob), 1))
            await bob.player.ask(Join(await line(ann), 1))
            await bob.until_peer(lambda peer: peer.connected)


async def test_reach_says_what_is_known_without_anybody(tmp_path: Path) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        async with at_home(found, "keeps-drops", tmp_path) as (ann, _bob):
            told = (await ann.player.ask(CheckReach())).text
            assert told == Says.REACH_UNKNOWN()
