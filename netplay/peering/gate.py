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

What a handshake costs the line, the line itself tells: while they are slow one goes on
at once, then none for as long as that took, and the rest wait; of all networks the one
comes first that has waited longest for a turn.  So two hundred who come to look on get
in one after another, where all together nobody would.  Who comes from where a friend or
a player is does not wait for that.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from enum import IntEnum
from math import inf
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

NEXT: Final = 10
"""So many behind the first ask again sooner: their turn may come."""

ROOM_AT_FIRST: Final = 2
"""Handshakes that go on at once; one more after each that was quick, half as many after
one that was slow: the line is thin."""

ROOM_MOST: Final = 64

QUICK_SECONDS: Final = 0.5
"""For a handshake, from the answer to the proof: a line of 64 kbit/s with nothing else
on it takes 0.2, and 0.1 is the way round the globe."""

STALLED_SECONDS: Final = 2.0
"""After which a handshake takes no more room from others: it may be nobody's."""


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

    ip: str
    net: str
    stage: Stage = Stage.CAME
    began: float = -inf
    """When its handshake began."""
    awaited: bool | None = None
    """A friend or a player may come from there; None before that was looked for."""


class Gate:
    """The connections that are in their handshake, and what each address has cost."""

    def __init__(self, awaited: Callable[[str], bool] = lambda _ip: False) -> None:
        """Begin with nobody.

        Args:
            awaited: Tells whether a friend or a player may come from an address.
        """
        self._awaited: Final = awaited
        self._room = ROOM_AT_FIRST
        """Handshakes that may go on at once."""
        self._rests = -inf
        """Until then none begins: the line has others' bytes to send, too."""
        self._served: Final[dict[str, float]] = {}
        """When each network had its last turn."""
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
        evict = None
        if len(self._standing) >= HALF_OPEN:
            # Of the network that most are from, who has come least far
            crowds = Counter(found.net for found in self._standing.values())
            most = max(crowds.values())
            crowd = {v: f for v, f in self._standing.items() if crowds[f.net] == most}
            evict = min(crowd, key=lambda each: crowd[each].stage)
        self._standing.pop(evict, None)
        self._standing[visitor] = _Visitor(ip, network(ip))
        return evict

    def ask_turn(self, visitor: Hashable, now: float) -> float:
        """Ask for the turn of somebody whose first word has come.

        Returns:
            0 if it is its turn, else seconds until it should ask again.
        """
        found = self._standing.get(visitor)
        if found is None:
            return LINE_SECONDS  # it is on its way out
        found.stage = Stage.SPOKE
        # Who waits for a turn of that network's, the latest last
        line = [
            each
            for each, one in self._standing.items()
            if one.net == found.net and one.stage is Stage.SPOKE
        ]
        if line[-1] != visitor:
            later = len(line) - line.index(visitor)
            return LINE_SECONDS * min(later / NEXT, 1)
        if not self._may_begin(found, now):
            return LINE_SECONDS
        if not self.handshakes.take(found.net, now):
            return WAIT_SECONDS
        found.stage, found.began = Stage.BEGUN, now
        self._served.pop(found.net, None)
        self._served[found.net] = now
        if len(self._served) > ADDRESSES_REMEMBERED:
            del self._served[next(iter(self._served))]
        return 0.0

    def _may_begin(self, found: _Visitor, now: float) -> bool:
        """Tell whether the line has room for one handshake more, and it is this one."""
        since, under_way, first = now - STALLED_SECONDS, 0, inf
        for each in self._standing.values():
            under_way += each.stage is Stage.BEGUN and each.began > since
            if each.stage is Stage.SPOKE:
                first = min(first, self._served.get(each.net, -inf))
        room = under_way < self._room and now >= self._rests
        if room and self._served.get(found.net, -inf) <= first:
            return True
        if found.awaited is None:
            found.awaited = self._awaited(found.ip)
        return found.awaited

    def proved(self, visitor: Hashable, now: float) -> None:
        """Note that a visitor has shown its key, and how long that took."""
        found = self._standing.get(visitor)
        if found is not None:
            took = now - found.began if found.stage is Stage.BEGUN else 0.0
            found.stage = Stage.PROVED
            if took <= QUICK_SECONDS:
                self._room = min(self._room + 1, ROOM_MOST)
            else:
                self._room = max(self._room // 2, 1)
                self._rests = now + min(took, STALLED_SECONDS)

    def leave(self, visitor: Hashable) -> None:
        """Note that a visitor is through or gone."""
        self._standing.pop(visitor, None)
