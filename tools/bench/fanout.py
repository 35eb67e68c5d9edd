"""Time the fan-out: one entry to the links of many peers, until the last has it.

The links are the node's own, on sockets without TLS: what is measured is what a peer
more costs beside its encryption.  The yardstick writes the same frame to as many
sockets in a loop.
"""

import socket
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Final

import trio

from netplay.messages.log import Entries
from netplay.peering.pipe import Pipe
from netplay.wire import encode
from tools.bench.measuring import Row, amount, one_core, paired, ratio_row

PEERS: Final = (3, 50, 200)
ENTRY: Final = bytes(360)
TIMES: Final = 40


def rows() -> Iterator[Row]:
    """Measure."""
    with one_core():
        for count in PEERS:
            rounds = paired(_with(count, _links), _with(count, _bare))
            versus = "a loop of blocking sends"
            yield ratio_row(f"fanout: one entry to {count}", "us", versus, rounds)


def _with(count: int, publish: Callable[[int], list[float]]) -> Callable[[], float]:
    """Return what measures the microseconds of one way."""
    return lambda: median(publish(count)) * 1e6


def _bare(count: int) -> list[float]:
    """Return seconds with plain sockets."""
    pairs = [socket.socketpair() for _ in range(count)]
    times: list[float] = []
    for _ in range(amount(TIMES, 3)):
        began = perf_counter()
        data = encode(Entries(bytes(32), (ENTRY,)))
        for near, _far in pairs:
            near.sendall(data)
        for _near, far in pairs:
            far.recv(len(data))
        times.append(perf_counter() - began)
    for pair in pairs:
        for each in pair:
            each.close()
    return times


def _links(count: int) -> list[float]:
    """Return seconds with the pipes of links."""
    times: list[float] = trio.run(_publish, count)
    return times


async def _publish(count: int) -> list[float]:
    times: list[float] = []
    async with trio.open_nursery() as nursery:
        pipes: list[Pipe] = []
        ends: list[socket.socket] = []
        for _ in range(count):
            near, far = trio.socket.socketpair()
            stream = trio.SocketStream(near)
            pipes.append(Pipe(stream, 64, 1 << 20))
            ends.append(socket.socket(fileno=far.detach()))
            nursery.start_soon(_write, pipes[-1], stream)
        for _ in range(amount(TIMES, 3)):
            began = perf_counter()
            data = encode(Entries(bytes(32), (ENTRY,)))
            for pipe in pipes:
                pipe.send(data)
            for end in ends:
                end.recv(len(data))
            times.append(perf_counter() - began)
            await trio.lowlevel.checkpoint()
        for pipe in pipes:
            pipe.close()
    for end in ends:
        end.close()
    return times


async def _write(pipe: Pipe, stream: trio.SocketStream) -> None:
    """Write what does not leave at once, as a connection does."""
    async with stream:
        await pipe.write()
        pipe.detach()
