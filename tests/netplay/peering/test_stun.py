"""Questions and answers about where a call comes from: bytes, and a node's own port."""

import re
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from netplay.errors import LocalError, PeerError
from netplay.peering import stun
from netplay.peering.address import Address
from netplay.peering.net import Incoming
from tests.netplay.peering.test_net import net
from tests.patience import PATIENCE

TRANSACTION = bytes(range(12))
PAGE = Path(__file__).parents[3] / "protocol.md"

# RFC 5769, 2.2 and 2.3: with attributes beside the one that counts.
FOUR = """
0101003c 2112a442 b7e7a701bc34d686fa87dfae
8022000b 7465737420766563746f7220 00200008 0001a147e112a643
00080014 2b91f599fd9e90c38c7489f92af9ba53f06be7d7 80280004 c07d4c96
"""
SIX = """
01010048 2112a442 b7e7a701bc34d686fa87dfae
8022000b 7465737420766563746f7220
00200014 0002a147 0113a9faa5d3f179bc25f4b5bed2b9d9
00080014 a382954e4be67bf11784c97c8292c275bfe3ed41 80280004 c8fb0b4c
"""


@pytest.mark.parametrize(
    ("text", "host"),
    [(FOUR, "192.0.2.1"), (SIX, "2001:db8:1234:5678:11:2233:4455:6677")],
)
def test_the_answers_that_the_rfc_prints_are_read(text: str, host: str) -> None:
    said = bytes.fromhex(text)
    assert stun.wanted(said) == len(said)
    assert stun.address_in(said, said[8:20]) == Address(host, 32853)
    with pytest.raises(LocalError):
        stun.address_in(said, TRANSACTION)


def test_question_and_answer_are_those_of_the_page() -> None:
    page = PAGE.read_text("utf-8")
    found = re.findall(
        r"^(?:0001|0101)[0-9a-f]{4}2112a442[0-9a-f ]+$", page, re.MULTILINE
    )
    asked, answered = map(bytes.fromhex, found)
    assert stun.request(TRANSACTION) == asked
    assert stun.answer(asked, "192.0.2.1", 34770) == answered
    assert stun.address_in(answered, TRANSACTION) == Address("192.0.2.1", 34770)


@given(st.ip_addresses(), st.integers(1, 65535), st.binary(min_size=12, max_size=12))
def test_what_is_answered_is_read(host: object, port: int, transaction: bytes) -> None:
    said = stun.answer(stun.request(transaction), str(host), port)
    told = stun.address_in(said, transaction)
    assert told.port == port
    assert stun.wanted(said) == len(said) <= 44


@given(st.binary(max_size=600))
def test_noise_is_no_answer(said: bytes) -> None:
    with pytest.raises(LocalError):
        stun.address_in(said, TRANSACTION)


@given(st.binary(min_size=0, max_size=80))
def test_an_answer_with_anything_in_it_is_a_place_or_none(body: bytes) -> None:
    head = bytes.fromhex("0101") + len(body).to_bytes(2, "big") + b"\x21\x12\xa4\x42"
    try:
        assert 0 < stun.address_in(head + TRANSACTION + body, TRANSACTION).port < 65536
    except LocalError:
        pass


@pytest.mark.parametrize(
    "asked",
    [
        stun.request(TRANSACTION).replace(b"\x21\x12", b"\x21\x13"),
        b"\0\1\2\0" + stun.request(TRANSACTION)[4:],
        b"\0\1\0\1" + stun.request(TRANSACTION)[4:] + b"!",
        b"\0\3" + stun.request(TRANSACTION)[2:],
    ],
)
async def test_what_is_no_question_is_refused(asked: bytes, tmp_path: Path) -> None:
    got = await answered(tmp_path, asked)
    assert got == b""


async def test_a_node_tells_a_caller_where_the_call_comes_from_and_hangs_up(
    tmp_path: Path,
) -> None:
    own: list[int] = []
    got = await answered(tmp_path, stun.request(TRANSACTION), own)
    assert stun.address_in(got, TRANSACTION) == Address("127.0.0.1", own[0])


async def test_a_node_asks_from_the_port_where_it_listens(tmp_path: Path) -> None:
    one, other = net(tmp_path / "one"), net(tmp_path / "other")

    async def take(incoming: Incoming) -> None:
        with pytest.raises(LocalError):
            await other.secure(incoming.stream, server_side=True)

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            ours: int = await nursery.start(one.listen, 0, take)
            theirs: int = await nursery.start(other.listen, 0, take)
            for _again in range(2):  # the pair of ports is free at once
                told = await one.seen(Address("127.0.0.1", theirs))
                assert told == Address("127.0.0.1", ours)
            nursery.cancel_scope.cancel()


async def test_nobody_who_says_something_else_is_believed(tmp_path: Path) -> None:
    one = net(tmp_path / "one")

    async def babbles(stream: trio.SocketStream) -> None:
        await stream.send_all(b"\1\1\0\x0c" + b"nonsense" * 9)

    async def hangs_up(_stream: trio.SocketStream) -> None:
        await trio.lowlevel.checkpoint()

    async def unasked(_incoming: Incoming) -> None:
        raise AssertionError

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await nursery.start(one.listen, 0, unasked)
            for liar in (babbles, hangs_up):
                listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
                port = listeners[0].socket.getsockname()[1]
                nursery.start_soon(trio.serve_listeners, liar, listeners)
                with pytest.raises(LocalError):
                    await one.seen(Address("127.0.0.1", port))
            nursery.cancel_scope.cancel()


async def answered(folder: Path, asked: bytes, own: list[int] | None = None) -> bytes:
    """Return all that a node says to these first bytes, until it hangs up."""
    node = net(folder)

    async def take(incoming: Incoming) -> None:
        with pytest.raises((LocalError, PeerError)):
            await node.secure(incoming.stream, server_side=True)

    got = b""
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            port: int = await nursery.start(node.listen, 0, take)
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                if own is not None:
                    own.append(stream.socket.getsockname()[1])
                await stream.send_all(asked)
                while some := await stream.receive_some():
                    got += bytes(some)
            nursery.cancel_scope.cancel()
    return got
