import socket
import struct
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from netplay.home import Home
from netplay.peering.identity import open_identity
from netplay.peering.pipe import Pipe, TlsStream
from tests.patience import PATIENCE

FRAMES = 8
RTO_MAX = 44
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
        pipe = Pipe(ours, FRAMES, ROOM)
        assert pipe.send(b"now")
        plain = socket.socket(fileno=theirs.socket.fileno())
        assert plain.recv(10) == b"now"
        plain.detach()
        pipe.detach()


async def test_the_rest_is_written_in_order_by_the_task() -> None:
    async with sockets() as (ours, theirs), trio.open_nursery() as nursery:
        pipe = Pipe(ours, FRAMES, 2 * len(LARGE))
        nursery.start_soon(pipe.write)
        assert pipe.send(LARGE)
        assert pipe.send(b"after")
        await trio.testing.wait_all_tasks_blocked()
        assert pipe.send(b"wards")
        pipe.close()
        assert await all_of(theirs, len(LARGE) + 10) == LARGE + b"afterwards"
    pipe.detach()


async def test_whoever_takes_nothing_is_stuck() -> None:
    async with sockets() as (ours, _theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        assert pipe.send(LARGE)
        assert not pipe.send(b"x")
        pipe.detach()


async def test_a_wider_box_takes_more() -> None:
    async with sockets() as (ours, _theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        pipe.widen(2 * len(LARGE))
        assert pipe.send(LARGE)
        assert pipe.send(b"x")
        pipe.detach()


async def test_a_closed_pipe_takes_nothing() -> None:
    async with sockets() as (ours, _theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        pipe.close()
        assert not pipe.send(b"x")
        pipe.detach()


async def test_the_task_finds_out_that_the_other_end_has_gone() -> None:
    async with sockets() as (ours, theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        await theirs.aclose()
        assert pipe.send(b"nobody hears")
        with pytest.raises(trio.BrokenResourceError):
            await pipe.write()
        pipe.detach()


async def test_a_stream_without_a_socket_is_written_by_the_task() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        pipe = Pipe(ours, FRAMES, ROOM)
        assert pipe.send(b"later")
        nursery.start_soon(pipe.write)
        assert await theirs.receive_some() == b"later"
        pipe.close()
    pipe.detach()


async def test_the_socket_is_its_stream_s_again_when_all_is_done() -> None:
    async with sockets() as (ours, theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        pipe.send(b"x")
        pipe.detach()
        pipe.detach()
        del pipe
        await ours.send_all(b"y")
        assert await all_of(theirs, 2) == b"xy"


@asynccontextmanager
async def secured(
    path: Path, below: list[TlsStream] | None = None
) -> AsyncGenerator[tuple[Pipe, Pipe]]:
    """Yield both ends of a TLS connection over sockets.

    Args:
        path: A home.
        below: Takes what the ends write to.
    """
    home = Home(path)
    home.prepare()
    identity = open_identity(home)
    async with sockets() as (near, far), trio.open_nursery() as nursery:
        ours = TlsStream(near, identity.client, server_side=False)
        theirs = TlsStream(far, identity.server, server_side=True)
        async with trio.open_nursery() as shaking:
            shaking.start_soon(theirs.do_handshake)
            await ours.do_handshake()
        pipes = [Pipe(each, FRAMES, 2 * len(LARGE)) for each in (ours, theirs)]
        if below is not None:
            below += [ours, theirs]
        for pipe in pipes:
            nursery.start_soon(pipe.write)
        yield pipes[0], pipes[1]
        for pipe in pipes:
            pipe.detach()


async def test_over_tls_all_arrives_in_order_both_ways(tmp_path: Path) -> None:
    async with secured(tmp_path) as pipes:
        for one, other in (pipes, pipes[::-1]):
            assert one.send(b"before")
            assert one.send(LARGE)
            assert one.send(b"after")
            found = bytearray()
            while len(found) < len(LARGE) + 11:
                found += await other.read()
            assert found == b"before" + LARGE + b"after"


async def test_what_came_together_with_the_handshake_is_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    identity = open_identity(home)
    async with sockets() as (near, far):
        ours = TlsStream(near, identity.client, server_side=False)
        theirs = TlsStream(far, identity.server, server_side=True)
        async with trio.open_nursery() as nursery:

            async def hurry() -> None:
                await ours.do_handshake()
                await ours.send_all(b"at once")

            nursery.start_soon(hurry)
            await trio.testing.wait_all_tasks_blocked()
            await theirs.do_handshake()
        pipe = Pipe(theirs, FRAMES, ROOM)
        with trio.fail_after(PATIENCE):
            assert await pipe.read() == b"at once"
        pipe.detach()


async def test_a_reader_is_told_of_the_end_and_of_a_break() -> None:
    async with sockets() as (ours, theirs):
        pipe = Pipe(ours, FRAMES, ROOM)
        await theirs.send_all(b"last")
        await theirs.aclose()
        assert await pipe.read() == b"last"
        assert await pipe.read() == b""
        pipe.detach()
    listener, *_ = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        port = listener.socket.getsockname()[1]
        far = await trio.open_tcp_stream("127.0.0.1", port)
        near = await listener.accept()
        pipe = Pipe(near, FRAMES, ROOM)
        far.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await far.aclose()
        with pytest.raises(trio.BrokenResourceError):
            await pipe.read()
        pipe.detach()
        await near.aclose()


async def test_whoever_reads_is_told_that_the_stream_is_closed() -> None:
    async with sockets() as (ours, _theirs), trio.open_nursery() as nursery:
        pipe = Pipe(ours, FRAMES, ROOM)

        async def read() -> None:
            with pytest.raises(trio.ClosedResourceError):
                await pipe.read()

        nursery.start_soon(read)
        await trio.testing.wait_all_tasks_blocked()
        pipe.detach()
        await ours.aclose()


async def test_who_has_broken_tls_is_sent_nothing_more(tmp_path: Path) -> None:
    below = list[TlsStream]()
    async with secured(tmp_path, below) as (ours, _theirs):
        await below[1].transport.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
        with pytest.raises(trio.BrokenResourceError):
            await ours.read()
        assert not ours.send(b"x")


async def test_what_a_line_loses_is_sent_again_every_second() -> None:
    """Else it is after one second, two and four; where Linux lets us say so (6.15)."""
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port = listener.socket.getsockname()[1]
    async with listener, await trio.open_tcp_stream("127.0.0.1", port) as near:
        far = await listener.accept()
        try:
            near.socket.getsockopt(socket.IPPROTO_TCP, RTO_MAX)
        except OSError:
            pytest.skip("this Linux does not let us choose")
        for stream in (near, far):
            pipe = Pipe(stream, FRAMES, ROOM)
            assert stream.socket.getsockopt(socket.IPPROTO_TCP, RTO_MAX) == 1000
            pipe.detach()
        await far.aclose()
