"""Calls to nodes that cannot be called themselves, through others that carry."""

from typing import Final, Protocol

import trio

from netplay.errors import Code, LocalError, NetplayError
from netplay.limits import HANDSHAKE_SECONDS, VIA_SECONDS
from netplay.peering.line import Line
from netplay.peering.net import Net, Secured
from netplay.peering.via import Via, read_via
from netplay.sentences import Says


class Through(Protocol):
    """Nodes that carry."""

    def ways(self, to: str) -> tuple[str, ...]:
        """Return the places of those who are there, to reach a fingerprint, folded."""
        ...

    def is_here(self, to: str) -> bool:
        """Return whether there is a link already."""
        ...

    async def connect(self, place: Via, to: str) -> tuple[Line, bytes]:
        """Return a line, and the key of who carries it; raises a LocalError."""
        ...

    def named(self, carrier: str) -> str:
        """Return what to call a node, by its fingerprint."""
        ...


class CarriedCalls:
    """The calls of one node."""

    def __init__(self, net: Net, through: Through) -> None:
        """Prepare.

        Args:
            net: Proves who is there.
            through: Who carries.
        """
        self._net: Final = net
        self._through: Final = through
        self._under_way: Final[set[tuple[str, str]]] = set()
        self._carriers: Final[dict[trio.abc.Stream, bytes]] = {}

    def places(self, to: str) -> tuple[str, ...]:
        """Return through whom somebody may be reached whose fingerprint is known."""
        return self._through.ways(to) if to else ()

    def carrier(self, stream: trio.abc.Stream) -> bytes:
        """Return who carries a stream that was called here; nothing for any other."""
        return self._carriers.pop(stream, b"")

    async def call(self, text: str, to: str, *, late: bool) -> Secured:
        """Return a stream to a node, and its key, which is not judged yet.

        Args:
            text: Who carries, as `Via` writes it.
            to: The fingerprint of who is called, folded; nothing if nobody knows.
            late: There are other places: let them answer first.

        Raises:
            NetplayError: Nobody carries, or who is called is not there.
        """
        if not to or (text, to) in self._under_way:
            raise LocalError(Code.NO_ANSWER, Says.NO_ADDRESS_KNOWN())
        self._under_way.add((text, to))
        try:
            if late:
                await trio.sleep(VIA_SECONDS)
            if self._through.is_here(to):
                raise LocalError(Code.NO_ANSWER, Says.LINKED_ALREADY())
            return await self._secured(read_via(text), to)
        finally:
            self._under_way.discard((text, to))

    async def _secured(self, place: Via, to: str) -> Secured:
        line, key = await self._through.connect(place, to)
        name = self._through.named(place.carrier)
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                found = await self._net.secure(line, server_side=False)
        except (NetplayError, trio.TooSlowError):
            await trio.aclose_forcefully(line)
            why = line.ended or Code.SILENT
            detail = Says.NOT_CARRIED(name=name, why=_WHY.get(why, Says.NOT_THROUGH)())
            raise LocalError(Code.NO_ANSWER, detail) from None
        self._carriers[found.stream] = key
        return found


_WHY: Final = {
    Code.DECLINED: Says.CARRIES_NOT,
    Code.NO_ANSWER: Says.NOT_THERE,
    Code.BUSY: Says.CARRIES_ENOUGH,
}
"""What a node that carries gives as its reason, in words."""


def misled(text: str) -> LocalError:
    """Return what to say of a node that leads to another than was asked for."""
    detail = Says.NOT_CARRIED(name=read_via(text).carrier, why=Says.LED_ASTRAY())
    return LocalError(Code.NO_ANSWER, detail)
