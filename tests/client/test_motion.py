"""What moves on boards: each frame follows from before, after and the seconds."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app import motion
from client.app.board import Seen, Step, find
from client.app.model import Model
from client.app.settings import Settings
from client.hexagrams import view
from client.lhexicon import board
from client.lhexicon.lessons import lessons
from client.numlo import view as turning
from client.pages import screen
from client.ui.intents import Click, Hover, Key
from client.ui.scene import Node, Rect, walk
from client.ui.theme import Look
from client.update import Tick, lively
from rules import GAMES, numlo
from rules.game import CHANCE
from tests.client import games
from tests.client.worlds import base, fed

AREA, LOOK = Rect(0, 0, 800, 700), Look()
NAMES = ("Anna", "Bert", "Charlie", "Dora")
TAKEN = {"numlo": turning.busy, "hexagrams": view.busy, "lhexicon": board.busy}


def course(game: str, moves: int, seed: int = 3) -> list[Step[Any, Any]]:
    """Return steps of a match played at random, and a last one with the end."""
    rules, rng = GAMES[game], random.Random(seed)
    state, found = rules.start(2, rules.ABOUT.options()), []
    while rules.actors(state) and len(found) < moves:
        actor = min(rules.actors(state))
        move = rng.choice(list(rules.moves(state, actor)))
        if actor != CHANCE:
            found.append(Step(state, actor, move))
        state = rules.play(state, actor, move)
    return [*found, Step(state, -1, None)]


def moved(game: str, steps: list[Step[Any, Any]], pace: float = 0.7) -> Any:
    """Return what is seen at the moment of the last move, and the local state."""
    module = find(game)
    *past, last = steps
    first: Seen[Any, Any] = Seen(
        past[-1].before, 0, NAMES, tuple(past[:-1]), now=10.0, pace=pace
    )
    local = module.begin(first)
    seen = replace(first, view=last.before, past=tuple(past))
    return seen, module.renew(seen, local)


def drawn(game: str, seen: Any, local: Any) -> Node:
    return find(game).scene(seen, local, AREA, LOOK)


@pytest.mark.parametrize(("game", "moves"), [("numlo", 30), ("hexagrams", 14)])
def test_a_movement_ends_in_the_very_picture_there_is_without_it(
    game: str, moves: int
) -> None:
    for count in range(3, moves):
        steps = course(game, count)
        seen, local = moved(game, steps)
        still = drawn(game, replace(seen, pace=0.0), local)
        if TAKEN[game](seen, local):
            assert drawn(game, seen, local) != still
        later = replace(seen, now=seen.now + 5)
        assert not TAKEN[game](later, local)
        assert drawn(game, later, local) == still


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
@given(seconds=st.floats(0, 3), count=st.integers(3, 20))
def test_every_frame_is_the_same_whenever_it_is_drawn_and_stays_on_the_board(
    game: str, seconds: float, count: int
) -> None:
    seen, local = moved(game, course(game, count))
    then = replace(seen, now=seen.now + seconds)
    one, other = drawn(game, then, local), drawn(game, then, local)
    assert one == other
    assert all(AREA.inset(-60).holds(node.rect) for node in walk(one))


def flipped(steps: list[Step[Any, Any]]) -> int:
    """Return how many tiles the last move of some has turned."""
    last = steps[-2]
    if not isinstance(last.move, numlo.Place):
        return 0
    return len(numlo.flips(last.before, last.actor, last.move.square))


def test_tiles_of_numlo_turn_one_after_the_other_along_the_line() -> None:
    steps = max((course("numlo", n) for n in range(5, 30)), key=flipped)
    seen, local = moved("numlo", steps)
    far = turning.order(seen)
    assert max(far.values()) > 1
    turned_at: dict[int, float] = {}
    for n in range(200):
        then = replace(seen, now=seen.now + n / 100)
        shown = turning.turned(then, local)
        for at in far:
            whose = shown[at][0] if at in shown else numlo.owners(seen.view)[at]
            if whose == numlo.owners(seen.view)[at]:
                turned_at.setdefault(at, n / 100)
    order = sorted(far, key=far.__getitem__)
    for one, other in pairwise(order):
        assert turned_at[one] <= turned_at[other]
        if far[one] < far[other]:
            assert turned_at[one] < turned_at[other]


def test_a_stone_of_hexagrams_goes_from_where_it_was_to_where_it_is() -> None:
    seen, local = moved("hexagrams", course("hexagrams", 9))
    ways = [
        view.slide(replace(seen, now=seen.now + n / 50), local).done for n in range(12)
    ]
    assert ways[0] == 0
    assert all(one <= other for one, other in pairwise(ways))


def test_a_trap_of_lhexicon_closes_ring_by_ring() -> None:
    closed = 0
    for lesson in lessons():
        place = lesson.position()
        steps = [*place.past, Step(place.state, -1, None)]
        for last in range(2, len(steps) + 1):
            seen, local = moved("lhexicon", steps[:last])
            rings = board.rings(seen)
            closed += bool(rings)
            glow = board.glowing(seen, local)
            assert board.busy(seen, local) == bool(rings)
            assert {cell for cell, part in glow.items() if part < 0} == {
                cell for cell, ring in rings.items() if ring > 1
            }
            still = drawn("lhexicon", replace(seen, pace=0.0), local)
            later = replace(seen, now=seen.now + 9)
            assert not board.busy(later, local)
            assert drawn("lhexicon", later, local) == still
            if rings:
                assert drawn("lhexicon", seen, local) != still
                assert set(rings.values()) <= set(range(1, max(rings.values()) + 1))
    assert closed


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
@pytest.mark.parametrize("hand", [Click("elsewhere"), Key("escape")])
def test_a_key_or_a_click_ends_a_movement(game: str, hand: Any) -> None:
    seen, local = moved(game, course(game, 9))
    assert TAKEN[game](seen, local)
    hovered, _move = find(game).handle(seen, local, Hover("cell:3"))
    assert TAKEN[game](seen, hovered)
    ended, _move = find(game).handle(seen, local, hand)
    assert not TAKEN[game](seen, ended)


@pytest.mark.parametrize("game", ["numlo", "hexagrams"])
def test_nothing_moves_where_motion_is_off_nor_in_a_match_just_come_to(
    game: str,
) -> None:
    seen, local = moved(game, course(game, 9), pace=0.0)
    assert not TAKEN[game](seen, local)
    assert not TAKEN[game](replace(seen, pace=0.7), find(game).begin(seen))


def at_numlo(animation: str) -> Model:
    """Return a window in a match of Numlo at the moment somebody has moved."""
    steps = course("numlo", 9)
    before = [(each.before, each.actor, each.move) for each in steps]
    model = replace(base(), settings=Settings(animation=animation, pause="none"))
    model = games.page(model, "numlo", before[-2][0], tuple(before[:-2]))
    model = fed(model, Tick(5.0))
    state, past = before[-1][0], tuple(before[:-1])
    pushed = games.pushed("numlo", state, past, 0)
    return fed(model, replace(pushed, happened=pushed.happened[-1:]))


def test_frames_come_while_something_moves_and_none_after() -> None:
    assert not lively(at_numlo("off"))
    model = at_numlo("normal")
    assert lively(model)
    moving = screen.scene(model)
    assert moving != screen.scene(fed(model, Tick(5.1)))
    over = fed(model, Tick(9.0))
    assert not lively(over)
    assert screen.scene(over) == screen.scene(fed(over, Tick(10.0)))


def test_a_part_of_a_movement_is_nothing_before_it_and_all_after() -> None:
    assert motion.part(0.0, 0.2, 0.5) == 0
    assert motion.part(0.8, 0.2, 0.5) == 1
    assert 0 < motion.part(0.4, 0.2, 0.5) < 1


@pytest.mark.parametrize(("pace", "seconds"), [(1.4, 0.5), (0.7, 1.0), (0.35, 2.0)])
def test_a_slow_pace_takes_longer_to_the_same_picture(
    pace: float, seconds: float
) -> None:
    one = Seen(None, 0, NAMES, (None,), now=11.0, pace=pace)
    moving = motion.Motion(0).renewed(replace(one, now=10.0))
    assert moving.seconds(one) == pytest.approx(seconds)
    later = moving.renewed(replace(one, past=(None, None), now=11.0))
    assert later.seconds(replace(one, past=(None, None), now=11.0)) == 0
    back = later.renewed(one)  # a turn was taken back: nothing moves
    assert back.seconds(one) is None
