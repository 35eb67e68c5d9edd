"""The nodes this one has met: names, addresses, and which key answered where.

The first key that answers at an address is trusted and remembered.  Another key at that
address later stops loudly: it may be somebody in between.  Only what this node itself
dialled is remembered so; what a peer says of itself never is.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from netplay.errors import Code, PeerError
from netplay.home import read_json, write_whole
from netplay.limits import PEERS_REMEMBERED
from netplay.peering.fingerprint import fingerprint

ADDRESSES_A_PEER: Final = 4
"""The last few: where it was called, and where it may be listening."""


class Peer(Struct):
    """What is known of a node."""

    name: str
    addresses: tuple[str, ...] = ()
    """The latest first."""
    friend: bool = False
    """The player has said yes to a table with it."""


class KnownPeers:
    """The file of known peers."""

    def __init__(self, path: Path) -> None:
        """Read the file; a missing or damaged one knows nobody."""
        self._path = path
        self._peers: dict[bytes, Peer] = {}
        self._answered: dict[str, bytes] = {}
        self._read(read_json(path))

    def name(self, key: bytes) -> str:
        """Return what a node's player was last called, empty if it was never met."""
        peer = self._peers.get(key)
        return peer.name if peer else ""

    def addresses(self, key: bytes) -> tuple[str, ...]:
        """Return where to try a node, the best place first."""
        peer = self._peers.get(key)
        return peer.addresses if peer else ()

    def knows(self, key: bytes) -> bool:
        """Return whether a node was ever met."""
        return key in self._peers

    def is_friend(self, key: bytes) -> bool:
        """Return whether the player has called a node, or agreed to play with it."""
        peer = self._peers.get(key)
        agreed = peer is not None and peer.friend
        return agreed or key in self._answered.values()

    def befriend(self, key: bytes, name: str) -> None:
        """Remember that the player agreed to play with a node.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.setdefault(key, Peer(name))
        if not peer.friend:
            peer.friend = True
            self._write()

    def all(self) -> Iterator[tuple[bytes, Peer, tuple[str, ...]]]:
        """Yield the nodes, the latest met last, with where each is trusted."""
        for key, peer in self._peers.items():
            trusted = (at for at, other in self._answered.items() if other == key)
            yield key, peer, tuple(trusted)

    def check(self, address: str, key: bytes) -> None:
        """Compare the key that answers at an address with the one that did before.

        Raises:
            PeerError: WRONG_KEY, it is another.
        """
        before = self._answered.get(address, key)
        if before != key:
            who = self.name(before) or "unnamed"
            detail = (
                f"{address} was {who}, {fingerprint(before)}, "
                f"and is {fingerprint(key)} now; "
                "ask them, and if it is theirs forget the old key"
            )
            raise PeerError(Code.WRONG_KEY, detail)

    def met(self, key: bytes, name: str, address: str, *, dialled: bool) -> None:
        """Remember a node after its Welcome.

        Args:
            key: Its key.
            name: Its player's name, sanitised.
            address: Where it was dialled or seems to listen; may be empty.
            dialled: We dialled it there: from now on only that key will do.
        """
        old = self._peers.get(key, Peer(name))
        addresses = _latest(address, old.addresses)
        known = not dialled or self._answered.get(address) == key
        peer = Peer(name, addresses, old.friend)
        if known and self._peers.get(key) == peer:
            return
        self._peers.pop(key, None)  # the latest met stand last
        self._peers[key] = peer
        if dialled:
            self._answered[address] = key
        self._make_room()
        self._write()

    def _make_room(self) -> None:
        """Forget strangers who came long ago: a crowd must not fill the disk."""
        trusted = set(self._answered.values())
        strangers = [
            key
            for key, peer in self._peers.items()
            if key not in trusted and not peer.friend
        ]
        for key in strangers[: max(0, len(strangers) - PEERS_REMEMBERED)]:
            del self._peers[key]

    def forget(self, address: str) -> bool:
        """Trust whoever answers at an address next; return whether it was known."""
        known = self._answered.pop(address, None) is not None
        if known:
            self._write()
        return known

    def forget_key(self, key: bytes) -> bool:
        """Forget a node with its addresses; return whether it was known."""
        if self._peers.pop(key, None) is None:
            return False
        for address in [at for at, other in self._answered.items() if other == key]:
            del self._answered[address]
        self._write()
        return True

    def _read(self, found: Any) -> None:  # noqa: ANN401 (JSON)
        """Take what the file says, as far as it makes sense."""
        try:
            for text, peer in found.get("peers", {}).items():
                addresses = tuple(map(str, peer["addresses"]))
                friend = peer.get("friend") is True
                found_peer = Peer(str(peer["name"]), addresses, friend)
                self._peers[bytes.fromhex(text)] = found_peer
            for address, text in found.get("answered", {}).items():
                self._answered[str(address)] = bytes.fromhex(text)
        except (AttributeError, KeyError, TypeError, ValueError):
            return

    def _write(self) -> None:
        """Replace the file."""
        peers = {
            key.hex(): {
                "name": peer.name,
                "addresses": peer.addresses,
                "friend": peer.friend,
            }
            for key, peer in self._peers.items()
        }
        answered = {address: key.hex() for address, key in self._answered.items()}
        text = json.dumps({"peers": peers, "answered": answered}, indent=1)
        write_whole(self._path, text.encode())


def _latest(address: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Return addresses with one of them, or a new one, in front."""
    if not address:
        return addresses
    rest = tuple(a for a in addresses if a != address)
    return (address, *rest)[:ADDRESSES_A_PEER]
