"""A frame byte by byte: which bytes are which field, and what they say."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from netplay.errors import by_number
from netplay.messages.log import Entries, Entry, LogBody, Submit, Turn
from netplay.record.log import read_body, read_entry
from netplay.wire import LENGTH_BYTES, PeerMessage, pack, unpack
from rules import networdz
from rules.editions import Edition

WIDE: Final = 24
"""Bytes in a line."""


SHORT_ARRAY: Final = 9
"""How the first byte of an array of up to 15 begins."""


class Part(NamedTuple):
    """Some bytes of a frame."""

    depth: int
    data: bytes
    text: str
    elided: bool = False
    """They are not written out."""


SIGNED: Final[Mapping[tuple[str, str], str]] = {
    ("Accept", "signature"): 'Bob\'s, over tag("terms") || match',
    ("Genesis", "signatures"): "over tag(\"terms\") || match: Ann's, Bob's",
    ("Chat", "signature"): 'over tag("chat") || table || u64(number) || text',
    ("Ack", "signature"): 'over tag("ack") || match || u64(term) || ... || state',
    ("Submit", "signature"): 'over tag("author") || match || u64(own) || body',
    ("Entry", "author_signature"): 'over tag("author") || match || u64(own) || body',
    ("Entry", "host_signature"): 'Ann\'s, over tag("entry") || match || pack(the 8)',
}
"""What a signature is over."""

_INSIDE: Final[Mapping[tuple[str, str], Any]] = {
    ("Terms", "options"): networdz.Options,
    ("Submit", "body"): LogBody,
    ("Entry", "body"): LogBody,
    ("Turn", "move"): networdz.Move,
    ("Entries", "entries"): Entry,
    ("Piece", "data"): Edition,
}
"""Bytes that are an encoding themselves: of what."""


class Dissector:
    """Takes frames to pieces; what was met before inside others is left out."""

    def __init__(self, known: Mapping[bytes, str]) -> None:
        """Begin.

        Args:
            known: What to call certain bytes.
        """
        self._known: Final = known
        self._met: Final[set[str]] = set()

    def is_new(self, message: PeerMessage) -> bool:
        """Tell whether a message is of a kind, or has a body, not met before."""
        return bool(self.news(message))

    def news(self, message: PeerMessage) -> list[str]:
        """Return the kinds of message and body that were not met before."""
        name = type(message).__name__
        kinds = [kind_of(body) for body in bodies(message)]
        if name not in self._met:
            return [name]
        return [kind for kind in dict.fromkeys(kinds) if kind not in self._met]

    def parts(self, data: bytes, message: PeerMessage) -> Iterator[Part]:
        """Yield all of a frame, in order."""
        name, length = type(message).__name__, len(data) - LENGTH_BYTES
        yield Part(0, data[:LENGTH_BYTES], f"length: {length} bytes follow")
        yield Part(0, data[LENGTH_BYTES : LENGTH_BYTES + 1], f"type: {name}")
        yield from self._struct(message, "", 0)
        self._met.add(name)

    def _struct(self, value: msgspec.Struct, name: str, depth: int) -> Iterator[Part]:
        """Yield a struct: the head of an array, the tag if it has one, the fields."""
        kind, config = type(value).__name__, value.__struct_config__
        if kind == "Terms" and kind in self._met:
            yield Part(depth, pack(value), f"{name}: as in the Proposal", elided=True)
            return
        tagged = config.tag is not None
        fields = value.__struct_fields__
        head, many = _head(value), len(fields) + tagged
        title = f"{name}: {kind}, an" if name else "an"
        yield Part(depth, head, f"{title} array of {many}")
        if tagged:
            yield Part(depth + 1, pack(config.tag), f"tag: {kind}")
        for field in fields:
            yield from self._value(getattr(value, field), (kind, field), depth + 1)
        self._met.update({kind_of(value), kind} if kind_of(value) else {kind})

    def _value(
        self,
        value: Any,  # noqa: ANN401 (any field's)
        place: tuple[str, str],
        depth: int,
        name: str = "",
    ) -> Iterator[Part]:
        """Yield a field, or an element of one."""
        name = name or place[1]
        if isinstance(value, msgspec.Struct):
            yield from self._struct(value, name, depth)
        elif isinstance(value, tuple):
            head, many = _head(value), len(value)
            more = f" ({SIGNED[place]})" if place in SIGNED and many else ""
            yield Part(depth, head, f"{name}: array of {many}{more}")
            for number, each in enumerate(value):
                yield from self._value(each, place, depth + 1, f"{name}[{number}]")
        elif place in _INSIDE:
            yield from self._inside(value, place, depth, name)
        else:
            yield Part(depth, pack(value), f"{name}: {self._said(value, place)}")

    def _inside(
        self, data: bytes, place: tuple[str, str], depth: int, name: str
    ) -> Iterator[Part]:
        """Yield bytes that are an encoding themselves."""
        value, whole = unpack(data, _INSIDE[place]), pack(data)
        if isinstance(value, Entry) and kind_of(body_of(value)) in self._met:
            yield Part(depth, whole, f"{name}: {entry_in_words(value)}", elided=True)
            return
        head = whole[: len(whole) - len(data)]
        yield Part(depth, head, f"{name}: {len(data)} bytes")
        yield from self._struct(value, "", depth + 1)

    def _said(
        self,
        value: Any,  # noqa: ANN401 (any field's)
        place: tuple[str, str],
    ) -> str:
        """Return what a value says."""
        if place in SIGNED:
            return SIGNED[place]
        match value:
            case bytes():
                return self._known.get(value, f"{len(value)} bytes" if value else "-")
            case bool():
                return str(value).lower()
            case int() if place[1] == "code" and value:
                code = by_number(value)
                assert code is not None
                return f"{value}, {code.name}"
            case str():
                short = value if len(value) <= WIDE else f"{value[:12]}..."
                return f'"{short}"'
            case _:
                return str(value)


def _head(value: msgspec.Struct | tuple[Any, ...]) -> bytes:
    """Return the first bytes of an array, before what is in it."""
    data = pack(value)
    return data[: 1 if data[0] >> 4 == SHORT_ARRAY else 3]


def lines(parts: Iterator[Part]) -> Iterator[str]:
    """Yield the lines that show parts: bytes to the left, words to the right."""
    for part in parts:
        digits = [
            part.data[at : at + WIDE].hex() for at in range(0, len(part.data), WIDE)
        ]
        if part.elided:
            digits = [f"[{len(part.data)} bytes]"]
        for number, each in enumerate(digits):
            text = "  " * part.depth + part.text if not number else ""
            yield f"{each:<{2 * WIDE}}  {text}".rstrip()


def body_of(entry: Entry) -> LogBody:
    """Return what an entry says."""
    return read_body(entry.body)


def kind_of(body: object) -> str:
    """Return a name for what a body is like, empty for what is no body."""
    if not isinstance(body, msgspec.Struct) or not isinstance(
        body.__struct_config__.tag, int
    ):
        return ""
    name = type(body).__name__
    return f"{name} with proofs" if isinstance(body, Turn) and body.proofs else name


def bodies(message: PeerMessage) -> list[LogBody]:
    """Return the bodies that a message carries."""
    match message:
        case Submit():
            return [read_body(message.body)]
        case Entries():
            return [body_of(read_entry(raw)) for raw in message.entries]
        case _:
            return []


def entry_in_words(entry: Entry) -> str:
    """Return what an entry is."""
    return f"entry {entry.number}, {type(body_of(entry)).__name__}"
