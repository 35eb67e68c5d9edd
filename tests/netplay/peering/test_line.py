"""A line as a stream: two ends, and somebody in between who hands on."""

from collections import deque
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from netplay.errors import Code, PeerError
from netplay.fingerprint import fingerprint
from netplay.home import Home
from netplay.limits import LINE_WINDOW_BYTES
from netplay.messages.link import CloseLine, LineBytes, LineMessage, LineTaken, OpenLine
from netplay.messages.types import LINE_BYTES
from netplay.peering.identity import open_identity
from netplay.peering.line import Line, OwnLines, via
from netplay.peering.net import Secured, TcpNet
from netplay.peering.switchboard import Switchboard
from tests.netplay.memory import KEYS


class Carrier:
    """Who carries: hands on at once what it likes, and notes all."""

    def __init__(self) -> None:
        self.seen: list[LineMessage] = []
        self.held: deque[tuple[Line, LineMessage]] = deque()
        self.holds = False
        self.one = Line(1, lambda message: self.pass_on(self.two, message))
        self.two: Line = Line(2, lambda message: self.pass_on(self.one, message))

    def pass_on(self, to: Line, message: LineMessage) -> None:
        self.seen.append(message)
        if self.holds:
            self.held.append((to, message))
        else:
            hand(to, message)

    def release(self) -> None:
        while self.held:
            hand(*self.held.popleft())


def hand(to: Line, message: LineMessage) -> None:
    match message:
        case LineBytes():
            to.receive(message)
        case LineTaken():
            to.taken(message)
        case CloseLine(code=code):
            to.end(code)
        case _:
            raise AssertionError(message)


async def test_a_line_carries_both_ways_as_any_stream() -> None:
    carrier = Carrier()
    one, two = carrier.one, carrier.two
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.send_all, b"x" * 300_000)
        got = 0
        while got < 300_000:
            got += len(await two.receive_some(7000))
    await two.send_all(b"back")
    assert await one.receive_some() == b"back"
    await one.aclose()
    assert await two.receive_some() == b""
    with pytest.raises(trio.ClosedResourceError):
        await one.send_all(b"more")
    with pytest.raises(trio.ClosedResourceError):
        await one.receive_some()


async def test_who_does_not_read_makes_the_other_wait_and_nobody_hold_more(
    autojump_clock: trio.testing.MockClock,
) -> None:
    carrier = Carrier()
    sent = 0
    with trio.move_on_after(0.1):
        while True:
            await carrier.one.send_all(bytes(1000))
            sent += 1000
    assert LINE_WINDOW_BYTES - 1000 <= sent <= LINE_WINDOW_BYTES
    assert sum(len(m.data) for m in carrier.seen if isinstance(m, LineBytes)) == (
        LINE_WINDOW_BYTES
    )


async def test_an_end_that_is_lost_is_an_end_with_an_error() -> None:
    carrier = Carrier()
    await carrier.one.send_all(b"last words")
    carrier.two.end(Code.NO_ANSWER.number)
    assert await carrier.two.receive_some() == b"last words"
    with pytest.raises(trio.BrokenResourceError):
        await carrier.two.receive_some()
    with pytest.raises(trio.BrokenResourceError):
        await carrier.two.send_all(b"?")
    seen = len(carrier.seen)
    await carrier.two.aclose()
    assert len(carrier.seen) == seen, "it is known there already"


def test_more_than_there_was_leave_for_is_refused() -> None:
    line = Line(1, lambda _message: None)
    for _ in range(LINE_WINDOW_BYTES // LINE_BYTES):
        line.receive(LineBytes(1, bytes(LINE_BYTES)))
    with pytest.raises(PeerError) as error:
        line.receive(LineBytes(1, b"!"))
    assert error.value.code is Code.TOO_MANY
    with pytest.raises(PeerError) as error:
        line.taken(LineTaken(1, 1))
    assert error.value.code is Code.UNEXPECTED


class Away:
    """Nobody is there at first; then the node that carries is."""

    def __init__(self) -> None:
        self.key: bytes | None = None
        self.sent: list[tuple[bytes, LineMessage]] = []

    def linked(self, carrier: str) -> bytes | None:
        return self.key if carrier else None

    def named(self, carrier: str) -> str:
        return carrier

    def send(self, key: bytes, message: LineMessage) -> None:
        self.sent.append((key, message))

    def wanted(self) -> None:
        pass


async def test_of_two_calls_through_one_node_either_may_be_given_up(
    autojump_clock: trio.testing.MockClock,
) -> None:
    away = Away()
    board = Switchboard(KEYS[1], lambda _key, _to: KEYS[3])
    lines, carrier = OwnLines(board, away), via(KEYS[2])
    async with trio.open_nursery() as nursery:
        first = trio.CancelScope()

        async def call(number: int, scope: trio.CancelScope) -> None:
            with scope:
                await lines.connect(carrier, fingerprint(KEYS[number]))

        nursery.start_soon(call, 3, first)
        nursery.start_soon(call, 4, trio.CancelScope())
        await trio.sleep(0.1)
        first.cancel()
        await trio.sleep(0.1)
        assert lines.asked == (carrier,), "the second waits for it still"
        away.key = KEYS[2]
        lines.look()
        await trio.sleep(0.1)
    ((key, opened),) = away.sent
    assert key == KEYS[2]
    assert isinstance(opened, OpenLine)
    assert opened.to == fingerprint(KEYS[4])
    assert lines.asked == ()


async def test_a_line_whose_carrier_is_lost_ends_with_an_error() -> None:
    away = Away()
    away.key = KEYS[2]
    lines = OwnLines(Switchboard(KEYS[1], lambda _key, _to: KEYS[3]), away)
    line = await lines.connect(via(KEYS[2]), fingerprint(KEYS[3]))
    lines.gone(KEYS[4])
    assert line.ended is None
    lines.gone(KEYS[2])
    assert line.ended is Code.NO_ANSWER
    with pytest.raises(trio.BrokenResourceError):
        await line.receive_some()
    assert list(lines) == []


SECRET = b"the rack is AEINRST"


def net(folder: Path) -> TcpNet:
    home = Home(folder)
    home.prepare()
    return TcpNet(open_identity(home))


async def secured(
    carrier: Carrier, folder: Path
) -> tuple[trio.abc.Stream, trio.abc.Stream, list[bytes]]:
    """Let two nodes prove themselves over a line; return its ends and their keys."""
    found: dict[bool, Secured] = {}

    async def prove(line: Line, *, server: bool) -> None:
        node = net(folder / str(server))
        found[server] = await node.secure(line, server_side=server)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(partial(prove, carrier.one, server=False))
        nursery.start_soon(partial(prove, carrier.two, server=True))
    one, two = found[False], found[True]
    return one.stream, two.stream, [one.key, two.key]


async def test_who_carries_a_line_can_read_nothing(tmp_path: Path) -> None:
    carrier = Carrier()
    a, b, keys = await secured(carrier, tmp_path)
    assert keys[0] != keys[1]
    await a.send_all(SECRET)
    assert await b.receive_some() == SECRET
    seen = b"".join(m.data for m in carrier.seen if isinstance(m, LineBytes))
    assert SECRET not in seen
    assert not any(key in seen for key in keys), "TLS 1.3 hides certificates, too"


@pytest.mark.parametrize("how", ["lies", "replays", "drops"])
async def test_a_carrier_that_lies_replays_or_drops_only_breaks_the_line(
    how: str, tmp_path: Path
) -> None:
    carrier = Carrier()
    a, b, _keys = await secured(carrier, tmp_path)
    carrier.holds = True
    await a.send_all(SECRET)
    to, message = carrier.held.popleft()
    assert isinstance(message, LineBytes)
    carrier.holds = False
    if how == "lies":
        changed = bytes([*message.data[:-1], message.data[-1] ^ 1])
        hand(to, LineBytes(message.line, changed))
    elif how == "replays":
        hand(to, message)
        assert await b.receive_some() == SECRET
        hand(to, message)
    else:
        await a.send_all(b"what comes behind")
    with pytest.raises(trio.BrokenResourceError):
        await b.receive_some()
