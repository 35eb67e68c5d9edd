"""Who stands at the door: limits on strangers, before they have proved anything.

Everybody may come in, for a moment.  Only so many connections may stand in the door at
once; for one more, somebody makes room: of the address that has most of them there, the
one that has got least far, and of those the one that has stood there longest.  So idle
connections go before those that talk, and a crowd from one address pushes out its own.

What costs us work, a TLS handshake, begins only when the other side has said its whole
first word, and so often for each address.  When more wait, the latest comes first: who
means well has come just now and goes on at once, while those who are served late have
given up long ago.  An address is never locked out: an honest node behind the address of
a crowd takes its chance with every attempt, and needs one.
"""

from collections import Counter
from collections.abc import Hashable
from enum import IntEnum
from typing import Final

from msgspec import Struct

from netplay.limits import (
    ADDRESSES_REMEMBERED,
    HALF_OPEN,
    HANDSHAKES_A_SECOND,
    HANDSHAKES_AT_ONCE,
)
from netplay.rate import Buckets, network

WAIT_SECONDS: Final = 1 / HANDSHAKES_A_SECOND
"""Before the first in the line asks again; others wait longer."""

LINE_SECONDS: Final = 0.1
"""Before those behind ask again."""


class Stage(IntEnum):
    """How far a visitor has got."""

    CAME = 0
    SPOKE = 1
    """It waits for its turn."""
    BEGUN = 2
    """We have begun to work for it."""
    PROVED = 3
    """It has shown a key; its Hello is still to come."""


class _Visitor(Struct):
    """A connection at the door."""

    net: str
    stage: Stage = Stage.CAME


class Gate:
    """The connections that are in their handshake, and what each address has cost."""

    def __init__(self) -> None:
        self._standing: dict[Hashable, _Visitor] = {}
        self.handshakes = Buckets[str](
            HANDSHAKES_A_SECOND, HANDSHAKES_AT_ONCE, ADDRESSES_REMEMBERED
        )
        """Of each network."""

    def knock(self, ip: str, visitor: Hashable) -> Hashable | None:
        """Let somebody new stand at the door until `leave`.

        Args:
            ip: The address it comes from.
            visitor: What names it.

        Returns:
            Who must go for it, if anybody.
        """
        evict = self._in_the_way() if len(self._standing) >= HALF_OPEN else None
        self._standing.pop(evict, None)
        self._standing[visitor] = _Visitor(network(ip))
        return evict

    def begin(self, visitor: Hashable, now: float) -> float:
        """Ask for the turn of somebody whose first word has come.

        Returns:
            0 if it is its turn, else seconds until it should ask again.
        """
        found = self._standing.get(visitor)
        if found is None:
            return LINE_SECONDS  # it is on its way out
        found.stage = Stage.SPOKE
        if self._line(found.net)[-1] != visitor:
            return LINE_SECONDS
        if not self.handshakes.take(found.net, now):
            return WAIT_SECONDS
        found.stage = Stage.BEGUN
        return 0.0

    def proved(self, visitor: Hashable) -> None:
        """Note that a visitor has shown its key."""
        found = self._standing.get(visitor)
        if found is not None:
            found.stage = Stage.PROVED

    def leave(self, visitor: Hashable) -> None:
        """Note that a visitor is through or gone."""
        self._standing.pop(visitor, None)

    def _line(self, net: str) -> list[Hashable]:
        """Return who waits for a turn of a network's, the latest last."""
        return [
            visitor
            for visitor, found in self._standing.items()
            if found.net == net and found.stage is Stage.SPOKE
        ]

    def _in_the_way(self) -> Hashable:
        """Return who must go if one more comes."""
        crowds = Counter(found.net for found in self._standing.values())
        most = max(crowds.values())
        crowd = [v for v, found in self._standing.items() if crowds[found.net] == most]
        return min(crowd, key=lambda visitor: self._standing[visitor].stage)
