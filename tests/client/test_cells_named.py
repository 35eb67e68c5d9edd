"""What cells are called is chosen in the preferences, and holds wherever they are."""

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
from netplay import wire
from netplay.messages import door
from rules import hexagrams, lhexicon
from rules.hexagrams import Options, Triad, triangle
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


def test_the_lessons_name_cells_as_the_board_does() -> None:
    assert "D6 for a hexagon and C5 for a triangle" in lessons()[0].text
    cells.call(cells.PAGE)
    assert "H(1,2) for a hexagon and T(4,1) for a triangle" in lessons()[0].text


def test_the_preferences_say_of_which_game_the_names_are() -> None:
    assert "Cells of Hexagrams" in read(fed(base(), Click("preferences")))
