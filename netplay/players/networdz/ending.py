"""The end read out: the pool is empty, so both racks are known.

Every promising play is followed by the other's best answers, and each of those by both
going on as greedily as they can: score, tiles got rid of, and going out.  Whoever goes
out gains twice what the other has left, by either way of counting.  Where the reading
calls a play worse, all that both may do is tried, as far as there is time (`proved`): a
match that is won or lost all the same was not lost by it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from msgspec.structs import replace

from netplay.players.networdz.seen import Seen
from netplay.players.words.leaves import Keep, best_of
from netplay.players.words.plays import Play
from netplay.players.words.position import Board, Rack
from netplay.players.words.squares import finder_in_time
from netplay.players.words.wordmap import WordMap

PLAYS: Final = 12
"""Plays looked at first, each with the other's greediest answer."""

DEEPER: Final = 6
"""Plays looked at again, with more answers."""

ANSWERS: Final = 4
LONGEST: Final = 12
"""Turns after which an end is not followed any further."""


class LateError(Exception):
    """The time is up: the reading stops where it is."""


def pick(seen: Seen, late: Callable[[], bool]) -> Play | None:
    """Return the play that ends best, None to pass.

    Args:
        seen: The position of the last two.
        late: Says that the time is up; the best found so far is taken then.
    """
    found = judged(seen, late)
    return found[0][0] if found else best_of(seen.finder, seen.keep, late)[0]


def judged(
    seen: Seen, late: Callable[[], bool], also: Sequence[Play | None] = ()
) -> list[tuple[Play | None, float]]:
    """Return plays and by how many points each comes out ahead, the best first.

    Those that were read deepest are told of; of the others only how they look at
    first, if there was no time for more; nothing if the time was up before that.

    Args:
        seen: The position of the last two.
        late: Says that the time is up.
        also: Plays to read besides the greediest ones; None to pass.
    """
    reader = Reader(seen.words, late)
    board, mine, other = seen.board, seen.rack, seen.other
    firsts: list[tuple[float, int]] = []
    deeper: list[tuple[float, int]] = []
    listed: list[Play | None] = []
    with suppress(LateError):
        ranked = reader.ranked(board, mine, other)
        listed = [
            *ranked[:PLAYS],
            *(play for play in also if play not in ranked[:PLAYS]),
        ]
        if not ranked:
            listed = [None]
        extra = {-at for at, play in enumerate(listed) if play in also}
        for at, play in enumerate(listed):
            firsts.append((reader.after(board, mine, other, play, 1), -at))
        order = sorted(firsts, reverse=True)
        chosen = [at for _, at in order[:DEEPER]]
        for at in [*chosen, *sorted(extra - {*chosen})]:
            value = reader.after(board, mine, other, listed[-at], ANSWERS)
            deeper.append((value, at))
    if len(firsts) < len(listed):
        return []
    best = sorted(deeper or firsts, reverse=True)
    return [(listed[-at], value) for value, at in best]


class Proved(NamedTuple):
    """How a match ends if both play as well as can be: 1 won, 0 drawn, -1 lost."""

    made: int
    """With the play that was asked about."""
    better: int | None
    """With another play that ends better; None if that is not known."""
    by: Play | None
    """That play, or the one asked about if none ends better."""


def proved(
    seen: Seen,
    lead: int,
    made: Play | None,
    first: Play | None,
    late: Callable[[], bool],
) -> Proved | None:
    """Return how a play ends, whatever anybody does; None if that takes too long.

    Args:
        seen: The position of the last two.
        lead: By how many points the player is ahead.
        made: The play; None to pass.
        first: The play to try first if that one does not win; None to pass.
        late: Says that the time is up.
    """
    reader = Reader(seen.words, late)
    place = Place(seen.board, seen.rack, seen.other, lead, seen.view.passes)
    end: int | None = None
    with suppress(LateError):
        end = reader.ends(place, made)
        if end == 1:
            return Proved(end, end, made)
        ranked = reader.ranked(seen.board, seen.rack, seen.other)
        for play in [first, *ranked, None]:
            if reader.reaches(place, play, end + 1):
                return Proved(end, reader.ends(place, play), play)
        return Proved(end, end, made)
    return None if end is None else Proved(end, None, made)


class Place(NamedTuple):
    """A position of an empty bag, as who is on turn sees it."""

    board: Board
    rack: Rack
    other: Rack
    lead: int
    passes: int
    """Turns in a row without a play; the second one ends the match."""


def result(lead: float, gain: float) -> int:
    """Return 1 for a match won, 0 drawn, -1 lost.

    Args:
        lead: Points ahead before the tiles left are counted, which decides a tie.
        gain: What that count adds to it.
    """
    ahead = lead + gain or lead
    return (ahead > 0) - (ahead < 0)


class Reader:
    """Follows plays of an empty bag to the end."""

    def __init__(self, words: WordMap, late: Callable[[], bool]) -> None:
        self._words = words
        self._late = late
        self._reached: dict[tuple[Place, int], bool] = {}

    def ranked(self, board: Board, rack: Rack, other: Rack) -> list[Play]:
        """Return all plays, the greediest first."""
        keep = self._keep(rack, other)
        plays: list[Play] = []
        finder = finder_in_time(board, rack, self._words)
        for window in finder.windows():
            if self._late():
                raise LateError
            plays += finder.fill(window)
        return sorted(plays, key=lambda play: -play.score - keep.worth(play))

    def after(
        self, board: Board, rack: Rack, other: Rack, play: Play | None, answers: int
    ) -> float:
        """Return how much better the player comes out than the other.

        Args:
            board: Before the play.
            rack: The player's.
            other: The other's.
            play: What the player lays; None to pass.
            answers: How many of the other's answers to look at.
        """
        score = play.score if play else 0
        laid, left = lay(board, rack, play) if play else (board, rack)
        if not size_of(left):
            return score + 2 * worth_of(other)
        if answers == 1:
            return score - self.follow(laid, other, left)
        replies = self.ranked(laid, other, left)[:answers]
        values = [self.after(laid, other, left, reply, 1) for reply in replies]
        if not values:
            return score - self.follow(laid, other, left)
        return score - max(values)

    def follow(self, board: Board, rack: Rack, other: Rack) -> float:
        """Return how much better a player comes out if both are greedy."""
        racks, sign, total, passes = [rack, other], 1, 0.0, 0
        for _ in range(LONGEST):
            if self._late():
                raise LateError
            keep = self._keep(racks[0], racks[1])
            finder = finder_in_time(board, racks[0], self._words)
            play, _ = best_of(finder, keep, self._late)
            if play is None:
                passes += 1
                if passes == 2:
                    break
            else:
                passes = 0
                total += sign * play.score
                board, racks[0] = lay(board, racks[0], play)
                if not size_of(racks[0]):
                    return total + sign * 2 * worth_of(racks[1])
            racks.reverse()
            sign = -sign
        return total + sign * (worth_of(racks[1]) - worth_of(racks[0]))

    def ends(self, place: Place, play: Play | None) -> int:
        """Return how a play ends: 1 won, 0 drawn, -1 lost."""
        return next((end for end in (1, 0) if self.reaches(place, play, end)), -1)

    def reaches(self, place: Place, play: Play | None, least: int) -> bool:
        """Tell whether a play ends so well at least, whatever the other does.

        Args:
            place: Before the play.
            play: What is laid; None to pass.
            least: 1 for won, 0 for drawn.

        Raises:
            LateError: The time is up.
        """
        board, rack, other, lead, passes = place
        passes = 0 if play else passes + 1
        if play:
            board, rack = lay(board, rack, play)
            lead += play.score
        if not size_of(rack):
            return result(lead, 2 * worth_of(other)) >= least
        if passes > 1:
            return result(lead, worth_of(other) - worth_of(rack)) >= least
        then = Place(board, other, rack, -lead, passes)
        key = then, least
        if key not in self._reached:
            plays = [*self.ranked(board, other, rack), None]
            answers = (each for each in plays if self.reaches(then, each, 1 - least))
            self._reached[key] = next((False for _ in answers), True)
        return self._reached[key]

    def _keep(self, rack: Rack, other: Rack) -> Keep:
        """Return what a play leaves: points to lose, or the other's to gain."""
        points = dict(rack.tiles)
        gain = 2.0 * worth_of(other)

        def worth(kept: Sequence[int]) -> float:
            return -float(sum(points.get(t, 0) for t in kept)) if kept else gain

        return Keep(rack, worth, self._words)


def worth_of(rack: Rack) -> int:
    """Return the points of the tiles on a rack."""
    return sum(points for _, points in rack.tiles)


def size_of(rack: Rack) -> int:
    """Return how many tiles a rack holds."""
    return len(rack.tiles) + rack.blanks


def lay(board: Board, rack: Rack, play: Play) -> tuple[Board, Rack]:
    """Return board and rack after a play."""
    letters, worth = list(board.letters), list(board.worth)
    tiles, blanks = list(rack.tiles), rack.blanks
    lane, begin, odd = play.window.lane, play.window.begin, dict(play.odd)
    for at, letter in enumerate(play.word):
        square = lane.squares[begin + at]
        if letters[square] >= 0:
            continue
        letters[square] = letter
        if at in play.blanks:
            blanks -= 1
            continue
        held = next(
            tile
            for tile in tiles
            if tile[0] == letter and tile[1] == odd.get(at, tile[1])
        )
        tiles.remove(held)
        worth[square] = held[1]
    after = replace(board, letters=tuple(letters), worth=tuple(worth))
    return after, replace(rack, tiles=tuple(tiles), blanks=blanks)
