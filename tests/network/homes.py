"""Nineteen kinds of homes for the laboratory, and what is true of each.

The port that counts is the one where a node listens: whoever is to be called there must
know what becomes of it outside.  Linux writes ports anew for each connection, and keeps
them where it can; a router that maps steadily is made of a rule for that one port.
"""

import ctypes
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import trio

from tests.network.dht import PORT as DHT_PORT
from tests.network.laboratory import Host, Laboratory, router
from tests.system.namespaces import NEW_NETWORK

PORT: Final = 4770
STEADY_PORT: Final = 34770
"""What a router that maps steadily makes of it."""

DROPS: Final = "drop"
REFUSES: Final = "reject with tcp reset"
RANDOM: Final = "masquerade fully-random"

ONLY: Final = {
    "UPnP": ("udp dport 5351 drop",),
    "NAT-PMP": ("udp dport 1900 drop", "udp dport 5351 @th,64,8 != 0 drop"),
    "PCP": ("udp dport 1900 drop", "udp dport 5351 @th,64,8 != 2 drop"),
}
"""What a router's daemon must not hear, that it speaks one language only."""


class Truth(NamedTuple):
    """What is so at a home, whatever anybody says."""

    ports: str = "keeps"
    """What becomes of the listening port: keeps, steady, random, or own (no router)."""
    admits: str = "nobody"
    """Who reaches the outside place unasked: nobody, called (whom the node has called
    before, from any port of theirs), anybody."""
    four: bool = True
    """There is IPv4."""
    six: str = ""
    """Who reaches the address by IPv6 unasked, as `admits`; empty where there is none.
    Its ports are kept wherever there is one."""
    asks: bool = False
    """A router can be asked to pass the port on."""
    web: bool = False
    """Only ports 80 and 443 can be called."""
    udp: bool = True
    """The DHT can be asked."""


class Kind(NamedTuple):
    """A kind of home."""

    truth: Truth
    build: Callable[[Laboratory, int, Path], Host]
    """Makes one with a number in the laboratory, with a folder for files of its own;
    returns the computer."""


# Building.


def _public(lab: Laboratory, number: int, _folder: Path) -> Host:
    found = lab.host(f"h{number}")
    lab.online(found, number)
    return found


def _plain(
    nat: str = "masquerade",
    unasked: str = DROPS,
    more: str = "",
    *,
    alone: bool = False,
) -> Callable[[Laboratory, int, Path], Host]:
    """Return what builds a home with an ordinary router.

    Args:
        nat: How it writes addresses anew.
        unasked: What it does with what nobody inside has asked for.
        more: More rules for what it passes on.
        alone: There is no IPv4.
    """

    def build(lab: Laboratory, number: int, _folder: Path) -> Host:
        inside, box = lab.home(number, nat=nat, unasked=unasked, alone=alone)
        if more:
            _passing(box, more)
        return inside

    return build


def _passing(box: Host, rules: str) -> None:
    """Add rules for what a router passes on."""
    box.run("nft", "-f", "-", given=f"""
        table inet more {{ chain forward {{
            type filter hook forward priority -20; policy accept;
            {rules}
        }}
        }}
    """)  # fmt: skip


def _narrow(lab: Laboratory, number: int, _folder: Path) -> Host:
    """Build a home whose line takes 1280 bytes, and nobody is told what is too long."""
    inside, box = lab.home(number)
    box.ip("link", "set", "wan", "mtu", "1280")
    lab.internet.ip("link", "set", f"n{number}", "mtu", "1280")
    for one in (box, lab.internet):
        one.run("nft", "-f", "-", given="""
            table inet silent { chain output {
                type filter hook output priority 0; policy accept;
                icmp type destination-unreachable drop
                icmpv6 type packet-too-big drop
            }
            }
        """)  # fmt: skip
    return inside


def _steady(filters: str) -> Callable[[Laboratory, int, Path], Host]:
    """Return what builds a home whose router maps the port steadily to another one.

    Args:
        filters: Whom it lets in: full (everybody), restricted (whom the computer has
            called), ports (only what answers).
    """

    def build(lab: Laboratory, number: int, _folder: Path) -> Host:
        inside, box = lab.home(number)
        _map_steadily(box, f"192.168.{number}.2", filters)
        return inside

    return build


def _map_steadily(box: Host, inside: str, filters: str) -> None:
    admitted = {"full": "", "restricted": "ip saddr @called", "ports": None}[filters]
    back = (
        f'iifname "wan" {admitted} tcp dport {STEADY_PORT} dnat ip to {inside}:{PORT}'
    )
    box.run("nft", "-f", "-", given=f"""
        table inet steady {{
            set called {{ type ipv4_addr; flags dynamic,timeout; timeout 4m; }}
            chain forward {{
                type filter hook forward priority -20; policy accept;
                oifname "wan" tcp sport {PORT} add @called {{ ip daddr }}
            }}
            chain prerouting {{
                type nat hook prerouting priority -110;
                {back if admitted is not None else ""}
            }}
            chain postrouting {{
                type nat hook postrouting priority 90;
                oifname "wan" ip saddr {inside} tcp sport {PORT} \
                    masquerade to :{STEADY_PORT}
            }}
        }}
    """)  # fmt: skip
    if admitted is not None:  # what was written anew may pass
        box.run("nft", "insert", "rule", "inet", "filter", "forward",
                "ct", "status", "dnat", "accept")  # fmt: skip


def _carried(nat: str, *, steady: bool) -> Callable[[Laboratory, int, Path], Host]:
    """Return what builds a home behind a provider's router that many share."""

    def build(lab: Laboratory, number: int, _folder: Path) -> Host:
        inside, box = lab.home(number, online=False)
        carrier, _ = lab.home(number + 100, nat=nat, online=False)[::-1]
        lab.online(carrier, number)
        lab.cable(carrier, "homes", box, "wan")
        carrier.address(f"100.64.{number}.1/24", "homes")
        box.address(f"100.64.{number}.2/24", "wan")
        box.ip("route", "add", "default", "via", f"100.64.{number}.1")
        carrier.run("nft", "insert", "rule", "inet", "filter", "forward",
                    "iifname", "homes", "accept")  # fmt: skip
        if steady:
            _map_steadily(carrier, f"100.64.{number}.2", "ports")
        return inside

    return build


def _six(lab: Laboratory, number: int, _folder: Path) -> Host:
    """Build a home with a firewall by IPv6, and by IPv4 ports at random."""
    return lab.home(number, nat=RANDOM, six=True)[0]


def _asked(language: str) -> Callable[[Laboratory, int, Path], Host]:
    """Return what builds a home whose router passes a port on when it is asked."""

    def build(lab: Laboratory, number: int, folder: Path) -> Host:
        inside, box = lab.home(number)
        files = folder / f"router{number}"
        files.mkdir()
        serve(lab, box, files, language)
        return inside

    return build


def _vpn(lab: Laboratory, number: int, _folder: Path) -> Host:
    """Build a computer whose calls leave by another network, far away."""
    inside, _box = lab.home(number + 100, online=False)
    far = lab.host(f"v{number}")
    lab.online(far, number)
    far.routes()
    lab.cable(far, "lan", inside, "vpn")
    far.address(f"10.8.{number}.1/24", "lan")
    inside.address(f"10.8.{number}.2/24", "vpn")
    inside.ip("route", "replace", "default", "via", f"10.8.{number}.1")
    far.rules(router("masquerade", DROPS))
    return inside


def serve(lab: Laboratory, box: Host, folder: Path, language: str) -> Path:
    """Let a router speak one language; return the file of its leases."""
    deaf = "\n".join(f'iifname "lan" {rule}' for rule in ONLY[language])
    box.run("nft", "-f", "-", given=f"""
        table inet only {{ chain input {{
            type filter hook input priority -10; policy accept;
            {deaf}
        }}
        }}
    """)  # fmt: skip
    leases, words = folder / "leases", folder / "miniupnpd.conf"
    leases.touch()
    inside = box.addresses[-1]
    words.write_text(
        f"""
ext_ifname=wan
listening_ip=lan
http_port=5000
enable_natpmp=yes
enable_upnp=yes
lease_file={leases}
min_lifetime=120
max_lifetime=86400
secure_mode=yes
uuid=fc4ec57e-b051-11db-88f8-0060085db3f6
allow 1024-65535 {inside}/24 1024-65535
deny 0-65535 0.0.0.0/0 0-65535
upnp_table_name=filter
upnp_nat_table_name=filter
upnp_forward_chain=miniupnpd
upnp_nat_chain=prerouting_miniupnpd
upnp_nat_postrouting_chain=postrouting_miniupnpd
"""
    )
    place = str(folder / "miniupnpd.pid")
    daemon = ["miniupnpd", "-d", "-f", str(words), "-P", place]
    lab.runs(box, daemon, folder / "miniupnpd.log")
    return leases


_MANGLES: Final = """
    tcp flags syn tcp option maxseg size set 536
    reset tcp option sack-perm
    reset tcp option timestamp
"""
_HOTEL: Final = 'oifname "wan" udp dport != 53 drop'
_WEB: Final = 'oifname "wan" tcp dport != { 80, 443 } drop\n' + _HOTEL

KINDS: Final[dict[str, Kind]] = {
    "public": Kind(Truth("own", "anybody", six="anybody"), _public),
    "keeps-drops": Kind(Truth(), _plain()),
    "keeps-refuses": Kind(Truth(), _plain(unasked=REFUSES)),
    "keeps-mangles": Kind(Truth(), _plain(more=_MANGLES)),
    "keeps-narrow": Kind(Truth(), _narrow),
    "steady-full": Kind(Truth("steady", "anybody"), _steady("full")),
    "steady-restricted": Kind(Truth("steady", "called"), _steady("restricted")),
    "steady-ports": Kind(Truth("steady"), _steady("ports")),
    "steady-carrier": Kind(Truth("steady"), _carried("masquerade", steady=True)),
    "random": Kind(Truth("random"), _plain(RANDOM)),
    "random-carrier": Kind(Truth("random"), _carried(RANDOM, steady=False)),
    "hotel": Kind(Truth("random", udp=False), _plain(RANDOM, REFUSES, _HOTEL)),
    "six-firewall": Kind(Truth("random", six="nobody"), _six),
    "six-only": Kind(Truth("own", four=False, six="nobody"), _plain(alone=True)),
    "upnp": Kind(Truth(asks=True), _asked("UPnP")),
    "nat-pmp": Kind(Truth(asks=True), _asked("NAT-PMP")),
    "pcp": Kind(Truth(asks=True), _asked("PCP")),
    "vpn": Kind(Truth(), _vpn),
    "web-only": Kind(Truth("random", web=True), _plain(RANDOM, DROPS, _WEB)),
}


# Sockets of this process at computers of the laboratory.


@contextmanager
def within(one: Host) -> Generator[None]:
    """Have sockets of this thread belong to a computer of the laboratory."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/proc/thread-self/ns/net").open("rb") as before:
        with Path("/var/run/netns", one.name).open("rb") as theirs:
            if libc.setns(theirs.fileno(), NEW_NETWORK):
                raise OSError(ctypes.get_errno(), one.name)
        try:
            yield
        finally:
            libc.setns(before.fileno(), NEW_NETWORK)


def socket_at(one: Host, *, six: bool = False) -> socket.socket:
    """Return a socket that belongs to a computer of the laboratory."""
    with within(one):
        family = socket.AF_INET6 if six else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        found.setsockopt(socket.SOL_SOCKET, option, 1)
    return found


# What is there for all.

STUN_PORT: Final = 3478

DHT_NODES: Final = 30
DHT_FIRST: Final = 40
"""The network of the first of them."""


async def answer_where(one: Host, at: int = STUN_PORT) -> None:
    """Be a server that tells callers where they come from, for ever."""
    listener = socket_at(one)
    listener.bind(("", at))
    listener.listen()
    with within(one):
        ear = trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    await ear.bind(("", at))

    def told(asked: bytes, name: tuple[str, int]) -> bytes:
        number = socket.inet_aton(name[0])
        masked = bytes(a ^ b for a, b in zip(number, asked[4:8], strict=True))
        port = name[1] ^ int.from_bytes(asked[4:6], "big")
        said = b"\0\1" + port.to_bytes(2, "big") + masked
        return b"\1\1\0\x0c" + asked[4:20] + b"\0\x20\0\x08" + said

    async def tell(stream: trio.SocketStream) -> None:
        async with stream:
            with suppress(OSError, trio.BrokenResourceError):  # the caller has gone
                asked = await stream.receive_some(20)
                if len(asked) == 20:
                    await stream.send_all(told(asked, stream.socket.getpeername()))

    async def hear() -> None:
        while True:
            asked, name = await ear.recvfrom(512)
            if len(asked) >= 20 and asked[:2] == b"\0\1":
                await ear.sendto(told(asked, name), name)

    found = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    with ear:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hear)
            await trio.serve_listeners(tell, [found])


def private_dht(lab: Laboratory, folder: Path) -> str:
    """Let a DHT be there, each of its nodes in a network of its own; return its entry.

    It answers after a moment, by IPv4 and by IPv6.
    """
    numbers = range(DHT_FIRST, DHT_FIRST + DHT_NODES)
    boxes = [lab.host(f"d{number}") for number in numbers]
    for box, number in zip(boxes, numbers, strict=True):
        lab.online(box, number)
    where = [
        "{}={}:{port},[{}]:{port}".format(box.name, *box.addresses, port=DHT_PORT)
        for box in boxes
    ]
    words = (sys.executable, "-m", "tests.network.dht", *where)
    lab.runs(boxes[0], words, folder / "dht.log")
    return where[0].rpartition("=")[2].replace(",", " ")
