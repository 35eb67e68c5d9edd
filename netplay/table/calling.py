"""A host that is called, until it answers: then this node asks for a seat."""

from collections.abc import Iterable
from typing import Final

from typing_extensions import override

from netplay.sentences import Says
from netplay.table.changes import CallHost, Change, Gone, Sit
from netplay.table.shared import Shared
from netplay.table.state import Reply, State
from netplay.wanted import Dial


class Calling(State):
    """A call to a host."""

    def __init__(self, shared: Shared, call: CallHost) -> None:
        """Begin to call.

        Args:
            shared: What all tables of the node have in common.
            call: Whom, and for what.
        """
        super().__init__(shared)
        self.call: Final = call

    @property
    @override
    def mode(self) -> str:
        return "calling"

    @property
    @override
    def address(self) -> str:
        return self.call.address

    @override
    def dials(self) -> Iterable[Dial]:
        yield Dial(self.call.address, None)

    @override
    def enter(self, now: float) -> Change | None:
        for key in self.shared.at(self.call.address)[:1]:
            return self._sit(key)
        return None

    @override
    def peer_up(self, key: bytes, address: str, now: float) -> Change | None:
        return self._sit(key) if address == self.call.address else None

    def _sit(self, key: bytes) -> Change:
        """Ask the host for a seat."""
        self.shared.places[key] = self.call.address
        return Sit(key, ask=self.call.seat, table=self.call.table)

    @override
    def unreachable(self, dial: Dial) -> Change | None:
        return Gone() if dial.address == self.call.address else None

    @override
    def leave(self) -> Reply:
        return Says.TABLE_LEFT(), Gone()
