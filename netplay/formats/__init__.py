"""Other word-game programs' formats, and the score sheet they are read into.

`cgp` is a position in one line, `gcg` the record of a whole game.  A `sheet` is what a
record says: who laid what where, and what it scored.  `scoring` plays it again by our
rules; `matching` makes one of a match.
"""

from typing import Final

GAME: Final = "networdz"
"""By whose rules records are read: the classic board is one of its editions."""
