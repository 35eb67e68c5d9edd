"""Where a call comes from, for who is called: STUN (RFC 8489), as bytes only.

A node that has called somebody asks over a connection of its own from the port where
it listens, and is told from which address and port that came: behind a router nobody
else knows.  Every node answers it at its port, and so do public servers.  The answer
goes to who asked, on the connection that it has made: nobody else is sent anything.
Over UDP, where a question may name another as its sender, nobody is sent more than was
asked with: what is shorter than its answer gets none, and ours are filled up.

Of the protocol there is the Binding request without attributes of its own, and the
success response with XOR-MAPPED-ADDRESS; what else an answer has is passed over.
"""

import struct
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from netplay.errors import Code, LocalError, PeerError
from netplay.peering.address import Address

HEAD_BYTES: Final = 20
TRANSACTION_BYTES: Final = 12
MOST_BYTES: Final = 512
"""Of a message: an answer has 32 or 44, and what some servers add."""

_COOKIE: Final = 0x2112A442
_BINDING: Final = 0x0001
_SUCCESS: Final = 0x0101
_XOR_MAPPED: Final = 0x0020
_SOFTWARE: Final = 0x8022
"""An attribute that all pass over who do not know it: ours has spaces in it."""

ANSWER_BYTES: Final = 44
"""The longest of ours: with an IPv6 address."""

_FAMILIES: Final = {1: 4, 2: 16}
"""How many bytes an address has."""


def request(transaction: bytes) -> bytes:
    """Return the question.

    Args:
        transaction: 12 random bytes, that come back.
    """
    return struct.pack("!HHI", _BINDING, 0, _COOKIE) + transaction


def filled(transaction: bytes) -> bytes:
    """Return the question as it is asked over UDP: as long as any answer."""
    filling = b" " * (ANSWER_BYTES - HEAD_BYTES - 4)
    more = struct.pack("!HH", _SOFTWARE, len(filling)) + filling
    return struct.pack("!HHI", _BINDING, len(more), _COOKIE) + transaction + more


def is_message(datagram: bytes) -> bool:
    """Return whether a datagram is of STUN, and not of QUIC."""
    with suppress(PeerError):
        return datagram[:1] < b"\x04" and wanted(datagram) == len(datagram)
    return False


def wanted(said: bytes) -> int:
    """Return how many bytes a message has, as far as is known.

    Raises:
        PeerError: BAD_CERTIFICATE, this is no STUN, or longer than it may be.
    """
    if len(said) < HEAD_BYTES:
        return HEAD_BYTES
    _kind, length, cookie = struct.unpack("!HHI", said[:8])
    if cookie != _COOKIE or length % 4 or HEAD_BYTES + length > MOST_BYTES:
        raise PeerError(Code.BAD_CERTIFICATE, "no TLS and no STUN")
    return HEAD_BYTES + int(length)


def answer(asked: bytes, host: str, port: int) -> bytes:
    """Return what to say to who has asked.

    Args:
        asked: The whole question.
        host: Where it came from: a number, its interface is left out.
        port: The same.

    Raises:
        PeerError: BAD_CERTIFICATE, it was no Binding request.
    """
    if struct.unpack("!H", asked[:2])[0] != _BINDING:
        raise PeerError(Code.BAD_CERTIFICATE, "no TLS and no question")
    transaction = asked[8:HEAD_BYTES]
    number = ip_address(host.partition("%")[0])
    if isinstance(number, IPv6Address) and number.ipv4_mapped:
        number = number.ipv4_mapped
    family = 1 if number.version == 4 else 2
    said = _masked(number.packed, transaction)
    value = struct.pack("!BBH", 0, family, port ^ (_COOKIE >> 16)) + said
    body = struct.pack("!HH", _XOR_MAPPED, len(value)) + value
    return struct.pack("!HHI", _SUCCESS, len(body), _COOKIE) + transaction + body


def address_in(said: bytes, transaction: bytes) -> Address:
    """Return where a call comes from, as an answer has it.

    Args:
        said: The whole answer.
        transaction: That of the question.

    Raises:
        LocalError: NO_ANSWER, it is no answer to that.
    """
    length = max(0, len(said) - HEAD_BYTES)
    head = struct.pack("!HHI", _SUCCESS, length & 0xFFFF, _COOKIE) + transaction
    at = HEAD_BYTES
    while said[:HEAD_BYTES] == head and at + 4 <= len(said):
        kind, length = struct.unpack("!HH", said[at : at + 4])
        value = said[at + 4 : at + 4 + length]
        size = _FAMILIES.get(value[1], 0) if len(value) > 1 else 0
        if kind == _XOR_MAPPED and size and len(value) == 4 + size:
            port = int.from_bytes(value[2:4], "big") ^ (_COOKIE >> 16)
            plain = _masked(value[4:], transaction)
            number = IPv4Address(plain) if size == 4 else IPv6Address(plain)
            if port:
                return Address(str(number), port)
        at += 4 + length + -length % 4
    raise LocalError(Code.NO_ANSWER)


def _masked(address: bytes, transaction: bytes) -> bytes:
    """Return an address as it travels, and back: some routers rewrite plain ones."""
    mask = _COOKIE.to_bytes(4, "big") + transaction
    return bytes(a ^ b for a, b in zip(address, mask, strict=False))
