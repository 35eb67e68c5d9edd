"""Floods of connections and tries: they delay nobody who comes from elsewhere."""

import socket
from collections.abc import Iterable
from contextlib import AsyncExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from client.browser.__main__ import serve
from client.browser.access import Knocks
from netplay.limits import (
    WEB_COMES_A_SECOND,
    WEB_COMES_AT_ONCE,
    WEB_CONNECTIONS,
    WEB_CONNECTIONS_A_SECOND,
    WEB_CONNECTIONS_OF_ONE,
    WEB_CONNECTIONS_TOGETHER,
    WEB_KNOCKS_AT_ONCE,
)
from tests.client.browser.test_server import HOST, entered, site
from tests.patience import PATIENCE


async def test_who_has_an_ipv6_network_knocks_no_oftener_than_one_address() -> None:
    knocks = Knocks()
    most = [knocks.may_knock(f"2001:db8::{number:x}", 0) for number in range(100)]
    assert most.count(True) == WEB_KNOCKS_AT_ONCE
    assert knocks.may_knock("2001:db8:0:1::1", 0)


class Crowd(trio.socket.SocketType):
    """A listener, a server and a connection: whoever comes is there at once."""

    type = socket.SOCK_STREAM

    def __init__(self, addresses: Iterable[str]) -> None:
        self.socket, self.addresses = self, iter(addresses)
        self.served: list[tuple[str, float]] = []
        self.open = 0

    async def accept(self) -> tuple[Any, tuple[str, int]]:
        await trio.lowlevel.checkpoint()
        for address in self.addresses:
            self.open += 1
            return self, (address, 1)
        return await trio.sleep_forever()

    def setsockopt(self, *_option: object) -> None:
        pass

    def fileno(self) -> int:
        return 0  # as of what is open

    def close(self) -> None:
        self.open -= 1

    def takes(self, _address: str) -> bool:
        return True

    async def serve(self, _stream: object, address: str) -> None:
        self.served.append((address, trio.current_time()))


async def test_a_flood_from_everywhere_is_taken_no_faster_than_leaves_time_for_players(
    autojump_clock: object,
) -> None:
    crowd: Any = Crowd(f"192.0.2.{i % 251}" for i in count())
    with trio.move_on_after(3):
        await serve(crowd, crowd)
    most = WEB_CONNECTIONS_TOGETHER + 3 * WEB_CONNECTIONS_A_SECOND
    assert most * 0.9 <= len(crowd.served) <= most + 1
    assert crowd.open - len(crowd.served) <= 1


@pytest.mark.parametrize("place", ["192.0.2.7", "2001:db8::{:x}"])
async def test_a_flood_from_one_address_delays_nobody_else(
    place: str, autojump_clock: object
) -> None:
    flood = [place.format(number) for number in range(2000)]
    crowd: Any = Crowd([*flood, "192.0.2.8", *flood, "192.0.2.8"])
    began = trio.current_time()
    with trio.move_on_after(10):
        await serve(crowd, crowd)
    first, second = (at for who, at in crowd.served if who == "192.0.2.8")
    assert first - began < 1
    assert second - first < 1
    most = WEB_COMES_AT_ONCE + WEB_COMES_A_SECOND * (second - began)
    assert 0 < len(crowd.served) - 2 <= most


async def still_open(streams: list[trio.abc.Stream]) -> int:
    """Return how many connections the server has not closed."""
    count = 0
    for stream in streams:
        with trio.move_on_after(0.01) as waited:
            assert await stream.receive_some() == b""
        count += waited.cancelled_caught
    return count


@pytest.mark.parametrize(
    "addresses",
    [["192.0.2.7"] * 200, [f"2001:db8::{number:x}" for number in range(200)]],
    ids=["one address", "one network of IPv6"],
)
async def test_half_open_connections_keep_nobody_out(
    addresses: list[str], tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        idle = [found.stream(each) for each in addresses]
        await trio.sleep(0.1)
        assert await still_open(idle) == WEB_CONNECTIONS_OF_ONE
        _page, told = await entered(found, entry=found.invite())
        assert "token" in told
        await trio.sleep(11)
        assert await still_open(idle) == 0


async def test_a_browser_comes_in_by_a_real_socket_while_its_address_may(
    tmp_path: Path,
) -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener, site(tmp_path) as found, AsyncExitStack() as held:
        where = listener.socket.getsockname()
        found.server.names = frozenset({f"127.0.0.1:{where[1]}"})
        found.nursery.start_soon(serve, found.server, listener)
        ask = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{where[1]}\r\n\r\n".encode()

        async def come() -> trio.SocketStream:
            return await held.enter_async_context(await trio.open_tcp_stream(*where))

        with trio.fail_after(PATIENCE):
            silent = [await come() for _ in range(WEB_CONNECTIONS_OF_ONE)]
            assert await (await come()).receive_some(4096) == b""
            await silent.pop().aclose()
            answer = b""
            while not answer:  # until the server has noticed
                again = await come()
                with suppress(trio.BrokenResourceError):
                    await again.send_all(ask)
                    answer = await again.receive_some(4096)
            assert b" 200 " in answer[:20]


async def test_of_a_household_the_longest_idle_connection_makes_room(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        assert "token" in told
        others = WEB_CONNECTIONS_OF_ONE - 1
        ask = f"HEAD / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
        elsewhere = found.stream("198.51.100.9")
        await elsewhere.send_all(ask)
        assert b" 200 " in bytes(await elsewhere.receive_some())[:20]
        await trio.testing.wait_all_tasks_blocked()
        kept: list[trio.abc.Stream] = []
        for _ in range(2 * others):
            kept.append(found.stream())
            await kept[-1].send_all(ask)
            assert b" 200 " in bytes(await kept[-1].receive_some())[:20]
            await trio.testing.wait_all_tasks_blocked()
        assert await still_open(kept[:others]) == 0
        assert await still_open(kept[others:]) == others
        assert await still_open([elsewhere]) == 1
        await page.say(do="there")
        assert page.closed is None


async def test_a_full_server_parts_with_one_of_many_and_not_with_who_is_alone(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        alone = found.stream("198.51.100.9")
        await trio.sleep(0.1)
        places = [f"192.0.2.{n % 4}" for n in range(WEB_CONNECTIONS - 1)]
        many = [found.stream(each) for each in places]
        await trio.sleep(0.1)
        _page, told = await entered(found, entry=found.invite())
        assert "token" in told
        assert await still_open([alone]) == 1
        assert await still_open(many) == len(many) - 1


async def test_a_page_that_was_let_in_makes_room_for_no_stranger(
    tmp_path: Path, autojump_clock: object
) -> None:
    async with site(tmp_path) as found:
        page, told = await entered(found, entry=found.invite())
        assert "token" in told
        beside = [found.stream() for _ in range(3)]
        await trio.sleep(0.1)
        many = [found.stream(f"192.0.2.{n}") for n in range(WEB_CONNECTIONS - 4)]
        await trio.sleep(0.1)
        fresh = found.stream("198.51.100.9")
        await trio.sleep(0.1)
        assert await still_open([fresh, *many]) == len(many) + 1
        assert await still_open(beside) == 2
        await page.say(do="there")
        assert page.closed is None
