"""Nodes in memory that ask friends where they are, whatever way the links go."""

from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from netplay.errors import Code, LocalError
from netplay.limits import DIAL_SECONDS
from netplay.messages.door import Done, Failed, Request
from netplay.messages.link import DialBack
from netplay.messages.node_questions import CheckReach
from netplay.peering.address import Address
from netplay.peering.connection import Connection
from netplay.sentences import Says
from netplay.wanted import Dial
from tests.netplay.finding.test_whereabouts import at, told
from tests.netplay.memory import Player, running
from tests.said import says

OUTSIDE = "9.9.9.9"
"""The number that calls of both come from."""


@pytest.fixture
def apart(two: tuple[Player, Player]) -> tuple[Player, Player]:
    """Give two who know each other, in two networks."""
    first, second = two
    at(first, "10.0.0.1")
    second.net.ip = first.net.ip = OUTSIDE
    first.notes.members.add(second.key)
    second.notes.members.add(first.key)
    return two


def ways(player: Player, *, tcp: float, udp: float) -> None:
    """Let calls take so long over TCP, and over UDP."""
    net, connect = player.net, player.net.connect

    async def by_tcp(address: Address) -> trio.abc.Stream:
        await trio.sleep(tcp)
        return await connect(address)

    async def by_udp(address: Address) -> trio.abc.Stream:
        await trio.sleep(udp)
        return await connect(address)

    net.udp, net.connect, net.connect_udp = True, by_tcp, by_udp  # type: ignore[method-assign]


def seeing(
    player: Player, see: Callable[[int], str], port_of_udp: int = 0
) -> list[float]:
    """Have a node told where its calls come from; return when it asks.

    Args:
        player: The node.
        see: Returns what it is told at which time of asking; nothing for no answer.
        port_of_udp: Where its datagrams come out; 0 if nobody tells that.
    """
    asked: list[float] = []

    async def seen(whom: Address, *, udp: bool = False) -> Address:
        if udp:
            if port_of_udp:
                return Address("8.8.4.4", port_of_udp)
            raise LocalError(Code.NO_ANSWER, whom.text())
        asked.append(trio.current_time())
        if place := see(len(asked)):
            return Address(place, player.port)
        raise LocalError(Code.NO_ANSWER, Says.PLACE_SILENT(place=whom.text()))

    player.net.meets = True
    player.net.seen = seen  # type: ignore[method-assign]
    return asked


def calls(first: Player, second: Player) -> None:
    first.notes.dials.append(Dial(f"9.9.8.8:{second.port}", second.key))
    first.node.settled()


def link(first: Player, second: Player) -> Connection:
    return first.links.here()[second.key]


def places(player: Player) -> list[str]:
    return [each.address for each in player.node.rpc.status().network.places]


async def test_where_two_may_meet_a_call_over_udp_leaves_tcp_its_head_start(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = apart
    ways(first, tcp=0.2, udp=0.0)
    seeing(first, lambda _time: "8.8.4.4")
    async with running(first, second):
        calls(first, second)
        await trio.sleep(5)
        assert not link(first, second).udp


async def test_whom_udp_has_reached_first_is_asked_where_we_are_as_well(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = apart
    ways(first, tcp=6.0, udp=0.1)
    asked = seeing(first, lambda _time: "8.8.4.4")
    async with running(first, second):
        calls(first, second)
        await trio.sleep(3)
        assert link(first, second).udp
        assert len(asked) == 1
        assert f"8.8.4.4:{first.port}" in places(first)


async def test_whom_udp_alone_reaches_makes_no_network_one_of_the_web(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = apart
    ways(first, tcp=6.0, udp=0.1)
    asked = seeing(first, lambda _time: "")
    async with running(first, second):
        first.presence._outside.reached(443)
        calls(first, second)
        await trio.sleep(60)
        assert link(first, second).udp
        assert len(asked) > 1
        assert first.node.rpc.status().network.ports == "unknown"


async def test_a_call_that_failed_at_once_is_tried_again_soon(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    """The port may still be taken by the call before, for a moment."""
    first, second = apart
    asked = seeing(first, lambda time: "8.8.4.4" if time > 1 else "")
    async with running(first, second):
        calls(first, second)
        await trio.sleep(12)
        assert len(asked) == 2
        assert f"8.8.4.4:{first.port}" in places(first)


async def test_an_answer_to_who_has_asked_before_a_restart_is_not_taken_for_ours(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = apart
    second_connect = second.net.connect

    async def deaf(address: Address) -> trio.abc.Stream:
        if address.port != first.port:
            return await second_connect(address)
        await trio.sleep(DIAL_SECONDS)
        raise LocalError(Code.NO_ANSWER, Says.PLACE_SILENT(place=address.text()))

    second.net.connect = deaf  # type: ignore[method-assign]
    async with running(second):
        async with running(first):
            calls(first, second)
            await trio.sleep(4)
        first.net.ip = "9.9.9.77"
        first.restarted()
        async with running(first):
            await trio.sleep(20)
            assert f"9.9.9.77:{first.port}" in places(first)
            assert f"{OUTSIDE}:{first.port}" not in places(first)


async def test_who_has_not_tried_our_places_is_asked_again(
    apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    first, second = apart
    receive, asked = second.presence.receive, list[float]()

    def lost(connection: Connection, message: Any) -> None:
        if isinstance(message, DialBack):
            asked.append(trio.current_time())
        if len(asked) > 2 or not isinstance(message, DialBack):
            receive(connection, message)

    second.presence.receive = lost  # type: ignore[method-assign]
    async with running(first, second):
        calls(first, second)
        await trio.sleep(200)
        assert len(asked) == 3
        assert asked[1] - asked[0] < 40
        answers: list[Done | Failed] = []
        first.node.answer(1, Request(7, CheckReach()), answers.append)
        await trio.sleep(20)
        (answer,) = answers
        assert isinstance(answer, Done)
        assert says(str(answer.text), Says.REACHED, name="player 2")


@pytest.mark.parametrize("port", [4771, 9999])
async def test_where_datagrams_come_out_is_a_place_if_that_is_sure(
    port: int, apart: tuple[Player, Player], autojump_clock: trio.testing.MockClock
) -> None:
    """A single one who names another port than ours may have met a random one."""
    first, second = apart
    assert first.port == 4771
    first.net.udp = True
    seeing(first, lambda _time: "", port)
    wanted = [f"8.8.4.4:{port}"] if port == first.port else []
    async with running(first, second):
        calls(first, second)
        await trio.sleep(5)
        shown = [place for place in places(first) if place.startswith("8.8.4.4")]
        assert shown == wanted
        assert all(place in told(second, first) for place in wanted)
    first.restarted()
    async with running(first):
        assert set(wanted) <= set(places(first))  # nobody is there to be asked
