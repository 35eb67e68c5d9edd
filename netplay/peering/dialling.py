"""Which links to look for, where, and when to try again: the decisions of a dialler."""

from collections.abc import Callable, Sequence
from typing import Final

from netplay.errors import Code
from netplay.limits import (
    REDIAL_JITTER,
    REDIAL_MOST_SECONDS,
    REDIAL_SECONDS,
    REDIAL_SOON,
    REDIAL_SOON_SECONDS,
)

HOPELESS: Final = frozenset(
    {Code.VERSION, Code.WRONG_KEY, Code.SELF, Code.BAD_CERTIFICATE, Code.USAGE}
)
"""What trying again does not mend; only the user does."""

DUEL_SECONDS: Final = 3.0
"""Two links that open within this time were dialled at the same time."""

Entropy = Callable[[int], bytes]
"""Returns so many random bytes."""


class BackOff:
    """The waits between attempts: each twice the one before, up to a limit.

    The limit is low at first, since most who are missed are back soon.
    """

    def __init__(self, entropy: Entropy) -> None:
        """Start with the shortest wait."""
        self._entropy = entropy
        self._wait = REDIAL_SECONDS
        self._tries = 0

    def next(self) -> float:
        """Return the seconds to wait before the next attempt."""
        wait = self._wait
        self._tries += 1
        young = self._tries < REDIAL_SOON
        most = REDIAL_SOON_SECONDS if young else REDIAL_MOST_SECONDS
        self._wait = min(2 * wait, most)
        part = int.from_bytes(self._entropy(2), "big") / 65535
        return wait * (1 - REDIAL_JITTER * part)

    def reset(self) -> None:
        """Note that a link was open: the next cut is a new story."""
        self._wait = REDIAL_SECONDS
        self._tries = 0


class Rival:
    """What decides between two links to one peer."""

    def __init__(self, dialler: bytes, nonce: bytes, opened_at: float) -> None:
        """Describe a link.

        Args:
            dialler: The key of the side that dialled.
            nonce: From the peer's Hello: another one means that it was restarted.
            opened_at: When it opened.
        """
        self.dialler = dialler
        self.nonce = nonce
        self.opened_at = opened_at


def keeps_old(old: Rival, new: Rival) -> bool:
    """Return whether the older of two links to one peer is kept.

    A node dials only a peer it believes it has no link to.  So the newer link is right,
    except when both sides dialled at the same time: then both keep the one that the
    smaller key dialled.
    """
    at_once = new.opened_at - old.opened_at < DUEL_SECONDS
    if not at_once or old.nonce != new.nonce or old.dialler == new.dialler:
        return False
    return old.dialler < new.dialler


def places(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the addresses to try for a peer, each once, the wanted ones first."""
    return list(dict.fromkeys([*wanted, *known]))
