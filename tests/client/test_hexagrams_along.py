"""What cells of Hexagrams are called stands along the board, for either side."""

import pytest

from client.hexagrams.geometry import spots
from client.hexagrams.input import Local
from client.hexagrams.view import scene
from client.scene import Rect, Role, find, walk
from client.theme import Look
from rules.hexagrams import BLACK, HEXAGONS, TRIANGLES, WHITE
from tests.client.hexagrams_hands import start

ROOMS = (Rect(0, 0, 470, 430), Rect(0, 0, 880, 730), Rect(0, 0, 1700, 1330))


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_row_and_place_of_every_cell_can_be_read_along_the_board(
    seat: int, room: Rect
) -> None:
    root = scene(start(seat), Local(), room, Look())
    for kind, number in spots():
        row, x = (HEXAGONS if kind == "h" else TRIANGLES)[number]
        cell = find(root, f"cell:{kind}{number}")
        beside = find(root, f"along:{kind.upper()}{row}")
        below = find(root, f"along:{x}")
        assert cell is not None
        assert beside is not None
        assert below is not None
        assert beside.rect.y < cell.rect.centre[1] < beside.rect.bottom
        assert abs(below.rect.centre[0] - cell.rect.centre[0]) <= 2


@pytest.mark.parametrize("room", ROOMS)
def test_what_stands_along_the_board_lies_over_no_stone_and_in_the_room(
    room: Rect,
) -> None:
    root = scene(start(), Local(), room, Look())
    stones = [n.rect for n in walk(root) if n.role is Role.TILE]
    along = [n for n in walk(root) if n.name.startswith("along:")]
    assert len(along) == 8 + 3 + 9
    for node in along:
        assert room.holds(node.rect)
        assert not any(node.rect.meets(stone) for stone in stones), node.text
