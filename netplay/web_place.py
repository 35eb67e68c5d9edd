"""Where the pages of a home are served, for whoever makes links to them."""

import socket
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec
from msgspec import Struct

from netplay.errors import LocalError
from netplay.home import write_whole
from netplay.named_files import OWN_BYTES, read_named

FILE: Final = "web.json"
"""Within the home, while pages are served."""

PORTS: Final = "web_ports.json"
"""Within the home: a page that comes back asks at the port where it was."""

LOOPBACK: Final = "127.0.0.1"
TRY_SECONDS: Final = 2.0

GUEST_MARK: Final = "g."
"""Begins what guests show, so that it is not taken for an owner's token."""


class Served(Struct, frozen=True):
    """Where pages are."""

    port: int
    hosts: tuple[str, ...]
    """By which other computers reach this one, the best first; none: only from here."""
    own_port: int = 0
    """Where the owner's own devices come over TLS; 0 for nowhere."""
    own_hosts: tuple[str, ...] = ()
    fingerprint: str = ""
    """Of the certificate there."""

    def own_link(self, code: str) -> str:
        """Return the link by which a device of the owner's is paired."""
        host = next((one for one in self.own_hosts if one[0] != "*"), LOOPBACK)
        return f"https://{host}:{self.own_port}/#{code}"

    def link_here(self, code: str) -> str:
        """Return the same for a browser on this computer."""
        return f"http://{LOOPBACK}:{self.port}/#{code}"

    def link(self, token: str) -> str:
        """Return a link that opens something; what does stands behind the #."""
        host = self.hosts[0] if self.hosts else LOOPBACK
        return f"http://{host}:{self.port}/#{token}"

    def seat_link(self, opens: bytes) -> str:
        """Return a link that opens a seat which is lent."""
        return self.link(GUEST_MARK + opens.hex())


class Place:
    """Tells where pages are served as long as they are; a context manager."""

    def __init__(self, home: Path, place: Served) -> None:
        """Prepare to tell it in a home."""
        self._path: Final = home / FILE
        self.served = place

    def __enter__(self) -> Self:
        """Tell; where the disk refuses, links cannot be made."""
        self.moved_to(self.served)
        return self

    def is_told(self) -> bool:
        """Tell whether it is: another server of this home's may have taken it away."""
        return self._path.exists()

    def moved_to(self, place: Served) -> None:
        """Tell it anew: this computer may have another address now."""
        self.served = place
        with suppress(LocalError):
            write_whole(self._path, msgspec.json.encode(place))
            ports, known = (place.port, place.own_port), ports_before(self._path.parent)
            kept = tuple(new or old for new, old in zip(ports, known, strict=True))
            if kept != known:
                write_whole(self._path.with_name(PORTS), msgspec.json.encode(kept))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Tell no longer."""
        with suppress(OSError):
            self._path.unlink()


def ports_before(home: Path) -> tuple[int, int]:
    """Return where pages were served last, and to own devices; 0 for nowhere."""
    try:
        data = read_named(home / PORTS, OWN_BYTES)
        found = msgspec.json.decode(data, type=tuple[int, int])
    except (OSError, LocalError, ValueError, RecursionError):
        return 0, 0
    return (found[0] & 0xFFFF, found[1] & 0xFFFF)


def served(home: Path) -> Served | None:
    """Return where pages of a home are served just now, None for nowhere."""
    try:
        found = msgspec.json.decode(read_named(home / FILE, OWN_BYTES), type=Served)
        with socket.create_connection((LOOPBACK, found.port), TRY_SECONDS):
            return found
    except (OSError, LocalError, ValueError, RecursionError, OverflowError):
        return None
