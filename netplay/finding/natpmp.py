"""NAT-PMP (RFC 6886), as far as a node needs it."""

import struct
from functools import partial
from ipaddress import IPv4Address
from typing import Final

from typing_extensions import override

from netplay.finding.router import Datagrams, Lease, refusal, senseless, usable
from netplay.limits import LEASE_SECONDS
from netplay.sentences import Says

_EXTERNAL: Final = 0
_MAP_TCP: Final = 2
_ANSWER: Final = 128
"""Added to the code of a question in its answer."""

_RESULTS: Final = {
    1: Says.ROUTER_VERSION(language="NAT-PMP"),
    2: Says.ROUTER_OFF(),
    3: Says.ROUTER_OFFLINE(),
    4: Says.ROUTER_FULL(),
    5: Says.ROUTER_UNABLE(),
}


class NatPmp(Datagrams):
    """See `router.Language`."""

    name = "NAT-PMP"

    @override
    async def outside(self) -> str:
        return read_external(await self._said(external_question()))

    @override
    async def map(self, port: int, wanted: int, outside: str) -> Lease:
        question = mapping_question(port, wanted, LEASE_SECONDS)
        external, seconds = read_mapping(await self._said(question))
        return Lease(usable(outside, external), seconds)

    @override
    async def unmap(self, port: int, external: int) -> None:
        """See `Language`; it takes all ports that lead to ours."""
        await self._said(mapping_question(port, 0, 0))

    async def _said(self, question: bytes) -> bytes:
        return await self._ask(question, partial(answers, question))


# The datagrams.


def external_question() -> bytes:
    """Return the question for the router's own address."""
    return struct.pack("!BB", 0, _EXTERNAL)


def mapping_question(port: int, wanted: int, seconds: int) -> bytes:
    """Return the wish for a mapping of TCP.

    Args:
        port: Where the node listens.
        wanted: The router's port; it may choose another.
        seconds: For how long; 0 takes the mapping away.
    """
    return struct.pack("!BBHHHI", 0, _MAP_TCP, 0, port, wanted, seconds)


def read_external(data: bytes) -> str:
    """Return the router's own address.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _EXTERNAL, 12)
    return str(IPv4Address(data[8:12]))


def read_mapping(data: bytes) -> tuple[int, int]:
    """Return the router's port that leads to ours, and for how many seconds.

    Raises:
        LocalError: NO_ANSWER, it refused, or this is no answer.
    """
    _check(data, _MAP_TCP, 16)
    external: int
    seconds: int
    external, seconds = struct.unpack("!HI", data[10:16])
    return external, seconds


def _check(data: bytes, question: int, size: int) -> None:
    """Refuse what is not the good answer to a question."""
    if len(data) < 4 or data[0] != 0:
        raise senseless()
    result: int = struct.unpack("!H", data[2:4])[0]
    if result:
        raise refusal(_RESULTS.get(result, Says.ROUTER_ERROR(result=result)))
    if len(data) < size or data[1] != _ANSWER + question:
        raise senseless()


def answers(question: bytes, data: bytes) -> bool:
    """Return whether a datagram answers this question and not an earlier one."""
    if len(data) < 4 or data[1] != _ANSWER + question[1]:
        return False
    return question[1] != _MAP_TCP or len(data) < 10 or data[8:10] == question[4:6]
