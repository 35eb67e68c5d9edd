"""What is said of boards and hands, against what lies there by the game's own page."""

from typing import Any

import pytest
from msgspec.structs import replace

from client import speech
from client.app import board
from client.pages import screen
from client.ui import texts
from client.ui.scene import Node, Rect, Role
from rules import GAMES
from rules.hexagrams.board import cell
from tests.client import worlds
from tests.client.sayings import said, seen
from tests.client.worlds import at_match, base


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("tongue", ["de", "es", "fr", "ru"])
def test_it_is_said_in_the_players_language(game: str, tongue: str) -> None:
    local = board.find(game).begin(seen(game))
    places: dict[str, dict[str, Any]] = {
        "numlo": {"at": 9, "typed": True},
        "networdz": {"cursor": 0},
        "lhexicon": {"cursor": 0},
        "hexagrams": {"at": cell("C5")},
    }
    local = replace(local, **places.get(game, {}))
    english = said(game, local)
    assert english
    texts.speak(tongue)
    try:
        assert not set(said(game, local)) & set(english)
    finally:
        texts.speak("en")


def test_nothing_of_a_hand_is_said_behind_the_curtain_and_all_again_on_demand() -> None:
    model = at_match(base(), 2, persons=(0, 1))
    assert model.match is not None
    covered = replace(model, match=replace(model.match, covered=True))
    open_ = replace(model, match=replace(model.match, covered=False))

    def told(shown: Any, before: speech.Told) -> tuple[list[str], speech.Told]:
        return speech.news(before, shown, screen.scene(shown), "")

    lines, known = told(open_, speech.Told())
    (tiles,) = (x for x in lines if x.count(", ") == 6)  # of seven
    assert tiles not in told(covered, speech.Told())[0]
    assert not [x for x in told(covered, speech.Told())[0] if x.count(", ") == 6]
    assert told(open_, known)[0] == []
    assert told(open_, speech.Told())[0] == lines
    assert worlds.texts(screen.scene(open_))


def test_a_blank_in_the_rack_is_called_so() -> None:
    face = Node(Role.TILE, "tile:1", Rect(0, 0, 9, 9), value="?")
    assert speech.described(face).startswith("blank,")
