"""Options say what they mean, where they stand."""

import pytest
from msgspec.structs import replace

from client.app import options
from client.app.model import Model
from client.app.settings import Settings
from client.pages import bar, screen
from client.ui import texts, typefaces
from client.ui.intents import Focus, Hover
from client.ui.scene import Node, find
from rules import GAMES
from tests.client.worlds import base, fed, status, table


def at_table(game: str, language: str = "en") -> Model:
    texts.speak(language)
    model = base((800, 500))
    model = replace(model, settings=Settings(language=language))
    return fed(model, status(table=table(game)))


def noted(model: Model) -> Node:
    found = find(screen.scene(model), "note")
    assert found is not None
    return found


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_option_says_what_it_means_whole_in_the_smallest_window(
    game: str, language: str
) -> None:
    model = at_table(game, language)
    assert find(screen.scene(model), "note") is None
    for field in options.fields(game):
        meaning = options.note(game, field.key)
        assert meaning
        for hand in (Hover, Focus):
            shown = noted(fed(model, hand(f"option.{field.key}")))
            assert shown.text == meaning  # a list to scroll would have none
            lines = typefaces.height(meaning, shown.size, shown.rect.w)
            assert lines <= bar.foot_height(model.look)
    # A friend was asked: what was pressed for that is called like an option.
    asked = "challenge:BBBB-KEY"
    for elsewhere in (Hover("start"), Focus(asked), Hover(asked)):
        away = fed(model, Hover("option.hints"), Hover(""), elsewhere)
        assert find(screen.scene(away), "note") is None
    texts.speak("en")


@pytest.mark.parametrize(
    ("game", "key", "choices"),
    [
        ("networdz", "challenge", ("none", "single", "double", "five")),
        ("numlo", "start", ("latin", "scatter", "othello")),
        ("hexagrams", "first", ("white", "black")),
    ],
)
def test_choices_come_by_what_they_mean_and_not_by_alphabet(
    game: str, key: str, choices: tuple[str, ...]
) -> None:
    (field,) = (each for each in options.fields(game) if each.key == key)
    assert field.choices == choices
