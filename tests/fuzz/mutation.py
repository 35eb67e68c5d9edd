"""Change valid messages so that they are almost valid.

A message is a tree of lists with numbers, text and bytes as leaves; bytes may hold
another tree.  A mutation changes one or a few places of the tree, or of the bytes it
becomes, or writes it in a longer way than it must be.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]  # it ships no types

NUMBERS: Final = (
    *(0, 1, 2, 3, 4, 5, 127, 128, 255, 256, 1000, 65535, 65536, 2**31, 2**32),
    *(2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -1, -2, -(2**63)),
)

STRANGE: Final[tuple[Any, ...]] = (
    *(None, True, False, 0.0, 1.5, float("nan"), b"", "", b"\0" * 32, b"\xff" * 64),
    *([], [[]], {}, {"a": 1}, {1: [2]}, "person", "x" * 300, "\0\x1b[2J", "\u202eab"),
    *("e\u0301" * 20, "\ufeff", "../../etc/passwd", "{0.__class__}%s", b"\x90"),
    *(msgpack.ExtType(5, b"x"), msgpack.Timestamp(1, 2)),
)

LETTERS: Final = "aZ09 -/\\.%{}\0\n\x1b\u200b\u202e\u0300é漢😀"

DEPTH: Final = 12


def pack(tree: Any) -> bytes:
    """Return the bytes of a tree."""
    data = msgpack.packb(tree, use_bin_type=True)
    assert isinstance(data, bytes)
    return data


def unpack(data: bytes) -> Any:
    """Return the tree in bytes that are known to be good."""
    return msgpack.unpackb(data, raw=False, strict_map_key=False)


class Mutator:
    """A source of changes."""

    def __init__(self, rng: Random) -> None:
        self.rng: Final = rng

    def often(self, part: float) -> bool:
        return self.rng.random() < part

    def frame(self, kind: int, tree: Any, kinds: Sequence[int]) -> bytes:
        """Return a frame with something wrong in it, most of the time in the tree."""
        rng = self.rng
        how = rng.random()
        if how < 0.04:
            return rng.randbytes(rng.choice((1, 4, 5, 9, 40, 700)))
        if how < 0.08:
            kind = rng.choice((*kinds, 0, 6, 7, 99, 100, 101, 255))
        payload = self.payload(tree)
        length = len(payload) + 1
        if how > 0.97:
            length = rng.choice((0, 1, length - 1, length + 1, 1024, 65537, 2**32 - 1))
        return length.to_bytes(4, "big") + bytes((kind,)) + payload

    def payload(self, tree: Any) -> bytes:
        """Return the bytes of a tree that has been changed, or changed bytes of it."""
        how = self.rng.random()
        if how < 0.12:
            return self.flipped(pack(tree))
        if how < 0.16:
            return self.longer(tree)
        for _ in range(self.rng.choice((1, 1, 1, 2, 5))):
            tree = self.tree(tree)
        data = pack(tree)
        return self.flipped(data) if how > 0.97 else data

    def tree(self, tree: Any, depth: int = 0) -> Any:
        """Return a tree with one change somewhere."""
        rng = self.rng
        if isinstance(tree, list) and tree and depth < DEPTH and self.often(0.85):
            at = rng.randrange(len(tree))
            return [*tree[:at], self.tree(tree[at], depth + 1), *tree[at + 1 :]]
        if isinstance(tree, bytes) and tree and depth < DEPTH and self.often(0.6):
            inner = self._inside(tree)
            if inner is not None:
                return pack(self.tree(inner, depth + 1))
        if self.often(0.08):
            return rng.choice(STRANGE)
        return self._leaf(tree)

    def _inside(self, data: bytes) -> Any:
        """Return the tree that bytes hold, None if they hold none."""
        try:
            found = unpack(data)
        except Exception:  # noqa: BLE001 (these bytes are just bytes)
            return None
        return found if isinstance(found, list) else None

    def _leaf(self, value: Any) -> Any:
        """Return something near a value."""
        change: Callable[[Any], Any]
        if isinstance(value, bool) or value is None:
            return self.rng.choice((True, False, None, 0, 1))
        if isinstance(value, int):
            return self._number(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bytes):
            change = self.flipped
        elif isinstance(value, list):
            change = self._list
        else:
            return self.rng.choice(STRANGE)
        return change(value)

    def _number(self, value: int) -> int:
        near = (value + 1, value - 1, value * 2, -value, value ^ 1 << 40)
        found = self.rng.choice((*near, self.rng.choice(NUMBERS)))
        return max(-(2**63), min(found, 2**64 - 1))

    def _text(self, value: str) -> str:
        at = self.rng.randint(0, len(value))
        more = self.rng.choice(LETTERS) * self.rng.choice((1, 1, 3, 40, 600))
        return self.rng.choice((value[:at], value[:at] + more + value[at:], value * 2))

    def _list(self, value: list[Any]) -> list[Any]:
        at = self.rng.randint(0, len(value))
        some = self.rng.choice(value) if value else self.rng.choice(STRANGE)
        return self.rng.choice(
            (
                value[:at],
                value[at:],
                [*value[:at], some, *value[at:]],
                value[::-1],
                value * self.rng.choice((2, 3, 20)) if len(value) < 40 else [],
                [value],
            )
        )

    def flipped(self, data: bytes) -> bytes:
        """Return bytes with a flipped bit, a cut, or something put in."""
        rng = self.rng
        if not data:
            return rng.randbytes(rng.randint(1, 8))
        at = rng.randrange(len(data))
        match rng.randrange(6):
            case 0 | 1:
                other = data[at] ^ 1 << rng.randrange(8)
                return data[:at] + bytes((other,)) + data[at + 1 :]
            case 2:
                return data[:at]
            case 3:
                return data[:at] + rng.randbytes(rng.randint(1, 5)) + data[at:]
            case 4:
                return data[:at] + data[at + rng.randint(1, 9) :]
            case _:
                return data[:at] + bytes((rng.randrange(256),)) + data[at + 1 :]

    def longer(self, tree: Any) -> bytes:
        """Return a tree in more bytes than MessagePack needs, or in its head."""
        if isinstance(tree, list) and len(tree) < 2**16:
            head = b"\xdc" + len(tree).to_bytes(2, "big")
            return head + b"".join(self.longer(item) for item in tree)
        if isinstance(tree, int) and 0 <= tree < 2**32 and self.often(0.5):
            return b"\xce" + tree.to_bytes(4, "big")
        if isinstance(tree, bytes) and len(tree) < 2**16:
            return b"\xc5" + len(tree).to_bytes(2, "big") + tree
        return pack(tree)
