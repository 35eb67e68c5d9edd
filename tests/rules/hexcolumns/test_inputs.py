"""What a seat can do to its piece, and how pieces fall and land."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import hexcolumns as game
from rules.game import CLOCK, IllegalMoveError
from tests.rules.hexcolumns.wells import alone, cells, columns, do, draw, hexes, ticks

SECOND = game.HZ


def place(well: game.Well) -> tuple[int, int]:
    return well.column, well.height


# ---- the piece appears


@pytest.mark.parametrize("size", game.SIZES)
def test_a_piece_appears_at_the_top_of_the_middle_column(size: int) -> None:
    well = alone(size=size).wells[0]
    heights = [well.height + up for up in range(3)]
    assert well.column == 0
    assert heights == [2 * size - 4, 2 * size - 3, 2 * size - 2]


def test_the_first_hex_drawn_is_the_lowest() -> None:
    assert alone(piece="r g# b+").wells[0].piece == hexes("r g# b+")


def test_each_piece_has_three_hexes() -> None:
    state = draw(game.start(1, game.Options()), "r g")
    assert state.wells[0].piece == b""
    assert len(draw(state, "b").wells[0].piece) == 3


# ---- in V, downwards, around


@pytest.mark.parametrize("by", [-1, 1])
def test_a_shift_keeps_the_height(by: int) -> None:
    state = alone(height=4)
    assert place(do(state, game.Shift(by))) == (by, 4)
    assert place(do(state, game.Shift(by), game.Shift(by))) == (2 * by, 4)
    assert place(do(state, game.Shift(by), game.Shift(-by))) == (0, 4)


@pytest.mark.parametrize("by", [-1, 1])
def test_a_slant_goes_down_and_aside_to_the_hex_at_8_or_4_oclock(by: int) -> None:
    state = alone(height=4)
    outwards = do(state, game.Slant(by))
    back = do(state, game.Slant(by), game.Slant(-by))

    assert place(outwards) == (by, 3)
    assert place(back) == (0, 3)


@pytest.mark.parametrize("size", game.SIZES)
@pytest.mark.parametrize("by", [-1, 1])
def test_each_slant_lowers_the_piece_by_half_a_hex(size: int, by: int) -> None:
    state = alone(size=size)
    for column in range(1, size):
        state = game.play(state, 0, game.Slant(by))
        well = state.wells[0]
        assert well.column == by * column
        assert well.height + abs(well.column) / 2 == 2 * size - 4 - column / 2


def test_a_new_piece_must_fall_before_it_can_be_shifted() -> None:
    state = alone()
    with pytest.raises(IllegalMoveError, match="no room beside"):
        game.play(state, 0, game.Shift(1))
    assert place(do(ticks(state, 30), game.Shift(1))) == (1, 7)


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (game.Shift(-1), "no room beside"),
        (game.Shift(1), "no room beside"),
        (game.Slant(-1), "no room below"),
        (game.Slant(1), "no room below"),
    ],
)
def test_a_piece_goes_nowhere_where_a_hex_is_in_its_way(
    move: game.Input, words: str
) -> None:
    pile = "r b r b r b"
    state = alone({-1: pile, 1: pile}, height=4)
    with pytest.raises(IllegalMoveError, match=words):
        game.play(state, 0, move)


@pytest.mark.parametrize("by", [-1, 1])
def test_a_piece_stays_in_the_well(by: int) -> None:
    state = alone(column=5 * by, height=2)
    for move in (game.Shift(by), game.Slant(by)):
        with pytest.raises(IllegalMoveError):
            game.play(state, 0, move)


@pytest.mark.parametrize("by", [-2, 0, 2, 10**20])
def test_a_piece_moves_one_column_at_a_time(by: int) -> None:
    for move in (game.Shift(by), game.Slant(by)):
        with pytest.raises(IllegalMoveError, match="one column at a time"):
            game.play(alone(height=3), 0, move)


def test_the_three_hexes_rotate_downwards() -> None:
    state = alone(piece="r g b")
    assert do(state, game.Rotate()).piece == hexes("g b r")
    twice = do(state, game.Rotate(), game.Rotate())
    assert twice.piece == hexes("b r g")
    assert do(state, *[game.Rotate()] * 3) == state.wells[0]


# ---- falling and landing


def test_a_piece_falls_one_hex_a_period() -> None:
    state = alone()
    heights = []
    for _ in range(4):
        state = ticks(state, SECOND)
        heights.append(state.wells[0].height)
    assert heights == [7, 6, 5, 4]


def test_a_piece_falls_no_sooner_than_its_period_ends() -> None:
    assert ticks(alone(), SECOND - 1).wells[0].height == 8
    assert ticks(alone(), SECOND).wells[0].height == 7


@pytest.mark.parametrize("level", range(game.TOP_LEVEL + 1))
def test_the_period_is_a_thousand_ms_times_0_88_to_the_level(level: int) -> None:
    assert game.period(level) == round(1000 * 0.88**level)


@given(level=st.integers(0, game.TOP_LEVEL))
def test_periods_are_exact_in_the_long_run(level: int) -> None:
    state = alone(size=9, level=level, clock=10**6)
    falls = 14
    needed = -(-falls * game.period(level) * SECOND // 1000)
    assert ticks(state, needed - 1).wells[0].height == 14 - falls + 1
    assert ticks(state, needed).wells[0].height == 14 - falls


@given(levels=st.integers(1, game.TOP_LEVEL))
def test_however_many_levels_go_up_at_once_a_piece_falls_by_one_row(
    levels: int,
) -> None:
    state = ticks(alone(), SECOND - 1)
    height = state.wells[0].height
    for _ in range(levels):
        state = game.play(state, 0, game.Faster())
    assert state.wells[0].height == height
    assert ticks(state, 1).wells[0].height == height - 1
    period = game.period(levels) * SECOND // 1000
    assert ticks(state, period).wells[0].height == height - 1


def test_a_piece_lands_when_it_should_fall_and_cannot() -> None:
    state = ticks(alone({0: "y v"}, height=2), SECOND - 1)
    assert state.wells[0].piece
    well = ticks(state, 1).wells[0]
    assert well.piece == b""
    assert columns(6, well.cells) == {0: "y v r g b"}


def test_a_piece_can_be_moved_off_the_ground_until_then() -> None:
    state = ticks(alone({0: "y v"}, height=2), SECOND - 1)
    state = game.play(state, 0, game.Slant(1))
    assert place(ticks(state, 1).wells[0]) == (1, 0)


def test_a_dropped_piece_lands_at_once_as_far_down_as_it_goes() -> None:
    assert columns(6, do(alone(), game.Drop()).cells) == {0: "r g b"}
    assert columns(6, do(alone({0: "v"}), game.Drop()).cells) == {0: "v r g b"}
    aside = alone({-5: "v"}, column=-5, height=3)
    assert columns(6, do(aside, game.Drop()).cells) == {-5: "v r g b"}


def test_a_soft_drop_is_one_hex_at_once() -> None:
    assert place(do(alone(), game.Lower())) == (0, 7)


def test_a_lowered_piece_does_not_fall_for_the_time_saved() -> None:
    state = game.play(ticks(alone(), 10), 0, game.Lower())
    assert ticks(state, 20).wells[0].height == 7
    assert ticks(state, 49).wells[0].height == 7
    assert ticks(state, 50).wells[0].height == 6


def test_a_soft_drop_on_the_ground_lands_the_piece() -> None:
    well = do(alone(height=0), game.Lower())
    assert columns(6, well.cells) == {0: "r g b"}


def test_nothing_but_lowering_and_time_changes_when_a_piece_falls() -> None:
    state = ticks(alone(height=5), SECOND - 1)
    for move in (game.Shift(1), game.Shift(-1), game.Rotate(), game.Radar(on=True)):
        state = game.play(state, 0, move)
        state = draw(state, "r r g") if game.chance_count(state) else state
    assert ticks(state, 1).wells[0].height == 4


# ---- the end


def test_a_seat_loses_when_the_next_piece_cannot_appear() -> None:
    pile = "r b r b r b"  # six; with the piece nine, of which the last is in the way
    state = game.play(alone({0: pile}, piece="g v y"), 0, game.Drop())
    assert state.wells[0].over
    assert game.actors(state) == frozenset()


def test_a_column_filled_just_below_the_new_piece_is_not_lost() -> None:
    state = game.play(alone({0: "r b r b r"}, piece="g v y"), 0, game.Drop())
    assert not state.wells[0].over


def test_destruction_comes_before_the_next_piece() -> None:
    state = game.play(alone({0: "r b r b r b"}, piece="g g g"), 0, game.Drop())
    assert not state.wells[0].over


@pytest.mark.parametrize("move", [game.Rotate(), game.Tick(0), game.Drop()])
def test_nothing_moves_in_a_well_that_has_ended(move: game.Move) -> None:
    pile = alone({0: "r b r b r b"}, piece="g v y")
    two = replace(pile, wells=pile.wells * 2)
    two = game.play(two, 0, game.Drop())
    actor = CLOCK if isinstance(move, game.Tick) else 0
    with pytest.raises(IllegalMoveError, match="has ended"):
        game.play(two, actor, move)


# ---- pause


def test_a_pause_stops_the_piece_but_not_the_clock() -> None:
    state = game.play(ticks(alone(), 20), 0, game.Pause())
    later = ticks(state, 100).wells[0]
    assert later.height == 8
    assert later.clock == state.wells[0].clock - 100


def test_after_a_pause_the_piece_goes_on_where_it_was() -> None:
    state = ticks(game.play(ticks(alone(), 20), 0, game.Pause()), 77)
    state = game.play(state, 0, game.Resume())
    assert ticks(state, 9).wells[0].height == 8
    assert ticks(state, 10).wells[0].height == 7


def test_a_paused_well_takes_nothing_but_resume() -> None:
    state = game.play(alone(height=4), 0, game.Pause())
    assert list(game.moves(state, 0)) == [game.Resume()]
    with pytest.raises(IllegalMoveError, match="is paused"):
        game.play(state, 0, game.Rotate())


def test_a_well_that_is_not_paused_cannot_resume() -> None:
    with pytest.raises(IllegalMoveError, match="is not paused"):
        game.play(alone(), 0, game.Resume())


def test_a_seat_can_give_up_also_during_a_pause() -> None:
    state = game.play(alone(score=77), 0, game.Pause())
    state = game.play(state, 0, game.Resign())
    assert game.actors(state) == frozenset()
    assert state.wells[0].score == 77


# ---- what a seat is told it can do


def test_moves_are_listed_in_the_order_of_the_inputs() -> None:
    everything = [
        game.Shift(-1),
        game.Shift(1),
        game.Slant(-1),
        game.Slant(1),
        game.Rotate(),
        game.Lower(),
        game.Drop(),
        game.Radar(on=True),
        game.Faster(),
        game.Pause(),
    ]
    assert list(game.moves(alone(height=4), 0)) == everything


def test_a_piece_in_a_narrow_gap_can_only_turn_and_fall() -> None:
    pile = "r b r b r b"
    state = alone({-1: pile, 1: pile}, height=2, level=25, radar=True)
    assert list(game.moves(state, 0)) == [
        game.Rotate(),
        game.Lower(),
        game.Drop(),
        game.Radar(on=False),
        game.Pause(),
    ]


@given(column=st.integers(-5, 5), height=st.integers(0, 8), data=st.data())
def test_a_piece_never_lies_on_another_hex(
    column: int, height: int, data: st.DataObject
) -> None:
    heights = {c: data.draw(st.integers(0, 8 - abs(c))) for c in range(-5, 6)}
    board = cells(6, {c: "r b " * (n // 2) for c, n in heights.items()})
    fits = game.fits(6, board, column, height)
    filled = [heights[column] // 2 * 2 > height + up for up in range(3)]
    assert fits == (height + 3 <= game.depth(6, column) and not any(filled))
