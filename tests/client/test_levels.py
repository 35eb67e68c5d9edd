"""How well computer players play is chosen by a slider, or by levels."""

import pytest

from client.pages import screen
from client.ui.intents import Click, Slide
from client.ui.scene import find, walk
from client.update import update
from netplay.levels import SKILLS
from netplay.messages import door
from netplay.players.deepening import EASY, MEDIUM
from rules import GAMES
from tests.client.worlds import base, fed, seat, status, table

ORDER = list(GAMES)


def test_numlo_and_hexagrams_have_the_three_levels_of_the_document() -> None:
    model = fed(base(), status())
    for game, has in (("networdz", False), ("numlo", True), ("hexagrams", True)):
        chosen = fed(model, Click(f"game:{ORDER.index(game)}"))
        root = screen.scene(chosen)
        texts = [n.text for n in walk(root) if n.name.startswith("skill.level:")]
        assert texts == (["Easy", "Medium", "Hard"] if has else [])
        assert (find(root, "skill") is None) is has


def test_a_level_is_what_the_players_of_the_games_call_so() -> None:
    easy, medium, hard = SKILLS.values()
    assert easy <= EASY < medium <= MEDIUM < hard


@pytest.mark.parametrize("value", SKILLS.values())
def test_the_level_chosen_at_the_start_goes_into_the_terms(value: int) -> None:
    model = fed(base(), status(), Click(f"game:{ORDER.index('numlo')}"))
    model = fed(model, Click("rivals:2"), Click(f"skill.level:{value}"))
    pressed = find(screen.scene(model), f"skill.level:{value}")
    assert pressed is not None
    assert pressed.selected
    _model, effects = update(model, Click("play"))
    [hosted] = [e.request.ask for e in effects if hasattr(e, "request")]
    assert isinstance(hosted, door.HostTable)
    assert hosted.seats == ("person", *[f"computer:{value}"] * 2)


def test_the_level_of_one_player_is_changed_at_the_table() -> None:
    kinds = ("person", "computer", "computer")
    names = ("Anna", "Bert", "Charlie")
    seats = tuple(map(seat, names, kinds))
    terms = table("numlo", seats=seats, phase="forming", hosting=True)
    model = fed(base(), status(table=terms))
    assert find(screen.scene(model), "skill1.level:20") is not None
    model, effects = update(model, Click("skill2.level:100"))
    [changed] = [e.request.ask for e in effects if hasattr(e, "request")]
    assert isinstance(changed, door.ChangeTable)
    assert changed.table.seats[2] == "computer:100"
    assert changed.table.seats[1] != "computer:100"


def test_a_game_without_levels_has_the_slider_of_its_document() -> None:
    model = fed(base(), status(), Slide("skill", 0.8))
    slider = find(screen.scene(model), "skill")
    assert slider is not None
    assert slider.value == "80"
