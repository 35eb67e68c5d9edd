"""The analysis board: moves tried freely, and nothing sent."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over
from client.pages import screen, tryout
from client.ui import texts as spoken
from client.ui.intents import Click, Drop, Key
from client.ui.scene import find, top, walk
from client.ui.texts import LANGUAGES
from rules import GAMES
from tests.client.clicking import update
from tests.client.lettering import fits, of_the_program
from tests.client.worlds import base, ended, fed, in_match, seat, texts

FIRST = (Click("side:1"), Key("home"), Key("page up"))


def opened(game: str, model: Model | None = None) -> Model:
    """Return the board opened at the first move of a finished match."""
    over = ended(in_match(model or base(), game, 2, 6))
    return fed(over, *FIRST, Click(tryout.OPEN))


def state(model: Model) -> Any:
    assert model.learning is not None
    return model.learning.state


def sends(model: Model, *events: Any) -> list[Any]:
    """Return what some events ask the node."""
    found: list[Any] = []
    for event in events:
        model, effects = update(model, event)
        found += [each for each in effects if isinstance(each, Ask)]
    return found


def cells(model: Model, count: int) -> list[Click]:
    """Return clicks that make moves of Numlo, by turns."""
    rules, made, here = GAMES["numlo"], list[Click](), state(model)
    for _ in range(count):
        move = next(rules.moves(here, here.turn))
        made.append(Click(f"cell:{move.square}"))
        here = rules.play(here, here.turn, move)
    return made


def test_both_sides_are_moved_for_and_nothing_is_sent() -> None:
    model = opened("numlo")
    assert model.over is Over.LEARN
    start = state(model)
    clicks = cells(model, 3)
    assert sends(model, *clicks, Click(tryout.BACK)) == []
    tried = fed(model, *clicks)
    assert state(tried) != start
    assert find(screen.scene(tried), tryout.MOVES)
    assert state(fed(tried, Click(tryout.BACK))) == state(fed(model, *clicks[:2]))
    assert state(fed(tried, Click(tryout.AGAIN))) == start
    closed = fed(tried, Click(tryout.CLOSE))
    assert closed.over is Over.NONE
    assert closed.match == fed(ended(in_match(base(), "numlo", 2, 6)), *FIRST).match


def test_a_play_that_draws_tiles_says_its_points_and_can_be_taken_back() -> None:
    model = opened("networdz")
    view, own = state(model), model.learning and model.learning.seat
    assert own is not None
    move = next(GAMES["networdz"].moves(view, own))
    drops = [Drop(f"tile:{each.tile}", f"cell:{each.cell}") for each in move.laid]
    tried = fed(model, *drops, Click("done"))
    points = GAMES["networdz"].play(view, own, move).scores[own] - view.scores[own]
    assert f"{points} points." in texts(screen.scene(tried))
    assert state(fed(tried, *drops, Click("done"))) == state(tried)
    again = fed(tried, Click(tryout.BACK))
    assert state(again) == view
    assert again.learning is not None
    assert not again.learning.done


def offers(model: Model, kinds: tuple[str, ...]) -> bool:
    """Tell whether the board is offered in a match under way with such seats."""
    model = in_match(model, "numlo", 2, 6)
    assert model.status is not None
    assert model.table is not None
    seats = tuple(
        seat(name, kind) for name, kind in zip(("Anna", "B"), kinds, strict=True)
    )
    table = replace(model.table, seats=seats)
    model = replace(model, status=replace(model.status, table=table))
    return find(screen.scene(model), tryout.OPEN) is not None


def test_it_is_there_during_a_match_against_computers_alone() -> None:
    assert offers(base(), ("person", "computer"))
    assert not offers(base(), ("person", "remote"))
    assert not offers(base(), ("person", "person"))


def test_escape_takes_back_what_is_laid_and_then_closes_the_board() -> None:
    model = opened("networdz")
    move = next(GAMES["networdz"].moves(state(model), 0))
    each = move.laid[0]
    laid = fed(model, Drop(f"tile:{each.tile}", f"cell:{each.cell}"))
    assert fed(laid, Key("escape")).over is Over.LEARN
    assert fed(laid, *[Key("escape")] * 3).over is Over.NONE


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_no_text_of_it_is_cut(size: tuple[int, int], language: str) -> None:
    spoken.speak(language)
    wrong = []
    for game in ("networdz", "lhexicon", "numlo", "hexagrams"):
        start = base(size)
        own = replace(start.settings, language=language)
        page = opened(game, replace(start, settings=own))
        cut = (n for n in of_the_program(screen.scene(page)) if not fits(n, page))
        wrong += [(game, node.name, node.text) for node in cut]
    spoken.speak("en")
    assert not wrong


def test_a_pass_that_can_be_taken_back_is_not_asked_about() -> None:
    model = opened("lhexicon")
    turn = state(model).turn
    passed = fed(model, Click("pass"))
    assert state(passed).turn != turn
    assert state(fed(passed, Click("tryout.back"))).turn == turn


@pytest.mark.parametrize("game", ["numlo", "lhexicon"])
def test_one_button_each_begins_anew_and_leads_back(game: str) -> None:
    shown = {node.name for node in walk(top(screen.scene(opened(game)))) if node.name}
    assert {"tryout.back", "tryout.close"} <= shown
    assert not shown & {"game.new", "game.quit"}
