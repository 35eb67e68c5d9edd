"""libtorrent's DHT on loopback: what is left there is found; nobody else is asked."""

import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import trio
import trio.testing

from netplay.finding.appointments import ITEM_BYTES, entries_named
from netplay.finding.mainline import Mainline, expanded, mainline, settings
from netplay.peering.address import Address, parse
from netplay.record.log import SecretKey
from tests.patience import PATIENCE

needs_libtorrent = pytest.mark.skipif(
    importlib.util.find_spec("libtorrent") is None,
    reason="needs libtorrent (pip install 'netplay[dht]')",
)

PORT = 41_881
NODES = 4


def has_six() -> bool:
    """Return whether this computer speaks IPv6 with itself."""
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
            one.bind(("::1", 0))
    except OSError:
        return False
    return True


FOUR = [f"127.0.0.{number}:{PORT}" for number in range(2, 2 + NODES)]
SIX = [f"[::1]:{PORT + number}" for number in range(2, 2 + NODES)]


@pytest.fixture(params=[FOUR, SIX], ids=["IPv4", "IPv6"])
def entry(request: pytest.FixtureRequest) -> Iterator[Address]:
    """Give the way into a private DHT, whose nodes have addresses of one kind."""
    where = request.param
    if where is SIX and not has_six():
        pytest.skip("needs IPv6")
    words = [sys.executable, "-m", "tests.network.dht", *where]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert b"ready" in process.stdout.readline()
        yield parse(where[0])
    finally:
        process.terminate()
        process.communicate()


@needs_libtorrent
@pytest.mark.processes
async def test_what_one_has_left_another_finds(entry: Address) -> None:
    seed, salt, item = os.urandom(32), os.urandom(16), os.urandom(ITEM_BYTES)
    key = SecretKey(seed).key
    with trio.fail_after(PATIENCE):
        async with mainline([entry]) as ann, mainline([entry]) as bob:
            assert await ann.put(seed, salt, item)
            assert list(await bob.get(key, salt)) == [item]


@pytest.mark.parametrize("text", ["127.0.0.2:41881", "8.9.40.2:6881 a.example:1", ""])
def test_the_dht_is_entered_by_the_nodes_that_are_named_and_by_no_others(
    text: str,
) -> None:
    named = entries_named(text)
    told = settings(named)
    asked = str(told["dht_bootstrap_nodes"]).split(",")
    assert asked == [each.text() for each in named]
    for off in ("enable_lsd", "enable_upnp", "enable_natpmp", "enable_outgoing_tcp"):
        assert told[off] is False
    assert told["dht_read_only"] is True


def test_only_a_dht_at_home_may_have_neighbours_as_nodes() -> None:
    for text, public in (("192.168.1.7:1", False), ("8.9.1.2:1 10.0.0.1:1", True)):
        assert settings(entries_named(text))["dht_restrict_routing_ips"] is public
    assert settings(entries_named("127.0.0.1:1"))["listen_interfaces"] == (
        "127.0.0.1:0,[::1]:0"
    )


def test_a_key_is_given_to_the_library_as_it_signs() -> None:
    """RFC 8032, 5.1.5: the lowest three bits are clear, the second highest is set."""
    both = expanded(bytes(32))
    assert len(both) == 64
    assert both[0] & 7 == 0
    assert both[31] & 0xC0 == 0x40


class Library:
    """A session of libtorrent that has something to say now and then."""

    def __init__(self, *alerts: Any) -> None:
        self.alerts = list(alerts)

    def pop_alerts(self) -> list[Any]:
        found, self.alerts = self.alerts, []
        return found


async def test_where_the_dht_sees_us_come_out_is_told_of_ipv4_alone() -> None:
    def seen(host: str) -> SimpleNamespace:
        return SimpleNamespace(what=lambda: "external_ip", external_address=host)

    library = Library(seen("81.2.69.142"))
    bell, rings = trio.socket.socketpair()
    found = Mainline([library], bell)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(found.run)
        await trio.testing.wait_all_tasks_blocked()
        for host, told in (
            ("2001:db8::1", "81.2.69.142"),
            ("81.2.69.143", "81.2.69.143"),
        ):
            library.alerts.append(seen(host))
            await rings.send(b"x")
            await trio.testing.wait_all_tasks_blocked()
            assert found.outside() == told
        nursery.cancel_scope.cancel()
    bell.close()
    rings.close()
