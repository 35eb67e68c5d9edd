"""The yardstick of the move path: a bare echo over TLS, trio on both sides.

As a program it is the server: `python -m netplay.bench.echo HOME` prints its port.
"""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from time import perf_counter  # noqa: TID251 (time is what is measured)
from typing import Final

import trio

from netplay.home import Home
from netplay.limits import READ_BYTES
from netplay.peering.address import Address
from netplay.peering.identity import open_identity
from netplay.peering.net import Incoming, TcpNet

LOOP: Final = "127.0.0.1"


def net(path: Path) -> TcpNet:
    """Return the network of a home, made if it is missing."""
    home = Home(path)
    home.prepare()
    return TcpNet(open_identity(home), LOOP)


async def serve(path: Path) -> None:
    """Send back whatever comes, for ever."""
    ours = net(path)

    async def handle(incoming: Incoming) -> None:
        secured = await ours.secure(incoming.stream, server_side=True)
        async with secured.stream as stream:
            while data := await stream.receive_some(READ_BYTES):
                await stream.send_all(data)

    async with trio.open_nursery() as nursery:
        port: int = await nursery.start(ours.listen, 0, handle)
        print(port, flush=True)  # noqa: T201 (what the starter waits for)


async def ask(path: Path, port: int, size: int, count: int) -> list[float]:
    """Return the seconds that each of so many round trips of `size` bytes took."""
    ours, data = net(path), bytes(size)
    raw = await ours.connect(Address(LOOP, port))
    secured = await ours.secure(raw, server_side=False)
    times: list[float] = []
    async with secured.stream as stream:
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
    words = [sys.executable, "-m", "netplay.bench.echo", str(path)]
    with Popen(words, stdout=PIPE) as process:  # noqa: S603 (ourselves)
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.kill()


if __name__ == "__main__":
    trio.run(serve, Path(sys.argv[1]))
