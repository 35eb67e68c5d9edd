"""What cells of Hexagrams are called, and how names are read."""

import pytest

from rules.hexagrams import HEXAGONS, TRIANGLES, hexagon, triangle
from rules.hexagrams.board import cell, cell_name, page_name
from tests.rules.hexagrams.positions import corners

CELLS = [("h", n) for n in range(len(HEXAGONS))] + [("t", n) for n in TRIANGLES]


def test_every_cell_has_a_name_of_its_own_that_is_read_in_both_ways() -> None:
    assert len({cell_name(*each) for each in CELLS}) == len(CELLS) == 42
    for each in CELLS:
        for name in (cell_name(*each), page_name(*each)):
            for said in (name, name.lower(), name.replace("(", " ").replace(")", "")):
                assert cell(said) == each, said


def test_cells_of_a_letter_stand_above_each_other_and_those_of_a_number_beside() -> (
    None
):
    """By the corners that the tests draw, not by the coordinates of the page."""
    across: dict[str, set[int]] = {}
    down: dict[str, set[tuple[int, int]]] = {}
    for sort, number in CELLS:
        row, x = (HEXAGONS if sort == "h" else TRIANGLES)[number]
        points = corners((sort.upper(), row, x))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        name = cell_name(sort, number)
        across.setdefault(name[0], set()).add(min(xs) + max(xs))
        down.setdefault(name[1:], set()).add((min(ys), max(ys)))
    assert [len(each) for each in (*across.values(), *down.values())] == [1] * 20
    assert sorted(across) == sorted(across, key=lambda letter: min(across[letter]))
    order = sorted(down, key=lambda number: sum(min(down[number])))
    assert [int(number) for number in order] == list(range(1, 12))


@pytest.mark.parametrize(("name", "wanted"), [
    ("C5", ("t", triangle(4, 1))), ("c7", ("t", triangle(5, 1))),
    ("D6", ("h", hexagon(1, 2))), ("T(5,-1)", ("t", triangle(5, -1))),
    ("A7", ("t", triangle(5, -1))), ("h 1,2", ("h", hexagon(1, 2))),
    ("A1", None), ("D5", None), ("H(1,1)", None), ("I6", None), ("c12", None),
])  # fmt: skip
def test_names_are_read_and_what_is_none_is_not(
    name: str, wanted: tuple[str, int] | None
) -> None:
    assert cell(name) == wanted
