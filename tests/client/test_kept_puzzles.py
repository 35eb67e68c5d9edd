"""What is remembered of puzzles and of the solitaire of the day, besides the latest."""

from msgspec.structs import replace

from client.app import puzzling
from client.app.lessons import Course
from client.app.model import Over
from client.app.settings import Settings, Solitaire
from client.pages import courses
from tests.client.worlds import base, fed, status


def test_what_was_solved_before_stays_solved() -> None:
    own = Settings()
    for game, number in (("numlo", 3), ("hexagrams", 5), ("numlo", 1)):
        own = puzzling.with_solved(own, game, number)
    assert puzzling.solved(own, "numlo") == {1, 3}
    assert puzzling.solved(own, "hexagrams") == {5}


def test_a_new_solitaire_begins_anew_and_older_results_are_kept() -> None:
    [game] = courses.games(Course.SOLITAIRE)
    there = fed(replace(base(), over=Over.LEARN), status())
    now = courses.begun(there, game, 0, Course.SOLITAIRE)[0].learning
    assert now is not None
    own = Settings(solitaire=Solitaire(6, ("00",)), solitaires=((4, 310), (5, 190)))
    begun = puzzling.with_move(own, replace(now, done=False, day=7), None)
    assert (begun.solitaire.day, len(begun.solitaire.moves)) == (7, 1)
    assert begun.solitaires == own.solitaires
    ended = puzzling.with_move(begun, replace(now, done=True, day=7), None)
    assert len(ended.solitaire.moves) == 2
    assert ended.solitaires == ((4, 310), (5, 190), (7, 0))
    [lesson] = puzzling.solitaire_of(game, ended, 8)
    assert "310" in lesson.text
