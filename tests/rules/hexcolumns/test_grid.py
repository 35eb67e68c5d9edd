"""The well's geometry, checked against the shared hexagonal coordinates."""

import pytest

from rules import hexcolumns as game
from rules import hexes
from rules.hexcolumns.grid import grid

sizes = pytest.mark.parametrize("size", game.SIZES)


def places(size: int) -> list[tuple[int, int]]:
    return [
        (column, height)
        for column in range(1 - size, size)
        for height in range(game.depth(size, column))
    ]


def axial(size: int, column: int, height: int) -> hexes.Hex:
    """Return the same cell in `rules.hexes`, whose rows count downwards."""
    return column, size - 1 - height - max(0, column)


@pytest.mark.parametrize(("size", "count"), [(6, 91), (7, 127), (8, 169), (9, 217)])
def test_a_well_has_3nn_less_3n_plus_1_cells(size: int, count: int) -> None:
    assert len(places(size)) == count == 3 * size**2 - 3 * size + 1
    assert grid(size).cells.bit_count() == count


@sizes
def test_the_cells_are_those_of_a_hexagon(size: int) -> None:
    assert {axial(size, *place) for place in places(size)} == set(hexes.hexagon(size))


@sizes
def test_index_and_position_are_inverse(size: int) -> None:
    indexes = [game.index(size, *place) for place in places(size)]
    assert len(set(indexes)) == len(indexes)
    assert [game.position(size, i) for i in indexes] == places(size)
    assert all(grid(size).cells >> 8 * i & 1 for i in indexes)


@sizes
def test_steps_lead_to_the_six_neighbours_and_nowhere_else(size: int) -> None:
    well = grid(size)
    for place in places(size):
        here = game.index(size, *place)
        near = {here + sign * step for step in well.steps for sign in (1, -1)}
        on_board = {
            axial(size, *game.position(size, i))
            for i in near
            if i >= 0 and well.cells >> 8 * i & 1
        }
        around = set(hexes.neighbours(axial(size, *place)))
        assert on_board == around & set(hexes.hexagon(size))


@sizes
def test_each_step_is_one_straight_direction(size: int) -> None:
    """Equal c; equal h + max(0, -c); equal h + max(0, c)."""
    for number, step in enumerate(grid(size).steps):
        for place in places(size):
            there = game.index(size, *place) + step
            if there < grid(size).length and grid(size).cells >> 8 * there & 1:
                other = game.position(size, there)
                assert lines_of(*place)[number] == lines_of(*other)[number]


def lines_of(column: int, height: int) -> tuple[int, int, int]:
    return column, height + max(0, -column), height + max(0, column)


@sizes
def test_equal_heights_form_a_v_and_the_top_is_a_single_hex(size: int) -> None:
    top = max(height + abs(column) / 2 for column, height in places(size))
    at_top = [p for p in places(size) if p[1] + abs(p[0]) / 2 == top]
    assert at_top == [(0, 2 * size - 2)]
