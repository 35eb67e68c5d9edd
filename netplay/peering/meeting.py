"""Two nodes behind routers call each other at the same time, and meet.

Neither has been called by the other, so what decides who begins the handshake is the
fingerprint: the smaller is TLS client.  A node that meets nobody so calls again: at
once where it was refused, for a router that refuses leaves the hole open a moment only.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Final

import trio

from netplay.errors import LocalError, NetplayError
from netplay.fingerprint import fingerprint, folded
from netplay.peering.address import Address, parse
from netplay.peering.net import Net, Secured

SOON_MILLISECONDS: Final = 5, 30
"""The random pause behind a refusal where the player waits, at first."""

SOON_SECONDS: Final = 10.0
"""For which refusals are followed by short pauses."""

LATER_MILLISECONDS: Final = 200, 600
"""From then on, and where nobody has asked."""

Judge = Callable[[str, Secured], Awaitable[None]]
"""Raises a NetplayError for whoever is not the one, and hangs up."""


def leads(own: bytes, other: str) -> bool:
    """Return whether we begin the handshake.

    Args:
        own: Our key.
        other: The other's fingerprint, folded.
    """
    return folded(fingerprint(own)) < other


def wide(places: Sequence[str]) -> list[Address]:
    """Return those of places that are numbers of the internet: only there it helps."""
    found: list[Address] = []
    for text in places:
        with suppress(LocalError, ValueError):
            place = parse(text)
            number = ip_address(place.host)
            inner = number.ipv4_mapped if isinstance(number, IPv6Address) else None
            meant = inner or number
            if meant.is_global and not meant.is_multicast:
                found.append(place)
    return list(dict.fromkeys(found))


class Meeting:
    """One attempt to meet somebody."""

    def __init__(
        self,
        net: Net,
        judge: Judge,
        entropy: Callable[[int], bytes],
        *,
        leads: bool,
        eager: bool,
    ) -> None:
        """Prepare.

        Args:
            net: Calls from our own port.
            judge: Knows who is wanted.
            entropy: For the pauses.
            leads: We begin the handshake.
            eager: The player waits for it: pause but shortly.
        """
        self._net: Final = net
        self._judge: Final = judge
        self._entropy: Final = entropy
        self._leads: Final = leads
        self._eager: Final = eager
        self._began = 0.0

    async def run(self, places: Sequence[Address]) -> tuple[str, Secured]:
        """Return where the other was met, and the stream; call until cancelled."""
        self._began = trio.current_time()
        won: list[tuple[str, Secured]] = []

        async def call(place: Address) -> None:
            won.append((place.text(), await self._call(place)))
            nursery.cancel_scope.cancel()

        try:
            async with trio.open_nursery() as nursery:
                for place in places:
                    nursery.start_soon(call, place)
        except BaseException:
            for _place, secured in won:
                await trio.aclose_forcefully(secured.stream)
            raise
        for _place, secured in won[1:]:
            await trio.aclose_forcefully(secured.stream)
        return won[0]

    async def _call(self, place: Address) -> Secured:
        """Return a stream to the one who is wanted, met at a place."""
        while True:
            with suppress(NetplayError):
                secured = await self._net.meet(
                    place, self._pause, server_side=not self._leads
                )
                await self._judge(place.text(), secured)
                return secured
            await self._pause()

    async def _pause(self) -> None:
        """Wait a little, by chance: two that wait alike would miss each other."""
        young = trio.current_time() < self._began + SOON_SECONDS
        least, most = SOON_MILLISECONDS
        if not (young and self._eager):
            least, most = LATER_MILLISECONDS
        part = int.from_bytes(self._entropy(2), "big") / 65535
        await trio.sleep((least + (most - least) * part) / 1000)
