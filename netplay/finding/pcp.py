"""PCP (RFC 6887), as far as a node needs it: for IPv4 a mapping, for IPv6 a pinhole."""

import struct
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

from typing_extensions import override

from netplay.finding.router import Datagrams, Lease, Router, refusal, senseless, usable
from netplay.limits import LEASE_SECONDS
from netplay.sentences import Says

VERSION: Final = 2
ANNOUNCE: Final = 0
MAP: Final = 1
_TCP: Final = 6
_ANSWER: Final = 128
"""Added to the code of a question in its answer."""

_HEAD: Final = 24
_WHOLE: Final = 60
NONCE_BYTES: Final = 12

_RESULTS: Final = {
    1: Says.ROUTER_VERSION(language="PCP"),
    2: Says.ROUTER_OFF(),
    4: Says.ROUTER_UNABLE(),
    7: Says.ROUTER_OFFLINE(),
    8: Says.ROUTER_FULL(),
    9: Says.ROUTER_UNABLE(),
    12: Says.ROUTER_NOT_NEXT(),
}


class Pcp(Datagrams):
    """See `router.Language`."""

    name = "PCP"

    def __init__(self, router: Router, nonce: bytes) -> None:
        """Speak to a router.

        Args:
            router: It.
            nonce: Names our mappings; who knows it may take them back.
        """
        super().__init__(router)
        self._nonce: Final = nonce

    @override
    async def outside(self) -> str:
        """See `Language`: PCP tells that only of a mapping."""
        head = header(ANNOUNCE, 0, await self._router.own())
        check(await self._said(head), ANNOUNCE)
        return ""

    @override
    async def map(self, port: int, wanted: int, outside: str) -> Lease:
        own = await self._router.own()
        question = mapping(own, self._nonce, port, wanted, LEASE_SECONDS)
        return read_mapping(await self._said(question))

    @override
    async def unmap(self, port: int, external: int) -> None:
        own = await self._router.own()
        question = mapping(own, self._nonce, port, 0, 0)
        check(await self._said(question), MAP)

    async def _said(self, question: bytes) -> bytes:
        return await self._ask(question, fits(question))


def header(code: int, seconds: int, own: str) -> bytes:
    """Return the first 24 bytes of a question.

    Args:
        code: What is asked.
        seconds: For how long.
        own: The address that asks.
    """
    return struct.pack("!BBHI16s", VERSION, code, 0, seconds, _long(own))


def mapping(own: str, nonce: bytes, port: int, wanted: int, seconds: int) -> bytes:
    """Return the wish for a mapping of TCP; see `natpmp.mapping_question`."""
    head = header(MAP, seconds, own)
    anywhere = _long("::" if ":" in own else "0.0.0.0")  # noqa: S104 (no wish)
    body = struct.pack("!12sB3xHH16s", nonce, _TCP, port, wanted, anywhere)
    return head + body


def fits(question: bytes) -> Callable[[bytes], bool]:
    """Return what tells whether a datagram answers a question.

    A router that knows an older version, or NAT-PMP alone, says so in 4 bytes or more.
    """
    code = question[1]

    def told(data: bytes) -> bool:
        if len(data) < 4 or data[1] & _ANSWER == 0:
            return False
        if data[0] != VERSION:
            return True
        if data[1] != _ANSWER + code:
            return False
        # The nonce, the protocol and our port come back.
        short = code != MAP or len(data) < _WHOLE or data[3]
        return bool(short) or data[24:42] == question[24:42]

    return told


def check(data: bytes, code: int) -> None:
    """Refuse what is not the good answer to a question.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    if len(data) < 4:
        raise senseless()
    if data[0] != VERSION or data[3]:
        result = data[3] if data[0] == VERSION else 1
        raise refusal(_RESULTS.get(result, Says.ROUTER_ERROR(result=result)))
    if len(data) < (_WHOLE if code == MAP else _HEAD) or data[1] != _ANSWER + code:
        raise senseless()


def read_mapping(data: bytes) -> Lease:
    """Return what the router promises.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    check(data, MAP)
    (seconds,) = struct.unpack("!I", data[4:8])
    port, host = struct.unpack("!H16s", data[42:60])
    number = IPv6Address(host)
    return Lease(usable(str(number.ipv4_mapped or number), port), seconds)


def _long(host: str) -> bytes:
    """Return an address in 16 bytes, an IPv4 one as RFC 4291 maps it."""
    number = ip_address(host.partition("%")[0])
    if number.version == 6:
        return number.packed
    return bytes(10) + b"\xff\xff" + number.packed
