"""A laboratory: hosts, routers and an internet, as network namespaces of this computer.

The addresses are of the internet, for nodes ask what an address is; they never leave
the namespaces.  Each network has a number: `8.9.N.0/24` at the internet,
`192.168.N.0/24` at home; in IPv6 `2a00:9:N::/64` and `2a00:a:N::/64`.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from netplay.demo.player import Player
from tests.system import namespaces
from tests.system.nodes import Resident

INTERNET: Final = "internet"

NO_TCP: Final = """
    table inet only_udp {
        chain input {
            type filter hook input priority 0; policy accept;
            iifname != "lo" meta l4proto tcp drop
        }
    }
"""
"""Rules of a computer to which only UDP comes."""


def missing(*programs: str) -> str:
    """Return why there can be no laboratory here, nothing if there can."""
    for program in ("nft", "sysctl", *programs):
        if shutil.which(program) is None:
            return f"needs the program {program}"
    return namespaces.missing()


class Host:
    """A computer, or a router."""

    def __init__(self, name: str) -> None:
        self.name: Final = f"np{os.getpid()}{name}"
        self.addresses: Final[list[str]] = []

    @property
    def prefix(self) -> tuple[str, ...]:
        """What starts a program there."""
        return ("ip", "netns", "exec", self.name)

    def run(self, *words: str, given: str = "") -> str:
        """Run a program there to its end; return what it prints."""
        done = subprocess.run(
            [*self.prefix, *words], input=given, text=True, check=True,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        return done.stdout

    def ip(self, *words: str) -> None:
        """Have `ip` do something there."""
        subprocess.run(["ip", "-n", self.name, *words], check=True)

    def address(self, text: str, device: str, *more: str) -> None:
        """Take an address: `number/prefix`."""
        self.ip("address", "add", text, "dev", device, *more)
        self.addresses.append(text.partition("/")[0])

    def unplug(self, device: str) -> None:
        """Pull a plug."""
        self.ip("link", "set", device, "down")

    def plug(self, device: str) -> None:
        """Put it in."""
        self.ip("link", "set", device, "up")

    def routes(self) -> None:
        """Pass on what comes for others."""
        for switch in ("ipv4.ip_forward", "ipv6.conf.all.forwarding"):
            self.run("sysctl", "-qw", f"net.{switch}=1")

    def rules(self, text: str) -> None:
        """Take rules for nftables, instead of those before."""
        self.run("nft", "-f", "-", given=f"flush ruleset\n{text}")


class Laboratory:
    """What there is."""

    def __init__(self) -> None:
        self._hosts: list[Host] = []
        self._cables: Final = count()
        self._running: list[subprocess.Popen[bytes]] = []
        self.internet: Final = self.host(INTERNET)
        self.internet.routes()

    # What stands in it.

    def host(self, name: str) -> Host:
        """Return a computer without a cable."""
        made = Host(name)
        subprocess.run(["ip", "netns", "add", made.name], check=True)
        self._hosts.append(made)
        # Addresses are to be there at once.
        made.run("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0")
        made.ip("link", "set", "lo", "up")
        return made

    def cable(self, one: Host, device: str, two: Host, other: str) -> None:
        """Lay a cable between two."""
        ends = ("type", "veth", "peer", "name", other, "netns", two.name)
        subprocess.run(
            ["ip", "link", "add", device, "netns", one.name, *ends], check=True
        )
        for host, end in ((one, device), (two, other)):
            # Else packets travel in bundles, as no real line carries them.
            host.ip("link", "set", end, "gso_max_segs", "1")
            host.plug(end)

    def online(self, host: Host, number: int, device: str = "wan") -> None:
        """Connect a host with the internet, as the network of a number."""
        port = f"n{number}"
        self.cable(host, device, self.internet, port)
        host.address(f"8.9.{number}.2/24", device)
        host.address(f"2a00:9:{number}::2/64", device, "nodad")
        self.internet.address(f"8.9.{number}.1/24", port)
        self.internet.address(f"2a00:9:{number}::1/64", port, "nodad")
        host.ip("route", "add", "default", "via", f"8.9.{number}.1")
        host.ip("-6", "route", "add", "default", "via", f"2a00:9:{number}::1")

    def home(
        self,
        number: int,
        *,
        nat: str = "masquerade",
        unasked: str = "drop",
        six: bool = False,
        alone: bool = False,
        online: bool = True,
    ) -> tuple[Host, Host]:
        """Return a computer at home, and the router before it.

        Args:
            number: The network's.
            nat: How the router writes addresses anew.
            unasked: What it does with what nobody inside has asked for.
            six: There is IPv6, too, behind a firewall.
            alone: There is no IPv4.
            online: The router is connected with the internet; else a line waits for it.
        """  # fmt: skip
        box, inside = self.host(f"r{number}"), self.host(f"h{number}")
        if online:
            self.online(box, number)
        box.routes()
        self.cable(box, "lan", inside, "eth0")
        if not alone:
            box.address(f"192.168.{number}.1/24", "lan")
            inside.address(f"192.168.{number}.2/24", "eth0")
            inside.ip("route", "add", "default", "via", f"192.168.{number}.1")
        if six or alone:
            box.address(f"2a00:a:{number}::1/64", "lan", "nodad")
            inside.address(f"2a00:a:{number}::2/64", "eth0", "nodad")
            inside.ip("-6", "route", "add", "default", "via", f"2a00:a:{number}::1")
            way = ("via", f"2a00:9:{number}::2")
            self.internet.ip("-6", "route", "add", f"2a00:a:{number}::/64", *way)
        box.rules(router(nat, unasked))
        return inside, box

    def line(
        self, hosts: Sequence[Host], words: Sequence[object], log: Path
    ) -> subprocess.Popen[bytes]:
        """Join computers by a line that turns bad when it is told; see `line`.

        Args:
            hosts: They; the first becomes 8.9.1.2, the next 8.9.2.2, and so on.
            words: What becomes of packets.
            log: For what the line prints.
        """
        ends = [f"{host.name}=8.9.{n}.2" for n, host in enumerate(hosts, 1)]
        program = [sys.executable, "-m", "tests.network.line", *map(str, words), *ends]
        with log.open("wb") as out:
            process = subprocess.Popen(
                program, stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self._running.append(process)
        while "ready" not in log.read_text():
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        for number, host in enumerate(hosts, 1):
            host.ip("link", "set", "wan", "mtu", "1400")
            host.plug("wan")
            host.address(f"8.9.{number}.2/24", "wan")
            host.ip("route", "add", "default", "dev", "wan")
        return process

    def runs(self, host: Host, words: Sequence[str], log: Path) -> None:
        """Run a program there until the laboratory is closed."""
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*host.prefix, *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out
            )
        self._running.append(process)

    def moves(self, number: int) -> None:
        """Give a network other addresses, as providers do at night."""
        for host in self._hosts:
            changes = [
                ("wan", f"8.9.{number}.2/24", f"8.9.{number}.77/24"),
                ("eth0", f"2a00:a:{number}::2/64", f"2a00:a:{number}::77/64"),
            ]
            if host.name.endswith(f"h{number}"):  # else ways lead by it to a home
                six = f"2a00:9:{number}::"
                changes.append(("wan", f"{six}2/64", f"{six}77/64"))
            for device, old, new in changes:
                if old.partition("/")[0] in host.addresses:
                    host.addresses.remove(old.partition("/")[0])
                    host.ip("address", "del", old, "dev", device)
                    host.address(new, device, *(["nodad"] if ":" in new else []))
            if f"8.9.{number}.77" in host.addresses:
                host.ip("route", "replace", "default", "via", f"8.9.{number}.1")
        # Else a router would still be sent what is for its old address.
        self.internet.ip("neighbor", "flush", "dev", f"n{number}")

    @contextmanager
    def visit(self) -> Generator[None]:
        """Let what is built in this context be gone afterwards."""
        hosts, running = len(self._hosts), len(self._running)
        try:
            yield
        finally:
            self._clear(hosts, running)

    def close(self) -> None:
        """Take everything down."""
        self._clear(0, 0)

    def _clear(self, hosts: int, running: int) -> None:
        """Take down all but so many of the first."""
        for process in self._running[running:]:
            process.terminate()
            process.wait()
        for host in self._hosts[hosts:]:
            subprocess.run(["ip", "netns", "delete", host.name], check=False)
        del self._hosts[hosts:], self._running[running:]


@contextmanager
def laboratory() -> Generator[Laboratory]:
    """Give a laboratory with an internet, for as long as the context lasts."""
    lab = Laboratory()
    try:
        yield lab
    finally:
        lab.close()


@contextmanager
def lab(*programs: str) -> Generator[Laboratory]:
    """Give one to a test, which is skipped where there can be none."""
    if why := missing(*programs):
        pytest.skip(why)
    with laboratory() as found:
        yield found


def router(nat: str, unasked: str) -> str:
    """Return a home router's rules; miniupnpd may write into those that it needs."""
    return f"""
        table inet filter {{
            chain forward {{
                type filter hook forward priority 0; policy accept;
                ct state established,related accept
                iifname "lan" accept
                jump miniupnpd
                {unasked}
            }}
            chain input {{
                type filter hook input priority 0; policy accept;
                ct state established,related accept
                iifname "wan" meta l4proto tcp {unasked}
                iifname "wan" meta l4proto udp drop
            }}
            chain miniupnpd {{ }}
            chain prerouting {{
                type nat hook prerouting priority -100; jump prerouting_miniupnpd
            }}
            chain prerouting_miniupnpd {{ }}
            chain postrouting {{
                type nat hook postrouting priority 100;
                meta nfproto ipv4 oifname "wan" {nat}
                jump postrouting_miniupnpd
            }}
            chain postrouting_miniupnpd {{ }}
        }}
    """


class Dweller(Resident):
    """A node at a computer of the laboratory."""

    def __init__(
        self,
        folder: Path,
        number: int,
        host: Host,
        *options: str,
        port: int = 4770,
        player: Player | None = None,
    ) -> None:
        super().__init__(folder, number, listen="", port=port, player=player)
        self.host: Final = host
        self.prefix = host.prefix
        self.options = options

    @property
    def address(self) -> str:
        return f"{self.host.addresses[0]}:{self.port}"
