"""Floods: a member of a match says one thing, well formed, as often as it can."""

import types
import typing
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from netplay.wire import PeerMessage


def small(
    kind: Any, given: dict[str, Any], at: str = "", meta: Meta | None = None
) -> Any:
    """Return a small value of a kind.

    Args:
        kind: A message, or what a field has.
        given: What fields of some names have.
        at: The name of the field.
        meta: Its bounds.
    """
    meta = meta or Meta()
    origin, parts = get_origin(kind), get_args(kind)
    if at in given:
        return given[at]
    if origin is Annotated:
        return small(parts[0], given, at, parts[1])
    if origin in (Union, types.UnionType):
        return small(parts[0], given, at, meta)
    if origin is Literal:
        return parts[0]
    if origin is tuple:
        if parts[-1] is not Ellipsis:
            return tuple(small(part, given) for part in parts)
        return (small(parts[0], given),) * max(1, meta.min_length or 0)
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = typing.get_type_hints(kind, include_extras=True)
        names = [field.name for field in msgspec.structs.fields(kind)]
        return kind(**{name: small(hints[name], given, name) for name in names})
    if kind is int:
        return max(1, int(meta.ge or 0))
    if kind is bytes:
        return bytes(meta.min_length or 0)
    made: dict[Any, Any] = {bool: True, str: "x", type(None): None}
    return made[kind]


def message(kind: type[PeerMessage], given: dict[str, Any]) -> PeerMessage:
    """Return a small message of a kind."""
    found: PeerMessage = small(kind, given)
    return found
