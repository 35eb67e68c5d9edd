import errno
import math
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
import trio.testing

from netplay.finding.beacon import GROUP, Heard, Me, Nearby, UdpAir, is_loopback
from netplay.finding.discovery import Beacon, Circle, Herald, Offer, decode
from netplay.journal import silent
from netplay.limits import (
    BEACON_BYTES,
    BEACON_LIFE_SECONDS,
    BEACON_PAUSE_SECONDS,
    BEACON_SECONDS,
)
from netplay.peering.address import Address, parse
from netplay.record.log import SecretKey
from tests.patience import PATIENCE
from tests.ports import own_port

SECRETS = [SecretKey(bytes([n]) * 32) for n in range(4)]
UNIX = 1_700_000_000


class Sky:
    """The air over one network: everybody hears everything, oneself included."""

    def __init__(self) -> None:
        self.ears: dict[str, Heard] = {}
        self.said: list[bytes] = []
        self.down = False


class FakeAir:
    def __init__(self, sky: Sky, host: str) -> None:
        self.sky, self.host = sky, host
        self.closed = False

    async def listen(self, heard: Heard) -> None:
        self.sky.ears[self.host] = heard
        try:
            await trio.sleep_forever()
        finally:
            del self.sky.ears[self.host]

    async def say(self, data: bytes) -> None:
        self.sky.said.append(data)
        await trio.lowlevel.checkpoint()
        for heard in [] if self.sky.down else list(self.sky.ears.values()):
            heard(data, self.host)

    def close(self) -> None:
        self.closed = True


class Neighbour:
    def __init__(self, sky: Sky, number: int, unix: int = UNIX) -> None:
        self.number = number
        self.table: tuple[str, int] | None = None
        self.changes = 0
        self.air = FakeAir(sky, f"10.0.0.{number}")
        me = Me(SECRETS[number].key, "1", SECRETS[number].sign, lambda: unix)
        self.known: set[bytes] = set()
        self.blocked: set[bytes] = set()
        circle = Circle(self.known.__contains__, self.blocked, lambda: ("10.0.0.1",))
        self.nearby = Nearby(self.air, me, circle, self.offer, self.changed)

    def offer(self, herald: Herald) -> Beacon | None:
        if self.table is None:
            return None
        return herald.offer(f"player {self.number}", 4770, Offer(*self.table))

    def changed(self) -> None:
        self.changes += 1

    def opens(self, game: str, free: int) -> None:
        self.table = (game, free)
        self.nearby.poke()

    def closes(self) -> None:
        self.table = None
        self.nearby.poke()

    @property
    def seen(self) -> list[str]:
        return [one.address for one in self.nearby.tables()]


@asynccontextmanager
async def living(*neighbours: Neighbour) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        for neighbour in neighbours:
            nursery.start_soon(neighbour.nearby.run)
        yield
        nursery.cancel_scope.cancel()


async def test_a_table_is_seen_at_once_and_gone_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    async with living(host, guest):
        await trio.sleep(1)
        host.opens("numlo", 2)
        await trio.sleep(0.1)
        (table,) = guest.nearby.tables()
        assert table.address == "10.0.0.1:4770"
        said = table.beacon
        assert (said.name, said.offers) == ("player 1", (Offer("numlo", 2),))
        assert host.seen == []
        host.closes()
        await trio.sleep(0.6)
        assert guest.seen == []
        assert guest.changes == 2
        assert host.changes == 0


async def test_a_node_that_starts_later_sees_a_table_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    host.table = ("numlo", 1)
    async with living(host):
        await trio.sleep(7)
        async with living(guest):
            await trio.sleep(0.6)
            assert guest.seen == ["10.0.0.1:4770"]


async def test_a_node_whose_clock_went_back_while_it_slept_is_seen_soon(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    early, late = Neighbour(sky, 1, UNIX + 7200), Neighbour(sky, 1)
    guest, other = Neighbour(sky, 2), Neighbour(sky, 3)
    async with living(guest, other):
        for host in (early, late):
            async with living(host):
                host.opens("numlo", 1)
                await trio.sleep(BEACON_SECONDS + 1)
                assert guest.seen == other.seen == ["10.0.0.1:4770"]
            await trio.sleep(BEACON_LIFE_SECONDS)
            assert guest.seen == other.seen == []
        said = len(sky.said)
        await trio.sleep(60)
        assert len(sky.said) == said, "nobody goes on about it"


async def test_who_says_old_beacons_again_makes_a_few_answer_and_hides_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    eve = FakeAir(sky, "10.0.0.66")
    async with living(host, guest):
        host.opens("numlo", 1)
        await trio.sleep(0.1)
        old = [data for data in sky.said if _said(data).port]
        host.opens("numlo", 2)
        await trio.sleep(1)
        said = len(sky.said)
        for _each in range(100):
            await eve.say(old[0])
            await trio.sleep(0.05)
        assert len(sky.said) - said - 100 <= 5 / BEACON_PAUSE_SECONDS + 3
        assert guest.seen == ["10.0.0.1:4770"]
        assert host.seen == []


async def test_a_table_whose_computer_was_switched_off_is_forgotten(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    host.table = ("numlo", 1)
    async with living(host, guest):
        await trio.sleep(100)
        assert guest.seen
        assert guest.changes == 1
        sky.down = True
        await trio.sleep(BEACON_LIFE_SECONDS + 0.1)
        assert guest.seen == []
        assert guest.changes == 2


async def test_a_node_with_nothing_to_offer_is_silent_after_its_question(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    async with living(Neighbour(sky, 1)):
        await trio.sleep(1000)
    assert len(sky.said) == 1


async def test_a_node_that_is_switched_off_neither_says_nor_hears_anything(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    host.table = guest.table = ("numlo", 1)
    async with living(host, guest):
        await trio.sleep(10)
        assert host.seen
        assert guest.seen
        guest.nearby.switch(on=False)
        await trio.sleep(0.1)
        assert host.seen == guest.seen == []
        before = len(sky.said)
        host.closes()
        await trio.sleep(100)
        assert len(sky.said) == before + 1
        guest.nearby.switch(on=True)
        host.opens("numlo", 2)
        await trio.sleep(10)
        assert host.seen
        assert guest.seen


async def test_goodbye_takes_a_table_from_everybodys_list(
    autojump_clock: trio.testing.MockClock,
) -> None:
    sky = Sky()
    host, guest = Neighbour(sky, 1), Neighbour(sky, 2)
    host.table = ("numlo", 1)
    async with living(host, guest):
        await trio.sleep(1)
        await host.nearby.goodbye()
        assert guest.seen == []
        await guest.nearby.goodbye()
    assert sum(not _said(data).port for data in sky.said) == 2  # a question, a goodbye
    assert host.air.closed


def _said(data: bytes) -> Beacon:
    heard = decode(data)
    assert heard is not None
    assert heard.holds()
    return heard.beacon


async def test_noise_is_not_heard(autojump_clock: trio.testing.MockClock) -> None:
    sky = Sky()
    guest = Neighbour(sky, 2)
    async with living(guest):
        await trio.sleep(1)
        for noise in (b"", b"netplay\x01", b"\xff" * 513):
            sky.ears["10.0.0.2"](noise, "10.0.0.1")
        assert guest.seen == []
        assert guest.changes == 0


# Real sockets, on the loopback alone.


async def test_several_nodes_of_one_computer_hear_each_other_and_themselves() -> None:
    port = own_port()
    airs = [UdpAir(silent, "127.0.0.1", port) for _ in range(2)]
    send, receive = trio.open_memory_channel[tuple[int, bytes, str]](math.inf)
    heard: set[tuple[int, bytes, str]] = set()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            for number, air in enumerate(airs):
                nursery.start_soon(
                    air.listen,
                    lambda data, host, n=number: send.send_nowait((n, data, host)),
                )
            await trio.testing.wait_all_tasks_blocked()
            await airs[0].say(b"hello")
            await airs[1].say(bytes(BEACON_BYTES + 100))
            while len(heard) < 4:
                heard.add(await receive.receive())
            nursery.cancel_scope.cancel()
    for air in airs:
        air.close()
    long = bytes(BEACON_BYTES + 1)
    assert heard == {(n, d, "127.0.0.1") for n in (0, 1) for d in (b"hello", long)}


class Ear:
    """A socket that hears one datagram."""

    def __init__(self, *address: Any) -> None:
        self.address = address
        self.options: list[tuple[int, bytes]] = []
        self.said: list[Any] = []
        """Where its words went."""

    def setsockopt(self, _level: int, option: int, value: bytes) -> None:
        self.options.append((option, value))

    async def sendto(self, _data: bytes, where: Any) -> None:
        self.said.append(where)
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        pass

    def told(self, option: int) -> list[bytes]:
        """Return what it was told of an option, each value once."""
        return list(dict.fromkeys(v for each, v in self.options if each == option))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_error: object) -> None:
        pass

    async def recvfrom(self, _most: int) -> tuple[bytes, tuple[Any, ...]]:
        if not self.address:
            await trio.sleep_forever()
        await trio.lowlevel.checkpoint()
        return b"hello", self.address


def given(monkeypatch: pytest.MonkeyPatch, *ears: Ear) -> None:
    """Let the next sockets be these."""
    left = list(ears)

    def made(sock: socket.socket) -> Ear:
        sock.close()
        return left.pop(0)

    monkeypatch.setattr(trio.socket, "from_stdlib_socket", made)


async def used(monkeypatch: pytest.MonkeyPatch, interface: str) -> list[Ear]:
    """Return sockets by which a node has heard and spoken that listens there.

    They are an ear for IPv4 and one for IPv6, and a mouth for each.
    """
    ears = [Ear() for _ in range(4)]
    if interface:
        given(monkeypatch, ears[0], ears[2])
    else:
        given(monkeypatch, *ears)
    air = UdpAir(silent, interface, 0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(air.listen, lambda _data, _host: None)
        await trio.testing.wait_all_tasks_blocked()
        await air.say(b"hello")
        nursery.cancel_scope.cancel()
    return ears


@pytest.mark.parametrize(
    ("address", "callable_at"),
    [
        (("fe80::fc:ff:fe00:1", 4771, 0, 2), "fe80::fc:ff:fe00:1%2"),
        (("fe80::1%eth0", 4771, 0, 2), "fe80::1%eth0"),
        (("fd00::2", 4771, 0, 0), "fd00::2"),
        (("192.168.0.12", 4771), "192.168.0.12"),
    ],
)
async def test_where_a_beacon_came_from_can_be_called(
    address: tuple[Any, ...], callable_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts: list[str] = []
    given(monkeypatch, Ear(*address))
    with trio.CancelScope() as once:

        def heard(_data: bytes, host: str) -> None:
            hosts.append(host)
            once.cancel()

        await UdpAir(silent, "0.0.0.0", 0).listen(heard)
    assert hosts == [callable_at]
    assert parse(f"[{hosts[0]}]:4770") == Address(callable_at, 4770)


async def test_a_port_that_another_program_keeps_for_itself_leaves_a_node_deaf() -> (
    None
):
    events: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("0.0.0.0", 0))
        port = sock.getsockname()[1]
        air = UdpAir(lambda event, **_: events.append(event), "127.0.0.1", port)
        with trio.fail_after(PATIENCE):
            await air.listen(lambda _data, _host: None)
            await air.say(b"still speaking")
        air.close()
    assert events == ["beacon.failed"]


async def test_a_node_at_one_ipv6_address_has_no_beacon() -> None:
    air = UdpAir(silent, "::1", own_port())
    with trio.fail_after(PATIENCE):
        await air.listen(lambda _data, _host: None)
        await air.say(b"nothing")
    air.close()


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("10.0.0.1", False),
        ("fe80::1%lo", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_the_loopback_is_known(host: str, *, own: bool) -> None:
    assert is_loopback(host) is own


async def test_a_node_that_listens_everywhere_uses_every_interface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    four, six, mouth, _ = await used(monkeypatch, "")
    loop, *others = four.told(socket.IP_ADD_MEMBERSHIP)
    assert loop.endswith(socket.inet_aton("127.0.0.1"))
    if sys.platform == "linux":
        names = [name for _, name in socket.if_nameindex() if name != "lo"]
        assert len(others) == len(names)
    assert len(mouth.told(socket.IP_MULTICAST_IF)) == 1 + len(others)
    assert len(six.told(socket.IPV6_JOIN_GROUP)) == len(socket.if_nameindex())


@pytest.mark.parametrize(
    ("interface", "raw"),
    [
        ("127.0.0.1", b"\x7f\0\0\1"),
        ("localhost", b"\x7f\0\0\1"),
        ("127.0.0.9", b"\x7f\0\0\1"),
        ("10.1.2.3", b"\x0a\1\2\3"),
        ("a-name", bytes(4)),
    ],
)
async def test_a_node_that_listens_at_one_address_uses_its_interface_alone(
    interface: str, raw: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear, _, mouth, _ = await used(monkeypatch, interface)
    assert mouth.told(socket.IP_MULTICAST_IF) == [raw]
    assert ear.told(socket.IP_ADD_MEMBERSHIP) == [socket.inet_aton(GROUP) + raw]


@pytest.mark.parametrize("lacks", [socket.AF_INET, socket.AF_INET6])
async def test_a_computer_without_one_kind_of_address_speaks_by_the_other(
    lacks: socket.AddressFamily, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Socket(socket.socket):
        def __init__(self, family: int = -1, *more: Any) -> None:
            if family == lacks:
                raise OSError(errno.EAFNOSUPPORT, "no such addresses")
            super().__init__(family, *more)

    monkeypatch.setattr(socket, "socket", Socket)
    mouth = Ear()
    given(monkeypatch, mouth)
    await UdpAir(silent, "", 0).say(b"hello")
    assert {":" in where[0] for where in mouth.said} == {lacks == socket.AF_INET}
