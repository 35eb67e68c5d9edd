"""Calls to somebody who answers and has no time: a crowd comes over a thin line."""

from pathlib import Path

import pytest
import trio
import trio.testing
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.limits import HANDSHAKE_SECONDS, LINKS
from netplay.peering.address import Address
from netplay.peering.net import Secured, at_once
from netplay.peering.pipe import Turn
from netplay.sentences import Says
from netplay.wanted import Dial
from tests.netplay.memory import MemoryNet, Player, World, running
from tests.said import says


class SlowNet(MemoryNet):
    """Where each handshake of ours takes as long as is said."""

    udp = True
    connects = 0.0
    takes = 0.0
    silent = False
    called = 0
    begun = 0
    by_udp = 0

    @override
    async def connect(self, address: Address) -> trio.abc.Stream:
        self.called += 1
        await trio.sleep(self.connects)
        if self.silent:
            raise LocalError(Code.NO_ANSWER, Says.PLACE_SILENT(place=address.text()))
        return await super().connect(address)

    @override
    async def connect_udp(self, address: Address) -> trio.abc.Stream:
        self.by_udp += 1
        await trio.sleep(8)
        raise LocalError(Code.NO_ANSWER, address.text())

    @override
    async def secure(
        self, stream: trio.abc.Stream, *, server_side: bool, turn: Turn = at_once
    ) -> Secured:
        if not server_side:
            await turn()
            self.begun += 1
            await trio.sleep(self.takes)
        return await super().secure(stream, server_side=server_side)


def two(world: World, path: Path) -> tuple[Player, Player, SlowNet]:
    host, caller = Player(world, 1, path), Player(world, 2, path)
    net = caller.net = SlowNet(world, caller.key)
    caller.restarted()
    return host, caller, net


@pytest.mark.parametrize("connects", [0.0, 3.0])
async def test_nothing_is_begun_beside_a_handshake_that_takes_its_time(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    connects: float,
) -> None:
    host, caller, net = two(world, tmp_path)
    net.connects, net.takes = connects, 3.5
    async with running(host, caller):
        caller.wants(host)
        await trio.sleep(connects + 3.7)
        assert set(caller.notes.up) == {host.key}
        assert net.begun == 1
        assert net.by_udp == (1 if connects else 0)  # before it was answered


async def test_a_handshake_that_does_not_go_on_is_joined_by_others(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.takes = 9.9
    async with running(host, caller):
        caller.wants(host)
        await trio.sleep(3.0)
        net.takes = 0.1  # what is begun from now on gets through
        await trio.sleep(2.0)
        assert set(caller.notes.up) == {host.key}
        assert net.begun == 2


async def test_over_udp_is_called_where_a_handshake_over_tcp_comes_to_nothing(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.takes = 100.0
    async with running(host, caller):
        caller.wants(host)
        await trio.sleep(HANDSHAKE_SECONDS - 1)
        assert net.by_udp


async def test_who_answers_and_has_no_time_is_called_again_with_growing_waits(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.takes = 100.0
    async with running(host, caller):
        heard = caller.lines()
        caller.wants(host)
        await trio.sleep(60)
        assert not caller.notes.failed
        assert [one.tone for one in heard if says(one.said, Says.CALLED_AGAIN)] == [
            "system"
        ]
        net.takes = 0.5
        await trio.sleep(30)
        assert set(caller.notes.up) == {host.key}


async def test_it_is_given_up_after_some_minutes_and_said(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.takes = 100.0
    async with running(host, caller):
        dial = caller.wants(host)
        await trio.sleep(180)
        assert not caller.notes.failed
        await trio.sleep(180)
        assert caller.notes.failed[0][0] == dial


async def test_who_has_no_room_is_called_again(
    world: World,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netplay.limits.LINKS", 1)
    host, caller, _net = two(world, tmp_path)
    member = Player(world, 3, tmp_path)
    host.notes.members.add(member.key)
    async with running(host, caller, member):
        for other in (member, caller):
            other.wants(host)
            await trio.sleep(20)
        assert not caller.notes.failed
        assert set(host.notes.up) == {member.key}
        monkeypatch.setattr("netplay.limits.LINKS", LINKS)
        await trio.sleep(40)
        assert set(host.notes.up) == {member.key, caller.key}


async def test_where_nothing_is_heard_it_is_called_again_by_who_would_watch_alone(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.connects, net.silent = 8.0, True
    async with running(host, caller):
        watch, join = (
            Dial("10.0.0.1:4771", None, patient=True),
            Dial("10.0.0.1:9", None),
        )
        caller.notes.dials += [watch, join]
        caller.node.settled()
        await trio.sleep(60)
        assert {dial for dial, _why in caller.notes.failed} == {join}
        net.connects, net.silent = 0.5, False
        await trio.sleep(30)
        assert set(caller.notes.up) == {host.key}


async def test_who_would_watch_calls_once_at_a_time(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    host, caller, net = two(world, tmp_path)
    net.connects, net.silent = 8.0, True
    async with running(host, caller):
        caller.notes.dials.append(Dial(f"10.0.0.1:{host.port}", None, patient=True))
        caller.node.settled()
        await trio.sleep(7.5)
        assert net.called == 1


async def test_where_nobody_answers_the_player_is_told_at_once(
    world: World, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    _host, caller, _net = two(world, tmp_path)
    async with running(caller):
        caller.wants(_host)
        await trio.sleep(2)
        assert caller.notes.failed
