"""What cells of Hexagrams are called stands along the board, for either side."""

import re

import pytest

from client.hexagrams.geometry import spots
from client.hexagrams.input import Local, name_of
from client.hexagrams.view import scene
from client.ui import tiles
from client.ui.scene import Node, Rect, Role, find, walk
from client.ui.theme import Look
from rules.hexagrams import BLACK, WHITE
from tests.client.hexagrams_hands import start

LOOK = Look()
ROOMS = (Rect(0, 0, 470, 430), Rect(0, 0, 880, 730), Rect(0, 0, 1700, 1330))

PARTS = {tiles.LETTERS: r"([A-I])(\d+)", tiles.PAGE: r"([HT]\(\d),(-?\d)\)"}


@pytest.fixture(params=PARTS)
def way(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    tiles.call(chosen)
    return chosen


def parts(name: str, way: str) -> tuple[str, str]:
    """Return what of a name stands beside and below the board."""
    found = re.fullmatch(PARTS[way], name)
    assert found is not None
    one, other = (part.replace("(", "") for part in found.groups())
    return (one, other) if way == tiles.PAGE else (other, one)


def covers(cell: Node, at: tuple[float, float]) -> bool:
    """Tell whether a point lies in a cell: on one side of all its edges."""
    x, y = at
    sides = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(
            cell.points, (*cell.points[1:], cell.points[0]), strict=True
        )
    ]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_the_name_of_every_cell_can_be_read_along_the_board(
    seat: int, room: Rect, way: str
) -> None:
    root = scene(start(seat), Local(), room, LOOK)
    for kind, number in spots():
        row, column = parts(name_of((kind, number)), way)
        cell = find(root, f"cell:{kind}{number}")
        beside = find(root, f"along:{row}")
        below = find(root, f"along:{column}")
        assert cell is not None
        assert beside is not None
        assert below is not None
        assert beside.rect.y < cell.rect.centre[1] < beside.rect.bottom
        assert abs(below.rect.centre[0] - cell.rect.centre[0]) <= 2


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.usefixtures("way")
def test_what_stands_along_the_board_lies_on_no_cell_and_in_the_room(
    room: Rect,
) -> None:
    root = scene(start(), Local(), room, LOOK)
    cells = [n for n in walk(root) if n.role is Role.CELL]
    along = [n for n in walk(root) if n.name.startswith("along:")]
    assert len(along) == 11 + 9
    for node in along:
        assert room.holds(node.rect)
        x, y = node.rect.centre
        half = LOOK.width(node.text, node.size) / 2
        for at in (x - half, x, x + half):
            assert not any(covers(cell, (at, y)) for cell in cells), node.text
