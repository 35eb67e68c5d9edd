"""The keys that this node's player never wants to hear from again.

They are told nothing: a connection of theirs is closed as soon as the handshake has
shown the key, before a word is said.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from netplay.errors import Code, LocalError
from netplay.home import write_whole
from netplay.limits import BLOCKED
from netplay.messages.types import KEY_BYTES
from netplay.named_files import OWN_BYTES, read_named
from netplay.sanitize import NAME_CHARACTERS, clean
from netplay.sentences import Says


class Blocked:
    """The file of blocked keys."""

    def __init__(self, path: Path | None) -> None:
        """Read the file; without one nobody is blocked.

        Args:
            path: Where it lies; None to keep nothing.

        Raises:
            LocalError: DISK, it is damaged: nobody is to be let in again unnoticed.
        """
        self._path: Final = path
        self._names: dict[bytes, str] = {}
        if path is not None:
            self._names = _read(path)

    def __contains__(self, key: object) -> bool:
        """Tell whether a key is blocked."""
        return key in self._names

    def all(self) -> Mapping[bytes, str]:
        """Return the keys, the latest last, with what their players were called."""
        return self._names

    def add(self, key: bytes, name: str) -> None:
        """Block a key.

        Raises:
            LocalError: USAGE, too many are blocked; or DISK.
        """
        if key not in self._names and len(self._names) >= BLOCKED:
            detail = Says.BLOCKED_FULL(count=BLOCKED)
            raise LocalError(Code.USAGE, detail)
        self._write({**self._names, key: name})

    def remove(self, key: bytes) -> None:
        """Block a key no longer.

        Raises:
            LocalError: DISK.
        """
        self._write({k: name for k, name in self._names.items() if k != key})

    def _write(self, names: dict[bytes, str]) -> None:
        """Replace the file, and only then what is known here."""
        if self._path is not None:
            blocked = {key.hex(): name for key, name in names.items()}
            whole = {"blocked": blocked, "check": _check(blocked)}
            text = json.dumps(whole, indent=1)
            write_whole(self._path, text.encode())
        self._names = names


def _read(path: Path) -> dict[bytes, str]:
    """Return what a file says.

    Raises:
        LocalError: DISK, it cannot be read, or is damaged.
    """
    try:
        found: Any = json.loads(read_named(path, OWN_BYTES, Code.DISK))
        blocked: dict[str, str] = found.get("blocked", {})
        names = {_key(text): _name(name) for text, name in blocked.items()}
        damaged = found.get("check") != _check(blocked)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    except (AttributeError, ValueError, RecursionError):
        damaged, names = True, {}
    if damaged:
        detail = Says.BLOCKED_DAMAGED(path=path)
        raise LocalError(Code.DISK, detail)
    return names


def _name(found: object) -> str:
    """Return a name as windows may be told of it, whatever a file says."""
    return clean(str(found), NAME_CHARACTERS)


def _check(blocked: Mapping[str, Any]) -> int:
    """Return the checksum of what the file says: one digit more is another key."""
    return crc32(json.dumps(blocked, sort_keys=True).encode())


def _key(text: str) -> bytes:
    """Return a key written in hexadecimal digits.

    Raises:
        ValueError: It is none.
    """
    key = bytes.fromhex(text)
    if len(key) != KEY_BYTES:
        raise ValueError(text)
    return key
