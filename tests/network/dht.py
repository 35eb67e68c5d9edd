"""A private DHT: so many nodes of libtorrent in one process, each at an address.

`python -m tests.network.dht [NAMESPACE=]ADDRESS[,ADDRESS]...`; by the first the others
enter.  A node has an IPv4 address, or one of IPv6, or both.
"""

import ctypes
import importlib
import importlib.util
import sys
import time
from pathlib import Path
from typing import Any

libtorrent: Any = (
    importlib.import_module("libtorrent")
    if importlib.util.find_spec("libtorrent")
    else None
)

PORT = 6881
CLONE_NEWNET = 0x40000000


def node(address: str, entry: str) -> Any:
    """Return a session that is a node of the DHT and nothing else."""
    private = address.startswith(("127.", "[::1]"))
    off = ("enable_lsd", "enable_upnp", "enable_natpmp")
    return libtorrent.session(
        {
            "listen_interfaces": address,
            "dht_bootstrap_nodes": entry,
            "enable_dht": True,
            "dht_restrict_routing_ips": not private,
            "dht_restrict_search_ips": not private,
            "dht_prefer_verified_node_ids": not private,
            "dht_ignore_dark_internet": not private,
            **dict.fromkeys(off, False),
        }
    )


def enter(namespace: str) -> None:
    """Let what this thread begins from now on be in a network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/run/netns", namespace).open("rb") as found:
        if libc.setns(found.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), namespace)


def ends(place: str) -> list[tuple[str, int]]:
    """Return the addresses of a node, apart from its namespace."""
    found = [each.rpartition(":") for each in place.rpartition("=")[2].split(",")]
    return [(host.strip("[]"), int(port)) for host, _, port in found]


def main(places: list[str]) -> None:
    """Be nodes until the program is ended."""
    entry, nodes = "", []
    for place in places:
        namespace, _, address = place.rpartition("=")
        if namespace:
            enter(namespace)
        nodes.append(node(address, entry))
        entry = entry or address
    known = [end for place in places for end in ends(place)]
    print(f"{len(nodes)} ready", flush=True)
    while True:
        for each in nodes:  # nobody else tells them of each other
            for end in known:
                each.add_dht_node(end)
        time.sleep(2)


if __name__ == "__main__":
    main(sys.argv[1:])
