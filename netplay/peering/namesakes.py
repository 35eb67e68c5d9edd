"""Names that look alike: whoever takes a known one under another key is told of.

Two names are alike if people would read them as one: whatever the case, the spaces and
signs between the letters, the accents, and the alphabet that a letter of that look
comes from.  It is better to warn of one name too many than of one too few.
"""

import unicodedata
from functools import lru_cache
from typing import Final

_CAPITALS: Final = str.maketrans(
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТУХІЈЅ", "abezhikmnoptyxabekmhopctyxijs"
)
"""Greek and Cyrillic capitals that look Latin, whose small letters may not."""

_SMALL: Final = str.maketrans(
    "αγεικνορτυχωавгекмнопрстухіјѕԁԛԝһӏьєłøđħŧıſɑɡ01358|!$@",
    "ayeikvoptuxwabrekmhonpctyxijsdqwhlbelodhtisagolesbllsa",
)
"""Letters and signs that look like a small Latin letter."""

_PAIRS: Final = (("i", "l"), ("rn", "m"), ("vv", "w"), ("cl", "d"))
"""What looks like one letter, or like another: single letters first, so that what is
alike stays alike, however often it is looked at."""


@lru_cache(maxsize=4096)
def likeness(name: str) -> str:
    """Return what all names have in common that look like this one.

    Args:
        name: Of a player, sanitised.
    """
    bare = _without_marks(name.translate(_CAPITALS)).casefold().translate(_SMALL)
    letters = "".join(c for c in bare if c.isalnum())
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return letters or "".join(bare.split())


def _without_marks(text: str) -> str:
    """Return a text in plain letters: accents, widths and styles are taken off."""
    apart = unicodedata.normalize("NFKD", text)
    return "".join(c for c in apart if not unicodedata.combining(c))
