"""Names that look alike: whoever takes a known one under another key is told of.

Two names are alike if people would read them as one: whatever the case, the spaces and
signs between the letters, the accents, and the alphabet that a letter of that look
comes from.  It is better to warn of one name too many than of one too few.
"""

import unicodedata
from functools import lru_cache
from typing import Final

from netplay.peering.look_alikes import LOOK_ALIKES

_LETTERS: Final = {
    ord(one): look for look, alike in LOOK_ALIKES.items() for one in alike
}

_SMALL: Final = str.maketrans("εκτвгкмнптьєđð01358|!$@¦", "ektbrkmhntbeddolesbllsal")
"""Small letters whose capitals look Latin, and signs that look like a letter."""

_PAIRS: Final = (("i", "l"), ("rn", "m"), ("vv", "w"), ("cl", "d"))
"""What looks like one letter, or like another: single letters first, so that what is
alike stays alike, however often it is looked at."""


@lru_cache(maxsize=4096)
def looks(name: str) -> frozenset[str]:
    """Return how a name looks as it stands, and in capitals.

    Greek has letters that look Latin in one case only.

    Args:
        name: Of a player, sanitised.
    """
    return frozenset((_look(name), _look(name.upper()))) - {""}


def alike(one: str, other: str) -> bool:
    """Tell whether people may take a name for another."""
    return not looks(one).isdisjoint(looks(other))


def _look(name: str) -> str:
    """Return what all names have in common that look like this one."""
    bare = name
    for _ in range(2):  # what is left in plain letters may look like others
        bare = _without_marks(bare.translate(_LETTERS))
    bare = bare.casefold().translate(_SMALL)
    letters = "".join(c for c in bare if c.isalnum())
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return letters or "".join(bare.split())


def _without_marks(text: str) -> str:
    """Return a text in plain letters: accents, widths and styles are taken off."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c))
