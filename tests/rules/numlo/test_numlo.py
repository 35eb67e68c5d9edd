"""The rules of Numlo, one by one."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import numlo
from rules.game import CHANCE, IllegalMoveError, OptionsError, Resign
from rules.numlo import First, Options, Place, State
from rules.numlo.grid import bits
from tests.rules.numlo.positions import (
    COLOURS,
    DIRECTIONS,
    EMPTY,
    Board,
    board,
    drawn,
    laid,
    position,
    run,
)


def set_up(seats: int, options: Options, seed: int = 0) -> State:
    """Return the state in which the first seat moves."""
    rng, state = Random(seed), numlo.start(seats, options)
    while state.turn == CHANCE:
        state = numlo.play(state, CHANCE, rng.choice(list(numlo.moves(state, CHANCE))))
    return state


def filled(letter: str, *holes: tuple[int, int], size: int = 8) -> Board:
    """Return a board full of one colour but for some squares."""
    cells = dict.fromkeys(board(size=size), letter)
    return {**cells, **dict.fromkeys(holes, EMPTY)}


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, int]:
    """Draw a board with any tiles anywhere, and how many colours play."""
    size = draw(st.sampled_from([8, 12, 20]))
    seats = draw(st.integers(2, 4))
    letters = draw(st.sampled_from([EMPTY, EMPTY * 4])) + COLOURS[:seats]
    rng = Random(draw(st.integers(0, 2**32)))
    return {cell: rng.choice(letters) for cell in board(size=size)}, seats


@given(boards(), st.integers(0, 3))
def test_legal_squares_and_flips_agree_with_walking_step_by_step(
    made: tuple[Board, int], turn: int
) -> None:
    cells, seats = made
    turn %= seats
    state = position(cells, turn, seats)
    size = state.options.size
    slow = {}
    for r, c in cells:
        after = laid(cells, (r, c), COLOURS[turn])
        if after:
            slow[r * size + c] = {
                row * size + column
                for (row, column), letter in after.items()
                if cells[row, column] not in (EMPTY, letter)
            }
    listed = [move for move in numlo.moves(state, turn) if isinstance(move, Place)]
    assert [move.square for move in listed] == sorted(slow)
    for square in range(size * size):
        assert set(numlo.flips(state, turn, square)) == slow.get(square, set())


@given(boards(), st.integers(0, 2**32))
def test_playing_agrees_with_walking_step_by_step(
    made: tuple[Board, int], seed: int
) -> None:
    cells, seats = made
    state = position(cells, 0, seats)
    size = state.options.size
    for move in Random(seed).sample(
        listed := list(numlo.moves(state, 0)), min(5, len(listed))
    ):
        assert isinstance(move, Place)
        slow = laid(cells, divmod(move.square, size), "B")
        assert drawn(numlo.play(state, 0, move)) == slow


def test_the_latin_start_fills_the_middle_with_twelve_tiles_of_each_colour() -> None:
    state = set_up(3, Options(values=False))
    cells = drawn(state)
    for (r, c), letter in cells.items():
        inside = 3 <= r <= 8 and 3 <= c <= 8
        assert letter == (COLOURS[(r + c) % 3] if inside else EMPTY)
    assert Counter(cells.values()) == {"B": 12, "R": 12, "G": 12, EMPTY: 108}


@pytest.mark.parametrize("first", [0, 1, 2])
def test_each_colour_has_fourteen_first_moves_in_the_latin_start(first: int) -> None:
    state = numlo.start(3, Options(values=False))
    state = numlo.play(state, CHANCE, First(first))
    assert first == state.turn
    assert len(list(numlo.moves(state, first))) == 14


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("size", range(8, 21, 2))
def test_the_scattered_start_gives_twelve_tiles_and_a_move_to_each_colour(
    seats: int, size: int
) -> None:
    state = set_up(seats, Options(size=size, start="scatter"), seed=size)
    for seat, tiles in enumerate(state.tiles):
        assert int.from_bytes(tiles, "little").bit_count() == 12
        assert any(numlo.flips(state, seat, square) for square in range(size * size))


def test_scattered_tiles_are_drawn_anew_if_a_colour_has_no_move() -> None:
    state = numlo.start(2, Options(start="scatter", values=False))
    for tile in range(24):  # in columns of one colour: nothing can be flipped anywhere
        seat, n = tile % 2, tile // 2
        square = n * 12 + (0 if seat == 0 else 11)
        state = numlo.play(state, CHANCE, numlo.Disc(square, seat))
    assert numlo.owners(state) == (None,) * 144
    assert list(numlo.moves(state, CHANCE))[:2] == [numlo.Disc(0, 0), numlo.Disc(1, 0)]


def test_values_are_six_of_each_on_squares_empty_at_the_start() -> None:
    state = set_up(3, Options())
    assert Counter(state.values) == {0: 108} | dict.fromkeys(range(1, 7), 6)
    started = set_up(3, Options(values=False))
    for square, owner in enumerate(numlo.owners(started)):
        assert owner is None or state.values[square] == 0


def test_a_small_board_gets_as_many_of_each_value_as_there_is_room_for() -> None:
    state = set_up(3, Options(size=8))
    assert Counter(state.values) == {0: 64 - 24} | dict.fromkeys(range(1, 7), 4)


def test_each_outcome_of_chance_is_listed_once() -> None:
    state = numlo.start(3, Options())
    outcomes = list(numlo.moves(state, CHANCE))
    assert 108 == len(outcomes) == len(set(outcomes))
    assert all(isinstance(each, numlo.Value) and each.points == 1 for each in outcomes)


def test_who_begins_is_drawn_among_all() -> None:
    state = numlo.start(4, Options(values=False))
    assert [First(0), First(1), First(2), First(3)] == list(numlo.moves(state, CHANCE))


def test_othello_without_values_needs_no_chance() -> None:
    state = numlo.start(2, Options(size=8, start="othello", values=False))
    assert frozenset({0}) == numlo.actors(state)
    black = {square for square, seat in enumerate(numlo.owners(state)) if seat == 0}
    assert {3 * 8 + 4, 4 * 8 + 3} == black


def test_othello_with_values_lets_seat_0_begin_after_they_are_drawn() -> None:
    state = set_up(2, Options(size=8, start="othello"))
    assert state.turn == 0
    assert Counter(state.values) == {0: 64 - 36} | dict.fromkeys(range(1, 7), 6)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (1, Options()),
        (5, Options()),
        (3, Options(start="othello")),
        (3, Options(size=9)),
        (3, Options(size=6)),
        (3, Options(size=22)),
        (3, Options(start="middle")),  # type: ignore[arg-type]  # a wrong one
    ],
)
def test_options_that_do_not_go_together_are_refused(
    seats: int, options: Options
) -> None:
    with pytest.raises(OptionsError):
        numlo.start(seats, options)


def test_turns_go_round_in_the_order_of_seats() -> None:
    state = set_up(3, Options(values=False))
    first = state.turn
    for n in range(6):
        assert (first + n) % 3 == state.turn
        state = numlo.play(state, state.turn, next(numlo.moves(state, state.turn)))


def test_who_has_no_move_passes_by_itself_and_the_state_says_so() -> None:
    cells = board("BR......", "........", "B.......", "G.......")
    state = position(cells, turn=0)
    after = numlo.play(state, 0, Place(2))
    assert after.passed == (1,)  # Red has no tile left
    assert after.turn == 2


@given(boards(), st.integers(0, 2**32))
def test_only_seats_without_a_move_pass(made: tuple[Board, int], seed: int) -> None:
    cells, seats = made
    state = position(cells, 0, seats)
    listed = list(numlo.moves(state, 0))
    if not listed:
        return
    after = numlo.play(state, 0, Random(seed).choice(listed))
    board_after = drawn(after)

    def can_move(seat: int) -> bool:
        return any(laid(board_after, cell, COLOURS[seat]) for cell in board_after)

    skipped = [*range(1, seats), 0]
    if after.turn != numlo.OVER:
        skipped = skipped[: skipped.index(after.turn)]
        assert can_move(after.turn)
        assert tuple(skipped) == after.passed
    assert not any(can_move(seat) for seat in skipped)


def test_the_match_is_over_when_nobody_can_flip() -> None:
    state = position(board("BR......"), seats=2)
    after = numlo.play(state, 0, Place(2))
    assert after.turn == numlo.OVER
    assert after.passed == ()
    assert frozenset() == numlo.actors(after)
    assert numlo.places(after) == (1, 2)


def test_the_match_is_over_when_the_board_is_full() -> None:
    cells = {**filled("B", (0, 0)), (0, 1): "R"}
    after = numlo.play(position(cells, seats=2), 0, Place(0))
    assert after.turn == numlo.OVER
    assert numlo.scores(after) == (64, 0)


def test_scores_are_squares_and_their_values() -> None:
    values = bytes([6, 0, 5, 4] + [0] * 60)
    state = position(board("BBR."), seats=3, values=values)
    assert numlo.scores(state) == (2 + 6, 1 + 5, 0)


def test_ties_share_a_place() -> None:
    assert numlo.places(position(board("BRGBR"))) == (1, 1, 3)
    assert numlo.places(position(board("BRGR"))) == (2, 1, 2)


def test_the_hint_is_the_square_with_most_points_not_most_tiles() -> None:
    values = bytearray(64)
    values[3 * 8 + 1] = 5
    cells = board("BRRR....", "........", "........", "BR......")
    state = position(cells, seats=2, values=bytes(values))
    assert numlo.gain(state, 0, 4) == 4
    assert numlo.gain(state, 0, 3 * 8 + 2) == 2 + 5
    assert numlo.hint(state) == 3 * 8 + 2


def test_the_hint_takes_the_first_of_equals_and_is_none_off_turn() -> None:
    assert numlo.hint(position(board("BR......", "........", "BR......"), seats=2)) == 2
    assert numlo.hint(numlo.start(3, Options())) is None


def test_gain_counts_the_square_laid_on_and_is_0_where_nothing_flips() -> None:
    values = bytes([0, 2, 3] + [0] * 61)
    state = position(board("BR......"), seats=2, values=values)
    assert numlo.gain(state, 0, 2) == 1 + 2 + 1 + 3
    assert 0 == numlo.gain(state, 0, 1) == numlo.gain(state, 0, 63)


def test_flips_can_be_asked_for_any_seat_at_any_time() -> None:
    state = position(board("BR......", "RB......"), turn=0, seats=2)
    assert numlo.flips(state, 0, 2) == (1,)
    assert numlo.flips(state, 1, 8 + 2) == (8 + 1,)


@pytest.mark.parametrize(
    ("actor", "move", "words"),
    [
        (1, Place(2), "not your turn"),
        (CHANCE, Place(2), "not your turn"),
        (0, Place(-1), "no such square"),
        (0, Place(64), "no such square"),
        (0, Place(2**62), "no such square"),
        (0, Place(1), "taken"),
        (0, Place(20), "Nothing would flip"),
        (CHANCE, First(0), "for chance"),
        (0, First(0), "for chance"),
        (3, Resign(), "Nobody sits"),
        (CHANCE, Resign(), "Nobody sits"),
    ],
)
def test_refusals_say_why(actor: int, move: numlo.Move, words: str) -> None:
    state = position(board("BR......"))
    with pytest.raises(IllegalMoveError, match=words):
        numlo.play(state, actor, move)


def test_nobody_lays_before_the_board_is_set_up_or_after_the_end() -> None:
    with pytest.raises(IllegalMoveError, match="not set up"):
        numlo.play(numlo.start(3, Options()), 0, Place(0))
    over = numlo.play(position(board("BR......"), seats=2), 0, Place(2))
    for move in (Place(3), Resign()):
        with pytest.raises(IllegalMoveError, match="over"):
            numlo.play(over, 0, move)


def test_chance_does_only_what_is_due() -> None:
    state = numlo.start(3, Options())
    for move in (First(0), numlo.Disc(0, 0), numlo.Value(0, 2), numlo.Value(4 * 13, 1)):
        with pytest.raises(IllegalMoveError, match="cannot do that"):
            numlo.play(state, CHANCE, move)


def test_who_resigns_is_skipped_and_its_tiles_may_be_flipped() -> None:
    state = set_up(3, Options(values=False))
    leaver = state.turn
    left = numlo.play(state, leaver, Resign())
    assert (leaver + 1) % 3 == left.turn
    assert left.tiles == state.tiles
    assert any(
        leaver == numlo.owners(left)[flipped]
        for move in numlo.moves(left, left.turn)
        if isinstance(move, Place)
        for flipped in numlo.flips(left, left.turn, move.square)
    )
    with pytest.raises(IllegalMoveError, match="already"):
        numlo.play(left, leaver, Resign())


def test_resigning_out_of_turn_leaves_the_turn_alone() -> None:
    state = set_up(3, Options(values=False))
    left = numlo.play(state, (state.turn + 1) % 3, Resign())
    assert left.turn == state.turn
    assert left.open == state.open
    after = numlo.play(left, left.turn, next(numlo.moves(left, left.turn)))
    assert (state.turn + 2) % 3 == after.turn
    assert after.passed == ()


def test_with_one_seat_left_the_match_is_over_and_it_is_first() -> None:
    state = set_up(3, Options(values=False))
    state = numlo.play(state, 2, Resign())
    state = numlo.play(state, 0, Resign())
    assert state.turn == numlo.OVER
    assert numlo.places(state) == (2, 1, 3)


def test_who_resigns_while_chance_sets_up_does_not_begin() -> None:
    state = numlo.play(numlo.start(3, Options(values=False)), 1, Resign())
    assert [First(0), First(2)] == list(numlo.moves(state, CHANCE))
    assert numlo.play(state, CHANCE, First(2)).turn == 2


def test_bits_lists_squares_in_order() -> None:
    assert list(bits(1 | 1 << 3 | 1 << 70)) == [0, 3, 70]


def test_a_run_is_a_run_in_all_eight_directions() -> None:
    assert len(DIRECTIONS) == 8
    for way in DIRECTIONS:
        cells = board(size=8)
        spot = (4, 4)
        cells[spot[0] + way[0], spot[1] + way[1]] = "R"
        cells[spot[0] + 2 * way[0], spot[1] + 2 * way[1]] = "B"
        assert run(cells, spot, way, "B")
        assert len(numlo.flips(position(cells), 0, 4 * 8 + 4)) == 1
