"""What stands in line: racks with their boards, notes of players, chosen tabs."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.pages import screen
from client.pages.play import ToTab
from client.ui import widgets
from client.ui.scene import Rect, Role, find, walk
from client.ui.theme import Look
from tests.client.worlds import NAMES, base, fed, in_match, seat, status

LARGE = ((1280, 800), (1920, 1080), (2560, 1440))


def parts(game: str, size: tuple[int, int], *names: str) -> list[Rect]:
    root = screen.scene(in_match(base(size), game, 2, 6))
    found = [find(root, name) for name in names]
    return [node.rect for node in found if node is not None]


@pytest.mark.parametrize("size", LARGE)
def test_the_rack_of_networdz_begins_where_the_board_does(
    size: tuple[int, int],
) -> None:
    board, rack, done = parts("networdz", size, "board", "rack", "done")
    assert rack.x == board.x
    assert rack.right < done.x
    assert not board.meets(rack)


@pytest.mark.parametrize("size", [(800, 500), *LARGE])
def test_the_bank_of_lhexicon_is_below_the_middle_of_the_board(
    size: tuple[int, int],
) -> None:
    board, rack, game = parts("lhexicon", size, "board", "rack", "game")
    assert game.holds(rack)
    assert abs(rack.centre[0] - board.centre[0]) <= 2 or rack.x == game.x


def test_the_notes_of_all_players_stand_below_where_one_has_no_room() -> None:
    model = in_match(base((1280, 800)), "hexagrams", 2, 12)
    table = model.table
    assert table is not None
    seats = (seat(NAMES[0], "person"), seat(NAMES[1], "computer"))
    model = fed(model, status(table=replace(table, seats=seats)))
    root = screen.scene(model)
    notes = [find(root, f"note{i}") for i in (0, 1)]
    states = [find(root, f"seat{i}.state") for i in (0, 1)]
    (one, other) = (node.rect for node in notes if node is not None)
    (first, second) = (node.rect for node in states if node is not None)
    assert one.y == other.y == first.bottom == second.bottom


def test_the_chosen_tab_alone_is_underlined() -> None:
    look = Look()
    titles = ["Moves", "Chat", "Words"]
    row = widgets.tab_row("t", Rect(0, 0, 400, 34), titles, 1, look, means=ToTab)
    found: list[Any] = [node for node in walk(row) if node.role is Role.TAB]
    assert [bool(tab.kids) for tab in found] == [False, True, False]
    (line,) = found[1].kids
    assert line.bg == look.theme.accent
    assert found[1].rect.holds(line.rect)
    assert line.rect.bottom == found[1].rect.bottom
