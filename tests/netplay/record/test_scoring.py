import pytest

from netplay.record.views import scores
from rules import GAMES
from rules.game import Resign


@pytest.mark.parametrize("game", tuple(GAMES))
def test_every_game_has_a_number_for_each_seat(game: str) -> None:
    rules = GAMES[game]
    seats = rules.ABOUT.seats[0]
    state = rules.start(seats, rules.ABOUT.options())
    found = scores(rules, state)
    assert len(found) == seats
    assert all(isinstance(score, int) for score in found)


def test_a_game_without_points_gives_one_to_the_winner() -> None:
    rules = GAMES["hexagrams"]
    state = rules.start(2, rules.ABOUT.options())
    assert scores(rules, state) == (0, 0)
    assert scores(rules, rules.play(state, 0, Resign())) == (0, 1)
