"""From a match of Networdz to plain numbers, and from a play back to tiles."""

from functools import lru_cache
from math import comb
from typing import Final

from msgspec.structs import replace

from netplay.players.words import wordmap
from netplay.players.words.plays import BLANK, Finder, Play
from netplay.players.words.position import BLOCKED, EMPTY, Board, Rack
from netplay.players.words.vocabulary import unwanted
from netplay.players.words.windows import Window
from netplay.players.words.wordmap import WordMap
from rules import lexicon, networdz
from rules.game import Seat
from rules.lexicon import Word
from rules.networdz import Ground, Laid, Lay, State
from rules.tiles import on_rack

_MAPS_KEPT: Final = 2
"""A map of words takes 60 MB; a player plays with one, an arena with two."""


@lru_cache(maxsize=_MAPS_KEPT)
def word_map(
    digest: str, longest: int, without: frozenset[Word] = frozenset()
) -> WordMap:
    """Return the map of a word list, made once in each process.

    Args:
        digest: Names the word list.
        longest: Letters of the longest word that the edition takes.
        without: Words to leave out.
    """
    return WordMap(lexicon.find(digest), longest, wordmap.folder(), without)


def words_of(state: State) -> WordMap:
    """Return the map of the words to lay and to offer in a match (see `unwanted`)."""
    ground = networdz.ground(state.options)
    digest = state.options.lexicon
    return word_map(digest, ground.edition.longest, unwanted(digest))


def board_of(state: State) -> Board:
    """Return the board of a match."""
    ground = networdz.ground(state.options)
    return board(ground, state.letters, state.kinds)


def board(ground: Ground, letters: bytes, kinds: bytes) -> Board:
    """Return the board of an edition with some tiles on it.

    Args:
        ground: Edition and word list.
        letters: As in the state of a match.
        kinds: Likewise.
    """
    counted = [EMPTY, *map(ground.counted, range(ground.blank))]
    points = (0, *ground.points)
    return Board(
        width=ground.width,
        height=ground.height,
        letters=tuple(
            [
                BLOCKED if blocked else counted[letter]
                for letter, blocked in zip(letters, ground.blocked, strict=True)
            ]
        ),
        worth=tuple([points[kind] for kind in kinds]),
        letter_times=ground.letter_factor,
        word_times=ground.word_factor,
        start=ground.start,
    )


def rack_of(state: State, seat: Seat) -> Rack:
    """Return the rack of a seat, of which unknown tiles are left out."""
    ground = networdz.ground(state.options)
    return rack(ground, state.tiles.kinds[seat])


def rack(ground: Ground, kinds: tuple[int, ...]) -> Rack:
    """Return some tiles of an edition as a rack."""
    known = [kind for kind in kinds if kind >= 0]
    return Rack(
        tiles=tuple(
            (ground.counted(kind), ground.points[kind])
            for kind in known
            if kind != ground.blank
        ),
        blanks=known.count(ground.blank),
        size=ground.edition.rack,
        bonus=ground.edition.bingo,
    )


def lay_of(state: State, seat: Seat, finder: Finder, play: Play) -> Lay:
    """Return the move that makes a play.

    Args:
        state: One that knows the seat's rack.
        seat: Whose turn it is.
        finder: What found the play.
        play: The play.
    """
    ground = networdz.ground(state.options)
    mine = on_rack(state.tiles, seat)
    laid: list[Laid] = []
    for square, letter, points in finder.tiles(play):
        serving = (t for t in mine if _serves(ground, mine[t], letter, points))
        tile = next(serving)
        del mine[tile]
        laid.append(Laid(square, tile, letter))
    return networdz.lay(state, seat, laid)


def _serves(ground: Ground, kind: int, letter: int, points: int) -> bool:
    """Return whether a tile can be what a play wants on a square."""
    if kind < 0 or kind == ground.blank:
        return kind == ground.blank and points == BLANK
    return ground.counted(kind) == letter and ground.points[kind] == points


# The words that a play makes.


def made(board: Board, play: Play) -> list[bytes]:
    """Return every word that a play makes, its own first."""
    return [play.word, *crossed(board, play.window, play.word)]


def crossed(board: Board, window: Window, word: bytes = b"") -> list[bytes]:
    """Return the words across that a window makes longer.

    Args:
        board: The board.
        window: The squares.
        word: What is laid there; nothing for any word.
    """
    lane, begin = window.lane, window.begin
    step = 1 if lane.down else board.width
    found: list[bytes] = []
    for at in range(begin, window.end):
        if lane.letters[at] == EMPTY and lane.across[at] >= 0:
            square, letter = lane.squares[at], word[at - begin] if word else 0
            before = _run(board, square, -step)
            after = _run(board, square, step)
            found.append(bytes([*reversed(before), letter, *after]))
    return found


def _run(board: Board, square: int, step: int) -> list[int]:
    """Return the letters from beside a square on, up to a gap or the edge."""
    found: list[int] = []
    width = board.width
    at = square + step
    while 0 <= at < len(board.letters) and board.letters[at] >= 0:
        if abs(step) == 1 and at // width != square // width:
            break
        found.append(board.letters[at])
        at += step
    return found


# How many blanks of a rack can be thought of in time.
#
# Every blank multiplies what a rack can spell by the letters of the alphabet. Editions
# of the user's own may have racks of twelve tiles and any number of blanks: the ones
# that are too many stay on the rack for another turn.


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
