"""Moves prepared on condition: made on the analysis board, listed and removed."""

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over
from client.pages import screen, tryout
from client.ui import texts as spoken
from client.ui.intents import Click
from client.ui.scene import find, walk
from client.ui.texts import LANGUAGES
from netplay import wire
from netplay.messages.door import Made
from netplay.messages.table_questions import DropPrepared, Prepare, PreparedLine
from rules import GAMES
from tests.client.clicking import update
from tests.client.lettering import fits, of_the_program
from tests.client.worlds import base, fed, in_match, status, texts

RULES = GAMES["numlo"]


def waiting(model: Model | None = None, lines: tuple[PreparedLine, ...] = ()) -> Model:
    """Return a window of whom the match does not wait for, moves being prepared."""
    for moves in range(6, 12):
        found = in_match(model or base(), "numlo", 2, moves)
        assert found.table is not None
        if found.table.turn == (1,):
            made = Made(prepared=lines, prepares=(0,))
            return fed(found, status(table=replace(found.table, made=made)))
    raise AssertionError


def line(model: Model, count: int) -> list[tuple[int, int]]:
    """Return seat and square of the first moves from the board of the match on."""
    assert model.match is not None
    state, found = model.match.state, list[tuple[int, int]]()
    for _turn in range(count):
        move = next(RULES.moves(state, state.turn))
        found.append((state.turn, move.square))
        state = RULES.play(state, state.turn, move)
    return found


def asks(model: Model, name: str) -> list[object]:
    _model, effects = update(model, Click(name))
    return [each.request.ask for each in effects if isinstance(each, Ask)]


def test_the_others_move_and_ones_own_are_clicked_and_prepared() -> None:
    model = waiting()
    assert model.match is not None
    assert find(screen.scene(model), tryout.PREPARE)
    squares = line(model, 2)
    assert [seat for seat, _square in squares] == [1, 0]
    board = fed(model, Click(tryout.PREPARE))
    assert board.over is Over.LEARN
    assert asks(board, tryout.KEEP) == []
    one, both = (Click(f"cell:{square}") for _seat, square in squares)
    half = fed(board, one)
    assert asks(half, tryout.KEEP) == []
    full = fed(half, both)
    moves = tuple(wire.pack(RULES.Place(square)) for _s, square in squares)  # type: ignore[attr-defined]  # Numlo's
    assert asks(full, tryout.KEEP) == [Prepare(0, moves, model.match.number)]
    after = fed(full, Click(tryout.KEEP)).learning
    assert after is not None
    assert board.learning is not None
    assert (after.state, after.earlier) == (board.learning.state, ())
    assert fed(full, Click(tryout.CLOSE)).match == model.match


def test_whose_move_is_to_be_made_on_the_board_is_said_by_name() -> None:
    model = waiting()
    [(other, square), *_rest] = line(model, 2)
    board = fed(model, Click(tryout.PREPARE))
    assert said(board) == f"{board.names[other]}'s turn"
    own = fed(board, Click(f"cell:{square}"))
    assert board.names[other] not in said(own) != ""


def said(model: Model) -> str:
    """Return what the board's page says of the hand."""
    node = find(screen.scene(model), "tryout.said")
    assert node is not None
    return node.text or node.value


def test_what_is_prepared_is_listed_and_a_click_removes_it() -> None:
    squares = line(waiting(), 2)
    moves = tuple((s, wire.pack(RULES.Place(q))) for s, q in squares)  # type: ignore[attr-defined]  # Numlo's
    board = fed(waiting(lines=(PreparedLine(0, moves),)), Click(tryout.PREPARE))
    assert "Remove" in texts(screen.scene(board))
    name = f"{tryout.DROP}0"
    assert find(screen.scene(board), name)
    assert asks(board, name) == [DropPrepared(0, tuple(raw for _s, raw in moves))]


def test_nothing_is_prepared_on_ones_own_turn() -> None:
    model = waiting()
    assert model.table is not None
    now = fed(model, status(table=replace(model.table, made=Made())))
    assert not find(screen.scene(now), tryout.PREPARE)
    board = fed(now, Click(tryout.OPEN))
    assert board.over is Over.LEARN
    assert not find(screen.scene(board), tryout.KEEP)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_it_is_cut(language: str) -> None:
    squares = line(waiting(), 2)
    moves = tuple((s, wire.pack(RULES.Place(q))) for s, q in squares)  # type: ignore[attr-defined]  # Numlo's
    spoken.speak(language)
    start = base((800, 500))
    start = replace(start, settings=replace(start.settings, language=language))
    model = waiting(start, (PreparedLine(0, moves),) * 20)
    pages = (model, fed(model, Click(tryout.PREPARE)))
    cut = [
        (node.name, node.text)
        for page in pages
        for node in of_the_program(screen.scene(page))
        if not fits(node, page)
    ]
    spoken.speak("en")
    assert not [each for each in cut if not each[0].startswith(tryout.DROP)]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_board_of_hexagrams_stands_still_while_moves_are_prepared(
    seat: int,
) -> None:
    """In the match, on the opened board, and after each ply tried on it."""
    model = in_match(base(), "hexagrams", 2, 6)
    assert model.match is not None
    assert model.table is not None
    model = replace(model, match=replace(model.match, seat=seat))
    here = cells(model)
    made = Made(prepares=(0, 1))
    assert model.table is not None
    waits = replace(model.table, made=made, turn=(1 - seat,))
    model = fed(model, status(table=waits))
    assert model.match is not None
    model = replace(model, match=replace(model.match, seat=seat))
    opened = fed(model, Click(tryout.PREPARE))
    assert opened.learning is not None
    for turn in (0, 1):
        now = replace(opened.learning, seat=turn)
        shown = cells(replace(opened, learning=now), "tryout.page")
        assert (shown["h0"] < max(shown.values())) == (here["h0"] < max(here.values()))


def cells(model: Model, within: str = "game") -> dict[str, int]:
    """Return how far down each hexagon lies."""
    found = find(screen.scene(model), within)
    assert found is not None
    return {
        node.name.removeprefix("cell:"): node.rect.y
        for node in walk(found)
        if node.name.startswith("cell:h")
    }
