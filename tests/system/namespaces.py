"""Two computers in one: network namespaces with a cable between them."""

import os
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

NETWORK: Final = "10.213.0"


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
    """One end of the cable."""

    def __init__(self, name: str, number: int) -> None:
        self.name: Final = f"netplay-{os.getpid()}-{name}"
        self.device: Final = f"np{name}"
        self.address = f"{NETWORK}.{number}"

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
        self.address = f"{NETWORK}.{number}"
        _ip("-n", self.name, "address", "add", f"{self.address}/24", *self._at)

    def replug(self) -> None:
        """Put the plug in again."""
        _ip("-n", self.name, "link", "set", *self._at, "up")

    @property
    def _at(self) -> tuple[str, str]:
        return ("dev", self.device)


@contextmanager
def cable() -> Generator[tuple[Side, Side]]:
    """Give two namespaces that a cable joins, for as long as the context lasts."""
    one, two = Side("a", 1), Side("b", 2)
    try:
        for side in (one, two):
            _ip("netns", "add", side.name)
        names = (one.device, "netns", one.name, "type", "veth")
        _ip("link", "add", *names, "peer", "name", two.device, "netns", two.name)
        for side in (one, two):
            side.plug()
        yield one, two
    finally:
        for side in (one, two):
            subprocess.run(["ip", "netns", "delete", side.name], check=False)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)
