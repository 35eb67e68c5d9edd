"""Values and what has changed in them in a line, for texts that somebody reads."""

from collections.abc import Container, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

LONGEST: Final = 200
"""Characters of a value that is told."""


SHORT: Final = 12
"""Bytes that are told; more are a key or a digest, which nobody reads."""


def short(value: Any) -> str:
    """Return a value in one line, without what is as it always is."""
    line = _spelled(value).replace(str(Path.home()), "~")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}..."


def changes(before: Any, after: Any, quiet: Container[str] = ()) -> list[str]:
    """Return which fields of a struct are others now, and what they are.

    Args:
        before: What they were.
        after: What they are.
        quiet: Names of fields that are not told of.
    """
    return _changes("", before, after, quiet)


def _changes(where: str, before: Any, after: Any, quiet: Container[str]) -> list[str]:
    found: list[str] = []
    for name in before.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old is new or old == new or name in quiet:
            continue
        found += _change(f"{where}{name}", old, new)
    return found


def _change(where: str, old: Any, new: Any) -> list[str]:
    if isinstance(old, Struct) and type(old) is type(new):
        return _changes(f"{where}.", old, new, ())
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        parts = [
            _change(f"{where}[{n}]", *pair) for n, pair in pairs if pair[0] != pair[1]
        ]
        if len(parts) < len(old) or isinstance(old[0], Struct):
            return [line for part in parts for line in part]
    return [f"{where}={short(new)}"]


def _spelled(value: Any) -> str:
    if isinstance(value, Struct):
        return f"{type(value).__name__}({', '.join(_fields(value))})"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k}: {_spelled(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(_spelled, value)) + ")"
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(_spelled, value))) + "}"
    if isinstance(value, bytes) and len(value) > SHORT:
        return f"{len(value)} bytes"
    return repr(value)


def _fields(value: Struct) -> list[str]:
    usual = {each.name: each.default for each in msgspec.structs.fields(value)}
    return [
        f"{name}={_spelled(own)}"
        for name in value.__struct_fields__
        if (own := getattr(value, name)) != usual[name]
    ]
