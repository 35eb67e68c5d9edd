"""Windows: the stretches of a row or column that a play can fill.

A window begins and ends beside an edge, a blocked or an empty square, has as many
empty squares as tiles would be laid, and at least one of them is an anchor.  Empty
squares that no tile of the rack fits end the walk early, which is most of the speed.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from netplay.players.words.position import ALL, BLOCKED, EMPTY, Lane, Rack
from netplay.players.words.wordmap import WordMap

SHORTEST: Final = 2
"""One letter is no word."""


class Window(Struct, frozen=True, gc=False):
    """A stretch of one lane."""

    bound: int
    """No play in it scores more, leaving out the bonus for a full rack."""
    lane: Lane
    begin: int
    end: int
    tiles: int
    """Empty squares in it."""
    code: int
    """Of the letters that lie in it."""


class Reach(Struct, frozen=True):
    """What a rack can do at all."""

    mask: int
    """Letters on the rack as a set of bits; ALL with a blank."""
    tiles: int
    top: tuple[int, ...]
    """Points of the best n tiles, for n from 0."""
    points: tuple[tuple[int, int], ...]
    """(letter's bit, points), the most valuable first; blanks left out."""


def reach(rack: Rack) -> Reach:
    """Return what a rack can do at all."""
    worth = sorted((points for _, points in rack.tiles), reverse=True)
    worth += [0] * rack.blanks
    mask = ALL
    if not rack.blanks:
        mask = 0
        for letter, _ in rack.tiles:
            mask |= 1 << letter
    ordered = sorted(rack.tiles, key=lambda tile: -tile[1])
    return Reach(
        mask=mask,
        tiles=len(worth),
        top=tuple(sum(worth[:count]) for count in range(len(worth) + 1)),
        points=tuple((1 << letter, points) for letter, points in ordered),
    )


def windows(lane: Lane, words: WordMap, able: Reach) -> list[Window]:
    """Return every window of a lane, from the first square on.

    One tile that makes words both ways is found across only.
    """
    found: list[Window] = []
    if not any(lane.anchors):
        return found
    # What the walk asks of each square, side by side to be read in one go
    codes = words.codes
    best = able.top[1] if able.tiles else 0
    cells: list[Cell] = [
        (
            letter,
            codes[letter] if letter >= 0 else 0,
            lane.worth[at],
            _gain(lane, at, able),
            lane.word_times[at],
            (lane.letter_times[at] - 1) * best,
            lane.anchors[at],
            lane.own[at] & lane.allowed[at] & able.mask != 0,
        )
        for at, letter in enumerate(lane.letters)
    ]
    last = max(at for at, anchor in enumerate(lane.anchors) if anchor)
    letters = lane.letters
    for begin in range(last + 1):
        if not begin or letters[begin - 1] < 0:
            _from(lane, begin, cells, words.longest, able, found)
    return found


Cell: TypeAlias = tuple[int, int, int, int, int, int, bool, bool]
"""Of a square: its letter; the code and the points of what lies there; what the word
across gains, -1 where no tile fits; what it multiplies words by; what the best tile
gains on it; whether it is an anchor; whether a tile of the rack alone makes a word."""


def _gain(lane: Lane, at: int, able: Reach) -> int:
    """Return the most that the word across a square can score, or -1 if none fits."""
    if lane.letters[at] != EMPTY:
        return 0
    allowed = lane.allowed[at]
    if not allowed & able.mask:
        return -1
    if lane.across[at] < 0:
        return 0
    best = next((points for bit, points in able.points if allowed & bit), 0)
    return (lane.across[at] + best * lane.letter_times[at]) * lane.word_times[at]


def _from(
    lane: Lane,
    begin: int,
    cells: list[Cell],
    longest: int,
    able: Reach,
    found: list[Window],
) -> None:
    """Add the windows that begin at one square.

    The bound of a window: what lies in it and the best tiles of the rack, the best
    of them on every square that multiplies a letter; and the best words across.
    """
    letters, top, most = lane.letters, able.top, able.tiles
    size = len(letters)
    tiles = code = points = gain = 0
    times = 1
    joined = alone = False
    end = begin
    for letter, more, worth, across, word_times, extra, anchor, enough in cells[
        begin : begin + longest
    ]:
        end += 1
        if letter >= 0:
            code += more
            points += worth
        else:
            if letter == BLOCKED or across < 0 or tiles == most:
                return
            tiles += 1
            gain += across
            times *= word_times
            points += extra
            alone = enough
            joined = joined or anchor
        if joined and end - begin >= SHORTEST and (end == size or letters[end] < 0):
            if tiles == 1 and not (alone and _counts(lane, begin, end)):
                continue
            bound = (points + top[tiles]) * times + gain
            found.append(Window(bound, lane, begin, end, tiles, code))


def _counts(lane: Lane, begin: int, end: int) -> bool:
    """Return whether a window of one tile is to be found here and not across."""
    return not lane.down or not any(
        lane.letters[at] == EMPTY and lane.across[at] >= 0 for at in range(begin, end)
    )
