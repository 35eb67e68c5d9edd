"""The vectors of protocol.md as they are written, and its few formulas."""

import hashlib
import json
from typing import Any

from tools.protocol import vectors


def load(name: str) -> Any:
    return json.loads((vectors.FOLDER / f"{name}.json").read_text("utf-8"))


def joined(parts: list[Any]) -> bytes:
    """Return the bytes that parts stand for."""
    return b"".join(
        bytes.fromhex(p)
        if isinstance(p, str)
        else bytes.fromhex(p["byte"]) * p["times"]
        for p in parts
    )


def tag(name: str) -> bytes:
    return b"netplay/1 " + name.encode("ascii") + b"\0"


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()
