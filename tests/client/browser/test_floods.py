"""Floods of connections and tries: they delay nobody who comes from elsewhere."""

import socket
from collections.abc import Iterable
from itertools import count
from typing import Any

import pytest
import trio

from client.browser.__main__ import serve
from client.browser.access import Knocks
from netplay.limits import (
    WEB_COMES_A_SECOND,
    WEB_COMES_AT_ONCE,
    WEB_CONNECTIONS_A_SECOND,
    WEB_CONNECTIONS_TOGETHER,
    WEB_KNOCKS_AT_ONCE,
)


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
