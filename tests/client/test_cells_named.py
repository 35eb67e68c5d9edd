"""What cells are called is chosen in the preferences, and holds wherever they are."""

import re
from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing

from client import cells, settings
from client.hexagrams.lessons import lessons
from client.intents import Click
from client.model import Model
from client.pages import play, screen
from client.scene import Node, find, walk
from netplay import wire
from netplay.messages import door
from rules import GAMES, hexagrams, lhexicon, networdz
from rules.hexagrams import Options, Triad, triangle
from rules.hexagrams.notation import cell_name
from rules.lhexicon.notation import cell_name as hexagon_name
from rules.networdz.notation import square_name as networdz_square
from rules.numlo.notation import square_name as numlo_square
from tests.client import games, worlds
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import base, fed
from tests.rules.lhexicon import matches, worked

CAPTURE = Triad(triangle(4, 1), triangle(5, 1))


def match() -> Model:
    """Return a match of Hexagrams after its first move."""
    state, past = games.played("hexagrams", hexagrams.start(2, Options()), [CAPTURE])
    return games.page(base(), "hexagrams", state, past)


def read(model: Model) -> str:
    return worlds.texts(screen.scene(model))


@needs_dummy
async def test_the_choice_is_made_by_keys_and_kept(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await script.click("preferences")
        await script.click("set.cells")
        assert "T(4,1)" in script.reads()
        await script.key(pygame.K_DOWN)
        await script.key(pygame.K_RETURN)
        assert cells.as_on_page()
        assert script.loop.model.settings.cells == cells.PAGE
        await trio.sleep(1)
        assert settings.load(tmp_path)[0].cells == cells.PAGE


def test_the_list_of_moves_and_the_board_follow_the_choice() -> None:
    model = match()
    assert "C5xC7" in read(model)
    there = fed(model, Click("preferences"), Click("set.cells"), Click("set.cells:1"))
    there = fed(there, Click("close"))
    assert "T(4,1)xT(5,1)" in read(there)
    assert "C5xC7" not in read(there)
    back = fed(there, Click("preferences"), Click("set.cells"), Click("set.cells:0"))
    assert "C5xC7" in read(fed(back, Click("close")))


def hinted(model: Model, said: str, move: Any) -> str:
    """Return what the window shows when its node has thought of a move."""
    model = fed(model, Click("ask.hint"))
    (number,) = (n for n, what in model.asked.items() if what == "hint")
    return play.instruction(fed(model, door.Done(number, said, wire.pack(move))))


@pytest.mark.parametrize(("way", "wanted"), [
    (cells.LETTERS, "Hint: C5xC7"), (cells.PAGE, "Hint: T(4,1)xT(5,1)"),
])  # fmt: skip
def test_a_hint_names_cells_as_the_board_does(way: str, wanted: str) -> None:
    cells.call(way)
    state = hexagrams.start(2, Options())
    model = games.page(base(), "hexagrams", state, ())
    assert wanted in hinted(model, "C5xC7", CAPTURE)


def test_a_hint_of_lhexicon_names_the_hexagon_as_it_is_called_along_the_board() -> None:
    state, past = games.leveled()
    laid, path = matches.placed(state, 1, worked.CODDLE)
    move = lhexicon.lay(state, laid, path)
    model = games.page(base(), "lhexicon", state, past, seat=1)
    assert "Hint: H8 CODDLE 18" in hinted(model, "CODDLE from (-1, 1) = 18", move)


def along_the_board(root: Node) -> tuple[list[Node], dict[str, Node]]:
    """Return what is written beside the cells of a board, and the cells."""
    board = find(root, "board")
    assert board is not None
    every = [*walk(board)]
    cells = {n.name[5:]: n for n in every if re.fullmatch(r"cell:[ht]?\d+", n.name)}
    beside = [
        node
        for node in every
        if re.fullmatch(r"[A-Z]{1,2}|\d{1,2}", node.text)
        and not any(cell.rect.has(node.rect.centre) for cell in cells.values())
    ]
    return beside, cells


def as_read(cell: Node, beside: list[Node]) -> str:
    """Return what a reader calls a cell: what stands above or below it, and beside."""
    x, y = cell.rect.centre
    letters = [node for node in beside if node.text.isalpha()]
    numbers = [node for node in beside if node.text.isdigit()]
    letter = min(letters, key=lambda node: abs(node.rect.centre[0] - x))
    number = min(numbers, key=lambda node: abs(node.rect.centre[1] - y))
    return f"{letter.text}{number.text}"


def called(game: str, view: Any, cell: str) -> str:
    """Return what the moves of a game call a cell."""
    if game == "hexagrams":
        return cell_name(cell[0], int(cell[1:]))
    number = int(cell)
    if game == "lhexicon":
        return hexagon_name(view.options.side, number)
    if game == "numlo":
        return numlo_square(view.options.size, number)
    ground = networdz.ground(view.options)
    return networdz_square(ground, number, down=True)


BOARDS: list[tuple[str, int, dict[str, Any]]] = [
    ("lhexicon", 0, {}), ("lhexicon", 1, {"side": 6}), ("lhexicon", 0, {"side": 10}),
    ("hexagrams", 0, {}), ("hexagrams", 1, {}), ("numlo", 0, {}), ("numlo", 1, {}),
    ("networdz", 0, {}), ("networdz", 1, {}),
]  # fmt: skip


@pytest.mark.parametrize("size", [(1280, 800), (800, 500)])
@pytest.mark.parametrize(("game", "seat", "options"), BOARDS)
def test_what_stands_along_the_board_names_every_cell_rightly(
    game: str, seat: int, options: dict[str, Any], size: tuple[int, int]
) -> None:
    rules = GAMES[game]
    view = rules.start(2, rules.ABOUT.options(**options))
    model = games.page(base(size), game, view, (), seat=seat)
    beside, every = along_the_board(screen.scene(model))
    assert len(every) > 40
    read_as = {cell: as_read(node, beside) for cell, node in every.items()}
    assert read_as == {cell: called(game, view, cell) for cell in every}
    assert len(set(read_as.values())) == len(every)


def test_the_centre_of_lhexicon_is_in_the_middle_row_of_the_middle_column() -> None:
    view = lhexicon.start(2, lhexicon.Options())
    beside, every = along_the_board(
        screen.scene(games.page(base(), "lhexicon", view, ()))
    )
    assert as_read(every[str(games.cell(0, 0))], beside) == "I9"
    assert as_read(every[str(games.cell(0, 8))], beside) == "I1"
    assert as_read(every[str(games.cell(-8, 4))], beside) == "A9"
    assert as_read(every[str(games.cell(8, -4))], beside) == "Q9"


def test_the_lessons_name_cells_as_the_board_does() -> None:
    assert "D6 for a hexagon and C5 for a triangle" in lessons()[0].text
    cells.call(cells.PAGE)
    assert "H(1,2) for a hexagon and T(4,1) for a triangle" in lessons()[0].text


def test_the_preferences_say_of_which_game_the_names_are() -> None:
    assert "Cells of Hexagrams" in read(fed(base(), Click("preferences")))
