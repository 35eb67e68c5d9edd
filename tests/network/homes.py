"""Nineteen kinds of homes for the laboratory, and what is true of each.

    python -m tests.network.homes [--servers] [--both | --dht]
                                  [--sample | KIND | KIND/KIND ...]

plays the whole of it, on wish: two strangers of each pair of kinds (of one kind that is
named, each pair it is in) and one pasted line, or both lines pasted by both, or one
line where both use a DHT, which is a private one of thirty nodes.  A row is printed for
each pair: how long it took until they were linked, and whether that is what `can_meet`
says of them; at the end a matrix, and how many differ.  With `--servers` both have
asked two servers of the laboratory where they are.

The port that counts is the one where a node listens: whoever is to be called there must
know what becomes of it outside.  Linux writes ports anew for each connection, and keeps
them where it can; a router that maps steadily is made of a rule for that one port.
"""

import argparse
import ctypes
import importlib.util
import math
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Final, NamedTuple

import trio

from netplay.demo.show import living
from netplay.errors import NetplayError
from netplay.messages.door import Call, Join
from netplay.messages.node_questions import GetInvitation, NameServers, Switch
from tests.network.dht import PORT as DHT_PORT
from tests.network.laboratory import (
    Dweller,
    Host,
    Laboratory,
    laboratory,
    missing,
    router,
)
from tests.system.namespaces import NEW_NETWORK
from tests.system.nodes import host

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


# The whole, on wish.

STUN_PORT: Final = 3478

PAIR_SECONDS: Final = 30.0
"""Longer than two wait for each other's calls when both were told to."""

DHT_SECONDS: Final = 75.0
"""The same where both wait for each other in the DHT."""

DHT_NODES: Final = 30
DHT_FIRST: Final = 40
"""The network of the first of them."""

SAMPLE: Final = (
    "public/web-only", "public/six-only", "public/random",
    "keeps-drops/keeps-drops", "keeps-drops/keeps-refuses",
    "keeps-refuses/keeps-refuses", "keeps-drops/keeps-mangles",
    "keeps-mangles/keeps-narrow", "keeps-narrow/keeps-narrow",
    "keeps-drops/steady-full", "keeps-drops/steady-restricted",
    "keeps-drops/steady-ports", "keeps-refuses/steady-carrier",
    "steady-ports/steady-ports", "steady-restricted/steady-carrier",
    "steady-full/random", "steady-restricted/random", "steady-ports/random",
    "steady-restricted/hotel", "random/random", "six-firewall/six-firewall",
    "six-firewall/six-only", "six-only/six-only", "keeps-drops/six-only",
    "keeps-drops/six-firewall", "six-firewall/steady-restricted",
    "upnp/random", "nat-pmp/keeps-drops", "pcp/hotel", "upnp/upnp",
    "vpn/keeps-drops", "vpn/steady-ports", "vpn/random", "web-only/web-only",
)  # fmt: skip
"""A pair of each class."""


def can_meet(host: Truth, guest: Truth, *, both: bool) -> bool:
    """Return whether two strangers can be linked without anybody between them.

    Args:
        host: Of the home whose line is pasted.
        guest: Of the other.
        both: The other's line is pasted, too.
    """
    if host.web or guest.web:
        return False  # nobody here listens at a port of the web
    turns = [(guest, host), (host, guest)] if both else [(guest, host)]
    return any(
        _reaches(*one, family=family, both=both)
        for one, family in product(turns, ("four", "six"))
    )


def _reaches(caller: Truth, called: Truth, *, family: str, both: bool) -> bool:
    """Return whether a call gets through, by one family."""
    if family == "six":
        there, admits, ports = bool(caller.six and called.six), called.six, ("own",) * 2
    else:
        there, admits = caller.four and called.four, called.admits
        ports = caller.ports, called.ports
    if not there or ports[1] == "random":
        return False
    asked = called.asks and family == "four"
    if asked or admits == "anybody" or (both and admits == "called"):
        return True
    return both and ports[0] != "random"


async def answer_where(one: Host, at: int = STUN_PORT) -> None:
    """Be a server that tells callers where they come from, for ever."""
    listener = socket_at(one)
    listener.bind(("", at))
    listener.listen()

    async def tell(stream: trio.SocketStream) -> None:
        async with stream:
            asked = await stream.receive_some(20)
            name = stream.socket.getpeername()
            number = socket.inet_aton(name[0])
            masked = bytes(a ^ b for a, b in zip(number, asked[4:8], strict=True))
            port = name[1] ^ int.from_bytes(asked[4:6], "big")
            said = b"\0\1" + port.to_bytes(2, "big") + masked
            head = b"\1\1\0\x0c" + asked[4:20]
            await stream.send_all(head + b"\0\x20\0\x08" + said)

    found = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    await trio.serve_listeners(tell, [found])


LEARN_SECONDS: Final = 6.0
"""For asking two servers, or the router."""


async def meet(
    lab: Laboratory,
    kinds: Sequence[str],
    folder: Path,
    *,
    both: bool,
    servers: bool = False,
    dht: bool = False,
) -> float:
    """Return how many seconds two strangers took to be linked, infinity if they do not.

    Args:
        lab: A laboratory of its own.
        kinds: Of the two homes; the first hosts, and its line is pasted.
        folder: For the nodes' homes.
        both: The other's line is pasted, too.
        servers: Both have asked servers where they are.
        dht: Both have said yes to the DHT.
    """
    entry = private_dht(lab, folder) if dht else ""
    nodes = [
        Dweller(folder, n, KINDS[kind].build(lab, n + 1, folder), "--map-port")
        for n, kind in enumerate(kinds)
    ]
    ann, bob = nodes
    for one in nodes if dht else ():
        one.home.set("dht-nodes", entry)
        one.home.set("dht", "on")
    async with trio.open_nursery() as nursery, living(ann, bob):
        if servers:
            await _ask_servers(lab, nodes, nursery)
        await host(ann, 1, 8)
        if any(KINDS[kind].truth.asks for kind in kinds):
            await trio.sleep(3)
        lines = [str((await one.player.ask(GetInvitation())).text) for one in nodes]
        print(*lines, sep="\n", file=sys.stderr)
        began, took = trio.current_time(), math.inf
        with trio.move_on_after(DHT_SECONDS if dht else PAIR_SECONDS):
            if both:
                await ann.player.ask(Call(lines[1], 1))
            try:
                await bob.player.ask(Join(lines[0], 1))
                await bob.until_peer(lambda peer: peer.connected)
                took = trio.current_time() - began
            except NetplayError as error:
                print(error, file=sys.stderr)
        nursery.cancel_scope.cancel()
    return took


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


async def _ask_servers(
    lab: Laboratory, nodes: Sequence[Dweller], nursery: trio.Nursery
) -> None:
    """Put two servers at the internet, and let nodes ask them."""
    where: list[str] = []
    for number in (11, 12):
        server = lab.host(f"s{number}")
        lab.online(server, number)
        nursery.start_soon(answer_where, server)
        where.append(f"8.9.{number}.2:{STUN_PORT}")
    for one in nodes:
        await one.player.ask(NameServers(" ".join(where)))
        await one.player.ask(Switch("ask-servers", on=True))
    for one in nodes:
        with trio.move_on_after(LEARN_SECONDS):
            await one.until(lambda s: s.network.ports != "unknown")


def _pairs(words: Sequence[str], *, sample: bool) -> list[tuple[str, str]]:
    """Return the pairs that are meant; all without a word.

    Raises:
        KeyError: There is no such kind.
    """
    found: list[tuple[str, str]] = []
    for word in [*words, *(SAMPLE if sample else ())]:
        one, _, two = word.partition("/")
        assert KINDS[one]
        assert KINDS[two or one]
        found += [(one, two)] if two else [
            pair for pair in combinations_with_replacement(KINDS, 2) if one in pair
        ]  # fmt: skip
    if not words and not sample:
        found = list(combinations_with_replacement(KINDS, 2))
    return list(dict.fromkeys(found))


def main(words: Sequence[str]) -> int:
    """Print the table of pairs."""
    parser = argparse.ArgumentParser(prog="tests.network.homes")
    parser.add_argument("--both", action="store_true", help="both paste both lines")
    parser.add_argument("--dht", action="store_true", help="both use a DHT")
    parser.add_argument("--servers", action="store_true", help="both ask servers")
    parser.add_argument("--sample", action="store_true", help="a pair of each class")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    asked = parser.parse_args(words)
    if asked.dht and importlib.util.find_spec("libtorrent") is None:
        print("needs libtorrent (pip install 'netplay[dht]')")
        return 2
    if why := missing("miniupnpd"):
        print(why)
        return 2
    done: dict[tuple[str, str], float] = {}
    wrong = 0
    for pair in _pairs(asked.kinds, sample=asked.sample):
        with tempfile.TemporaryDirectory() as folder, laboratory() as lab:
            took = trio.run(_meet, lab, pair, Path(folder), asked)
        truths = [KINDS[kind].truth for kind in pair]
        found = asked.dht and all(each.udp for each in truths)
        should = can_meet(*truths, both=asked.both or found)
        done[pair] = took
        wrong += should != (took < math.inf)
        said = f"{took:.1f} s" if took < math.inf else "no"
        note = "" if should == (took < math.inf) else f"  (should: {should})"
        print(f"{pair[0]:>18} {pair[1]:<18} {said}{note}", flush=True)
    print(_matrix(done))
    print(f"{len(done)} pairs, {wrong} other than they should")
    return int(wrong > 0)


def _matrix(done: dict[tuple[str, str], float]) -> str:
    """Return a table of seconds, hosts in rows."""
    kinds = [kind for kind in KINDS if any(kind in pair for pair in done)]
    letters = [f"{n:>6}" for n in range(1, len(kinds) + 1)]
    lines = ["".join(["", " " * 23, *letters])]
    for n, one in enumerate(kinds, 1):
        cells = [done.get((one, two)) for two in kinds]
        row = "".join(
            " " * 6 if cell is None else f"{cell:6.1f}" if cell < math.inf else "     -"
            for cell in cells
        )
        lines.append(f"{n:>3} {one:<18} {row}")
    return "\n".join(lines)


async def _meet(
    lab: Laboratory, pair: Sequence[str], folder: Path, asked: argparse.Namespace
) -> float:
    how = {"both": asked.both, "servers": asked.servers, "dht": asked.dht}
    return await meet(lab, pair, folder, **how)


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C")
    raise SystemExit(main(sys.argv[1:]))
