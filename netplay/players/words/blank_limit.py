"""How many blanks of a rack can be thought of in time.

Every blank multiplies what a rack can spell by the letters of the alphabet.  Editions
of the user's own may have racks of twelve tiles and any number of blanks: the ones
that are too many stay on the rack for another turn.
"""

from math import comb
from typing import Final

from msgspec.structs import replace

from netplay.players.words.plays import Finder
from netplay.players.words.position import Board, Rack
from netplay.players.words.wordmap import WordMap

MOST_BLANKS: Final = 3
"""With more, the plays of a single window are too many."""

MOST_SETS: Final = 400_000
"""Sets of letters to be looked up; some 50 MB, and a tenth of a second to list."""


def sets(rack: Rack, letters: int) -> int:
    """Return how many sets of letters a rack can be laid as, at the most.

    Args:
        rack: The tiles.
        letters: Of the alphabet.
    """
    return comb(letters + rack.blanks, rack.blanks) << len(rack.tiles)


def limit_blanks(rack: Rack, letters: int) -> Rack:
    """Return a rack with as many of its blanks as can be thought of in time.

    Args:
        rack: The tiles.
        letters: Of the alphabet.
    """
    blanks = min(rack.blanks, MOST_BLANKS)
    while blanks and sets(replace(rack, blanks=blanks), letters) > MOST_SETS:
        blanks -= 1
    return rack if blanks == rack.blanks else replace(rack, blanks=blanks)


def finder_in_time(board: Board, rack: Rack, words: WordMap) -> Finder:
    """Return what looks for plays with as much of a rack as can be thought of."""
    return Finder(board, limit_blanks(rack, words.letters), words)
