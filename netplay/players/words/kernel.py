"""The compiled kernel, where it is installed: the same plays as `plays`, sooner.

It is a wheel of its own, `netplay-kernel`, built from `kernel/` of a checkout.  Without
it, with NETPLAY_KERNEL=off, or where a game asks more of it than it was made for
(tiles of one letter that differ in points, say), everything is done in Python.
"""

import os
from collections.abc import Collection, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple, overload
from weakref import WeakKeyDictionary

from typing_extensions import override

from netplay.players.words.leaves import Table
from netplay.players.words.plays import Finder, Play
from netplay.players.words.position import Board, Rack
from netplay.players.words.windows import Window
from netplay.players.words.wordmap import WordMap

VARIABLE: Final = "NETPLAY_KERNEL"
OFF: Final = "off"

LETTERS: Final = 63
"""An alphabet, as bits of a number of 64."""

LONGEST: Final = 32
"""Letters of the longest word."""

SIDE: Final = 40
UNFIT: Final = -2
"""What the kernel says of a board or rack with what it does not know."""

ROOM: Final = 4_000, 20_000, 100_000
"""Plays there is room for at first, with no blank, one, and more: what has too little
room is searched twice."""


class Start(NamedTuple):
    """A move before the tiles are drawn for it."""

    board: Board
    kept: Rack
    score: int
    gone: Sequence[int]
    """Letters that it puts back; the blank is one more than the last."""


class Found(NamedTuple):
    """A play, as the kernel tells it."""

    worth: float
    score: int
    down: bool
    square: int
    word: bytes
    blanks: tuple[int, ...]
    tiles: int

    def play(self, finder: Finder) -> Play:
        """Return the play, as the finder for the same position would."""
        for lane in finder.lanes:
            if lane.down == self.down and self.square in lane.squares:
                begin = lane.squares.index(self.square)
                end = begin + len(self.word)
                codes = finder.words.codes
                code = sum(codes[x] for x in lane.letters[begin:end] if x >= 0)
                window = Window(self.score, lane, begin, end, self.tiles, code)
                return Play(self.score, window, self.word, self.blanks)
        raise AssertionError("a play lies outside of the board")


class Plays(Sequence[Found]):
    """What the kernel has found; each is told when it is asked for."""

    def __init__(self, ffi: Any, out: Any, count: int) -> None:  # noqa: ANN401 (the wheel has no types)
        self._ffi: Final = ffi
        self._out: Final = out
        self._count: Final = count

    @override
    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> Found: ...
    @overload
    def __getitem__(self, at: slice) -> list[Found]: ...
    @override
    def __getitem__(self, at: int | slice) -> Found | list[Found]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(self._count))]
        if not 0 <= at < self._count:
            raise IndexError(at)
        play = self._out[at]
        word = bytes(self._ffi.buffer(play.word, play.length))
        down, mask = bool(play.down), play.blanks
        blanks = tuple(place for place in range(play.length) if mask >> place & 1)
        return Found(
            play.worth, play.score, down, play.square, word, blanks, play.tiles
        )


class Kernel:
    """The kernel, with the words of one map."""

    def __init__(self, module: Any, words: WordMap) -> None:  # noqa: ANN401 (the wheel has no types)
        """Build the tree of the words, a third of a second for 270,000."""
        self._ffi: Final = module.ffi
        self._lib: Final = module.lib
        self._letters: Final = words.letters
        # Room that is not used is not to cost anything: it is not even cleared.
        self._room: Final = self._ffi.new_allocator(should_clear_after_alloc=False)
        listed = sorted(
            text[at : at + length]
            for length, known in enumerate(words.anagrams)
            for text in known.values()
            for at in range(0, len(text), length)
        )
        starts, at = [0], 0
        for word in listed:
            at += len(word)
            starts.append(at)
        text = b"".join(listed)
        made = self._lib.kernel_words(
            self._ffi.from_buffer(text),
            self._ffi.new("uint32_t[]", starts),
            len(listed),
            words.letters,
            words.longest,
        )
        if made == self._ffi.NULL:
            raise MemoryError
        self._words: Final = self._ffi.gc(made, self._lib.kernel_free)

    def plays(self, board: Board, rack: Rack, table: Table | None) -> "Plays":
        """Return every play; worth less the points kept where there is no table."""
        return self._search(board, rack, table, every=True)

    def best(self, board: Board, rack: Rack, table: Table | None) -> Found | None:
        """Return a play that is worth most."""
        return next(iter(self._search(board, rack, table, every=False)), None)

    def rollouts(
        self,
        starts: Sequence[Start],
        order: Sequence[int],
        others: int,
        points: bytes,
        table: Table,
        longest: int,
    ) -> list[float]:
        """Return by how much a player comes out ahead, for each of some moves.

        Args:
            starts: The moves.
            order: Letters of the tiles nobody has seen, the other's rack first.
            others: How many are on that rack.
            points: Of each letter.
            table: What tiles are worth.
            longest: Plies after which nothing is followed; 0 for an answer and a play.
        """
        ffi, kept = self._ffi, list[Any]()
        boards = ffi.new("KernelBoard[]", len(starts))
        hands = ffi.new("KernelHand[]", len(starts))
        gone = [ffi.new("uint8_t[]", list(each.gone) or 1) for each in starts]
        for at, start in enumerate(starts):
            self._fill_board(boards[at], start.board, kept)
            self._fill_hand(hands[at], start.kept)
            for letter, each in enumerate(points[: self._letters]):
                hands[at].points[letter] = each
        size, bonus = starts[0].kept.size, starts[0].kept.bonus
        values = ffi.new("double[]", len(starts))
        single, pairs = self._tables(table)
        good = self._lib.kernel_rollouts(
            self._words, boards, len(starts), hands,
            ffi.new("int32_t[]", [each.score for each in starts]),
            ffi.new("uint8_t *[]", gone),
            ffi.new("int32_t[]", [len(each.gone) for each in starts]),
            ffi.new("uint8_t[]", list(order)), len(order), others, size, bonus,
            ffi.from_buffer(points), single, pairs, longest > 0, longest, values,
        )  # fmt: skip
        _check(good)
        return list(values)

    def _search(
        self, board: Board, rack: Rack, table: Table | None, *, every: bool
    ) -> "Plays":
        ffi, kept = self._ffi, list[Any]()
        field = ffi.new("KernelBoard *")
        self._fill_board(field, board, kept)
        hand = ffi.new("KernelHand *")
        self._fill_hand(hand, rack)
        single, pairs = (ffi.NULL, ffi.NULL) if table is None else self._tables(table)
        room = ROOM[min(rack.blanks, 2)] if every else 1
        while True:
            out = self._room("KernelPlay[]", room)
            count = self._lib.kernel_search(
                self._words, field, hand, single, pairs, 0.0, out, room, every
            )
            _check(count)
            if count <= room:
                return Plays(ffi, out, count)
            room = count

    def _fill_board(self, field: Any, board: Board, kept: list[Any]) -> None:  # noqa: ANN401
        new = self._ffi.new
        parts = (
            new("int8_t[]", board.letters),
            new("int16_t[]", board.worth),
            self._ffi.from_buffer(bytes(board.letter_times)),
            self._ffi.from_buffer(bytes(board.word_times)),
        )
        kept += parts  # the structure only points at them
        field.letters, field.worth, field.by_letter, field.by_word = parts
        field.width, field.height, field.start = board.width, board.height, board.start

    def _fill_hand(self, hand: Any, rack: Rack) -> None:  # noqa: ANN401
        for letter, points in rack.tiles:
            if letter >= self._letters:
                raise ValueError("a tile has a letter that no word has")
            hand.count[letter] += 1
            hand.points[letter] = points
        hand.blanks, hand.size, hand.bonus = rack.blanks, rack.size, rack.bonus

    def _tables(self, table: Table) -> tuple[Any, Any]:
        if len(table.tiles) != self._letters + 1:
            raise ValueError("the worth of tiles is of another alphabet")
        known = _TABLES.get(id(table))
        if known is None or known[0] is not table:
            new = self._ffi.new
            pairs = [each for row in table.pairs for each in row]
            known = (table, new("double[]", table.tiles), new("double[]", pairs))
            _TABLES.clear()
            _TABLES[id(table)] = known
        return known[1], known[2]


def _check(told: int) -> None:
    """Take what the kernel says of its work: less than 0 that it could not do it."""
    if told == UNFIT:
        raise ValueError("the kernel cannot read such a board or rack")
    if told < 0:
        raise MemoryError


_TABLES: Final[dict[int, tuple[Table, Any, Any]]] = {}
_KERNELS: Final[WeakKeyDictionary[WordMap, Kernel]] = WeakKeyDictionary()


@cache
def module() -> Any:  # noqa: ANN401 (the wheel has no types)
    """Return the wheel's module, None without one."""
    if os.environ.get(VARIABLE) == OFF:
        return None
    try:
        return import_module("netplay_kernel")
    except ImportError:
        return None


def kernel(
    words: WordMap, board: Board, points: Collection[tuple[int, int]]
) -> Kernel | None:
    """Return the kernel for a game, None where Python has to do.

    Args:
        words: Of the game.
        board: Any of the game.
        points: (letter, points) of the tiles of the game, blanks left out.
    """
    loaded = module()
    wide = max(board.width, board.height) > SIDE or words.letters > LETTERS
    wide = wide or words.longest > LONGEST
    odd = len({letter for letter, _ in points}) < len(set(points))
    if loaded is None or wide or odd:
        return None
    found = _KERNELS.get(words)
    if found is None:
        found = _KERNELS[words] = Kernel(loaded, words)
    return found
