"""Coordinates of hexagonal boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import hexes

cells = st.tuples(st.integers(-20, 20), st.integers(-20, 20))
sides = st.integers(1, 10)


@pytest.mark.parametrize(
    ("side", "count"), [(1, 1), (2, 7), (5, 61), (6, 91), (7, 127), (8, 169), (9, 217)]
)
def test_a_hexagon_has_the_known_number_of_cells(side: int, count: int) -> None:
    assert count == len(hexes.hexagon(side)) == len(set(hexes.hexagon(side)))


def test_a_hexagon_of_side_two_is_numbered_row_by_row() -> None:
    assert hexes.hexagon(2) == (
        (0, -1),
        (1, -1),
        (-1, 0),
        (0, 0),
        (1, 0),
        (-1, 1),
        (0, 1),
    )
    assert hexes.steps(2)[3] == (4, 1, 0, 2, 5, 6)
    assert hexes.steps(2)[0] == (1, hexes.OFF, hexes.OFF, hexes.OFF, 2, 3)


@given(sides)
def test_a_hexagon_is_all_cells_within_reach_of_the_centre(side: int) -> None:
    rings = {cell for radius in range(side) for cell in hexes.ring(radius)}
    assert rings == set(hexes.hexagon(side))
    assert all(hexes.distance(hexes.CENTRE, cell) < side for cell in rings)


@given(sides)
def test_numbers_and_cells_are_each_others_inverse(side: int) -> None:
    number = hexes.numbers(side)
    assert [number[cell] for cell in hexes.hexagon(side)] == list(range(len(number)))


@given(sides)
def test_adjacency_is_mutual_and_one_step_long(side: int) -> None:
    board = hexes.hexagon(side)
    table = hexes.adjacent(side)
    for n, row in enumerate(table):
        assert all(n in table[m] for m in row)
        assert all(hexes.distance(board[n], board[m]) == 1 for m in row)
        near = [m for m in range(len(board)) if hexes.distance(board[n], board[m]) == 1]
        assert near == sorted(row)


@given(sides)
def test_the_border_is_the_outermost_ring(side: int) -> None:
    outer = {hexes.numbers(side)[cell] for cell in hexes.ring(side - 1)}
    assert outer == hexes.border(side)


@given(st.integers(1, 12), cells)
def test_a_ring_has_six_cells_a_step_and_goes_round(
    radius: int, centre: hexes.Hex
) -> None:
    ring = list(hexes.ring(radius, centre))
    assert 6 * radius == len(ring) == len(set(ring))
    assert all(hexes.distance(centre, cell) == radius for cell in ring)
    assert all(
        hexes.distance(a, b) == 1
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True)
    )


@given(cells, cells, cells)
def test_distance_is_a_metric(a: hexes.Hex, b: hexes.Hex, c: hexes.Hex) -> None:
    assert (hexes.distance(a, b) == 0) == (a == b)
    assert hexes.distance(a, b) == hexes.distance(b, a)
    assert hexes.distance(a, c) <= hexes.distance(a, b) + hexes.distance(b, c)
