"""Rows that wells send one another: when, where to, and what they do."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import hexcolumns as game
from rules.game import CHANCE, CLOCK, IllegalMoveError
from tests.rules.hexcolumns.test_match import Stream, batches, fold, in_two_orders
from tests.rules.hexcolumns.wells import alone, cells, columns, draw, hexes

OPTIONS = game.Options(size=6, attacks=True)
CHAIN = {0: "r r", 1: "g", 2: "g"}
"""With r g v on top the three r go, and then the three g: two rounds."""

boards = st.dictionaries(st.integers(-5, 5), st.integers(0, 11), max_size=11)
seeds = st.integers(0, 999)


def board(heights: dict[int, int], seed: int) -> bytes:
    """Return a well of size 6 with columns filled by chance."""
    rng = Random(seed)
    return cells(
        6,
        {
            column: " ".join(rng.choice("roygbv") for _ in range(height))
            for column, height in heights.items()
            if height <= game.depth(6, column)
        },
    )


def sending(*sent: int, attacks: bool = True) -> game.State:
    """Return a match whose wells have sent so many rows, and have a piece each."""
    options = game.Options(size=6, attacks=attacks)
    state = draw(game.start(len(sent), options), "r g b")
    wells = (
        replace(well, sent=rows) for well, rows in zip(state.wells, sent, strict=True)
    )
    return replace(state, wells=tuple(wells))


def chained(seats: int = 2, *, attacks: bool = True) -> game.State:
    """Return a match in which the first seat has just set off two rounds."""
    options = game.Options(size=6, attacks=attacks)
    state = draw(game.start(seats, options), "r g v")
    well = replace(state.wells[0], cells=cells(6, CHAIN))
    state = replace(state, wells=(well, *state.wells[1:]))
    return game.play(state, 0, game.Drop())


def count(board: bytes) -> int:
    return len(board) - board.count(0)


# ---- sending


def test_a_second_round_sends_a_row_to_every_other_well() -> None:
    state = chained(3)
    assert [step.round for step in state.wells[0].gone] == [1, 2]
    assert [well.sent for well in state.wells] == [1, 0, 0]
    assert [game.owed(state, seat) for seat in range(3)] == [0, 1, 1]


def test_one_round_sends_nothing() -> None:
    state = draw(game.start(2, OPTIONS), "r r r")
    state = game.play(state, 0, game.Drop())
    assert [step.round for step in state.wells[0].gone] == [1]
    assert state.wells[0].sent == 0


def test_without_the_option_nothing_is_sent() -> None:
    state = chained(attacks=False)
    assert [step.round for step in state.wells[0].gone] == [1, 2]
    assert [well.sent for well in state.wells] == [0, 0]


def test_a_single_well_has_nobody_to_send_to() -> None:
    assert not game.start(1, OPTIONS).attacks


def test_a_well_that_is_over_owes_nothing_and_what_it_sent_stands() -> None:
    state = chained(3)
    state = game.play(draw(state, "r g b"), 0, game.Resign())
    assert game.owed(state, 1) == 1
    state = game.play(state, 1, game.Resign())
    real_time: Any = game.ABOUT.real_time
    assert [real_time.sent(state, seat) for seat in range(3)] == [0, 0, 1]


# ---- rising


def test_rows_rise_below_what_lies_there_but_in_the_gap() -> None:
    state = sending(0, 2)
    state = game.play(state, 0, game.Rise(2))
    board = state.wells[0].cells
    low = columns(6, board)
    assert [game.gap(6, row) for row in (0, 1)] == [-5, 2]
    assert low[-5] == "o"  # row 0 has left it out
    assert low[2] == "b"  # row 1 has
    assert low[0] == "v r"  # the later row is the lower one
    assert state.wells[0].taken == 2
    assert game.owed(state, 0) == 0

    one = game.play(sending(0, 2), 0, game.Rise(1))
    assert game.play(one, 0, game.Rise(1)).wells[0].cells == board


def test_a_piece_is_lifted_just_as_far_as_it_must_be() -> None:
    for height, after in ((8, 8), (3, 3), (1, 2), (0, 2)):
        state = sending(0, 2)
        well = replace(state.wells[0], height=height)
        state = replace(state, wells=(well, state.wells[1]))
        assert game.play(state, 0, game.Rise(2)).wells[0].height == after


def test_a_piece_without_room_above_ends_the_well_with_its_score() -> None:
    state = sending(0, 1)
    full = cells(6, {0: "r b r b r b r b"})
    well = replace(state.wells[0], cells=full, height=8, score=77)
    state = game.play(replace(state, wells=(well, state.wells[1])), 0, game.Rise(1))
    assert (state.wells[0].over, state.wells[0].piece) == (True, b"")
    assert state.wells[0].score == 77
    assert game.actors(state) == {1, CLOCK}


def test_a_hex_pushed_out_at_the_top_ends_the_well() -> None:
    state = sending(0, 1)
    well = replace(state.wells[0], cells=cells(6, {5: "r b r b r b"}))
    state = game.play(replace(state, wells=(well, state.wells[1])), 0, game.Rise(1))
    assert state.wells[0].over


def test_a_full_column_that_the_row_leaves_out_is_no_end() -> None:
    state = sending(0, 1)
    well = replace(state.wells[0], cells=cells(6, {-5: "r b r b r b"}))
    state = game.play(replace(state, wells=(well, state.wells[1])), 0, game.Rise(1))
    assert not state.wells[0].over


def test_nothing_goes_before_the_next_piece_lands() -> None:
    state = sending(0, 1)
    red = columns(6, game.raised(6, bytes(132), 0, 1)[0])[0]
    well = replace(state.wells[0], cells=cells(6, {0: f"{red} {red}"}))
    state = game.play(replace(state, wells=(well, state.wells[1])), 0, game.Rise(1))
    assert columns(6, state.wells[0].cells)[0] == f"{red} {red} {red}"
    assert game.settle(6, state.wells[0].cells).gone


def test_rows_rise_also_in_a_pause() -> None:
    state = game.play(sending(0, 3), 0, game.Pause())
    assert list(game.moves(state, 0)) == [
        game.Resume(),
        game.Rise(1),
        game.Rise(2),
        game.Rise(3),
    ]
    assert game.play(state, 0, game.Rise(3)).wells[0].paused


@pytest.mark.parametrize("rows", [0, -1, 3, 5, 2**63, -(2**63)])
def test_no_more_rows_rise_than_are_owed(rows: int) -> None:
    with pytest.raises(IllegalMoveError, match="not to rise"):
        game.play(sending(0, 2), 0, game.Rise(rows))


def test_no_more_than_four_rise_at_once() -> None:
    state = sending(0, 7)
    assert game.Rise(5) not in list(game.moves(state, 0))
    with pytest.raises(IllegalMoveError, match="not to rise"):
        game.play(state, 0, game.Rise(5))
    state = game.play(state, 0, game.Rise(4))
    assert game.owed(state, 0) == 3


@pytest.mark.parametrize("actor", [CHANCE, CLOCK, 2, -3])
def test_rows_rise_by_nobody_but_the_seat(actor: int) -> None:
    with pytest.raises(IllegalMoveError):
        game.play(sending(0, 2), actor, game.Rise(1))


def test_without_the_option_no_row_rises() -> None:
    with pytest.raises(IllegalMoveError, match="not to rise"):
        game.play(sending(0, 2, attacks=False), 0, game.Rise(1))
    with pytest.raises(IllegalMoveError, match="not to rise"):
        game.play(alone(sent=2), 0, game.Rise(1))


# ---- laws


@given(heights=boards, seed=seeds, number=seeds, rows=st.integers(1, 4))
def test_each_row_adds_a_hex_to_every_column_but_one(
    heights: dict[int, int], seed: int, number: int, rows: int
) -> None:
    before = board(heights, seed)
    after, lost = game.raised(6, before, number, rows)
    if not lost:
        assert count(after) == count(before) + 10 * rows
    for column in columns(6, after).values():
        assert "." not in column.split()  # nothing floats


@given(size=st.sampled_from(game.SIZES), number=seeds, rows=st.integers(1, 17))
def test_rows_make_up_no_alignment_by_themselves(
    size: int, number: int, rows: int
) -> None:
    risen, _lost = game.raised(size, bytes(4 * size * size - 2 * size), number, rows)
    assert not game.settle(size, risen).gone


@given(size=st.sampled_from(game.SIZES), number=seeds)
def test_every_column_is_the_gap_once_in_so_many_rows(size: int, number: int) -> None:
    wide = 2 * size - 1
    gaps = {game.gap(size, row) for row in range(number, number + wide)}
    assert gaps == set(range(1 - size, size))


@given(heights=boards, seed=seeds, rows=st.integers(1, 4), data=st.data())
def test_a_piece_after_a_rise_lies_on_nothing_or_the_well_is_over(
    heights: dict[int, int], seed: int, rows: int, data: st.DataObject
) -> None:
    state = sending(0, rows)
    lying = board(heights, seed)
    spots = [
        (column, height)
        for column in range(-5, 6)
        for height in range(9)
        if game.fits(6, lying, column, height)
    ]
    if not spots:
        return
    column, height = data.draw(st.sampled_from(spots))
    well = replace(state.wells[0], cells=lying, column=column, height=height)
    state = replace(state, wells=(well, state.wells[1]))
    after = game.play(state, 0, game.Rise(rows)).wells[0]
    if after.over:
        assert not after.piece
        return
    assert after.piece == hexes("r g b")
    assert game.fits(6, after.cells, column, after.height)
    assert height <= after.height <= height + rows
    lower = after.height > height and game.fits(
        6, after.cells, column, after.height - 1
    )
    assert not lower


@given(
    seats=st.lists(batches, min_size=2, max_size=4),
    sent=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    seed=st.integers(0, 999),
    order=st.randoms(use_true_random=False),
)
def test_batches_with_rows_rising_may_be_folded_in_any_order(
    seats: list[list[Any]], sent: list[int], seed: int, order: Random
) -> None:
    """What others have sent by then is confirmed; what is sent later owes more only."""
    stream = Stream(seed)
    start = stream.draw(game.start(len(seats), game.Options(6, 12, attacks=True)))
    wells = (replace(w, sent=n) for w, n in zip(start.wells, sent, strict=False))
    start = replace(start, wells=tuple(wells))
    owing = [game.owed(start, seat) for seat in range(len(seats))]
    for each, rows in zip(seats, owing, strict=True):
        for _ in range(rows):
            each.insert(order.randrange(len(each) + 1), game.Rise(1))
    in_turn, mixed = in_two_orders(start, seats, stream, order)
    assert stream.draw(mixed) == stream.draw(in_turn)
    for well, rows in zip(mixed.wells, owing, strict=True):
        assert well.over or well.taken == rows


@given(batch=batches, seed=seeds)
def test_until_rows_rise_attacks_change_nothing_but_what_is_sent(
    batch: list[Any], seed: int
) -> None:
    stream = Stream(seed)
    off, on = (
        stream.draw(game.start(2, game.Options(6, 12, attacks=attacks)))
        for attacks in (False, True)
    )
    for each in batch:
        off, on = fold(off, 0, each, stream), fold(on, 0, each, stream)
        assert off.wells == tuple(replace(well, sent=0) for well in on.wells)
        assert (off.gems, off.need) == (on.gems, on.need)
        assert not any(isinstance(move, game.Rise) for move in game.moves(off, 1))
