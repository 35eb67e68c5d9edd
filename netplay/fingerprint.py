"""A node's key as people read it to each other, and the line that has it."""

import re
import unicodedata
from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from typing import Final

CHARACTERS: Final = 20
"""100 bits: nobody finds a second key with the same ones."""

GROUP: Final = 4

_ALIKE: Final = str.maketrans("01L2568", "OIIZSGB")
_LOOKS: Final = str.maketrans(
    "\u2010\u2012\u2013\u2014\u2212АВЕКМНОРСТУХІЅЈавекмнорстухіѕј",
    "-----ABEKMHOPCTYXISJabekmhopctyxisj",
)
"""What programs make of a hyphen, and who writes with two alphabets of letters."""

_BREAK: Final = r"[ \t]*+\r?\n[ \t>]*+"
"""Where a mail has broken a line, also in the answer that quotes it."""

_PLACES: Final = r"(netplay:[^\s#]+#)"
_BROKEN_PLACES: Final = rf"(netplay:[^\s#]+(?:{_BREAK}[^\s#]+)*(?:{_BREAK})?#)"
_REST: Final = rf"{{{CHARACTERS - 1}}})(?!-*[A-Z0-9])"
_PRINT: Final = rf"(-*[A-Z0-9](?:-*[A-Z0-9]){_REST}"
_BROKEN_PRINT: Final = rf"((?:{_BREAK})?[A-Z0-9](?:(?:-|{_BREAK})*[A-Z0-9]){_REST}"

_INVITATIONS: Final = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        _PLACES + _PRINT, _PLACES + _BROKEN_PRINT, _BROKEN_PLACES + _BROKEN_PRINT
    )
)  # fmt: skip
"""An invitation as it was written; else one that goes on in the next line."""

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


def invitation_in(text: str) -> str:
    """Return the invitation in a text that was copied, whatever is written around it.

    Letters of another alphabet or width that look like those of a line count as them,
    and a line that a mail has broken is put together. Nothing where there is none; a
    node reads it before anything comes of it.
    """
    shown = unicodedata.normalize("NFKC", text)
    kept = (c for c in shown if unicodedata.category(c) != "Cf")  # seen by nobody
    text = "".join(kept).translate(_LOOKS)
    found = next(filter(None, (each.search(text) for each in _INVITATIONS)), None)
    return "" if found is None else re.sub(_BREAK, "", found[0])


def invitation_or(text: str) -> str:
    """Return the invitation in what somebody has given as an address, or just that."""
    return invitation_in(text) or text
