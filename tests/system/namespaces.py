"""Some computers in one: network namespaces with cables between them."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.system.nodes import Resident

NETWORK: Final = "10.213.0"
OTHER_NETWORK: Final = "10.213.1"
NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET: Python has a name for it from 3.12 on."""


def missing() -> str:
    """Return why there can be no namespaces here, nothing if there can."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return "only root makes network namespaces"
    if shutil.which("ip") is None:
        return "needs the program ip (iproute2)"
    name = f"netplay-{os.getpid()}-try"
    made = subprocess.run(
        ["ip", "netns", "add", name], check=False, capture_output=True, text=True
    )
    if made.returncode:
        return f"no network namespaces here: {made.stderr.strip()}"
    _ip("netns", "delete", name)
    return ""


class Side:
    """One end of a cable."""

    def __init__(self, name: str, number: int, network: str = NETWORK) -> None:
        self.name: Final = f"netplay-{os.getpid()}-{name}"
        self.device: Final = f"np{name}{network[-1]}"
        self._network: Final = network
        self.address = f"{network}.{number}"

    @property
    def prefix(self) -> tuple[str, ...]:
        """What starts a program there."""
        return ("ip", "netns", "exec", self.name)

    def plug(self) -> None:
        """Take an address and bring the cable up."""
        _ip("-n", self.name, "link", "set", "lo", "up")
        _ip("-n", self.name, "address", "add", f"{self.address}/24", *self._at)
        _ip("-n", self.name, "link", "set", *self._at, "up")

    def pull(self) -> None:
        """Pull the plug."""
        _ip("-n", self.name, "link", "set", *self._at, "down")

    def move(self, number: int) -> None:
        """Have another address from now on, and the old one no more."""
        _ip("-n", self.name, "address", "delete", f"{self.address}/24", *self._at)
        self.address = f"{self._network}.{number}"
        _ip("-n", self.name, "address", "add", f"{self.address}/24", *self._at)

    def passes(self, *, on: bool) -> None:
        """Hand on what comes from one cable for another, or do not."""
        switch = "echo $0 > /proc/sys/net/ipv4/ip_forward"
        words = [*self.prefix, "sh", "-c", switch, str(int(on))]
        subprocess.run(words, check=True)

    def replug(self) -> None:
        """Put the plug in again."""
        _ip("-n", self.name, "link", "set", *self._at, "up")

    @property
    def _at(self) -> tuple[str, str]:
        return ("dev", self.device)


@contextmanager
def cable() -> Generator[tuple[Side, Side]]:
    """Give two namespaces that a cable joins, for as long as the context lasts."""
    ends = Side("a", 1), Side("b", 2)
    with _spaces(ends):
        _join(*ends)
        yield ends


@contextmanager
def row() -> Generator[tuple[Side, Side, Side, Side]]:
    """Give three namespaces; the outer two reach each other through the middle one.

    Its two ends of cables come second and third; `near.passes(on=False)` parts them.
    """
    one, near = Side("a", 1), Side("m", 2)
    far, other = Side("m", 2, OTHER_NETWORK), Side("b", 3, OTHER_NETWORK)
    with _spaces((one, near, other)):
        _join(one, near)
        _join(far, other)
        for outer, inner in ((one, near), (other, far)):
            _ip("-n", outer.name, "route", "add", "default", "via", inner.address)
        near.passes(on=True)
        yield one, near, far, other


@contextmanager
def _spaces(sides: tuple[Side, ...]) -> Generator[None]:
    try:
        for side in sides:
            _ip("netns", "add", side.name)
        yield
    finally:
        for side in sides:
            subprocess.run(["ip", "netns", "delete", side.name], check=False)


def _join(one: Side, two: Side) -> None:
    """Lay a cable between two namespaces."""
    names = (one.device, "netns", one.name, "type", "veth")
    _ip("link", "add", *names, "peer", "name", two.device, "netns", two.name)
    for side in (one, two):
        side.plug()


class There(Resident):
    """A node in a namespace, that listens at every address it has."""

    def __init__(self, folder: Path, number: int, side: Side) -> None:
        super().__init__(folder, number, listen="0.0.0.0")
        self.side = side
        self.prefix = side.prefix

    @property
    def address(self) -> str:
        return f"{self.side.address}:{self.port}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextmanager
def loopback_alone() -> Generator[None]:
    """Put this thread, and what it starts, into a network with nothing but itself."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open("rb") as before:
        if libc.unshare(NEW_NETWORK):
            raise OSError(ctypes.get_errno(), "no network namespaces here")
        try:
            _ip("link", "set", "lo", "up")
            yield
        finally:
            libc.setns(before.fileno(), NEW_NETWORK)
