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
        host = self.own_hosts[0] if self.own_hosts else LOOPBACK
        return f"https://{host}:{self.own_port}/#{code}"

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
        self._served: Final = place

    def __enter__(self) -> Self:
        """Tell; where the disk refuses, links cannot be made."""
        with suppress(LocalError):
            write_whole(self._path, msgspec.json.encode(self._served))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Tell no longer."""
        with suppress(OSError):
            self._path.unlink()


def served(home: Path) -> Served | None:
    """Return where pages of a home are served just now, None for nowhere."""
    try:
        found = msgspec.json.decode(read_named(home / FILE, OWN_BYTES), type=Served)
        with socket.create_connection((LOOPBACK, found.port), TRY_SECONDS):
            return found
    except (OSError, LocalError, msgspec.MsgspecError, RecursionError, OverflowError):
        return None
