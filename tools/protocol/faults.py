"""Payloads that must be refused, each with the code that protocol.md says.

The codes follow from the kind of fault alone; nothing here asks the real decoder.
"""

import struct
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from netplay.errors import Code

BAD, LONG = Code.BAD_FRAME, Code.NOT_CANONICAL
EXTENSION = b"\xd4\x05\x00"
TIMESTAMP = b"\xd6\xff\x00\x00\x00\x00"


class Fault(NamedTuple):
    """A payload and why it is refused."""

    name: str
    payload: bytes
    code: Code


def faults(value: Any) -> Iterator[Fault]:  # noqa: ANN401 (any struct)
    """Yield faulty variations of a struct's one encoding.

    Args:
        value: A message, body or struct that is good; tagged ones have the tag first.
    """
    raw: list[Any] = msgspec.to_builtins(value, builtin_types=(bytes,))
    kinds = [field.type for field in _fields(type(value))]
    kinds = [inspect.LiteralType((raw[0],))] * (len(raw) - len(kinds)) + kinds
    parts = [msgspec.msgpack.encode(each) for each in raw]
    yield from _whole(parts)
    for at, (kind, each) in enumerate(zip(kinds, raw, strict=True)):
        name = f"field {at}"
        for what, part, code in _field(kind, each, parts[at]):
            payload = _array([*parts[:at], part, *parts[at + 1 :]])
            yield Fault(f"{name}: {what}", payload, code)


def _fields(kind: type[Any]) -> Sequence[inspect.Field]:
    """Return the fields of a struct type with their types and limits."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return info.fields


def _array(parts: Sequence[bytes]) -> bytes:
    """Return an array of things encoded already."""
    return bytes((0x90 | len(parts),)) + b"".join(parts)


def _whole(parts: Sequence[bytes]) -> Iterator[Fault]:
    """Yield faults of the payload as a whole."""
    good = _array(parts)
    yield Fault("nothing", b"", BAD)
    yield Fault("cut short by a byte", good[:-1], BAD)
    yield Fault("a byte behind it", good + b"\x00", BAD)
    yield Fault("twice", good + good, BAD)
    yield Fault("nil", b"\xc0", BAD)
    yield Fault("an empty map", b"\x80", BAD)
    yield Fault("in a binary", msgspec.msgpack.encode(good), BAD)
    yield Fault("in another array", b"\x91" + good, BAD)
    yield Fault("the last field missing", _array(parts[:-1]), BAD)
    yield Fault("a field too many", _array([*parts, b"\xc0"]), BAD)
    size = len(parts).to_bytes(2, "big")
    yield Fault("array with a longer header", b"\xdc" + size + good[1:], LONG)
    yield Fault("array with the longest header", b"\xdd\0\0" + size + good[1:], LONG)


def _field(
    kind: inspect.Type,
    value: Any,  # noqa: ANN401 (any field)
    part: bytes,
) -> Iterator[tuple[str, bytes, Code]]:
    """Yield what may stand in place of a field, and why it must not."""
    yield "nil", b"\xc0", BAD
    yield "extension type", EXTENSION, BAD
    yield "timestamp", TIMESTAMP, BAD
    yield "map", b"\x81\x00\x00", BAD
    match kind:
        case inspect.IntType():
            yield from _integer(kind, value)
        case inspect.BytesType():
            yield from _binary(kind, value)
        case inspect.StrType():
            yield from _text(kind, value)
        case inspect.VarTupleType():
            yield from _list(kind, value, part)
        case inspect.UnionType(types=(inspect.IntType() as number, *_)):
            yield from _integer(number, value)
        case inspect.LiteralType() if isinstance(value, str):
            yield "another word", msgspec.msgpack.encode("somebody"), BAD
            yield "an integer", b"\x01", BAD
            longer = b"\xd9" + bytes((len(value),)) + value.encode()
            yield "longer header", longer, LONG
        case inspect.LiteralType():
            yield "another tag", b"\x7f", BAD
            yield "tag with a longer header", b"\xcc" + part, LONG
        case _:
            yield "an integer", b"\x01", BAD


def _integer(kind: inspect.IntType, value: int) -> Iterator[tuple[str, bytes, Code]]:
    """Yield faulty integers."""
    most = kind.le if kind.le is not None else (kind.lt or 0) - 1
    least = kind.ge or 0
    yield "too small", msgspec.msgpack.encode(least - 1), BAD
    yield "too large", msgspec.msgpack.encode(most + 1), BAD
    yield "over 64 bits", b"\xcf" + b"\xff" * 8, BAD
    yield "float", b"\xcb" + struct.pack(">d", value), BAD
    yield "boolean", b"\xc3", BAD
    yield "text", b"\xa11", BAD
    if abs(value) < 2**31:
        yield "longer integer", b"\xd3" + value.to_bytes(8, "big", signed=True), LONG


def _binary(kind: inspect.BytesType, value: bytes) -> Iterator[tuple[str, bytes, Code]]:
    """Yield faulty binaries."""
    yield "text", msgspec.msgpack.encode("A" * len(value)), BAD
    if kind.min_length:
        yield "a byte too short", msgspec.msgpack.encode(value[:-1]), BAD
    if kind.max_length:
        size = kind.max_length + 1
        yield "a byte too long", msgspec.msgpack.encode(bytes(size)), BAD
    short = len(value) < 256
    header = b"\xc5" + len(value).to_bytes(2, "big")
    longer = header if short else b"\xc6" + len(value).to_bytes(4, "big")
    yield "longer header", longer + value, LONG
    yield "length beyond the end", b"\xc6\xff\xff\xff\xff" + value, BAD


def _text(kind: inspect.StrType, value: str) -> Iterator[tuple[str, bytes, Code]]:
    """Yield faulty texts."""
    yield "binary", msgspec.msgpack.encode(value.encode()), BAD
    yield "no UTF-8", b"\xa2\xff\xfe", BAD
    yield "half of a pair in UTF-8", b"\xa3\xed\xa0\x80", BAD
    yield "UTF-8 longer than need be", b"\xa2\xc0\x80", BAD
    if kind.max_length:
        yield "too long", msgspec.msgpack.encode("x" * (kind.max_length + 1)), BAD
    size = len(value.encode()).to_bytes(2, "big")
    yield "longer header", b"\xda" + size + value.encode(), LONG


def _list(
    kind: inspect.VarTupleType, value: list[Any], part: bytes
) -> Iterator[tuple[str, bytes, Code]]:
    """Yield faulty arrays."""
    yield "a binary", msgspec.msgpack.encode(b"".join([b"x"] * len(value))), BAD
    yield "a wrong item", msgspec.msgpack.encode([*value, None]), BAD
    yield "more promised than there is", b"\xdd\xff\xff\xff\xff", BAD
    yield "longer header", b"\xdc" + len(value).to_bytes(2, "big") + part[1:], LONG
    if kind.min_length:
        yield "empty", b"\x90", BAD
    if kind.max_length and value:
        many = [value[0]] * (kind.max_length + 1)
        yield "too many", msgspec.msgpack.encode(many), BAD
