"""Who may look: links that are good once, and what a page is given for one.

Only hashes are kept, and compared in a time that tells nothing.
"""

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Final

from client.ui.texts import _
from netplay.limits import (
    WEB_ENTRY_SECONDS,
    WEB_KNOCKS_A_SECOND,
    WEB_KNOCKS_AT_ONCE,
    WEB_SESSIONS,
    WEB_WRONG,
    WEB_WRONG_OF_ONE,
)
from netplay.rate import Bucket, network
from netplay.web_devices import Devices

BYTES: Final = 16
"""Of a token: 128 bits by chance."""

ADDRESSES: Final = 1000
"""Of those that ask, or show what lets them in, as many as are remembered apart."""

ENTRIES: Final = 8
"""Links open at once; a newer one takes the place of the oldest."""


def fresh() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(BYTES)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def _found(wanted: bytes, among: list[bytes]) -> int:
    """Return the place of a hash, looking at each for as long; -1 for none."""
    at = -1
    for i, other in enumerate(among):
        if hmac.compare_digest(wanted, other):
            at = i
    return at


class Knocks:
    """How often guests of an address may show what lets them in.

    Nobody guesses what they show; so who has shown an old link is heard again.
    """

    def __init__(self) -> None:
        """Begin with nobody."""
        self._rates: dict[str, Bucket] = {}

    def may_knock(self, address: str, now: float) -> bool:
        """Tell whether an address may knock now."""
        rate, most = WEB_KNOCKS_A_SECOND, WEB_KNOCKS_AT_ONCE
        place = network(address)
        if place not in self._rates and len(self._rates) >= ADDRESSES:
            rates = self._rates.items()
            self._rates = {one: each for one, each in rates if not each.full(now)}
            if len(self._rates) >= ADDRESSES:
                return False
        bucket = self._rates.setdefault(place, Bucket(rate, most, now))
        return bucket.take(now)


class Access:
    """Links handed out, and tokens given for them."""

    def __init__(
        self, devices: Devices | None = None, told: Callable[[], None] = lambda: None
    ) -> None:
        """Let nobody in yet, but for those who were paired.

        Args:
            devices: The owner's browsers; None for none.
            told: Told when so many codes were wrong that none is good any more.
        """
        self._devices, self._told = devices, told
        self._offer = ""
        """The hash of the code that was looked at last."""
        self._entries: list[tuple[bytes, float]] = []
        self._tokens: list[bytes] = []
        self._wrong: Counter[str] = Counter()
        self.all_wrong = 0

    def invite(self, now: float) -> str:
        """Return what a link has behind its #: good once, for some minutes."""
        token = fresh()
        until = now + WEB_ENTRY_SECONDS
        self._entries = [*self._entries[1 - ENTRIES :], (_hash(token), until)]
        self.all_wrong = 0
        return token

    def enter(self, entry: str, address: str, now: float) -> str:
        """Return a token for a link or a code that is good, empty for any other."""
        offer = self._devices.offered() if self._devices is not None else ""
        if offer not in {"", self._offer}:  # its owner may have mistyped the last one
            self._offer, self.all_wrong = offer, 0
            self._wrong.clear()
        self._entries = [one for one in self._entries if one[1] > now]
        at = _found(_hash(entry), [one for one, _until in self._entries])
        token = fresh()
        if at < 0:  # a code can be guessed, and a link cannot
            if not self.may(address):
                return ""
            name = _("Browser at {address}").format(address=address)
            if self._devices is not None and self._devices.pair(entry, token, name):
                self.all_wrong = 0
                return token
            self.note(address)
            return ""
        del self._entries[at]
        self._tokens = [*self._tokens[1 - 4 * WEB_SESSIONS :], _hash(token)]
        return token

    def knows(self, token: str) -> bool:
        """Tell whether a token was given here, and was not forgotten since.

        Nobody guesses one: old ones, of tabs that were open before a restart, count as
        no wrong code.
        """
        here = _found(_hash(token), self._tokens) >= 0
        return here or (self._devices is not None and self._devices.knows(token))

    def may(self, address: str) -> bool:
        """Tell whether an address is still heard."""
        return self._wrong[network(address)] < WEB_WRONG_OF_ONE

    def note(self, address: str) -> None:
        """Remember a wrong code; after many from everywhere no link is good."""
        place = network(address)
        if place in self._wrong or len(self._wrong) < ADDRESSES:
            self._wrong[place] += 1
        self.all_wrong += 1
        if self.all_wrong >= WEB_WRONG:
            good = bool(self._entries)
            self._entries.clear()
            if self._devices is not None:
                good |= self._devices.withdraw()
            if good:
                self._told()
