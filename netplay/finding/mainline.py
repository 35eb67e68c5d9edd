"""The mainline DHT, by libtorrent: its DHT alone, which shares no files.

libtorrent is an extra (`netplay[dht]`); a node without it is a good node.  Its session
asks and leaves, and answers nobody: it is read-only (BEP 43), so that it carries no
load of others and can be made to send nothing to a third.  Everything else that it
knows - peers, local discovery, mappings at routers - is off; it has a TCP port all the
same, and hangs up on everybody there.
"""

import hashlib
import importlib
import importlib.util
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import Any, Final

import trio

from netplay.errors import Code, LocalError
from netplay.peering.address import Address
from netplay.record.log import SecretKey

JOIN_SECONDS: Final = 15.0
"""For one of the entry nodes to answer."""

ASK_SECONDS: Final = 10.0
"""For an answer; who has nothing does not always say so."""

MORE_SECONDS: Final = 1.5
"""For others to answer, too, who may have a newer item than the first."""

ITEMS: Final = 8
"""Of one look at most."""


def installed() -> bool:
    """Return whether libtorrent is."""
    return importlib.util.find_spec("libtorrent") is not None


class Waiting:
    """A question that is under way."""

    def __init__(self) -> None:
        self.items: Final[list[bytes]] = []
        self.kept = 0
        self.scope: Final = trio.CancelScope()

    def first(self) -> None:
        """Wait for others not much longer."""
        soon = trio.current_time() + MORE_SECONDS
        self.scope.deadline = min(self.scope.deadline, soon)


class Mainline:
    """See `appointments.Dht`."""

    def __init__(self, held: list[Any], bell: trio.socket.SocketType) -> None:
        """Prepare.

        Args:
            held: The one reference to libtorrent's session.
            bell: Rings when it has something to say.
        """
        self._held: Final = held
        self._bell: Final = bell
        self._waiting: Final[dict[tuple[str, bytes, bytes], list[Waiting]]] = {}
        self._joined: Final = trio.Event()
        self._outside = ""
        self.nodes = 0
        """How many nodes of the DHT are known, by IPv4 or by IPv6: it says both."""

    async def run(self) -> None:
        """Take what the library says, until cancelled."""
        while True:
            for alert in self._held[0].pop_alerts():
                self._take(alert)
            await self._bell.recv(4096)

    async def join(self) -> bool:
        """Wait until the DHT is there; return whether anybody has let us in."""
        with trio.move_on_after(JOIN_SECONDS):
            await self._joined.wait()
            while not self.nodes:
                self._held[0].post_dht_stats()
                await trio.sleep(0.5)
        return self.nodes > 0

    def outside(self) -> str:
        """See `appointments.Dht`."""
        return self._outside

    async def put(self, seed: bytes, salt: bytes, item: bytes) -> bool:
        """See `appointments.Dht`."""
        key = SecretKey(seed).key
        waiting = await self._ask(
            ("put", key, salt),
            lambda: self._held[0].dht_put_mutable_item(expanded(seed), key, item, salt),
        )
        return waiting.kept > 0

    async def get(self, key: bytes, salt: bytes) -> Sequence[bytes]:
        """See `appointments.Dht`."""
        waiting = await self._ask(
            ("get", key, salt), lambda: self._held[0].dht_get_mutable_item(key, salt)
        )
        return waiting.items

    async def _ask(self, what: tuple[str, bytes, bytes], ask: Any) -> Waiting:  # noqa: ANN401 (a call of libtorrent's)
        waiting = Waiting()
        self._waiting.setdefault(what, []).append(waiting)
        waiting.scope.deadline = trio.current_time() + ASK_SECONDS
        try:
            with waiting.scope:
                ask()
                await trio.sleep_forever()
        finally:
            self._waiting[what].remove(waiting)
            if not self._waiting[what]:
                del self._waiting[what]
        return waiting

    def _take(self, alert: Any) -> None:  # noqa: ANN401 (libtorrent's)
        match alert.what():
            case "dht_bootstrap":
                self._joined.set()
            case "dht_stats":
                known = sum(each["num_nodes"] for each in alert.routing_table)
                self.nodes = max(self.nodes, known)
            case "external_ip":
                host = str(alert.external_address)
                if ":" not in host:  # that of IPv6 the computer knows itself
                    self._outside = host
            case "dht_put":
                key, salt = bytes(alert.public_key), bytes(alert.salt)
                for one in self._waiting.get(("put", key, salt), ()):
                    one.kept += alert.num_success
                    if one.kept:  # else by IPv4 or IPv6 it may be kept yet
                        one.scope.cancel()
            case "dht_mutable_item":
                self._take_item(alert)
            case _:
                pass

    def _take_item(self, alert: Any) -> None:  # noqa: ANN401 (libtorrent's)
        key, salt = bytes(alert.key), bytes(alert.salt)
        for one in self._waiting.get(("get", key, salt), ()):
            item = alert.item
            if isinstance(item, bytes) and item and item not in one.items:
                one.items[:] = [item, *one.items][:ITEMS]
            if alert.authoritative and one.items:
                one.scope.cancel()
            elif alert.authoritative or one.items:  # by IPv4 or IPv6 there may be more
                one.first()


@asynccontextmanager
async def mainline(entries: Sequence[Address]) -> AsyncIterator[Mainline]:
    """Be in the DHT for as long as the context lasts.

    Args:
        entries: The nodes by which to enter; no others are asked for that.  Are they of
            a network at home, so is the whole DHT, and its nodes may be neighbours.

    Raises:
        LocalError: NO_ANSWER, none of them has let us in.
    """
    library: Any = importlib.import_module("libtorrent")
    kinds = library.alert.category_t
    mask = kinds.dht_notification | kinds.status_notification
    held = [library.session({**settings(entries), "alert_mask": mask}, flags=0)]
    ours, theirs = socket.socketpair()
    try:
        for end in (ours, theirs):
            end.setblocking(False)
        held[0].set_alert_fd(theirs.fileno())
        found = Mainline(held, trio.socket.from_stdlib_socket(ours))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.run)
            joined = await found.join()
            if joined:
                yield found
            nursery.cancel_scope.cancel()
        if not joined:
            raise LocalError(Code.NO_ANSWER)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(held.clear)  # it waits for its own threads
        ours.close()
        theirs.close()


def settings(entries: Sequence[Address]) -> dict[str, object]:
    """Return what libtorrent is to do, and what not."""
    public = not all(_is(entry, "is_private") for entry in entries)
    alone = all(_is(entry, "is_loopback") for entry in entries)
    return {
        "dht_bootstrap_nodes": ",".join(each.text() for each in entries),
        "listen_interfaces": "127.0.0.1:0,[::1]:0" if alone else "0.0.0.0:0,[::]:0",
        "enable_dht": True,
        "dht_read_only": True,
        "dht_restrict_routing_ips": public,
        "dht_restrict_search_ips": public,
        "dht_ignore_dark_internet": public,
        "dht_prefer_verified_node_ids": public,
        "user_agent": "",
        **dict.fromkeys(
            (
                "enable_lsd", "enable_upnp", "enable_natpmp", "enable_incoming_tcp",
                "enable_incoming_utp", "enable_outgoing_tcp", "enable_outgoing_utp",
            ),
            False,
        ),
    }  # fmt: skip


def _is(entry: Address, kind: str) -> bool:
    """Return whether a node's number is of a kind, as `ipaddress` calls it."""
    with suppress(ValueError):
        return bool(getattr(ip_address(entry.host.partition("%")[0]), kind))
    return False


def expanded(seed: bytes) -> bytes:
    """Return an Ed25519 key as libtorrent wants it: 64 bytes, as they sign."""
    both = bytearray(hashlib.sha512(seed).digest())
    both[0] &= 0xF8
    both[31] = (both[31] & 0x3F) | 0x40
    return bytes(both)
