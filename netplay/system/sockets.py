"""What a socket may do on each system."""

import socket
import struct
import sys
from contextlib import suppress
from typing import Any, Final

_RTO_MAX: Final = 44
"""TCP_RTO_MAX_MS, of Linux from 6.15; Python does not name it."""

_MAC_LOCAL: Final = 0, 1
"""macOS's SOL_LOCAL and LOCAL_PEERCRED."""

_NEWS: Final = 1 | 0x10 | 0x40 | 0x100 | 0x400
"""Linux's RTMGRP_ of links, and of addresses and routes of IPv4 and IPv6."""

RESERVED_PORTS: Final = range(0 if sys.platform == "win32" else 1024)
"""Where only administrators may listen, unless the system was told otherwise."""


def has_unix(platform: str = sys.platform) -> bool:
    """Tell whether the door can be a Unix socket: Python has none on Windows."""
    return platform != "win32"


def peer_user(sock: Any, platform: str = sys.platform) -> int | None:  # noqa: ANN401 (trio's or Python's)
    """Return the number of the user at the other end of a Unix socket.

    Returns:
        None where the system does not tell.
    """
    if platform == "linux":
        found: bytes = sock.getsockopt(
            socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
        )
        uid: int = struct.unpack("3i", found)[1]
        return uid
    if platform == "darwin":  # a version, the user, and groups
        found = sock.getsockopt(*_MAC_LOCAL, struct.calcsize("2Ih2x16I"))
        version_and_user: tuple[int, int] = struct.unpack_from("2I", found)
        return version_and_user[1]
    return None


def listens_again(sock: Any, platform: str = sys.platform) -> None:  # noqa: ANN401 (as above)
    """Let a listener have a port that its forerunner has just left.

    On Windows the same word would let two programs share a port; the port is free there
    without it.
    """
    if platform != "win32":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def hears_beside_others(sock: Any, platform: str = sys.platform) -> None:  # noqa: ANN401 (as above)
    """Let several nodes of one computer hear what is said to all at one port."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if platform not in {"linux", "win32"}:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def shares_port(platform: str = sys.platform) -> bool:
    """Tell whether a call can go out from the port of a listener."""
    return hasattr(socket, "SO_REUSEPORT") and platform != "win32"


def resends_soon(sock: Any, milliseconds: int, platform: str = sys.platform) -> None:  # noqa: ANN401 (as above)
    """Bound the time after which what is lost is sent again, where that can be."""
    if platform == "linux":
        with suppress(OSError):  # an older one
            sock.setsockopt(socket.IPPROTO_TCP, _RTO_MAX, milliseconds)


def address_news(platform: str = sys.platform) -> socket.socket | None:
    """Return a socket with something to read once addresses or routes have changed.

    Returns:
        None where the system tells of none, or does not let us hear it.
    """
    if platform != "linux":
        return None
    with suppress(OSError):  # a sandbox may let nobody hear it
        sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK)
        try:
            sock.bind((0, _NEWS))
        except OSError:
            sock.close()
            raise
        return sock
    return None
