"""Every legal play of a position.

Words of one length are a group, found by which letters may stand where.  A group holds
its words end to end, so that the letters in one place of all of them are a slice; which
of these are allowed is one translation of bytes, and which words pass several checks is
an AND of numbers.  However many words there are, a check is a few calls.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, compress, permutations
from operator import itemgetter, mul
from typing import Final, cast

from msgspec import Struct

from netplay.players.words.position import EMPTY, Board, Rack, lanes
from netplay.players.words.windows import Window, reach, windows
from netplay.players.words.wordmap import WordMap

Check = tuple[int, int]
"""(place in a lane, letters that may stand there as a set of bits)."""
FEW: Final = 24
"""So many words are looked at one by one: few calls would cost more."""


class Group:
    """Words of one length."""

    __slots__ = ("_bits", "_length", "_spelled", "_table", "_words", "count")

    def __init__(
        self, spelled: bytes, length: int, table: Callable[[int], bytes]
    ) -> None:
        """Take words over.

        Args:
            spelled: The words, one after the other.
            length: Of each of them.
            table: Returns for a set of letters the bytes to translate letters by, 1
                for those in the set and 0 for all others.
        """
        self._spelled: Final = spelled
        self._length: Final = length
        self.count: Final = len(spelled) // length
        self._table: Final = table
        self._bits: Final[dict[Check, int]] = {}
        self._words: list[bytes] | None = None

    def words(self) -> list[bytes]:
        """Return all words."""
        if self._words is None:
            spelled, length = self._spelled, self._length
            self._words = [
                spelled[at : at + length] for at in range(0, len(spelled), length)
            ]
        return self._words

    def choose(self, checks: Sequence[Check], begin: int) -> Sequence[bytes]:
        """Return the words that have an allowed letter in each of some places.

        Args:
            checks: What is asked of places in a lane.
            begin: Where in the lane the words begin.
        """
        if not checks:
            return self.words()
        spelled, length, known = self._spelled, self._length, self._bits
        if self.count <= FEW:
            words = self.words()
            for place, mask in checks:
                at = place - begin
                words = [word for word in words if mask >> word[at] & 1]
                if not words:
                    break
            return words
        both = -1
        for place, mask in checks:
            key = (place - begin, mask)
            found = known.get(key)
            if found is None:
                column = spelled[place - begin :: length].translate(self._table(mask))
                found = known[key] = int.from_bytes(column, "little")
            both &= found
            if not both:
                return ()
        chosen = both.to_bytes(self.count, "little")
        return [
            spelled[at : at + length]
            for at in compress(range(0, len(spelled), length), chosen)
        ]


NO_WORDS: Final = Group(b"", 1, lambda _: b"")


Way = tuple[int, ...]
"""Places in a word, ascending, where blanks are laid."""


class Blanks:
    """The ways to lay words with one rack; each is worked out once."""

    def __init__(self, letters: tuple[int, ...], count: int) -> None:
        """Take a rack.

        Args:
            letters: Of its tiles.
            count: Of its blanks.
        """
        self._letters: Final = letters
        self._count: Final = count
        self._known: Final[dict[Way, dict[tuple[int, ...], list[Way]]]] = {}

    def ways(self, free: Way) -> dict[tuple[int, ...], list[Way]]:
        """Return letters laid on some places -> the ways to lay them, as far as known.

        Args:
            free: The places, in a word, that a tile is laid on.
        """
        found = self._known.get(free)
        if found is None:
            found = self._known[free] = {}
        return found

    def find(self, laid: tuple[int, ...], free: Way) -> list[Way]:
        """Return the ways to lay letters: the places where a blank is laid.

        Args:
            laid: The letters, one for each place.
            free: The places, in a word.
        """
        lacking, blanks = self._lacking(laid), self._count
        if not lacking:
            ways: list[Way] = [(), *[(at,) for at in free][: len(free) * blanks]]
            for count in range(2, blanks + 1):
                ways += combinations(free, count)
            return ways
        if len(lacking) == 1 == blanks:
            letter = lacking[0]
            return [(at,) for at, own in zip(free, laid, strict=True) if own == letter]
        places = range(len(free))
        return [
            tuple([free[at] for at in way])
            for count in range(len(lacking), blanks + 1)
            for way in combinations(places, count)
            if _covers([laid[at] for at in way], lacking)
        ]

    def _lacking(self, laid: tuple[int, ...]) -> list[int]:
        """Return which of some letters the rack's tiles do not cover."""
        left = list(self._letters)
        lacking: list[int] = []
        for letter in laid:
            if letter in left:
                left.remove(letter)
            else:
                lacking.append(letter)
        return lacking


def _covers(letters: list[int], lacking: list[int]) -> bool:
    """Return whether some letters have all the lacking ones among them."""
    for letter in lacking:
        if letter not in letters:
            return False
        letters.remove(letter)
    return True


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
        self._groups: dict[tuple[int, int], Group] = {}
        points = dict(reversed(rack.tiles))
        self._points: Final = bytes([points.get(letter, 0) for letter in range(256)])
        odd = [tile for tile in rack.tiles if tile[1] != points[tile[0]]]
        self._odd: Final = {letter for letter, _ in odd}
        letters = tuple([letter for letter, _ in rack.tiles])
        self._blanks: Final = Blanks(letters, rack.blanks)

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

    def candidates(self, window: Window) -> Group:
        """Return the words that the rack and what lies in a window can spell.

        Whether they fit the squares is not asked yet.  Windows with the same letters
        share them.
        """
        length, base = window.end - window.begin, window.code
        known = self.words.of(length).get
        # All in C but the sum: a rack asks for thousands of codes.
        codes = [one + base for one in self._codes[window.tiles]]
        spelled = b"".join(filter(None, map(known, codes)))
        found = Group(spelled, length, self.words.table) if spelled else NO_WORDS
        self._groups[base, window.tiles] = found
        return found

    def plays(self) -> list[Play]:
        """Return every play, each set of tiles once."""
        found: list[Play] = []
        for window in self.windows():
            found += self.fill(window)
        return found

    def fill(self, window: Window) -> list[Play]:
        """Return every play in a window."""
        if window.tiles == 1:
            # Which letters make a word has been found out for the words across.
            lane = window.lane
            at = lane.letters.index(EMPTY, window.begin, window.end)
            mask = lane.own[at] & lane.allowed[at] & self.reach.mask
            before = bytes(lane.letters[window.begin : at])
            after = bytes(lane.letters[at + 1 : window.end])
            letters = [n for n in range(self.words.letters) if mask >> n & 1]
            return self._lay(
                window, [before + bytes((letter,)) + after for letter in letters]
            )
        group = self._groups.get((window.code, window.tiles))
        if group is None:
            group = self.candidates(window)
        if not group.count:
            return []
        # Of its words those that fit: to fixed letters, and to words across.
        places = window.lane.check_from
        checks = window.lane.checks[places[window.begin] : places[window.end]]
        return self._lay(window, group.choose(checks, window.begin))

    def _lay(self, window: Window, words: Sequence[bytes]) -> list[Play]:
        if not words:
            return []
        fixed, weights = weigh(window, self.rack)
        if self._odd or self.rack.blanks:
            return self._place(window, words, fixed, weights)
        points = self._points
        return [
            Play(
                fixed + sum(map(mul, word.translate(points), weights)), window, word, ()
            )
            for word in words
        ]

    def _place(
        self, window: Window, words: Sequence[bytes], fixed: int, weights: list[int]
    ) -> list[Play]:
        """Return every way to lay some words: which squares blanks are laid on."""
        points = self._points
        free = tuple([at for at, weight in enumerate(weights) if weight])
        laid_of = _taking(free)
        known = self._blanks.ways(free)
        found: list[Play] = []
        for word in words:
            laid = laid_of(word)
            ways = known.get(laid)
            if ways is None:
                ways = known[laid] = self._blanks.find(laid, free)
            gains = [*map(mul, word.translate(points), weights)]
            score = fixed + sum(gains)
            for way in ways:
                less = 0
                for at in way:
                    less += gains[at]
                found.append(Play(score - less, window, word, way))
        if self._odd:
            listed = list(free)
            found = [
                more for play in found for more in self._vary(play, listed, weights)
            ]
        return found

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


def _taking(places: tuple[int, ...]) -> Callable[[bytes], tuple[int, ...]]:
    """Return what takes the letters in some places out of a word."""
    if len(places) == 1:
        (only,) = places
        return lambda word: (word[only],)
    return cast("Callable[[bytes], tuple[int, ...]]", itemgetter(*places))


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
