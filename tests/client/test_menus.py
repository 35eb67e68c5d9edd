"""The menu buttons that two source documents name: SOUND, NEW, QUIT, and Escape."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.app.model import Ask, Model, Over
from client.pages import screen
from client.ui.intents import Click, Key
from client.ui.scene import find
from netplay.messages import door
from rules import GAMES
from tests.client import listed
from tests.client.clicking import update
from tests.client.worlds import base, fed, in_match, seat, status


def at(game: str, *kinds: str, **table: Any) -> Model:
    """Return the window at a match of these players."""
    model = in_match(base(), game, len(kinds), 0)
    status = model.status
    assert status is not None
    assert status.table is not None
    names = ("Anna", "Bert", "Charlie")
    seats = tuple(map(seat, names, kinds))
    fresh = replace(status.table, seats=seats, **table)
    return fed(model, replace(status, table=fresh))


def asked(model: Model, intent: Any) -> list[Any]:
    """Return what is asked of the node after an intent."""
    _model, effects = update(model, intent)
    return [each.request.ask for each in effects if isinstance(each, Ask)]


def test_numlo_has_the_buttons_of_its_document() -> None:
    marked = at("numlo", "person", "computer")  # alone: its button hides the squares
    root = screen.scene(fed(marked, Click("show")))
    words = {n: find(root, n) for n in ("show", "hint", "game.sound", "game.new")}
    words["game.quit"] = find(root, "game.quit")
    said = [node.text for node in words.values() if node is not None]
    assert said == ["SHOW", "HINT", "SOUND", "NEW", "QUIT"]


@pytest.mark.parametrize("size", [(800, 500), (1280, 800)])
def test_load_and_save_have_one_place_in_the_bar(size: tuple[int, int]) -> None:
    start = find(screen.scene(fed(base(size), status())), "load")
    match = find(screen.scene(in_match(base(size), "numlo", 3, 2)), "save")
    assert start is not None
    assert match is not None
    assert start.rect.right == match.rect.right


def test_new_leaves_the_match_and_begins_another_on_the_same_terms() -> None:
    model = at("numlo", "person", "computer")
    leave, host = asked(model, Click("game.new"))
    assert isinstance(leave, door.LeaveTable)
    assert isinstance(host, door.HostTable)
    assert (host.game, len(host.seats)) == ("numlo", 2)
    assert host.seats[1].startswith("computer:")


def test_new_does_not_take_the_game_from_others() -> None:
    model = at("numlo", "person", "remote")
    assert asked(model, Click("game.new")) == []
    fresh, _effects = update(model, Click("game.new"))
    assert fresh.notice is not None


def test_sound_is_switched_off_and_on_and_said() -> None:
    model = at("numlo", "person", "computer")
    for on in (False, True):
        model, _effects = update(model, Click("game.sound"))
        assert model.settings.sound is on
        assert model.notice is not None
        assert model.notice.text.endswith("on." if on else "off.")


def test_quit_asks_whether_to_leave() -> None:
    for game in ("numlo", "lhexicon"):
        model, _effects = update(at(game, "person", "computer"), Click("game.quit"))
        assert model.over is Over.LEAVE


@pytest.mark.parametrize("game", sorted(set(GAMES) - {"hexcolumns"}))
def test_ctrl_and_escape_ask_whether_to_leave_and_escape_stays(game: str) -> None:
    model = at(game, "person", "computer")
    model, _effects = update(model, Key("escape", ctrl=True))
    assert model.over is Over.LEAVE
    model, _effects = update(model, Key("escape"))
    assert model.over is Over.NONE


def test_enter_stays_when_asked_whether_to_leave() -> None:
    model, _effects = update(at("numlo", "person", "computer"), Click("leave"))
    assert model.over is Over.LEAVE
    model, effects = update(model, Key("enter"))
    assert model.over is Over.NONE
    assert not effects


@pytest.mark.parametrize("game", sorted(GAMES))
def test_escape_goes_from_a_finished_game_to_the_games_without_a_question(
    game: str,
) -> None:
    model = at(game, "person", "computer", phase="over", turn=())
    assert model.status is not None
    model = fed(model, replace(model.status, games=(listed.game(0, game),)))
    model = fed(model, Key("escape")) if model.over is Over.RESULT else model
    assert asked(model, Key("escape")) == [door.LookAt(0)]
    model, _effects = update(model, Key("escape"))
    assert model.over is Over.NONE
