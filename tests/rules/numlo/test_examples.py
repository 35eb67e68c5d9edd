"""The worked examples of the source document, and Othello's known numbers."""

import pytest

from netplay.commands.plays import perft, settled
from rules import numlo
from rules.game import IllegalMoveError
from tests.rules.numlo.positions import board, drawn, laid, position, rows, slow_perft

OTHELLO = numlo.Options(size=8, start="othello", values=False)


def after(text: list[str], column: int) -> list[str]:
    """Return the rows after Blue lays in the first row, played both ways."""
    cells = board(*text)
    state = numlo.play(position(cells), 0, numlo.Place(column))
    slow = laid(cells, (0, column), "B")
    assert slow == drawn(state)
    return rows(drawn(state), len(text), len(text[0]))


def test_five_reds_between_two_blues_are_captured() -> None:
    assert after(["BRRRRR."], 6) == ["BBBBBBB"]


def test_a_green_among_the_reds_makes_the_move_illegal() -> None:
    state = position(board("BRGRRRR.", "RB......"))  # the second row gives Blue a move
    with pytest.raises(IllegalMoveError, match="one other colour"):
        numlo.play(state, 0, numlo.Place(7))
    assert numlo.flips(state, 0, 7) == ()


def test_own_tiles_are_not_skipped_over() -> None:
    assert after([".RRRBRRB"], 0) == ["BBBBBRRB"]


def test_a_block_of_colours_flips_as_drawn() -> None:
    before = [".GBRRB", "RRGRRG", "BRBGRR"]
    assert after(before, 0) == ["BBBRRB", "BBGRRG", "BRBGRR"]


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [
        (1, 4),
        (2, 12),
        (3, 56),
        (4, 244),
        (5, 1_396),
        (6, 8_200),
        (7, 55_092),
        pytest.param(8, 390_216, marks=pytest.mark.slow),
    ],
)
def test_two_seats_on_eight_squares_are_othello(depth: int, leaves: int) -> None:
    assert leaves == perft(numlo, numlo.start(2, OTHELLO), depth)


@pytest.mark.parametrize(("depth", "leaves"), [(1, 4), (2, 12), (3, 56), (4, 244)])
def test_the_slow_way_counts_the_same(depth: int, leaves: int) -> None:
    cells = drawn(numlo.start(2, OTHELLO))
    assert leaves == slow_perft(cells, 2, 0, depth)


@pytest.mark.parametrize(
    ("seats", "depth", "leaves"),
    [
        (2, 1, 12),
        (2, 2, 164),
        (2, 3, 2_260),
        (3, 1, 14),
        (3, 2, 208),
        (3, 3, 3_404),
        pytest.param(3, 4, 51_588, marks=pytest.mark.slow),
        (4, 1, 11),
        (4, 2, 96),
        (4, 3, 1_120),
    ],
)
def test_numlo_on_twelve_squares_has_these_leaves(
    seats: int, depth: int, leaves: int
) -> None:
    state = settled(numlo, numlo.start(seats, numlo.Options(values=False)))
    assert leaves == perft(numlo, state, depth)
    assert leaves == slow_perft(drawn(state), seats, state.turn, depth)


def test_perft_counts_a_forced_pass_as_a_ply() -> None:
    cells = board("RRGBB...", "........", ".RB.....")
    state = position(cells, turn=0)
    for depth in range(6):
        assert perft(numlo, state, depth) == slow_perft(cells, 3, 0, depth)
