"""How well computer players play is chosen by a level, or by a slider."""

from itertools import pairwise

import pytest

from client.pages import screen
from client.ui.intents import Click, Hover, Slide
from client.ui.scene import find, walk
from netplay.levels import SKILLS
from netplay.messages import door
from netplay.players import talent
from rules import GAMES
from tests.client.clicking import update
from tests.client.worlds import base, fed, seat, status, table

ORDER = list(GAMES)
CUSTOM = len(SKILLS)


def test_every_game_has_the_same_six_levels() -> None:
    for game in GAMES:
        model = fed(base(), status(), Click(f"game:{ORDER.index(game)}"))
        model = fed(model, Click("level"))
        root = screen.scene(model)
        opened = find(root, "level:popup")
        assert opened is not None
        words = opened.value.split("\n")
        assert [each.partition(":")[0] for each in words] == [
            "Beginner", "Easy", "Medium", "Hard", "Expert", "Master", "Custom",
        ]  # fmt: skip
        assert find(root, "skill") is None


def test_a_higher_level_asks_more_of_every_player() -> None:
    for game in GAMES:
        asked = [talent(game, skill) for skill in range(101)]
        assert all(low <= high for low, high in pairwise(asked))
        levels = [talent(game, skill) for skill in SKILLS.values()]
        assert levels == sorted(set(levels))
        assert (asked[0], asked[-1]) == (0, 100)


def test_in_numlo_hints_and_the_end_of_the_slider_are_above_the_master() -> None:
    assert 66 < talent("numlo", SKILLS["master"]) < talent("numlo", 100)


@pytest.mark.parametrize(("row", "value"), list(enumerate(SKILLS.values())))
def test_the_level_chosen_at_the_start_goes_into_the_terms(
    row: int, value: int
) -> None:
    model = fed(base(), status(), Click(f"game:{ORDER.index('numlo')}"))
    model = fed(model, Click("rivals:2"), Click("level"), Click(f"level:{row}"))
    assert find(screen.scene(model), "level:0") is None
    _model, effects = update(model, Click("play"))
    [hosted] = [e.request.ask for e in effects if hasattr(e, "request")]
    assert isinstance(hosted, door.HostTable)
    assert hosted.seats == ("person", *[f"computer:{value}"] * 2)


def test_the_level_of_one_player_is_changed_at_the_table() -> None:
    kinds = ("person", "computer", "computer")
    names = ("Anna", "Bert", "Charlie")
    seats = tuple(map(seat, names, kinds))
    terms = table("numlo", seats=seats, phase="forming", hosting=True)
    model = fed(base(), status(table=terms), Click("level2"))
    model, effects = update(model, Click("level2:5"))
    [changed] = [e.request.ask for e in effects if hasattr(e, "request")]
    assert isinstance(changed, door.ChangeTable)
    assert changed.table.seats[2] == "computer:95"
    assert changed.table.seats[1] != "computer:95"


def test_custom_has_the_slider_of_the_document_even_at_a_level() -> None:
    model = fed(base(), status(), Click("level"), Click(f"level:{CUSTOM}"))
    slider = find(screen.scene(model), "skill")
    assert slider is not None
    assert slider.value == str(SKILLS["medium"])
    model = fed(model, Slide("skill", 0.8), Slide("skill", SKILLS["hard"] / 100))
    slider = find(screen.scene(model), "skill")
    assert slider is not None
    assert slider.value == str(SKILLS["hard"])
    model = fed(model, Click("level"), Click("level:3"))
    assert find(screen.scene(model), "skill") is None


def test_how_a_level_plays_is_said_where_the_pointer_is() -> None:
    model = fed(base(), status(), Click("level"), Hover("level:0"))
    told = [node.text for node in walk(screen.scene(model))]
    said = "Lays what is easily seen, and always finds a word; scores about "
    assert any(text.startswith(said) for text in told)
