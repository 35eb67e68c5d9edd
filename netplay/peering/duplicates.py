"""Keys that two running programs use at once, as where somebody has copied a home.

Each start of a program has a nonce of its own.  A key whose nonce is another one was
started anew, and the nonce before is gone for ever.  One that comes back belongs to a
second program with that key; each would take the place of the other without end.
"""

from typing import Final

KEYS_KEPT: Final = 256
"""How many keys are remembered; for one more, that seen longest ago is forgotten."""

STARTS_KEPT: Final = 4
"""Of each key, the last."""


class Duplicates:
    """The last starts of each key that was there."""

    def __init__(self) -> None:
        self._starts: Final[dict[bytes, tuple[bytes, ...]]] = {}

    def opened(self, key: bytes, nonce: bytes) -> None:
        """Note the nonce in the Hello of a link that is in use now."""
        before = (n for n in self._starts.pop(key, ()) if n != nonce)
        self._starts[key] = (*before, nonce)[-STARTS_KEPT:]
        if len(self._starts) > KEYS_KEPT:
            del self._starts[next(iter(self._starts))]

    def is_one(self, key: bytes, nonce: bytes) -> bool:
        """Tell whether a nonce was there before another one took its place."""
        return nonce in self._starts.get(key, ())[:-1]

    def forget(self, key: bytes) -> None:
        """Begin anew with a key whose user was told: either program may go on."""
        self._starts.pop(key, None)
