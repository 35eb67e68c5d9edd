"""Every legal play of a position."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from operator import mul
from typing import Final

from msgspec import Struct

from netplay.players.words.position import EMPTY, Board, Rack, lanes
from netplay.players.words.windows import Window, reach, windows
from netplay.players.words.wordmap import WordMap

BLANK: Final = -1
"""Among the tiles of a play, the points of a blank."""


class Play(Struct, frozen=True, gc=False):
    """Tiles laid in one go."""

    score: int
    window: Window
    word: bytes
    """All letters of the window, those that lay there included."""
    blanks: tuple[int, ...]
    """Places in the word where a blank is laid."""
    odd: tuple[tuple[int, int], ...] = ()
    """(place, points) of tiles worth something else than most of their letter."""


class Finder:
    """Looks for plays with one rack on one board."""

    def __init__(self, board: Board, rack: Rack, words: WordMap) -> None:
        """Look at the position; candidates are found when they are asked for."""
        self.rack: Final = rack
        self.words: Final = words
        self.reach: Final = reach(rack)
        self.lanes: Final = lanes(board, words)
        self._codes: Final = _subsets(rack, words)
        self._candidates: dict[tuple[int, int], list[bytes]] = {}
        self._lacking: dict[bytes, tuple[int, ...]] = {}
        self._index: dict[int, Index] = {}
        points = dict(reversed(rack.tiles))
        self._points: Final = tuple(points.get(n, 0) for n in range(words.letters))
        odd = [tile for tile in rack.tiles if tile[1] != points[tile[0]]]
        self._odd: Final = {letter for letter, _ in odd}

    def windows(self) -> list[Window]:
        """Return every window of the position."""
        found: list[Window] = []
        for lane in self.lanes:
            found += windows(lane, self.words, self.reach)
        return found

    def tiles(self, play: Play) -> list[tuple[int, int, int]]:
        """Return (square, letter, points or BLANK) of each tile laid, in order."""
        lane, begin, odd = play.window.lane, play.window.begin, dict(play.odd)
        found: list[tuple[int, int, int]] = []
        for at, letter in enumerate(play.word):
            if lane.letters[begin + at] == EMPTY:
                points = odd.get(at, self._points[letter])
                worth = BLANK if at in play.blanks else points
                found.append((lane.squares[begin + at], letter, worth))
        return found

    def candidates(self, window: Window) -> list[bytes]:
        """Return the words that the rack and what lies in a window can spell.

        Whether they fit the squares is not asked yet.  Windows with the same letters
        share them.
        """
        length = window.end - window.begin
        known, found = self.words.anagrams.get, list[bytes]()
        base = window.code
        # All in C but the sum: a rack asks for thousands of codes.
        codes = [one + base for one in self._codes[window.tiles]]
        for more in filter(None, map(known, codes)):
            if len(more) == length:
                found.append(more)
            elif not len(more) % length:
                found += [more[i : i + length] for i in range(0, len(more), length)]
        self._candidates[window.code, window.tiles] = found
        return found

    def fitting(self, window: Window) -> Sequence[bytes]:
        """Return the words that a window takes: fixed letters, words across."""
        words: Sequence[bytes] | None
        words = self._candidates.get((window.code, window.tiles))
        if words is None:
            words = self.candidates(window)
        if not words:
            return words
        lane, begin = window.lane, window.begin
        places = lane.check_from
        checks = lane.checks[places[begin] : places[window.end]]
        if not checks:
            return words
        if window.tiles == window.end - begin:
            # Many windows share the words of the rack alone: an index pays.
            index = self._index.get(window.tiles)
            if index is None:
                index = self._index[window.tiles] = Index(words, window.tiles)
            return index.choose([(at - begin, mask) for at, mask in checks])
        for place, mask in checks:
            at = place - begin
            words = [word for word in words if mask >> word[at] & 1]
            if not words:
                break
        return words

    def fill(self, window: Window) -> list[Play]:
        """Return every play in a window."""
        found = self.fitting(window)
        if not found:
            return []
        fixed, weights = weigh(window, self.rack)
        if self._odd or self.rack.blanks:
            return self._place(window, found, fixed, weights)
        points = self._points
        return [
            Play(
                fixed + sum(map(mul, [points[letter] for letter in word], weights)),
                window,
                word,
                (),
            )
            for word in found
        ]

    def _place(
        self, window: Window, words: Sequence[bytes], fixed: int, weights: list[int]
    ) -> list[Play]:
        """Return every way to lay some words: which squares blanks are laid on."""
        points, blanks = self._points, self.rack.blanks
        free = [at for at, weight in enumerate(weights) if weight]
        found: list[Play] = []
        for word in words:
            worth = [points[letter] for letter in word]
            score = fixed + sum(map(mul, worth, weights))
            lacking = self._lacking_of(bytes([word[at] for at in free]))
            for way in _blank_ways(word, free, lacking, blanks):
                less = 0
                for at in way:
                    less += worth[at] * weights[at]
                found.append(Play(score - less, window, word, way))
        if self._odd:
            found = [more for play in found for more in self._vary(play, free, weights)]
        return found

    def _lacking_of(self, letters: bytes) -> tuple[int, ...]:
        """Return which of some letters the rack's tiles do not cover."""
        known = self._lacking.get(letters)
        if known is None:
            left = [letter for letter, _ in self.rack.tiles]
            lacking: list[int] = []
            for letter in letters:
                if letter in left:
                    left.remove(letter)
                else:
                    lacking.append(letter)
            known = self._lacking[letters] = tuple(lacking)
        return known

    def _vary(self, play: Play, free: list[int], weights: list[int]) -> Iterator[Play]:
        """Yield a play once for each choice among tiles of unequal points."""
        ways: list[tuple[tuple[int, int], ...]] = [()]
        for letter in self._odd:
            places = [
                at for at in free if play.word[at] == letter and at not in play.blanks
            ]
            mine = sorted(points for one, points in self.rack.tiles if one == letter)
            orders = sorted(set(permutations(mine, len(places))))
            ways = [
                way + tuple(zip(places, order, strict=True))
                for way in ways
                for order in orders
            ]
        for way in ways:
            score = play.score
            odd: list[tuple[int, int]] = []
            for at, points in way:
                usual = self._points[play.word[at]]
                score += (points - usual) * weights[at]
                if points != usual:
                    odd.append((at, points))
            yield Play(score, play.window, play.word, play.blanks, tuple(odd))


def _blank_ways(
    word: bytes, free: list[int], lacking: tuple[int, ...], blanks: int
) -> list[tuple[int, ...]]:
    """Return the sets of squares on which blanks can be laid.

    Args:
        word: The letters.
        free: The squares to lay them on.
        lacking: Letters, as often as only blanks can be them.
        blanks: Blanks on the rack.
    """
    if not lacking:
        if not blanks:
            return [()]
        ways: list[tuple[int, ...]] = [(), *[(at,) for at in free]]
        for count in range(2, blanks + 1):
            ways += combinations(free, count)
        return ways
    if len(lacking) == 1 == blanks:
        letter = lacking[0]
        return [(at,) for at in free if word[at] == letter]
    return [
        way
        for count in range(len(lacking), blanks + 1)
        for way in combinations(free, count)
        if _covers([word[at] for at in way], lacking)
    ]


def _covers(letters: list[int], lacking: tuple[int, ...]) -> bool:
    """Return whether some letters have all the lacking ones among them."""
    for letter in lacking:
        if letter not in letters:
            return False
        letters.remove(letter)
    return True


class Index:
    """Words of one length, found by which letters may stand where."""

    def __init__(self, words: Sequence[bytes], length: int) -> None:
        """Note for each place and letter which words have it, as a set of bits."""
        self._words: Final = words
        self._at: Final[list[dict[int, int]]] = [{} for _ in range(length)]
        for number, word in enumerate(words):
            bit = 1 << number
            for place, letter in zip(self._at, word, strict=True):
                place[letter] = place.get(letter, 0) | bit
        self._sets: dict[tuple[int, int], int] = {}

    def choose(self, wanted: list[tuple[int, int]]) -> Sequence[bytes]:
        """Return the words that have an allowed letter at each of some places.

        Args:
            wanted: (place, letters allowed as a set of bits).
        """
        if not wanted:
            return self._words
        both = -1
        for key in wanted:
            found = self._sets.get(key)
            if found is None:
                found = self._sets[key] = self._union(*key)
            both &= found
            if not both:
                return ()
        return [self._words[number] for number in _bits(both)]

    def _union(self, place: int, mask: int) -> int:
        """Return the words with one of some letters at a place."""
        found = 0
        for letter, words in self._at[place].items():
            if mask >> letter & 1:
                found |= words
        return found


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set."""
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def weigh(window: Window, rack: Rack) -> tuple[int, list[int]]:
    """Return what a window scores by itself, and what a tile's points count there.

    Returns:
        Points whatever is laid (bonus included), and for each square the factor of
        the points of the tile laid there, 0 where a tile lies.
    """
    lane, begin, end = window.lane, window.begin, window.end
    times, lying, extra = 1, 0, 0
    for at in range(begin, end):
        if lane.letters[at] >= 0:
            lying += lane.worth[at]
        else:
            times *= lane.word_times[at]
    weights = [0] * (end - begin)
    for at in range(begin, end):
        if lane.letters[at] < 0:
            weight = lane.letter_times[at] * times
            if lane.across[at] >= 0:
                weight += lane.letter_times[at] * lane.word_times[at]
                extra += lane.across[at] * lane.word_times[at]
            weights[at - begin] = weight
    bonus = rack.bonus if window.tiles == rack.size else 0
    return lying * times + extra + bonus, weights


def _subsets(rack: Rack, words: WordMap) -> list[list[int]]:
    """Return for each number of tiles the codes of what they can spell."""
    choices = [[words.codes[letter]] for letter, _ in rack.tiles]
    choices += [list(words.codes)] * rack.blanks
    sets: list[set[int]] = [{0}]
    for codes in choices:
        grown = [{code + one for code in before for one in codes} for before in sets]
        sets.append(set())
        for size, found in enumerate(grown):
            sets[size + 1] |= found
    return [list(one) for one in sets]


def all_plays(finder: Finder) -> list[Play]:
    """Return every play, each set of tiles once."""
    found: list[Play] = []
    for window in finder.windows():
        found += finder.fill(window)
    return found
