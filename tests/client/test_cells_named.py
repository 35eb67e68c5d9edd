"""What cells are called is chosen in the preferences, and holds wherever they are."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app import settings, thumbnails
from client.app.model import Model
from client.hexagrams.lessons import lessons
from client.pages import play, screen, tryout
from client.ui import texts, tiles
from client.ui.intents import Click, Key
from client.ui.scene import Node, find, walk
from netplay import wire
from netplay.messages import door
from netplay.text import writer
from rules import GAMES, hexagrams, lhexicon, networdz
from rules.hexagrams import Options, Triad, triangle
from rules.hexagrams.board import cell_name
from rules.lhexicon.cells import cell_name as hexagon_name
from rules.networdz.judging import square_name as networdz_square
from rules.numlo.grid import square_name as numlo_square
from tests.client import games, listed, worlds
from tests.client.scripted import needs_dummy, window
from tests.client.worlds import base, fed, status
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
        assert tiles.as_on_page()
        assert script.loop.model.settings.cells == tiles.PAGE
        await trio.sleep(1)
        assert settings.load(tmp_path)[0].cells == tiles.PAGE


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
    (tiles.LETTERS, "Hint: C5xC7"), (tiles.PAGE, "Hint: T(4,1)xT(5,1)"),
])  # fmt: skip
def test_a_hint_names_cells_as_the_board_does(way: str, wanted: str) -> None:
    tiles.call(way)
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


# The board stands the same wherever it is seen.


Order: TypeAlias = tuple[list[str], list[str]]
"""The letters from the left, and the numbers from the top."""


def stands(along: Iterable[Node]) -> Order:
    """Return how a board stands, by what is written along it."""
    every = [node for node in along if re.fullmatch(r"[A-Z]{1,2}|\d{1,2}", node.text)]
    across = sorted(every, key=lambda node: node.rect.x)
    down = sorted(every, key=lambda node: node.rect.y)
    letters = dict.fromkeys(node.text for node in across if node.text.isalpha())
    return [*letters], [*dict.fromkeys(n.text for n in down if n.text.isdigit())]


def in_text(printed: str) -> Order:
    """Return how a board stands in the terminal."""
    lines = printed.splitlines()
    letters = next(line.split() for line in lines if re.match(r" +[A-Z] +[A-Z] ", line))
    rows = [re.match(r"[TH]\d .* (\d+)$|([ \d]\d) ", line) for line in lines]
    numbers = [(row[1] or row[2]).strip() for row in rows if row is not None]
    return letters, list(dict.fromkeys(numbers))


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_the_board_stands_in_the_terminal_as_in_the_window(
    game: str, seat: int | None
) -> None:
    rules = GAMES[game]
    view = rules.start(2, rules.ABOUT.options())
    model = games.page(base(), game, view, (), seat=-1 if seat is None else seat)
    beside, _cells = along_the_board(screen.scene(model))
    printed = writer(game).board(view, ("Ann", "Bob"), seat)
    assert in_text(printed) == stands(beside)


def shown(model: Model) -> Order:
    return stands(along_the_board(screen.scene(model))[0])


WHITE_BELOW = [*"IHGFEDCBA"], [str(n) for n in range(11, 0, -1)]
BLACK_BELOW = [*"ABCDEFGHI"], [str(n) for n in range(1, 12)]


def with_persons(model: Model, *names: str, seat: int) -> Model:
    """Return a match that these play at this computer, seen from a seat."""
    assert model.status is not None
    assert model.table is not None
    persons = tuple(worlds.seat(name, "person") for name in names)
    table = replace(model.table, seats=persons)
    model = fed(model, replace(model.status, table=table))
    assert model.match is not None
    return replace(model, match=replace(model.match, seat=seat, covered=False))


@pytest.mark.parametrize(
    ("seat", "wanted"), [(0, WHITE_BELOW), (1, BLACK_BELOW), (-1, BLACK_BELOW)]
)
def test_hexagrams_stands_on_every_page_as_on_that_of_the_match(
    seat: int, wanted: Order
) -> None:
    state, past = games.played("hexagrams", hexagrams.start(2, Options()), [CAPTURE])
    model = games.page(base(), "hexagrams", state, past, seat=seat)
    assert shown(model) == wanted
    for page in (model, fed(model, Key("page up"))):
        assert shown(page) == wanted
        tried = fed(page, Click(tryout.OPEN))
        assert tried.learning is not None
        assert shown(tried) == wanted
        move = next(iter(hexagrams.moves(tried.learning.state, tried.learning.seat)))
        moved = fed(tried, Click(f"tile:t{move.origin}"), Click(f"cell:t{move.target}"))
        assert moved.learning is not None
        assert moved.learning.state != tried.learning.state
        assert shown(moved) == wanted
    one = listed.game(1, "hexagrams", own=() if seat < 0 else (seat,))
    found = fed(base(), status(games=(one,)))
    (number,) = (n for n, what in found.asked.items() if what.startswith("glance"))
    view = games.pushed("hexagrams", state, past, seat)
    (seen,) = fed(found, door.Done(number, data=wire.pack(view))).start.boards.values()
    assert stands(walk(thumbnails.now(seen, base().look))) == wanted


def test_the_board_does_not_turn_where_two_play_at_one_computer() -> None:
    state, past = games.played("hexagrams", hexagrams.start(2, Options()), [CAPTURE])
    model = games.page(base(), "hexagrams", state, past)
    for turn in (0, 1):
        assert shown(with_persons(model, "Ann", "Bob", seat=turn)) == WHITE_BELOW


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
    assert {"D6", "C5"} < {*lessons()[0].text.split()}
    tiles.call(tiles.PAGE)
    assert {"H(1,2)", "T(4,1)"} < {*lessons()[0].text.split()}


@pytest.mark.parametrize("game", ["networdz", "hexcolumns"])
def test_small_boards_speak_the_language_that_was_chosen_last(game: str) -> None:
    def words() -> list[str]:
        return [
            node.text for node in walk(thumbnails.of(game, base().look)) if node.text
        ]

    said = dict[str, list[str]]()
    for language in ("en", "ru", "en", "de", "en"):
        texts.speak(language)
        assert words() == said.setdefault(language, words())
    assert len({tuple(each) for each in said.values()}) == len(said)
