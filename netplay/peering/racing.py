"""Several addresses of one node tried together: whoever answers first is taken.

The first address has a head start, then the next begins, and so on; a failure lets the
next begin at once.  So an address that swallows packets costs half a second and not
eight (RFC 8305 does the same for the addresses of one name).

An attempt that has had no answer for a while is joined by another at the same address:
where a line has been dead and is mended, the new one is through at once, and the old
one only when the system sends again what was lost.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, TypeVar

import trio

from netplay.errors import Code, LocalError, NetplayError
from netplay.limits import REDIAL_AGAIN_SECONDS, REDIAL_TOGETHER
from netplay.peering.net import Secured
from netplay.sentences import Says

HEAD_START_SECONDS: Final = 0.5
"""Most handshakes are over by then, round the globe too."""

Place = TypeVar("Place")


class LostError(Exception):
    """Nobody answered."""

    def __init__(self, errors: Sequence[NetplayError]) -> None:
        super().__init__("nobody answered")
        self.errors = errors or [LocalError(Code.NO_ADDRESS, Says.NO_ADDRESS_KNOWN())]


class Race(Generic[Place]):
    """One race."""

    def __init__(
        self, places: Sequence[Place], attempt: Callable[[Place], Awaitable[Secured]]
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
            LostError: The first attempt at every place failed.
        """
        if not self._places:
            raise LostError([])
        try:
            async with trio.open_nursery() as nursery:
                await self._begin(nursery)
                for _ in range(REDIAL_TOGETHER - 1):
                    await trio.sleep(REDIAL_AGAIN_SECONDS)
                    self._again(nursery)
        except BaseException:
            if self._won is not None:
                await trio.aclose_forcefully(self._won[1].stream)
            raise
        if self._won is None:
            raise LostError([self._errors[n] for n in sorted(self._errors)])
        return self._won

    async def _begin(self, nursery: trio.Nursery) -> None:
        """Try every place, each with a head start before the next."""
        failed = trio.Event()
        for number in range(len(self._places)):
            if number:
                with trio.move_on_after(HEAD_START_SECONDS):
                    await failed.wait()
            failed = trio.Event()
            nursery.start_soon(self._first, number, failed, nursery.cancel_scope)

    def _again(self, nursery: trio.Nursery) -> None:
        """Try the places once more that have not answered yet."""
        for number in range(len(self._places)):
            if number not in self._errors:
                nursery.start_soon(self._another, number, nursery.cancel_scope)

    async def _first(
        self, number: int, failed: trio.Event, scope: trio.CancelScope
    ) -> None:
        """Try a place; the race is lost once every place has failed."""
        try:
            await self._try(number, scope)
        except NetplayError as error:
            self._errors[number] = error
            failed.set()
            if len(self._errors) == len(self._places):
                scope.cancel()

    async def _another(self, number: int, scope: trio.CancelScope) -> None:
        """Try a place beside the first attempt, which says why if all fail."""
        with suppress(NetplayError):
            await self._try(number, scope)

    async def _try(self, number: int, scope: trio.CancelScope) -> None:
        """Try a place; the first to succeed ends the race.

        Raises:
            NetplayError: It failed.
        """
        secured = await self._attempt(self._places[number])
        if self._won is not None:
            await trio.aclose_forcefully(secured.stream)
            return
        self._won = self._places[number], secured
        scope.cancel()
