"""Old logs fold to what they always folded to."""

import json
from typing import Any

import msgspec
import pytest

from rules import GAMES
from tests.rules.golden import digest, path, record
from tests.rules.wordlist import small

every_game = pytest.mark.parametrize("name", tuple(GAMES))


def read(name: str) -> dict[str, Any]:
    return json.loads(path(name).read_text(encoding="utf-8"))


@every_game
def test_a_golden_log_folds_to_the_states_it_always_did(name: str) -> None:
    golden, game = read(name), GAMES[name]
    small()  # the word list of the golden matches must be at hand
    options = msgspec.convert(golden["options"], game.ABOUT.options)
    state = game.start(golden["seats"], options)
    for number, (actor, move, *then) in enumerate(golden["entries"], 1):
        state = game.play(state, actor, msgspec.convert(move, game.ABOUT.move))
        if then:
            advice = "raise ABOUT.version, then python -m tests.rules.golden " + name
            assert [digest(state)] == then, f"entry {number} has changed: {advice}"
    assert tuple(golden["places"]) == game.places(state)


@every_game
def test_a_golden_log_is_of_the_present_version(name: str) -> None:
    assert read(name)["version"] == GAMES[name].ABOUT.version


@every_game
def test_moves_are_listed_in_the_order_they_always_were(name: str) -> None:
    entries = read(name)["entries"]
    match = record(name)
    moves = json.loads(msgspec.json.encode(match.log))  # tuples are lists in the file
    assert moves == [entry[:2] for entry in entries]
