"""What is heard of moves: other than a plain move, where more than that happened."""

import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists
from msgspec.structs import replace

from client import cues
from client.app import follow
from client.app.board import Step, find
from client.app.model import Effect, Match, Model, Play
from client.app.settings import Settings
from client.hexcolumns.wells import Burst, Rows, Stage
from client.hexcolumns.wells import heard as heard_in_wells
from client.lhexicon.lessons import lessons
from client.ui.sound import CHAINS, Sound, samples
from rules import numlo
from tests.client import games
from tests.client.clicking import update
from tests.client.test_motion import course
from tests.client.worlds import base, fed, in_match


def after_move(
    game: str, steps: list[Step[Any, Any]], seat: int, fresh: int = 1
) -> list[Effect]:
    """Return what a window does when it learns of the last of some moves.

    Args:
        game: Which.
        steps: The moves, and behind them the position.
        seat: Whose window it is.
        fresh: How many moves it learns of.
    """
    past = [(each.before, each.actor, each.move) for each in steps[:-1]]
    model = replace(base(), settings=Settings(animation="off", pause="none"))
    model = games.page(model, game, past[-fresh][0], tuple(past[:-fresh]), seat)
    pushed = games.pushed(game, steps[-1].before, tuple(past), seat)
    _model, effects = update(model, replace(pushed, happened=pushed.happened[-fresh:]))
    return [each for each in effects if isinstance(each, Play)]


def heard(model: Model, old: Match, new: Match) -> list[Effect]:
    """Return what is heard when what the node pushes makes one position another."""
    view = games.pushed("hexcolumns", old.state, (), 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(follow, "fold_in", lambda model, _view: replace(model, match=new))
        _model, effects = update(replace(model, match=old), view)
    return [each for each in effects if isinstance(each, Play)]


@pytest.mark.processes
def test_alsa_says_nothing_where_there_is_no_card_and_others_are_heard() -> None:
    script = (
        "import os; from client.ui.sound import Sound;"
        "from client.window.loop import Speaker;"
        "Speaker().play(Sound.FLIP, 1); os.write(2, b'heard')"
    )
    alsa = {"SDL_AUDIODRIVER": "alsa", "ALSA_CONFIG_PATH": "/nowhere"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **alsa},
    )
    assert done.stderr == "heard"


@pytest.mark.parametrize("own", [True, False])
def test_tiles_of_numlo_are_heard_to_flip_whoever_laid(own: bool) -> None:
    steps = course("numlo", 9)
    assert isinstance(steps[-2].move, numlo.Place)
    seat = steps[-2].actor if own else 1 - steps[-2].actor
    assert Play(Sound.FLIP) in after_move("numlo", steps, seat)


def test_a_capture_of_hexagrams_sounds_other_than_a_move() -> None:
    kinds = set()
    for count in range(3, 30):
        steps = course("hexagrams", count)
        last = steps[-2]
        before, after = last.before, steps[-1].before
        lost = sum(map(int.bit_count, (*before.hexads, *before.triads))) - sum(
            map(int.bit_count, (*after.hexads, *after.triads))
        )
        heard = after_move("hexagrams", steps, 1 - last.actor)
        assert heard[0] == Play(Sound.CAPTURE if lost else Sound.MOVE)
        kinds.add(bool(lost))
        own = after_move("hexagrams", steps, last.actor)
        assert (Play(Sound.CAPTURE) in own) == bool(lost)
        assert Play(Sound.MOVE) not in own
    assert kinds == {True, False}


def test_an_answer_that_comes_together_with_one_s_own_move_is_heard() -> None:
    steps = course("networdz", 9)
    moves = [each for each in steps[:-1] if each.actor >= 0]
    answer, own = moves[-1], moves[-2]
    assert answer.actor != own.actor
    fresh = len(steps) - 1 - steps.index(own)
    assert after_move("networdz", steps, own.actor, fresh) == [Play(Sound.MOVE)]
    last = len(steps) - 1 - steps.index(answer)
    assert after_move("networdz", steps, answer.actor, last) == []

    flipped = course("numlo", 9)
    seat = flipped[-3].actor
    assert seat != flipped[-2].actor
    assert Play(Sound.FLIP) in after_move("numlo", flipped, seat, 2)


def test_of_two_moves_that_come_together_the_later_one_is_heard() -> None:
    """A capture that was answered is over, and one that answers is not."""
    kinds = set()
    for count in range(4, 30):
        steps = course("hexagrams", count)
        (first, taken), (last, answered) = (
            (steps[at], _captured(steps[at], steps[at + 1])) for at in (-3, -2)
        )
        if first.actor != last.actor and taken != answered:
            heard = after_move("hexagrams", steps, first.actor, 2)
            assert heard[0] == Play(Sound.CAPTURE if answered else Sound.MOVE)
            kinds.add(answered)
    assert kinds == {True, False}


def _captured(step: Step[Any, Any], after: Step[Any, Any]) -> bool:
    """Tell whether a move took pieces off the board."""

    def pieces(state: Any) -> int:
        return sum(map(int.bit_count, (*state.hexads, *state.triads)))

    return pieces(step.before) > pieces(after.before)


def test_a_trap_of_lhexicon_is_heard_to_close() -> None:
    heard = find("lhexicon").TRAITS.heard
    assert heard is not None
    sounds = {heard(step, None) for each in lessons() for step in each.position().past}
    assert sounds >= {Sound.TRAP, None}


def test_the_longer_a_chain_the_higher_it_rises() -> None:
    highest = [max(sound.value[0]) for sound in CHAINS]
    assert all(one < other for one, other in pairwise(highest))
    assert len({samples(sound) for sound in Sound}) == len(Sound)
    model = in_match(base(), "hexcolumns", 2, 0)
    match = model.match
    assert match is not None
    stages = tuple(Stage(b"", (), each) for each in (1, 2, 3))
    burst = Burst(stages, 4.0, 0.2)
    chained = replace(match, local=replace(match.local, bursts=(burst, None)))
    assert heard(model, match, chained) == [Play(Sound.CHAIN_3)]
    assert heard(model, chained, chained) == []
    assert fed(model).match == match


@given(rounds=lists(integers(0, 40), min_size=1, max_size=60))
def test_a_chain_sounds_by_its_longest_link_however_long_it_is(
    rounds: list[int],
) -> None:
    burst = Burst(tuple(Stage(b"", (), each) for each in rounds), 4.0, 0.2)
    longest = max(rounds)
    wanted = CHAINS[:longest][-1] if longest else Sound.CAPTURE
    assert heard_in_wells((None, burst), 1) == (4.0, wanted)
    assert heard_in_wells((None, burst), 0)[1] is None


def test_rows_are_heard_when_they_come_and_when_they_rise() -> None:
    model = in_match(base(), "hexcolumns", 2, 0)
    match = model.match
    assert match is not None
    from_other, own = Rows(2, 1, 4.0), Rows(2, 0, 4.0)
    coming = replace(match, local=replace(match.local, rows=from_other))
    assert heard(model, match, coming) == [Play(Sound.TRAP)]
    assert heard(model, coming, coming) == []
    sent = replace(match, local=replace(match.local, rows=own))
    assert heard(model, match, sent) == []
    risen = Burst((Stage(b"", (), 0, (1, 2)),), 9.0, 0.2)
    rising = replace(coming, local=replace(coming.local, bursts=(risen, None)))
    assert heard(model, coming, rising) == [Play(Sound.CAPTURE)]


@pytest.mark.parametrize(
    ("places", "sound"),
    [((1, 2), Sound.WON), ((2, 1), Sound.OVER), ((1, 1), Sound.OVER)],
)
def test_winning_sounds_other_than_the_end_of_a_match(
    places: tuple[int, ...], sound: Sound
) -> None:
    model = in_match(base(), "numlo", 2, 4)
    before = model.table
    assert before is not None
    over = replace(before, phase="over", turn=(), places=places)
    assert cues.changed(model, before, over) == (Play(sound),)
