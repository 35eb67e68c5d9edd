"""The moves listed, against every arrangement of the rack tried one by one."""

from collections.abc import Iterator
from itertools import islice, permutations
from random import Random
from string import ascii_uppercase

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import editions, networdz
from rules.game import IllegalMoveError
from rules.networdz import Laid, Lay, Pass, State
from rules.networdz.judging import column_name
from rules.tiles import Shown
from tests.rules.networdz.positions import (
    WORDS,
    Word,
    options,
    position,
    registered,
    tiles,
)

Play = frozenset[tuple[int, int, int]]
"""Cell, kind and letter of each tile laid."""


def small(side: int = 5) -> str:
    """Return the digest of an edition with a small board and a blocked square."""
    rows = [["."] * side for _ in range(side)]
    rows[0][1] = "##"
    edition = replace(
        editions.load("standard"),
        name="small",
        board=tuple(map(tuple, rows)),
        start=(side // 2, side // 2),
        longest=4,
    )
    return registered(edition)


def play_of(state: State, move: Lay) -> Play:
    kinds = {shown.tile: shown.kind for shown in move.shown}
    assert set(kinds) <= set(state.tiles.racks[0])
    return frozenset((each.cell, kinds[each.tile], each.letter) for each in move.laid)


def every_play(state: State) -> Iterator[Play]:
    """Lay the rack in every way along every line and ask the rules."""
    field = networdz.ground(state.options)
    rack = list(zip(state.tiles.racks[0], state.tiles.kinds[0], strict=True))
    for size in range(1, len(rack) + 1):
        for some in permutations(rack, size):
            for line in (*field.rows, *field.columns):
                free = [cell for cell in line if not state.letters[cell]]
                for first in range(len(free) - size + 1):
                    cells = free[first : first + size]
                    for letters in spelled(some, field.blank, field.free):
                        yield from judged(state, some, cells, letters)


def spelled(
    some: tuple[tuple[int, int], ...], blank: int, free: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """Yield the letters of some tiles, blanks as every letter of the test's words."""
    if not some:
        yield ()
        return
    used = [letter for letter in free if ascii_uppercase[letter] in "CATSO"]
    for head in used if some[0][1] == blank else (some[0][1],):
        for rest in spelled(some[1:], blank, free):
            yield (head, *rest)


def judged(
    state: State,
    some: tuple[tuple[int, int], ...],
    cells: list[int],
    letters: tuple[int, ...],
) -> Iterator[Play]:
    laid = tuple(
        Laid(cell, tile, letter)
        for cell, (tile, _), letter in zip(cells, some, letters, strict=True)
    )
    if not networdz.judge(state, 0, laid).error:
        yield frozenset(
            (cell, kind, letter)
            for cell, (_, kind), letter in zip(cells, some, letters, strict=True)
        )


BOARDS: list[list[Word]] = [
    [],
    [("across", 2, 1, "CAT")],
    [("down", 0, 2, "CATS")],
    [("across", 2, 0, "TOAST")],
    [("across", 2, 1, "AT"), ("down", 1, 2, "OTA")],
    [("across", 0, 2, "AT"), ("down", 0, 2, "AT"), ("across", 2, 0, "S")],
]
FEW = "AT TA CAT CATS OAT TO SO AS COT COTS OATS TOAST"


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("rack", ["T", "CAT", "OTTS", "C?S", "??"])
def test_every_play_is_listed_once_and_nothing_else(
    rack: str, board: list[Word]
) -> None:
    opts = replace(options(FEW), edition=small())
    state = position(rack, "E", bag="X", board=board, opts=opts)
    listed = [play_of(state, move) for move in networdz.lays(state, 0)]
    assert len(listed) == len(set(listed))
    assert set(listed) == set(every_play(state))
    for move in networdz.lays(state, 0):
        assert networdz.play(state, 0, move).last.cells


def test_an_opening_goes_across_and_down() -> None:
    state = position("AT", "E", bag="X", opts=options("AT"))
    plays = [[laid.cell for laid in move.laid] for move in networdz.lays(state, 0)]
    assert sorted(plays) == [[97, 112], [111, 112], [112, 113], [112, 127]]


def test_of_equal_tiles_the_lowest_numbers_are_laid_first() -> None:
    state = position("TTOT", "E", bag="X", opts=options("TOT"))
    move = next(networdz.lays(state, 0))
    assert [laid.tile for laid in move.laid] == [0, 2, 1]


def test_any_of_equal_tiles_may_be_laid_and_each_choice_is_a_move() -> None:
    state = position("TTOT", "E", bag="X", opts=options("TOT"))
    across = [
        [laid.tile for laid in move.laid]
        for move in networdz.moves(state, 0)
        if isinstance(move, Lay) and move.laid[0].cell == 110
    ]
    assert across == [[0, 2, 1], [0, 2, 3], [1, 2, 0], [1, 2, 3], [3, 2, 0], [3, 2, 1]]
    last = tiles(state, 0, "across", 7, 6, "TOT")
    other = networdz.lay(state, 0, (replace(last[0], tile=3), *last[1:]))
    assert networdz.play(state, 0, other).scores[0] > 0
    assert other in set(networdz.moves(state, 0))


def test_plays_of_a_rack_that_is_not_known_are_not_listed() -> None:
    state = position("CAT", "CAT", bag="X")
    for seat in (1, None):
        view = networdz.view(state, seat)
        assert not list(networdz.lays(view, 0))
        assert {type(move) for move in networdz.moves(view, 0)} == {Pass}


def test_moves_are_found_as_they_are_asked_for() -> None:
    state = position("TRAINE?", "E", bag="XXXXXXX", opts=options())
    first = list(islice(networdz.moves(state, 0), 3))
    assert first == list(islice(networdz.moves(state, 0), 3))
    assert all(isinstance(move, Lay) for move in first)


def test_the_order_is_plays_then_discards_then_the_plain_pass() -> None:
    state = position("CAT", "E", bag="X")
    kinds = [type(move).__name__ for move in networdz.moves(state, 0)]
    assert kinds == sorted(kinds, key=["Lay", "Pass"].index)
    assert list(networdz.moves(state, 0))[-1] == Pass()


def test_an_empty_rack_lays_nothing() -> None:
    assert not list(networdz.lays(position("", "E", bag="X"), 0))


@given(st.integers(0, 2**32))
def test_every_listed_play_is_accepted_in_random_positions(seed: int) -> None:
    rng = Random(seed)
    rack = "".join(rng.sample("CATSOTOADENNZIUQ?X", 5))
    board: list[Word] = rng.choice(
        [
            [],
            [("across", 7, 6, "CAT")],
            [("down", 4, 7, "TOAD"), ("across", 7, 7, "DO")],
        ]
    )
    state = position(rack, "E", bag="XXXXX", board=board, opts=options(WORDS))
    for move in islice(networdz.lays(state, 0), 50):
        after = networdz.play(state, 0, move)
        judged_as = networdz.judge(state, 0, move.laid)
        assert after.scores[0] == judged_as.points
        for seat in (0, 1, None):
            seen = networdz.play(networdz.view(state, seat), 0, move)
            assert seen == networdz.view(after, seat)


@given(st.integers(-5, 230), st.integers(-2, 5), st.integers(-2, 30))
def test_single_tiles_are_accepted_exactly_where_listed(
    cell: int, tile: int, letter: int
) -> None:
    state = position("SO?", "E", bag="X", board=[("across", 7, 6, "CAT")])
    kinds = {0: 18, 1: 14, 2: 26}
    laid = Laid(cell, tile, letter)
    move = Lay((laid,), (Shown(tile, kinds.get(tile, 0)),))
    listed = move in set(networdz.lays(state, 0))
    try:
        networdz.play(state, 0, move)
    except IllegalMoveError:
        assert not listed
    else:
        assert listed


def test_columns_behind_z_have_two_letters() -> None:
    names = [column_name(n) for n in (0, 25, 26, 51, 52, 77)]
    assert names == ["A", "Z", "AA", "AZ", "BA", "BZ"]
