"""A node's key as people read it to each other."""

from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from typing import Final

CHARACTERS: Final = 20
"""100 bits: nobody finds a second key with the same ones."""

GROUP: Final = 4

_ALIKE: Final = str.maketrans("01L2568", "OIIZSGB")
_ALPHABET: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ3479")


@lru_cache(maxsize=1024)
def fingerprint(key: bytes) -> str:
    """Return the first characters of the key's SHA-256 in base 32, in groups.

    Args:
        key: An Ed25519 public key; of no bytes comes no fingerprint.
    """
    if not key:
        return ""
    text = b32encode(sha256(key).digest()).decode("ascii")[:CHARACTERS]
    return "-".join(text[at : at + GROUP] for at in range(0, CHARACTERS, GROUP))


def folded(text: str) -> str:
    """Return a fingerprint without what people get wrong when they copy it."""
    return text.replace("-", "").upper().translate(_ALIKE)


def is_fingerprint(text: str) -> bool:
    """Return whether a text is a whole fingerprint."""
    found = folded(text)
    return len(found) == CHARACTERS and _ALPHABET.issuperset(found)
