"""The largest message of a kind that the limits in its types, and others, allow.

What a type does not bound, somebody must: each such field is named with its bound.
"""

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from netplay.said import Said

WIDE: Final = "\U0001f0a1"
"""A character of four bytes: nothing that is shown has larger ones."""


class UnboundedError(Exception):
    """Nothing bounds a field."""


class Largest:
    """Builds the largest of a kind."""

    def __init__(self, bounds: Mapping[str, int], words: Said) -> None:
        """Prepare.

        Args:
            bounds: `Struct.field` -> characters, bytes or items where no type says so,
                or the largest number;
                `Struct.field.` -> of each item, for one that has items.
            words: The longest sentence that there may be.
        """
        self.bounds: Final = dict(bounds)
        self.used: Final = set[str]()
        """The bounds that were needed."""
        self.missing: Final = set[str]()
        """Fields without a bound."""
        self._words: Final = words

    def of(self, kind: Any, at: str = "", meta: Meta | None = None) -> Any:
        """Return the largest value of a kind."""
        meta = meta or Meta()
        origin, parts = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.of(parts[0], at, parts[1])
        if origin in (Union, types.UnionType):
            if Said in parts and at not in self.bounds:
                return self._words  # what is shown as it is, is no longer
            if Said in parts:
                return WIDE * self._bound(at, meta)
            return max((self.of(part, at, meta) for part in parts), key=_size)
        if origin is Literal:
            return max(parts, key=_size)
        if origin is tuple:
            return self._items(parts, at, meta)
        if kind is Said and at in self.bounds:
            return Said("C" * 40, (("words", WIDE * self._bound(at, meta)),))
        if kind is Said:
            return self._words
        if isinstance(kind, type) and issubclass(kind, Enum):
            return max(kind, key=_size)
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self._struct(kind)
        return self._plain(kind, at, meta)

    def _struct(self, kind: type[Struct]) -> Any:
        hints = typing.get_type_hints(kind, include_extras=True)
        names = [field.name for field in msgspec.structs.fields(kind)]
        return kind(**{n: self.of(hints[n], f"{kind.__name__}.{n}") for n in names})

    def _items(self, parts: tuple[Any, ...], at: str, meta: Meta) -> Any:
        if parts[-1] is not Ellipsis:
            return tuple(self.of(part, f"{at}.{n}") for n, part in enumerate(parts))
        return (self.of(parts[0], f"{at}."),) * self._bound(at, meta)

    def _bound(self, at: str, meta: Meta) -> int:
        if meta.max_length is not None:
            return meta.max_length
        if at not in self.bounds:
            self.missing.add(at)
            return 1
        self.used.add(at)
        return self.bounds[at]

    def _plain(self, kind: Any, at: str, meta: Meta) -> Any:
        if kind is int:
            most = meta.le if meta.lt is None else meta.lt - 1
            if at in self.bounds:
                most = self._bound(at, meta)
            return 2**63 - 1 if most is None else int(most)
        made: dict[Any, Callable[[], Any]] = {
            bool: lambda: True,
            type(None): lambda: None,
            bytes: lambda: bytes(self._bound(at, meta)),
            str: lambda: WIDE * self._bound(at, meta),
        }
        return made[kind]()


def beyond(value: Any, bounds: Mapping[str, int], at: str = "") -> Iterator[str]:
    """Yield what has more items, characters or bytes than its bound."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from beyond(
                getattr(value, name), bounds, f"{type(value).__name__}.{name}"
            )
    elif isinstance(value, tuple | bytes | str):
        if len(value) > bounds.get(at, len(value)):
            yield f"{at}: {len(value)}"
        if isinstance(value, tuple):
            for each in value:
                yield from beyond(each, bounds, f"{at}.")


def _size(value: Any) -> int:
    return len(msgspec.msgpack.encode(value))
