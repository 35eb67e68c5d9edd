import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from netplay.peering.sending import Sender

FRAMES = 8
ROOM = 1 << 16
LARGE = bytes(range(256)) * (1 << 14)
"""More than a socket takes at once."""


@asynccontextmanager
async def sockets() -> AsyncGenerator[tuple[trio.SocketStream, trio.SocketStream]]:
    near, far = trio.socket.socketpair()
    async with trio.SocketStream(near) as ours, trio.SocketStream(far) as theirs:
        yield ours, theirs


async def all_of(stream: trio.SocketStream, size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        found += await stream.receive_some(size - len(found))
    return bytes(found)


async def test_what_a_socket_takes_is_there_before_anybody_waits() -> None:
    async with sockets() as (ours, theirs):
        sender = Sender(ours, FRAMES, ROOM)
        assert sender.send(b"now")
        plain = socket.socket(fileno=theirs.socket.fileno())
        assert plain.recv(10) == b"now"
        plain.detach()
        sender.detach()


async def test_the_rest_is_written_in_order_by_the_task() -> None:
    async with sockets() as (ours, theirs), trio.open_nursery() as nursery:
        sender = Sender(ours, FRAMES, 2 * len(LARGE))
        nursery.start_soon(sender.run)
        assert sender.send(LARGE)
        assert sender.send(b"after")
        await trio.testing.wait_all_tasks_blocked()
        assert sender.send(b"wards")
        sender.close()
        assert await all_of(theirs, len(LARGE) + 10) == LARGE + b"afterwards"
    sender.detach()


async def test_whoever_takes_nothing_is_stuck() -> None:
    async with sockets() as (ours, _theirs):
        sender = Sender(ours, FRAMES, ROOM)
        assert sender.send(LARGE)
        assert not sender.send(b"x")
        sender.detach()


async def test_a_wider_box_takes_more() -> None:
    async with sockets() as (ours, _theirs):
        sender = Sender(ours, FRAMES, ROOM)
        sender.widen(2 * len(LARGE))
        assert sender.send(LARGE)
        assert sender.send(b"x")
        sender.detach()


async def test_a_closed_sender_takes_nothing() -> None:
    async with sockets() as (ours, _theirs):
        sender = Sender(ours, FRAMES, ROOM)
        sender.close()
        assert not sender.send(b"x")
        sender.detach()


async def test_the_task_finds_out_that_the_other_end_has_gone() -> None:
    async with sockets() as (ours, theirs):
        sender = Sender(ours, FRAMES, ROOM)
        await theirs.aclose()
        assert sender.send(b"nobody hears")
        with pytest.raises(trio.BrokenResourceError):
            await sender.run()
        sender.detach()


async def test_a_stream_without_a_socket_is_written_by_the_task() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        sender = Sender(ours, FRAMES, ROOM)
        assert sender.send(b"later")
        nursery.start_soon(sender.run)
        assert await theirs.receive_some() == b"later"
        sender.close()
    sender.detach()


async def test_the_socket_is_its_stream_s_again_when_all_is_done() -> None:
    async with sockets() as (ours, theirs):
        sender = Sender(ours, FRAMES, ROOM)
        sender.send(b"x")
        sender.detach()
        sender.detach()
        del sender
        await ours.send_all(b"y")
        assert await all_of(theirs, 2) == b"xy"
