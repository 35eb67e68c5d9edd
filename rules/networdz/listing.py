"""Every legal move, lazily and in a fixed order.

Plays are found from the word graph: along a line, words grow letter by letter from
every square where a play could hold on (an *anchor*), only through letters that the
graph and the words across allow.  After Appel and Jacobson, "The world's fastest
Scrabble program" (1988).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, starmap
from typing import Final

from rules.game import CHANCE, CLOCK, Actor, Seat
from rules.networdz import values
from rules.networdz.judging import around
from rules.networdz.playing import ALIKE, ENOUGH, accepted, actors, outcomes, to_show
from rules.tiles import Shown, bag_size, on_rack, pending, reveals, shows


def moves(state: values.State, actor: Actor) -> Iterator[values.Move]:
    """Yield every legal move but `Resign`, lazily, in a fixed order.

    Invalid plays, which tournament rules take as a lost turn and others until they are
    challenged, are not listed: there are more of them than anybody could count.
    """
    if actor not in actors(state):
        return
    if actor == CHANCE:
        yield from _chance(state)
    elif actor == CLOCK:
        if state.options.timed:
            yield values.Expire()
        if state.options.tournament:
            yield values.Overtime(state.turn)
    else:
        if state.pending is not None:
            yield from (values.Challenge(), values.Accept())
            state = accepted(state)
            if state.phase != values.Phase.PLAY:
                return
        rack = list(starmap(Shown, on_rack(state.tiles, actor).items()))
        for play in lays(state, actor):
            wanted = [shown.kind for shown in play.shown]
            for shown in _choices(rack, wanted):
                laid = tuple(
                    values.Laid(each.cell, tile.tile, each.letter)
                    for each, tile in zip(play.laid, shown, strict=True)
                )
                yield values.Lay(laid, shown)
        yield from _renewals(state, actor)
        yield from _trades(state, actor)
        # Every discard, smaller ones first, and the plain pass at last
        held, pool = state.tiles.racks[actor], bag_size(state.tiles)
        most = 0 if state.options.tournament and pool < ENOUGH else min(len(held), pool)
        yield from (
            values.Pass(some)
            for size in range(1, most + 1)
            for some in combinations(held, size)
        )
        yield values.Pass()


def lays(state: values.State, seat: Seat) -> Iterator[values.Lay]:
    """Yield every legal play of a seat whose rack this state knows.

    Of equal tiles the lowest numbers are laid first.  Which of them goes where makes
    no difference to anybody, so each play comes once.
    """
    kinds = state.tiles.kinds[seat]
    if min(kinds, default=0) < 0:
        return
    field = values.ground(state.options)
    for lines, down in ((field.rows, False), (field.columns, True)):
        for cells in lines:
            search = _Search(field, state.letters, kinds, cells, down=down)
            for play in search.plays():
                yield _lay(state, seat, play)


def _choices(rack: list[Shown], kinds: list[int]) -> Iterator[tuple[Shown, ...]]:
    """Yield every way to take tiles of these kinds, lowest numbers first."""
    if not kinds:
        yield ()
        return
    for tile in rack:
        if tile.kind == kinds[0]:
            others = [each for each in rack if each != tile]
            for rest in _choices(others, kinds[1:]):
                yield (tile, *rest)


def _chance(state: values.State) -> Iterator[values.Move]:
    """Yield what CHANCE may turn up, as often as it is likely."""
    if state.phase == values.Phase.DRAW:
        field = values.ground(state.options)
        yield from outcomes(field, len(state.scores), state.draws)
    elif pending(state.tiles) is not None:
        yield from reveals(state.tiles)
    else:
        tile = to_show(state)
        assert tile is not None  # else CHANCE would not be waited for
        yield from shows(state.tiles, tile)


def _renewals(state: values.State, seat: Seat) -> Iterator[values.Renew]:
    """Yield every way to show four of a kind."""
    tiles = state.tiles
    rack = on_rack(tiles, seat)
    enough = bag_size(tiles) >= max(ENOUGH, len(rack))
    if not state.options.four_of_a_kind or not enough:
        return
    for kind in range(values.ground(state.options).blank):
        alike = [Shown(tile, kind) for tile, held in rack.items() if held == kind]
        for four in combinations(alike, ALIKE):
            yield values.Renew(four)


def _trades(state: values.State, seat: Seat) -> Iterator[values.Trade]:
    if not state.options.trade_blanks:
        return
    tiles, field = state.tiles, values.ground(state.options)
    for cell, _ in state.blanks:
        for tile, kind in on_rack(tiles, seat).items():
            if kind >= 0 and field.counted(kind) == state.letters[cell] - 1:
                yield values.Trade(cell, (Shown(tile, kind),))


Step = tuple[int, int, bool]
"""A cell, the letter laid on it, and whether a blank stands for it."""


def _lay(state: values.State, seat: Seat, play: Sequence[Step]) -> values.Lay:
    """Return the move for a play, with the lowest-numbered of equal tiles first."""
    held = on_rack(state.tiles, seat)
    blank = values.ground(state.options).blank
    laid: list[values.Laid] = []
    shown: list[Shown] = []
    for cell, letter, by_blank in play:
        kind = blank if by_blank else letter
        tile = next(number for number, each in held.items() if each == kind)
        del held[tile]
        laid.append(values.Laid(cell, tile, letter))
        shown.append(Shown(tile, kind))
    return values.Lay(tuple(laid), tuple(shown))


class _Search:
    """The plays along one row or column."""

    def __init__(
        self,
        field: values.Ground,
        letters: bytes,
        rack: Sequence[int],
        cells: range,
        *,
        down: bool,
    ) -> None:
        """Look at a line.

        Args:
            field: Board and words.
            letters: The board, as in the state.
            rack: Kinds held.
            cells: The line.
            down: Whether it is a column: plays of one tile that make a word along
                the row too have been found there.
        """
        self._field: Final = field
        self._graph: Final = field.words
        self._rack: Final = [rack.count(kind) for kind in range(field.blank + 1)]
        self._cells: Final = cells
        self._down: Final = down
        self._line: Final = [letters[cell] for cell in cells]
        self._open: Final = [
            not letters[cell] and not field.blocked[cell] for cell in cells
        ]
        self._across: Final = [self._word_across(letters, cell) for cell in cells]
        self._known: Final[dict[tuple[int, int], bool]] = {}
        self._first: Final = not any(letters)

    def plays(self) -> Iterator[list[Step]]:
        """Yield every play along the line, each a list of steps in order of cells."""
        limit = 0  # open squares before the next that are no anchor
        for place, free in enumerate(self._open):
            if free and self._anchor(place):
                yield from self._from_anchor(place, limit)
                limit = 0
            else:
                limit = limit + 1 if free else 0

    def _anchor(self, place: int) -> bool:
        """Say whether a play may hold on to a square."""
        if self._first:
            return self._cells[place] == self._field.start
        line = self._line
        return (
            self._across[place] is not None
            or (place > 0 and line[place - 1] > 0)
            or (place + 1 < len(line) and line[place + 1] > 0)
        )

    def _word_across(
        self, letters: bytes, cell: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """Return the letters before and after a square, across the line, if any."""
        if letters[cell]:
            return None
        field = self._field
        line = field.row(cell) if self._down else field.column(cell)
        run = around(letters, line, cell)
        if len(run) == 1:
            return None
        before = tuple(letters[each] - 1 for each in run if each < cell)
        after = tuple(letters[each] - 1 for each in run if each > cell)
        return before, after

    def _fits(self, place: int, letter: int) -> bool:
        """Say whether a letter makes a word across the line, or none at all."""
        across = self._across[place]
        if across is None:
            return True
        known = self._known.get((place, letter))
        if known is None:
            word = (*across[0], letter, *across[1])
            longest = self._field.edition.longest
            known = len(word) <= longest and self._graph.has(word)
            self._known[place, letter] = known
        return known

    def _from_anchor(self, place: int, limit: int) -> Iterator[list[Step]]:
        """Yield the plays whose first anchor this is, with at most `limit` before."""
        low = place
        while low > 0 and self._line[low - 1]:
            low -= 1
        if low == place:
            yield from self._left(place, self._graph.root, [], limit)
            return
        node = self._graph.root
        for code in self._line[low:place]:
            node = self._graph.child(node, code - 1)
        yield from self._upon(place, node, [], place - low)

    def _left(
        self, anchor: int, node: int, laid: list[tuple[int, bool]], limit: int
    ) -> Iterator[list[Step]]:
        """Yield the plays with the letters in `laid` before the anchor."""
        size = len(laid)
        steps = [
            (self._cells[anchor - size + index], letter, blank)
            for index, (letter, blank) in enumerate(laid)
        ]
        yield from self._upon(anchor, node, steps, size)
        if size == limit:
            return
        for letter, blank, child in self._arcs(node):
            held = self._take(letter, blank=blank)
            yield from self._left(anchor, child, [*laid, (letter, blank)], limit)
            self._rack[held] += 1

    def _upon(
        self, place: int, node: int, steps: list[Step], length: int
    ) -> Iterator[list[Step]]:
        """Yield the plays that lay a tile on an open square and go on from there."""
        for letter, blank, child in self._arcs(node):
            if self._fits(place, letter):
                held = self._take(letter, blank=blank)
                more = [*steps, (self._cells[place], letter, blank)]
                yield from self._right(place + 1, child, more, length + 1)
                self._rack[held] += 1

    def _right(
        self, place: int, node: int, steps: list[Step], length: int
    ) -> Iterator[list[Step]]:
        while place < len(self._line) and self._line[place]:
            node = self._graph.child(node, self._line[place] - 1)
            place, length = place + 1, length + 1
        if self._whole(node, steps, length):
            yield steps
        if place < len(self._line) and self._open[place]:
            yield from self._upon(place, node, steps, length)

    def _whole(self, node: int, steps: list[Step], length: int) -> bool:
        """Say whether letters are a word, and the play is not found in a row too."""
        if not self._graph.ends(node) or not 2 <= length <= self._field.edition.longest:
            return False
        if not self._down or len(steps) > 1:
            return True
        return self._across[self._cells.index(steps[0][0])] is None

    def _arcs(self, node: int) -> Iterator[tuple[int, bool, int]]:
        """Yield what can be laid after a node: letter, by a blank, the node then."""
        blank = self._field.blank
        for letter, child in self._graph.arcs(node):
            for kind in self._field.standing[letter]:
                if self._rack[kind]:
                    yield kind, False, child
            if self._rack[blank]:
                yield letter, True, child

    def _take(self, letter: int, *, blank: bool) -> int:
        kind = self._field.blank if blank else letter
        self._rack[kind] -= 1
        return kind
