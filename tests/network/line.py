"""A line that is slow, long and lossy, for computers of the laboratory.

    python -m tests.network.line BITS DELAY MORE LOSS NAMESPACE=ADDRESS...

Until it is sent SIGUSR1 the line is a good one.

Each namespace gets a device `wan`, and what is sent there comes out where its address
is: after the time that so many bits take, and the delay, which differs by up to MORE to
either side; some of it never.  No more waits than half a second takes, as in a router.
The kernel could do that by itself (netem), but not every kernel has it.  Each second
the bytes that each has sent so far are printed.
"""

import ctypes
import fcntl
import os
import selectors
import signal
import struct
import sys
from collections import Counter
from heapq import heappop, heappush
from ipaddress import IPv4Address
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

GOOD: Final = 1e8, 0.005, 0.0, 0.0

DEVICE: Final = b"wan"
PACKET_BYTES: Final = 65536
FULL_SECONDS: Final = 0.5
"""Of sending, that may wait; what comes on top is lost, as in a real router."""

_NEW_NETWORK: Final = 0x40000000
_SET: Final = 0x400454CA
_TUN: Final = 0x1001


def device(namespace: str) -> int:
    """Return the open end of a new device in a namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/self/ns/net").open() as ours:
        with Path("/var/run/netns", namespace).open() as theirs:
            if libc.setns(theirs.fileno(), _NEW_NETWORK):
                raise OSError(ctypes.get_errno(), namespace)
        held = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(held, _SET, struct.pack("16sH22x", DEVICE, _TUN))
        libc.setns(ours.fileno(), _NEW_NETWORK)
    return held


class Line:
    """Carries packets."""

    def __init__(self) -> None:
        self.become(*GOOD)
        self._rng: Final = Random(7)
        self._order: Final = count()
        self._free: Final[dict[int, float]] = {}
        self._last: Final[dict[tuple[int, int], float]] = {}
        self._flying: Final[list[tuple[float, int, int, bytes]]] = []
        self.sent: Final = Counter[int]()
        """Bytes, by whose device."""

    def become(self, bits: float, delay: float, more: float, loss: float) -> None:
        """Do so with packets from now on."""
        self._bits, self._delay, self._more, self._loss = bits, delay, more, loss

    def take(self, source: int, to: int, packet: bytes) -> None:
        """Take a packet in."""
        now = monotonic()
        free = max(now, self._free.get(source, 0.0))
        if free > now + FULL_SECONDS:
            return
        self.sent[source] += len(packet)
        sent = self._free[source] = free + len(packet) * 8 / self._bits
        if self._rng.random() < self._loss:
            return
        at = sent + self._delay + self._rng.uniform(-self._more, self._more)
        at = max(at, self._last.get((source, to), 0.0))  # none overtakes another
        self._last[source, to] = at
        heappush(self._flying, (at, next(self._order), to, packet))

    def give(self) -> float | None:
        """Give what is due; return the seconds until there is more."""
        while self._flying:
            wait = self._flying[0][0] - monotonic()
            if wait > 0:
                return wait
            _at, _number, to, packet = heappop(self._flying)
            os.write(to, packet)
        return None


def run(words: list[str]) -> None:
    """Carry packets until told to end."""
    line = Line()
    bits, delay, more, loss = map(float, words[:4])
    signal.signal(signal.SIGUSR1, lambda *_: line.become(bits, delay, more, loss))
    ends: dict[bytes, int] = {}
    names: dict[int, str] = {}
    for word in words[4:]:
        name, _, address = word.partition("=")
        held = device(name)
        ends[IPv4Address(address).packed], names[held] = held, name
    going = [True]
    signal.signal(signal.SIGTERM, lambda *_: going.clear())
    print("ready", flush=True)
    with selectors.DefaultSelector() as ready:
        for held in names:
            ready.register(held, selectors.EVENT_READ)
        told = monotonic()
        while going:
            if monotonic() >= told + 1:
                told += 1
                print(*(f"{name}={line.sent[n]}" for n, name in names.items()))
                sys.stdout.flush()
            for key, _events in ready.select(min(line.give() or 0.2, 0.2)):
                packet = os.read(key.fd, PACKET_BYTES)
                to = ends.get(packet[16:20]) if packet[0] >> 4 == 4 else None
                if to is not None:
                    line.take(key.fd, to, packet)


if __name__ == "__main__":
    run(sys.argv[1:])
