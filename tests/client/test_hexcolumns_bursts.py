"""What a piece destroys is shown step by step, as the rules order it."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from client import hexcolumns as shown
from client.app.board import Seen
from client.hexcolumns import wells
from client.ui.scene import Node, Rect, walk
from client.ui.theme import Look
from rules import hexcolumns as game
from rules.hexcolumns import Drop, Rotate, Shift
from tests.rules.hexcolumns.wells import chance

AREA = Rect(0, 0, 900, 700)


def dropped(state: Any, rng: Random) -> Any:
    """Return the state after a piece was put somewhere and has landed."""
    for _ in range(rng.randrange(6)):
        move = rng.choice([Shift(-1), Shift(1), Rotate()])
        if not game.refusal(state.size, state.wells[0], move):
            state = game.play(state, 0, move)
    return chance(game.play(state, 0, Drop()), rng)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_steps_of_a_landing_lead_to_the_well_that_is_left(seed: int) -> None:
    rng = Random(seed)
    state = chance(game.start(1, game.Options(size=6)), rng)
    before = wells.landing(state.wells[0])
    for _ in range(25):
        if state.wells[0].over:
            return
        score = state.wells[0].score
        state = dropped(state, rng)
        after = wells.landing(state.wells[0])
        found = wells.burst(state.size, before, after, 10.0)
        went = state.wells[0].score - score > 5  # what a piece brings by itself
        assert (found is not None) == went
        if found is not None:
            last = found.stages[-1]
            left = game.without(state.size, last.cells, last.going)
            assert left == after.cells
            rounds = [stage.round for stage in found.stages]
            assert rounds == sorted(rounds)
            assert found.until - found.since <= wells.LONGEST + 1e-9
        before = after


def called(cell: int) -> str:
    """Return what a hex is called."""
    sign = game.motif(cell)
    name = game.COLOURS[game.colour(cell)]
    return name if sign is game.Motif.PLAIN else f"{name} {sign.name.lower()}"


def piles(state: Any) -> list[str]:
    """Return the ends of what is said of the columns below a piece and beside it."""
    well, size, told = state.wells[0], state.size, list[str]()
    for column in (well.column, well.column - 1, well.column + 1):
        if column in range(1 - size, size):
            places = range(game.depth(size, column))
            lies = [well.cells[game.index(size, column, h)] for h in places]
            lies = [each for each in lies if each]
            upper = ", ".join(called(each) for each in lies[::-1][:2])
            told.append(f"{column}: {f'{len(lies)} high, on top {upper}' * bool(lies)}")
    return told


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_what_lies_in_a_well_and_what_it_has_done_best_is_told_as_it_is(
    seed: int,
) -> None:
    rng = Random(seed)
    state = chance(game.start(2, game.Options(size=6)), rng)
    local, best = shown.begin(seen(state, 0.0)), [0, 0]
    aloud, recalled = shown.TRAITS.aloud, shown.TRAITS.recalled
    assert aloud is not None and recalled is not None
    while not state.wells[0].over:
        for by in (-1, 1):  # as far as the walls
            at, free = state, True
            while free:
                _piece, told = aloud(seen(at, 0.0), local)
                for line, wanted in zip(told.split("; "), piles(at), strict=True):
                    assert wanted in line
                    assert ("high" in line) == ("high" in wanted)
                steps = (Shift(by), game.Slant(by))
                can = [s for s in steps if not game.refusal(6, at.wells[0], s)]
                free, at = bool(can), game.play(at, 0, can[0]) if can else at
        state = dropped(state, rng)
        # Chains of any length come after one another, which they seldom do by chance.
        gone = (game.Gone(game.Cause.LINE, rng.randrange(1, 5), (0,)),)
        well = replace(state.wells[0], gone=gone * rng.randrange(2))
        now = seen(replace(state, wells=(well, *state.wells[1:])), 1.0, pace=0.0)
        local = shown.renew(now, local)
        best[0] = max(best[0], *(gone.round for gone in well.gone), 0)
        best[1] = max(best[1], well.gained)
        facts = recalled.facts(now, local)[-sum(map(bool, best)) :]
        wanted = [f"{each}, Ann" for each in best if each]
        assert [told for _what, told in facts] == wanted


def bursting_match() -> tuple[Any, Any]:
    """Return two states: with a piece that will destroy something, and after it."""
    for seed in range(99):
        rng = Random(seed)
        state = chance(game.start(2, game.Options(size=6)), rng)
        while not state.wells[0].over:
            later = dropped(state, rng)
            if later.wells[0].score - state.wells[0].score > 5:
                return state, later
            state = later
    raise AssertionError("nothing was ever destroyed")


def lights(scene: Node) -> int:
    return sum(node.name == "going" for node in walk(scene))


def seen(state: Any, now: float, *, pace: float = 0.7) -> Seen[Any, Any]:
    return Seen(state, 0, ("Ann", "Bob"), now=now, pace=pace)


def test_a_burst_is_drawn_and_passes_while_the_game_goes_on() -> None:
    state, later = bursting_match()
    local = shown.begin(seen(state, 1.0))
    local = shown.renew(seen(state, 1.5), local)
    local = shown.renew(seen(later, 2.0), local)
    counts = []
    for tenth in range(30):
        now = seen(later, 2.0 + tenth / 10)
        local, move = shown.tick(now, local)
        assert move is None
        counts.append(lights(shown.scene(now, local, AREA, Look())))
    assert counts[0] >= 3
    assert counts[-1] == 0
    assert local.bursts == (None, None)


@pytest.mark.parametrize("pace", [0.0])
def test_without_animation_the_well_is_quiet_at_once(pace: float) -> None:
    state, later = bursting_match()
    local = shown.begin(seen(state, 1.0, pace=pace))
    local = shown.renew(seen(later, 2.0, pace=pace), local)
    scene = shown.scene(seen(later, 2.0, pace=pace), local, AREA, Look())
    assert lights(scene) == 0


def test_views_of_falling_pieces_change_nothing_of_ones_own() -> None:
    state, _later = bursting_match()
    local = shown.renew(seen(state, 1.0), shown.begin(seen(state, 1.0)))
    fallen, _left = game.advance(state, 1, 3)
    assert shown.renew(seen(fallen, 1.1), local) is local
