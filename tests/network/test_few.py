"""What a third gets whose address a stranger has named: fewer bytes than the word has.

Counted by the packet filter of the one who is called, with all headers.
"""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import NoReturn

import pytest
import trio

from netplay import limits
from netplay.errors import NetplayError
from netplay.finding.appointments import ITEM_BYTES
from netplay.home import Home
from netplay.peering import net
from netplay.peering.address import Address
from netplay.peering.identity import open_identity
from netplay.peering.net import Few, Incoming, Secured, TcpNet
from tests.network.homes import PORT, socket_at, within
from tests.network.laboratory import Host, laboratory, missing

pytestmark = pytest.mark.processes

PAUSES = 2.0
"""Seconds for all pauses between calls of one place: they change no byte."""

CALL_BYTES = 4 * (1200 + 28)
"""Of a call over UDP that nobody answers, as SECURITY.md counts it."""

UDP = "policy accept; meta l4proto udp counter drop"
HEARS = f"{UDP}; meta l4proto tcp counter accept"


@contextmanager
def two(rule: str) -> Generator[tuple[Host, Host]]:
    """Give two computers at the internet; the second does so with what comes in."""
    if why := missing():
        pytest.skip(why)
    with laboratory() as found:
        one, other = found.host("a"), found.host("b")
        for number, each in enumerate((one, other), 1):
            found.online(each, number)
        other.rules(f"""
            table inet filter {{ chain input {{
                type filter hook input priority 0; {rule}
            }}
            }}
        """)
        yield one, other


def got(other: Host) -> int:
    """Return how many bytes have come, by UDP and by TCP."""
    words = other.run("nft", "list", "ruleset").split()
    return sum(int(n) for word, n in pairwise(words) if word == "bytes")


async def _nobody(_incoming: Incoming) -> None:
    """Take nobody."""


async def _judge(_place: str, _secured: Secured) -> NoReturn:
    raise AssertionError


async def calls(folder: Path, host: str) -> None:
    """Call all ports of an address as one word has a node do."""
    real = TcpNet(open_identity(Home(folder), new=True))
    few = Few(real, _judge, leads=True)

    async def call(port: int) -> None:
        with suppress(NetplayError):
            await few.answer(Address(host, port))

    async with trio.open_nursery() as nursery:
        await nursery.start(real.listen, PORT, _nobody)
        while find_spec("aioquic") and not real.udp:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
        for number in range(limits.INTRODUCED_PORTS):
            nursery.start_soon(few.open_up, Address(host, PORT + number))
            nursery.start_soon(call, PORT + number)
        each = limits.INTRODUCED_CALL_SECONDS * limits.INTRODUCED_CALLS
        await trio.sleep(each + PAUSES + 2)
        nursery.cancel_scope.cancel()


async def calls_by_udp(folder: Path, to: Address) -> None:
    """Call a place over UDP until that is given up."""
    real = TcpNet(open_identity(Home(folder), new=True))
    async with trio.open_nursery() as nursery:
        await nursery.start(real.listen, PORT, _nobody)
        while not real.udp:  # noqa: ASYNC110 (it tells nobody)
            await trio.sleep(0.01)
        with suppress(NetplayError):
            await real.connect_udp(to)
        nursery.cancel_scope.cancel()


def test_a_call_over_udp_that_nobody_answers_is_four_packets(tmp_path: Path) -> None:
    pytest.importorskip("aioquic")
    with two(UDP) as (one, other):
        with within(one):
            trio.run(calls_by_udp, tmp_path, Address("8.9.2.2", PORT))
        print(got(other), "bytes")
        assert 0 < got(other) <= CALL_BYTES


@pytest.mark.parametrize(
    ("host", "does"), [("8.9.2.2", "reject with tcp reset"), ("2a00:9:2::2", "drop")]
)
def test_who_does_not_answer_gets_fewer_bytes_than_the_word_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, host: str
) -> None:
    monkeypatch.setattr(net, "INTRODUCED_SECONDS", PAUSES)
    with two(f"{UDP}; meta l4proto tcp counter {does}") as (one, other):
        with within(one):
            trio.run(calls, tmp_path, host)
        print(got(other), "bytes")
        assert 0 < got(other) < ITEM_BYTES


def test_who_answers_and_is_silent_gets_the_beginning_of_a_handshake_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(net, "INTRODUCED_SECONDS", PAUSES)
    monkeypatch.setattr(net, "HANDSHAKE_SECONDS", 1.0)
    with two(HEARS) as (one, other), socket_at(other) as listener:
        listener.bind(("", PORT))
        listener.listen()
        with within(one):
            trio.run(calls, tmp_path, "8.9.2.2")
        listener.setblocking(False)
        listener.accept()[0].close()
        with pytest.raises(BlockingIOError):
            listener.accept()
