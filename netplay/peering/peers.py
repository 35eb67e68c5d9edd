"""The nodes this one has met: names, addresses, and which key answered where.

The first key that answers at an address is trusted and remembered.  Another key at that
address later stops loudly: it may be somebody in between.  Only what this node itself
dialled is remembered so; what a peer says of itself never is.

A name belongs to the key that was the first to be known by it: another key that comes
under it, or under one that looks like it, is told of wherever the name is shown.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from msgspec import Struct

from netplay.errors import Code, LocalError, PeerError
from netplay.fingerprint import fingerprint, folded
from netplay.home import DAMAGED, read_json, set_aside, write_whole
from netplay.limits import PEERS_REMEMBERED
from netplay.messages.types import KEY_BYTES, PLACE_CHARACTERS, PLACES
from netplay.named_files import OWN_BYTES, read_named
from netplay.peering.address import parse
from netplay.peering.blocked import Blocked
from netplay.peering.namesakes import alike, looks
from netplay.said import Said, Words
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says

ADDRESSES_A_PEER: Final = 4
"""The last few: where it was called, and where it may be listening."""


PIN: Final = re.compile(r'^\s*"([^"\\]+)": "([0-9a-f]{64})",?$', re.MULTILINE)
"""A line of the file that says which key answered where."""


class Peer(Struct):
    """What is known of a node."""

    name: str
    addresses: tuple[str, ...] = ()
    """The latest first."""
    friend: bool = False
    """The player has said yes to a table with it."""
    told: tuple[str, ...] = ()
    """Where it says that it may be found, the most likely first."""
    named: int = 0
    """The smaller, the longer it has been known by its name."""


class KnownPeers:
    """The file of known peers."""

    def __init__(self, path: Path | None, blocked: Blocked | None = None) -> None:
        """Read the file; a missing or damaged one knows nobody.

        Args:
            path: Where it lies; None to keep nothing.
            blocked: The keys that are never to be heard from; nobody's if None.
        """
        self._path = path
        self.blocked: Final = blocked or Blocked(None)
        self._peers: dict[bytes, Peer] = {}
        self._answered: dict[str, bytes] = {}
        self._owners: dict[str, bytes] = {}
        """Who was the first to be known by a name that looks so."""
        self.damage: Said | None = None
        """What was wrong with the file, in words."""
        if path is not None:
            self._open(path)
        self._find_owners()

    @property
    def lost(self) -> bool:
        """Whether keys that were known may be gone: while a damaged file lies there."""
        path = self._path
        return path is not None and path.with_name(path.name + DAMAGED).exists()

    def _open(self, path: Path) -> None:
        """Read the file; of a damaged one keep what can be read, and set it aside.

        Raises:
            LocalError: DISK, it cannot be set aside.
        """
        found = read_json(path)
        self._read(found)
        if not path.exists() or found.get("check") == _check(found):
            return
        text = ""
        with suppress(OSError, LocalError):  # a folder in its place has no text
            text = read_named(path, OWN_BYTES).decode(errors="replace")
        for address, key in PIN.findall(text):
            self._answered.setdefault(address, bytes.fromhex(key))
        aside = set_aside(path, self._text())
        self.damage = Says.PEERS_DAMAGED(count=len(self._answered), name=aside.name)

    def name(self, key: bytes) -> str:
        """Return what a node's player was last called, empty if it was never met."""
        peer = self._peers.get(key)
        return peer.name if peer else ""

    def names(self) -> dict[bytes, str]:
        """Return what each node that was met was last called."""
        return {key: peer.name for key, peer in self._peers.items()}

    def addresses(self, key: bytes) -> tuple[str, ...]:
        """Return where to try a node, the best place first."""
        peer = self._peers.get(key)
        return peer.addresses if peer else ()

    def told(self, key: bytes) -> tuple[str, ...]:
        """Return where a node has said that it may be found."""
        peer = self._peers.get(key)
        return peer.told if peer else ()

    def tells(self, key: bytes, told: tuple[str, ...]) -> None:
        """Remember where a known node says that it may be found; it pins nothing.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.get(key)
        if peer is not None and peer.told != told:
            peer.told = told
            self._write()

    def knows(self, key: bytes) -> bool:
        """Return whether a node was ever met."""
        return key in self._peers

    def is_friend(self, key: bytes) -> bool:
        """Return whether the player has called a node, or agreed to play with it.

        That this node dialled it is not enough: a host says where its guests are.
        """
        peer = self._peers.get(key)
        return peer is not None and peer.friend

    def friends(self) -> list[bytes]:
        """Return the friends, the latest met last."""
        return [key for key, peer in self._peers.items() if peer.friend]

    def befriend(self, key: bytes, name: str) -> None:
        """Remember that the player agreed to play with a node.

        Raises:
            LocalError: DISK.
        """
        peer = self._peers.setdefault(key, Peer(name, named=self._next()))
        if not peer.friend:
            peer.friend = True
            self._find_owners()
            self._write()

    def _next(self) -> int:
        return 1 + max((peer.named for peer in self._peers.values()), default=-1)

    def all(self) -> Iterator[tuple[bytes, Peer, tuple[str, ...]]]:
        """Yield the nodes, the latest met last, with where each is trusted."""
        for key, peer in self._peers.items():
            trusted = (at for at, other in self._answered.items() if other == key)
            yield key, peer, tuple(trusted)

    def pinned(self, address: str) -> bytes | None:
        """Return the key that is trusted at an address as people write it, if any."""
        try:
            return self._answered.get(parse(address).text())
        except LocalError:
            return None

    def with_fingerprint(self, text: str) -> bytes | None:
        """Return the key of the node with a fingerprint, if it was ever met."""
        wanted = folded(text)
        return next((k for k in self._peers if folded(fingerprint(k)) == wanted), None)

    def doubt(self, key: bytes, name: str, own: str = "") -> Words:
        """Return what is to be said where a name is shown; empty if there is no doubt.

        Args:
            key: Whose name it is.
            name: What its player is called, sanitised.
            own: What this node's own player is called.
        """
        owners = {self._owners.get(look, key) for look in looks(name)} - {key}
        if owners:
            first = max(owners, key=self._standing)
            return Says.ANOTHER_KEY(name=self._peers[first].name)
        return Says.YOUR_NAME() if own and alike(name, own) else ""

    def check(self, address: str, key: bytes) -> None:
        """Compare the key that answers at an address with the one that did before.

        Raises:
            PeerError: WRONG_KEY, it is another.
        """
        before = self._answered.get(address, key)
        if before != key:
            who = self.name(before) or "unnamed"
            detail = Says.KEY_CHANGED(
                address=address,
                who=who,
                before=fingerprint(before),
                key=fingerprint(key),
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
        number = old.named
        if key not in self._peers or looks(name) != looks(old.name):
            number = self._next()
        peer = Peer(name, addresses, old.friend, old.told, number)
        if known and self._peers.get(key) == peer:
            return
        self._peers.pop(key, None)  # the latest met stand last
        self._peers[key] = peer
        if dialled:
            self._answered[address] = key
        self._make_room()
        self._find_owners()
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
            self._find_owners()
            self._write()
        return known

    def forget_key(self, key: bytes) -> bool:
        """Forget a node with its addresses; return whether it was known."""
        if self._peers.pop(key, None) is None:
            return False
        for address in [at for at, other in self._answered.items() if other == key]:
            del self._answered[address]
        self._find_owners()
        self._write()
        return True

    def _find_owners(self) -> None:
        """Note whose each name is: a friend's before all others."""
        found = sorted(self._peers, key=self._standing)
        self._owners = {
            look: key for key in found for look in looks(self._peers[key].name)
        }

    def _standing(self, key: bytes) -> tuple[bool, int]:
        """Return what is the greater, the more of a right a node has to its name."""
        peer = self._peers[key]
        trusted = peer.friend or key in self._answered.values()
        return trusted, -peer.named

    def _read(self, found: Any) -> None:  # noqa: ANN401 (JSON)
        """Take what the file says, as far as it makes sense."""
        try:
            for text, peer in found.get("peers", {}).items():
                name = clean(str(peer["name"]), NAME_CHARACTERS)
                addresses = tuple(_places(peer["addresses"]))[:ADDRESSES_A_PEER]
                friend, named = peer.get("friend") is True, int(peer.get("named", 0))
                told = tuple(_places(peer.get("told", ())))[:PLACES]
                found_peer = Peer(name, addresses, friend, told, named)
                self._peers[_key(text)] = found_peer
            for address in _places(found.get("answered", {})):
                self._answered[address] = _key(found["answered"][address])
        except (AttributeError, KeyError, TypeError, ValueError):
            return

    def _write(self) -> None:
        if self._path is not None:
            write_whole(self._path, self._text())

    def _text(self) -> bytes:
        """Return what the file is to say."""
        peers = {
            key.hex(): {
                "name": peer.name,
                "addresses": peer.addresses,
                "friend": peer.friend,
                "told": peer.told,
                "named": peer.named,
            }
            for key, peer in self._peers.items()
        }
        answered = {address: key.hex() for address, key in self._answered.items()}
        whole: dict[str, object] = {"peers": peers, "answered": answered}
        whole["check"] = _check(whole)
        return json.dumps(whole, indent=1).encode()


def _places(found: Iterable[object]) -> Iterator[str]:
    """Yield what can be a place: windows are told of it, whatever a file says."""
    for place in found:
        if isinstance(place, str) and len(place) <= PLACE_CHARACTERS:
            yield place


def _key(text: str) -> bytes:
    """Return a key.

    Raises:
        ValueError: It is none.
    """
    key = bytes.fromhex(text)
    if len(key) != KEY_BYTES:
        raise ValueError(text)
    return key


def _check(found: Mapping[str, Any]) -> int:
    said = [found.get("peers"), found.get("answered")]
    return crc32(json.dumps(said, sort_keys=True).encode())


def _latest(address: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
    if not address:
        return addresses
    rest = tuple(a for a in addresses if a != address)
    return (address, *rest)[:ADDRESSES_A_PEER]
