"""Where the door of a home is, for whoever comes to it: windows, commands, the demo."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from netplay.errors import LocalError
from netplay.home import SOCKET, TOKEN
from netplay.named_files import read_named

if TYPE_CHECKING:
    import trio

LOOPBACK: Final = "127.0.0.1"

TOKEN_BYTES: Final = 1024
"""Of the file that says where a door is: it has a hundred."""


class DoorPlace(NamedTuple):
    """How to come to a door."""

    socket: str
    """Path of the Unix socket,"""
    port: int
    """or a port on the loopback; 0 for none."""
    token: bytes
    """To be shown there."""


class _File(msgspec.Struct, frozen=True):
    """What the file says."""

    port: int
    token: str
    """In hexadecimal digits."""


def file_text(port: int, token: bytes) -> bytes:
    """Return what the file of a door says."""
    return msgspec.json.encode(_File(port, token.hex()))


def door_place(home: Path) -> DoorPlace:
    """Return where the door of a home is, whether a node runs there or not.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is damaged.
    """
    path = home / TOKEN
    if sys.platform != "win32" and not path.exists():
        return DoorPlace(str(home / SOCKET), 0, b"")
    try:
        found = msgspec.json.decode(read_named(path, TOKEN_BYTES), type=_File)
    except (RecursionError, LocalError) as error:
        raise ValueError(TOKEN) from error
    return DoorPlace("", found.port, bytes.fromhex(found.token))


async def open_door(home: Path) -> "tuple[trio.abc.Stream, bytes]":
    """Return a stream to the node of a home, and the token to show there.

    Raises:
        OSError: No node runs there (yet).
        ValueError: The file that says where is damaged.
    """
    import trio  # noqa: PLC0415 (commands that talk without it start faster)

    place = door_place(home)
    if place.port:
        return await trio.open_tcp_stream(LOOPBACK, place.port), place.token
    return await trio.open_unix_socket(place.socket), place.token
