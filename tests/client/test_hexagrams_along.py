"""What cells of Hexagrams are called stands along the board, for either side."""

import re

import pytest

from client import cells
from client.hexagrams.geometry import spots
from client.hexagrams.input import Local, name_of
from client.hexagrams.view import scene
from client.scene import Rect, Role, find, walk
from client.theme import Look
from rules.hexagrams import BLACK, WHITE
from tests.client.hexagrams_hands import start

ROOMS = (Rect(0, 0, 470, 430), Rect(0, 0, 880, 730), Rect(0, 0, 1700, 1330))

PARTS = {cells.LETTERS: r"([A-I])(\d+)", cells.PAGE: r"([HT]\(\d),(-?\d)\)"}


@pytest.fixture(params=PARTS)
def way(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    cells.call(chosen)
    return chosen


def parts(name: str, way: str) -> tuple[str, str]:
    """Return what of a name stands beside and below the board."""
    found = re.fullmatch(PARTS[way], name)
    assert found is not None
    one, other = (part.replace("(", "") for part in found.groups())
    return (one, other) if way == cells.PAGE else (other, one)


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_the_name_of_every_cell_can_be_read_along_the_board(
    seat: int, room: Rect, way: str
) -> None:
    root = scene(start(seat), Local(), room, Look())
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
def test_what_stands_along_the_board_lies_over_no_stone_and_in_the_room(
    room: Rect,
) -> None:
    root = scene(start(), Local(), room, Look())
    stones = [n.rect for n in walk(root) if n.role is Role.TILE]
    along = [n for n in walk(root) if n.name.startswith("along:")]
    assert len(along) == 11 + 9
    for node in along:
        assert room.holds(node.rect)
        assert not any(node.rect.meets(stone) for stone in stones), node.text
