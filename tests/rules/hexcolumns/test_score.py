"""Points, levels, the countdown and the radar, in the source document's numbers."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import hexcolumns as game
from rules.game import CHANCE, IllegalMoveError
from tests.rules.hexcolumns import plain
from tests.rules.hexcolumns.wells import alone, columns, do, draw, settled, ticks

MINUTE = 60 * game.HZ

INPUTS = st.sampled_from(
    [
        *(game.Shift(1), game.Shift(-1), game.Slant(1), game.Slant(-1), game.Rotate()),
        *(game.Radar(on=True), game.Radar(on=False), game.Faster()),
    ]
)
"""What leaves a piece in the air."""


# ---- points


def test_each_piece_brings_5_points() -> None:
    well = do(alone(piece="r g b"), game.Drop())
    assert (well.score, well.gained, well.gone) == (5, 5, ())


@pytest.mark.parametrize("level", [0, 1, 10, 25])
@pytest.mark.parametrize(("radar", "k"), [(False, 10), (True, 7)])
def test_destruction_brings_n_times_k_plus_level(
    level: int, radar: bool, k: int
) -> None:
    state = alone({0: "r"}, piece="r r r", level=level, radar=radar)
    assert do(state, game.Drop()).gained == 5 + 8 * (k + level)


def test_later_rounds_of_a_chain_bring_more() -> None:
    """The red of the piece goes sideways; then its blues fall on a third one."""
    after = do(alone({0: "b", 1: "g r", 2: "y r"}, piece="r b b"), game.Drop())
    assert [(gone.round, len(gone.cells)) for gone in after.gone] == [(1, 3), (2, 3)]
    assert after.gained == 5 + (1 * 3 + 2 * 3) * 10


@pytest.mark.parametrize("rounds", [1, 2, 3, 4, 5])
def test_each_round_of_a_chain_is_worth_one_more_time_however_many_there_are(
    rounds: int,
) -> None:
    pile = "b b b"
    for colour in "rgyo"[: rounds - 1]:
        pile = f"{colour} {pile} {colour} {colour}"
    after, left = settled(9, {0: pile})
    assert left == {}
    assert [gone.round for gone in after.gone] == [*range(1, rounds + 1)]
    assert after.worth == sum(3 * each for each in range(1, rounds + 1))


def test_what_went_and_what_it_brought_stay_until_the_next_piece_has_landed() -> None:
    state = game.play(alone(piece="r r r"), 0, game.Drop())
    assert [gone.cause for gone in state.wells[0].gone] == [game.Cause.LINE]

    state = draw(state, "r g b")
    assert state.wells[0].gained == 5 + 3 * 10

    state = game.play(state, 0, game.Drop())
    assert (state.wells[0].gone, state.wells[0].gained) == ((), 5)


@pytest.mark.parametrize(
    ("size", "score"), [(9, 10000), (8, 7500), (7, 5000), (6, 2500)]
)
def test_the_score_that_takes_pluses_away_is_2500n_less_12500(
    size: int, score: int
) -> None:
    assert game.purge_score(size) == score == 2500 * size - 12500


@pytest.mark.parametrize(
    ("score", "multiples", "goes"),
    [
        (2499, 0, False),
        (2500, 0, True),
        (2600, 0, True),
        (2600, 1, False),
        (4999, 1, False),
        (5000, 1, True),
        (7500, 1, True),
    ],
)
def test_pluses_go_when_the_score_has_reached_a_further_multiple(
    score: int, multiples: int, goes: bool
) -> None:
    state = alone({3: "y+"}, score=score, multiples=multiples)
    well = do(state, game.Drop())
    assert columns(6, well.cells) == ({} if goes else {3: "y+"}) | {0: "r g b"}


def test_the_score_is_updated_only_after_the_destruction() -> None:
    state = game.play(alone({3: "y+"}, piece="r r r", score=2480), 0, game.Drop())
    assert state.wells[0].score == 2515
    assert columns(6, state.wells[0].cells) == {3: "y+"}

    state = game.play(draw(state, "r g b"), 0, game.Drop())
    assert columns(6, state.wells[0].cells) == {0: "r g b"}
    assert state.wells[0].score == 2515 + 5 + 10


@given(
    size=st.sampled_from(game.SIZES),
    level=st.integers(0, 24),
    turns=st.lists(
        st.tuples(st.sampled_from([0, 0, 1, 2, 3]), st.lists(INPUTS, max_size=6)),
        max_size=9,
    ),
    rng=st.randoms(use_true_random=False),
)
def test_an_account_kept_by_the_rules_agrees_after_each_piece(
    size: int, level: int, turns: list[tuple[int, list[game.Input]]], rng: Random
) -> None:
    """Whatever was won meanwhile: score, `+` that are due, levels and the radar."""

    def drawn(state: game.State) -> game.State:
        while game.chance_count(state):
            state = draw(state, rng.choice("rgb") + rng.choice("   +++-*@#").strip())
        return state

    state, reached = drawn(game.start(1, game.Options(size, level))), 0
    for jump, moves in turns:
        well = state.wells[0]
        won = replace(well, score=well.score + jump * (2500 * size - 12500))
        state = replace(state, wells=(won,))
        for move in moves:
            before = state.wells[0]
            if not game.refusal(size, before, move):
                state = drawn(game.play(state, 0, move))
                after = state.wells[0]
                cost = 200 if after.radar > before.radar else 0
                assert after.score == max(0, before.score - cost)
                assert after.level == before.level + (move == game.Faster())
        before = state.wells[0]
        at = before.cells.index(0, game.index(size, before.column, 0))
        board = before.cells[:at] + before.piece + before.cells[at + 3 :]
        due = before.score // (2500 * size - 12500)
        quiet, worth, _steps = plain.settle(size, board, due > reached)
        reached = max(reached, due)
        state = game.play(state, 0, game.Drop())
        after = state.wells[0]
        assert plain.read(size, after.cells) == quiet
        points = worth * ((7 if before.radar else 10) + before.level)
        assert after.score - before.score == after.gained == 5 + points
        if after.over:
            return
        state = drawn(state)


def test_a_multiple_passed_again_after_the_radar_was_paid_takes_nothing() -> None:
    state = alone({3: "y+"}, score=2510, multiples=1)
    state = draw(game.play(state, 0, game.Radar(on=True)), "r g b")
    assert state.wells[0].score == 2310

    state = draw(game.play(state, 0, game.Drop()), "r g b")
    well = replace(state.wells[0], score=2510)
    after = do(replace(state, wells=(well,)), game.Drop())
    assert columns(6, after.cells)[3] == "y+"


# ---- the radar


@pytest.mark.parametrize(("score", "left"), [(1000, 800), (200, 0), (199, 0), (0, 0)])
def test_switching_the_radar_on_costs_200_points_and_never_more_than_there_are(
    score: int, left: int
) -> None:
    assert do(alone(score=score), game.Radar(on=True)).score == left


def test_switching_the_radar_off_costs_nothing() -> None:
    well = do(alone(score=1000, radar=True), game.Radar(on=False))
    assert (well.radar, well.score) == (False, 1000)


@pytest.mark.parametrize("on", [False, True])
def test_the_radar_is_switched_from_one_to_the_other(on: bool) -> None:
    with pytest.raises(IllegalMoveError, match="already"):
        game.play(alone(radar=on), 0, game.Radar(on=on))


def test_the_radar_shows_the_next_piece_and_draws_it_for_that() -> None:
    state = alone()
    assert game.next_piece(state, 0) == b""

    state = game.play(state, 0, game.Radar(on=True))
    assert game.actors(state) == {CHANCE}

    state = draw(state, "v y+ o")
    shown = game.next_piece(state, 0)
    assert shown == state.gems[3:6]

    state = draw(game.play(state, 0, game.Drop()), "b b g")
    assert state.wells[0].piece == shown
    assert game.next_piece(state, 0) == state.gems[6:9]


def test_with_the_radar_off_no_piece_is_drawn_before_it_appears() -> None:
    state = game.play(alone(), 0, game.Drop())
    state = draw(state, "r g b")
    assert len(state.gems) == 6
    assert not game.chance_count(state)


# ---- levels and the countdown


def test_a_level_lasts_60_seconds_and_counts_down() -> None:
    state = alone()
    assert state.wells[0].clock == MINUTE
    assert ticks(state, 30).wells[0].clock == MINUTE - 30


def test_at_0_the_next_level_starts_with_the_next_piece() -> None:
    state = ticks(alone(clock=1), 1)
    assert (state.wells[0].level, state.wells[0].clock) == (0, 0)

    state = ticks(state, 7)
    assert (state.wells[0].level, state.wells[0].clock) == (0, 0)

    state = draw(game.play(state, 0, game.Drop()), "r g b")
    assert (state.wells[0].level, state.wells[0].clock) == (1, MINUTE)


def test_the_piece_that_lands_late_counts_at_the_old_level() -> None:
    well = do(alone(piece="r r r", clock=0), game.Drop())
    assert well.gained == 5 + 3 * 10


def test_before_the_time_is_up_a_new_piece_starts_no_level() -> None:
    state = draw(game.play(alone(clock=1), 0, game.Drop()), "r g b")
    assert (state.wells[0].level, state.wells[0].clock) == (0, 1)


def test_25_is_the_last_level() -> None:
    state = alone(level=25, clock=0)
    state = draw(game.play(state, 0, game.Drop()), "r g b")
    assert (state.wells[0].level, state.wells[0].clock) == (25, 0)
    with pytest.raises(IllegalMoveError, match="last level"):
        game.play(state, 0, game.Faster())


def test_plus_on_the_keypad_goes_up_a_level_with_60_seconds_more() -> None:
    well = do(ticks(alone(), 100), game.Faster())
    assert (well.level, well.clock) == (1, 2 * MINUTE - 100)


def test_plus_when_the_time_is_up_leaves_a_whole_minute_of_the_new_level() -> None:
    state = game.play(alone(clock=0), 0, game.Faster())
    state = draw(game.play(state, 0, game.Drop()), "r g b")
    assert (state.wells[0].level, state.wells[0].clock) == (1, MINUTE)


def test_after_plus_the_piece_falls_by_the_new_period() -> None:
    late = game.play(ticks(alone(), 29), 0, game.Faster())
    assert ticks(late, 1).wells[0].height == 7
    assert ticks(late, 2).wells[0].height == 7

    faster = do(alone(), *[game.Faster()] * 25)
    assert (faster.level, faster.fall) == (25, 0)


def test_level_10_selected_directly_lasts_11_minutes_and_the_next_ones_one_each() -> (
    None
):
    """The source document's example."""
    state = alone()
    for _ in range(10):
        state = game.play(state, 0, game.Faster())
    assert (state.wells[0].level, state.wells[0].clock) == (10, 11 * MINUTE)

    state = game.play(state, 0, game.Pause())
    state = ticks(state, 11 * MINUTE - 1)
    assert (state.wells[0].level, state.wells[0].clock) == (10, 1)

    state = game.play(ticks(state, 1), 0, game.Resume())
    for level in (11, 12):
        state = draw(game.play(state, 0, game.Drop()), "r g b")
        assert (state.wells[0].level, state.wells[0].clock) == (level, MINUTE)
        state = game.play(state, 0, game.Pause())
        state = game.play(ticks(state, MINUTE), 0, game.Resume())


@pytest.mark.parametrize("level", [0, 10, 25])
def test_starting_at_a_level_is_as_pressing_plus_so_often(level: int) -> None:
    chosen = draw(game.start(1, game.Options(size=6, level=level)), "r g b")
    assert chosen.wells[0] == do(alone(), *[game.Faster()] * level)
