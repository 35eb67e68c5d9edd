"""Several addresses of one node tried together: whoever answers first is taken.

The first address has a head start, then the next begins, and so on; a failure lets the
next begin at once.  So an address that swallows packets costs half a second and not
eight (RFC 8305 does the same for the addresses of one name).
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, TypeVar

import trio

from netplay.errors import Code, LocalError, NetplayError
from netplay.peering.net import Secured

HEAD_START_SECONDS: Final = 0.5
"""Most handshakes are over by then, round the globe too."""

Place = TypeVar("Place")


class LostError(Exception):
    """Nobody answered."""

    def __init__(self, errors: Sequence[NetplayError]) -> None:
        """Remember why, in the order of the addresses."""
        super().__init__("nobody answered")
        self.errors = errors or [LocalError(Code.NO_ADDRESS, "none is known")]


class Race(Generic[Place]):
    """One race."""

    def __init__(
        self,
        places: Sequence[Place],
        attempt: Callable[[Place], Awaitable[Secured]],
    ) -> None:
        """Prepare.

        Args:
            places: Where to try, the most likely first.
            attempt: Connects and proves who is there; raises a NetplayError.
        """
        self._places: Final = places
        self._attempt: Final = attempt
        self._errors: Final[dict[int, NetplayError]] = {}
        self._won: tuple[Place, Secured] | None = None

    async def run(self) -> tuple[Place, Secured]:
        """Return the place that won, and the stream there.

        Raises:
            LostError: Every attempt failed.
        """
        try:
            async with trio.open_nursery() as nursery:
                for number in range(len(self._places)):
                    failed = trio.Event()
                    nursery.start_soon(self._try, number, failed, nursery.cancel_scope)
                    with trio.move_on_after(HEAD_START_SECONDS):
                        await failed.wait()
        except BaseException:
            if self._won is not None:
                await trio.aclose_forcefully(self._won[1].stream)
            raise
        if self._won is None:
            raise LostError([self._errors[n] for n in sorted(self._errors)])
        return self._won

    async def _try(
        self, number: int, failed: trio.Event, scope: trio.CancelScope
    ) -> None:
        """Try one place; the first to succeed ends the race."""
        try:
            secured = await self._attempt(self._places[number])
        except NetplayError as error:
            self._errors[number] = error
            failed.set()
            return
        if self._won is not None:
            await trio.aclose_forcefully(secured.stream)
            return
        self._won = self._places[number], secured
        scope.cancel()
