"""The yardstick of the move path: a bare echo over TLS, as trio has it, on both sides.

As a program it is the server: `python -m tools.bench.echo HOME` prints its port.
"""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Final

import trio

from netplay.home import Home
from netplay.limits import READ_BYTES
from netplay.peering.identity import Identity, open_identity

LOOP: Final = "127.0.0.1"


def identity(path: Path) -> Identity:
    """Return the identity of a home, made if it is missing."""
    home = Home(path)
    home.prepare()
    return open_identity(home)


async def serve(path: Path) -> None:
    """Send back whatever comes, for ever."""
    context = identity(path).server

    async def handle(raw: trio.SocketStream) -> None:
        async with trio.SSLStream(raw, context, server_side=True) as stream:
            while data := await stream.receive_some(READ_BYTES):
                await stream.send_all(data)

    async with trio.open_nursery() as nursery:
        listen = partial(trio.serve_tcp, handle, 0, host=LOOP)
        listeners = await nursery.start(listen)
        port = listeners[0].socket.getsockname()[1]
        print(port, flush=True)


async def ask(path: Path, port: int, size: int, count: int) -> list[float]:
    """Return the seconds that each of so many round trips of `size` bytes took."""
    context, data = identity(path).client, bytes(size)
    raw = await trio.open_tcp_stream(LOOP, port)
    times: list[float] = []
    async with trio.SSLStream(raw, context) as stream:
        for _ in range(count):
            began = perf_counter()
            await stream.send_all(data)
            left = size
            while left:
                left -= len(await stream.receive_some(READ_BYTES))
            times.append(perf_counter() - began)
    return times


@contextmanager
def server(path: Path) -> Generator[int]:
    """Run the server in a process of its own; the context is its port."""
    words = [sys.executable, "-m", "tools.bench.echo", str(path)]
    with Popen(words, stdout=PIPE) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


if __name__ == "__main__":
    trio.run(serve, Path(sys.argv[1]))
