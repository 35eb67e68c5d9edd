"""Traps by the document's pictures and by a naive flood fill."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import hexes
from rules.lhexicon import cells, judging
from rules.lhexicon.state import EMPTY
from tests.rules.lhexicon import worked

SIDE = 9
OPENING = (worked.CODED, worked.CRUEL)


def _bonus(before: tuple[str, ...], word: str) -> judging.Bonus:
    letters = worked.board(before)
    empty = cells.mask(n for n, x in enumerate(letters) if x == EMPTY)
    return judging.bonus(empty, cells.mask(worked.laid(word)), SIDE)


@pytest.mark.parametrize(
    ("before", "word", "closed", "split", "points"),
    [
        ((), worked.CODED, [], [], 0),
        ((worked.CODED,), worked.CRUEL, [], [], 0),
        (OPENING, worked.LEVELED, ["(-2,-1)(-1,-1)(0,-1)(1,-1)"], [], 12),
        (
            (*OPENING, worked.LEVELED),
            worked.CODDLE,
            [],
            ["(-2,-1)(-1,-1)", "(1,-1)"],
            9,
        ),
        ((*OPENING, worked.LEVELED), worked.PLEADED, [], [], 0),
    ],
)
def test_the_documents_plays_close_and_split_what_it_says(
    before: tuple[str, ...], word: str, closed: list[str], split: list[str], points: int
) -> None:
    bonus = _bonus(before, word)
    assert bonus.closed == tuple(worked.group(text) for text in closed)
    assert bonus.split == tuple(worked.group(text) for text in split)
    assert bonus.points == points


def test_filling_a_trap_earns_nothing() -> None:
    ring = cells.mask(hexes.adjacent(SIDE)[cells.centre(SIDE)])
    empty = cells.whole(SIDE) & ~ring
    assert judging.find_traps(empty, SIDE) == (1 << cells.centre(SIDE),)
    assert judging.bonus(empty, 1 << cells.centre(SIDE), SIDE) == judging.Bonus()


def test_cells_on_the_edge_are_no_trap_even_when_walled_in() -> None:
    corner = hexes.numbers(SIDE)[SIDE - 1, 0]
    wall = cells.mask(hexes.adjacent(SIDE)[corner])
    assert judging.find_traps(cells.whole(SIDE) & ~wall, SIDE) == ()


def test_one_play_may_close_a_trap_and_split_another() -> None:
    # Two rings that share a wall: one shut with three empty cells in a row inside,
    # the other open at one place, both finished by the same two tiles.
    number = hexes.numbers(SIDE)
    row = {number[q, 0] for q in (-4, -3, -2)}
    inside = row | {number[0, 0]}
    near = cells.spread(cells.mask(inside), SIDE)
    wall = near & ~cells.mask(inside)
    gap = number[1, 0]
    empty = cells.whole(SIDE) & ~wall | 1 << gap
    bonus = judging.bonus(empty, 1 << gap | 1 << number[-3, 0], SIDE)
    assert bonus.closed == ((number[0, 0],),)
    assert bonus.split == ((number[-4, 0],), (number[-2, 0],))
    assert bonus.points == 9


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_a_trap_earns_for_every_cell_that_is_left_in_however_many_parts(
    parts: int,
) -> None:
    number = hexes.numbers(SIDE)
    row = [number[q, 0] for q in range(-4, 2 * parts - 5)]
    inside = cells.mask(row)
    wall = cells.spread(inside, SIDE) & ~inside
    bonus = judging.bonus(cells.whole(SIDE) & ~wall, cells.mask(row[1::2]), SIDE)
    assert bonus.split == tuple((cell,) for cell in row[::2])
    assert (bonus.closed, bonus.points) == ((), 3 * parts)


def _naive_traps(empty: set[int], side: int) -> set[frozenset[int]]:
    seen: set[int] = set()
    found: set[frozenset[int]] = set()
    for start in empty:
        group, todo = {start}, [start]
        while todo:
            for near in hexes.adjacent(side)[todo.pop()]:
                if near in empty and near not in group:
                    group.add(near)
                    todo.append(near)
        seen |= group
        if not group & hexes.border(side):
            found.add(frozenset(group))
    return found


def _naive_points(empty: set[int], laid: set[int], side: int) -> int:
    before = _naive_traps(empty, side)
    after = _naive_traps(empty - laid, side)
    closed = {t for t in after if not any(t <= old for old in before)}
    split = set[frozenset[int]]()
    for old in before:
        parts = {t for t in after if t <= old}
        split |= parts if len(parts) > 1 else set()
    return 3 * (sum(map(len, closed)) + sum(map(len, split)))


boards = st.integers(3, 6).flatmap(
    lambda side: st.tuples(
        st.just(side), st.lists(st.integers(0, 2), min_size=91, max_size=91)
    )
)


@given(boards)
def test_traps_and_points_agree_with_a_naive_count(
    drawn: tuple[int, list[int]],
) -> None:
    side, marks = drawn
    count = len(hexes.hexagon(side))
    empty = {n for n in range(count) if marks[n] != 1}
    laid = {n for n in range(count) if marks[n] == 2}
    mask = cells.mask(empty)
    assert {frozenset(cells.members(t)) for t in judging.find_traps(mask, side)} == (
        _naive_traps(empty, side)
    )
    points = judging.bonus(mask, cells.mask(laid), side).points
    assert points == _naive_points(empty, laid, side)
