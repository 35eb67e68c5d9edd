"""The rules of Hexagrams, its source's example, and counts made in two ways."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.commands.plays import perft
from rules import hexagrams
from rules.game import IllegalMoveError, OptionsError, Resign
from rules.hexagrams import BLACK, NOBODY, OVER, WHITE, Hexad, Options, State, Triad
from rules.hexagrams.board import HEXAGON_LINKS, can_step, forward
from tests.rules.hexagrams import positions
from tests.rules.hexagrams.positions import (
    Ended,
    Slow,
    after,
    cell,
    drawn,
    number,
    plies,
    ply,
    position,
    slow_perft,
    triad_plies,
)

START = hexagrams.start(2, Options())

EXAMPLE = position(
    "H(1,0) T(3,0) T(3,2) T(4,1)",
    "H(1,6) H(2,3) T(5,-1) T(5,3) T(7,2) T(8,1)",
    turn=BLACK,
)


def folded(state: State, *texts: str) -> State:
    """Return the state after some plies."""
    for text in texts:
        state = hexagrams.play(state, state.turn, ply(text))
    return state


def test_the_board_has_ten_hexagons_32_triangles_and_every_cell_is_full() -> None:
    assert (len(positions.HEXAGONS), len(positions.TRIANGLES)) == (10, 32)
    assert len(drawn(START).stones) == 42
    assert [cells.bit_count() for cells in START.hexads] == [5, 5]
    assert [cells.bit_count() for cells in START.triads] == [16, 16]
    white = {each for each, seat in drawn(START).stones.items() if seat == WHITE}
    hexads = ["H(0,1)", "H(0,3)", "H(0,5)", "H(1,0)", "H(1,2)"]
    assert white == set(map(cell, hexads)) | {
        each for each in positions.TRIANGLES if each[1] <= 4
    }


def test_there_are_41_triangle_links_and_19_hexagon_links_by_the_corners() -> None:
    assert len(positions.TRIANGLE_LINKS) == 41
    for a, b in positions.TRIANGLE_LINKS:
        assert forward(WHITE, 1 << number(a)) >> number(b) & 1
        assert forward(BLACK, 1 << number(b)) >> number(a) & 1
    steps = [forward(WHITE, 1 << number(each)) for each in positions.TRIANGLES]
    assert sum(each.bit_count() for each in steps) == 41
    back = [forward(BLACK, 1 << number(each)) for each in positions.TRIANGLES]
    assert sum(each.bit_count() for each in back) == 41
    links = {
        (number(a), number(b)): sum(1 << number(each) for each in between)
        for (a, b), between in positions.HEXAGON_LINKS.items()
    }
    assert len(links) == 19
    assert all(between.bit_count() == 2 for between in links.values())
    assert links == {(a, b): between for a, b, between in HEXAGON_LINKS}


def test_the_only_first_moves_are_the_five_captures_in_the_middle() -> None:
    captures = {ply(f"T(4,{x})xT(5,{x})") for x in (-1, 1, 3, 5, 7)}
    assert captures == set(hexagrams.moves(START, WHITE))
    assert captures == set(hexagrams.forced(START))


def test_black_may_begin() -> None:
    state = hexagrams.start(2, Options(first="black"))
    assert frozenset({BLACK}) == hexagrams.actors(state)
    assert ply("T(5,3)xT(4,3)") in set(hexagrams.moves(state, BLACK))


def test_the_example_of_the_source_goes_as_written() -> None:
    state = folded(EXAMPLE, "T(8,1)-T(7,0)", "T(4,1)-T(5,1)", "T(7,2)-T(6,2)")
    assert [ply("T(5,1)xT(6,2)")] == list(hexagrams.moves(state, WHITE))
    assert (ply("T(5,1)xT(6,2)"),) == hexagrams.forced(state)
    state = folded(state, "T(5,1)xT(6,2)", "T(7,0)-T(6,0)", "H(1,0)-H(1,2)")
    assert frozenset({BLACK}) == hexagrams.actors(state)
    state = folded(state, "T(6,0)-T(5,1)")
    assert (state.turn, state.winner, state.ending) == (OVER, BLACK, "blocked")
    assert hexagrams.places(state) == (2, 1)
    assert frozenset() == hexagrams.actors(state)
    assert hexagrams.forced(state) == ()


def test_the_hexad_of_the_example_is_immobile_for_a_while_and_play_goes_on() -> None:
    state = folded(EXAMPLE, "T(8,1)-T(7,0)", "T(4,1)-T(5,1)", "T(7,2)-T(6,2)")
    assert not can_step(state.hexads[WHITE], sum(state.triads))
    assert state.turn == WHITE


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [
        (1, 5),
        (2, 28),
        (3, 156),
        (4, 870),
        (5, 4_608),
        (6, 23_112),
        (7, 106_614),
        pytest.param(8, 452_760, marks=pytest.mark.slow),
    ],
)
def test_the_start_has_these_leaves(depth: int, leaves: int) -> None:
    assert leaves == perft(hexagrams, START, depth)


@pytest.mark.parametrize(
    ("depth", "leaves"),
    [
        (1, 5),
        (2, 28),
        (3, 156),
        (4, 870),
        pytest.param(5, 4_608, marks=pytest.mark.slow),
        pytest.param(6, 23_112, marks=pytest.mark.slow),
    ],
)
def test_the_slow_way_counts_the_same(depth: int, leaves: int) -> None:
    assert leaves == slow_perft(drawn(START), depth)


@st.composite
def any_position(draw: st.DrawFn) -> State:
    """Draw the start, or stones anywhere: most matches end among few.

    Or triads have marched to the last ranks: there some stand before others, and the
    hexads at home have no way, so that a side may be left without a move.
    """
    how = draw(st.sampled_from(["start", "few", "many", "marched", "marched"]))
    if how == "start":
        return START
    rng = Random(draw(st.integers(0, 2**32)))
    turn, marched = rng.choice([WHITE, BLACK]), how == "marched"
    least, most = {"few": (1, 4), "many": (4, 16), "marched": (8, 11)}[how]
    stones: dict[positions.Cell, int] = {}
    for seat in (WHITE, BLACK):
        free = [
            (kind, row, x)
            for kind, row, x in (*positions.HEXAGONS, *positions.TRIANGLES)
            if not marched
            or (row == 2 * seat if kind == "H" else (row > 5, row < 4)[seat])
        ]
        for kind, count in (
            ("H", rng.choice([1, 1, 2])),
            ("T", rng.randint(least, most)),
        ):
            cells = [each for each in free if each[0] == kind and each not in stones]
            chosen = rng.sample(cells, min(count, len(cells)))
            stones |= dict.fromkeys(chosen, seat)
    if marched:  # all triads of who waits have come to rest
        while going := [cell for cell, _ in triad_plies(stones, 1 - turn)]:
            del stones[going[0]]
    white, black = (
        " ".join(
            f"{kind}({row},{x})" for (kind, row, x), of in stones.items() if of == seat
        )
        for seat in (WHITE, BLACK)
    )
    return position(white, black, turn, draw(st.sampled_from([0, 0, 58, 59])))


@given(any_position(), st.integers(0, 2**32))
def test_a_match_from_any_position_agrees_with_the_slow_way(
    state: State, seed: int
) -> None:
    slow: Slow | Ended = drawn(state)
    assert isinstance(slow, Slow)
    if not plies(slow):
        return  # no position that a match comes to
    rng = Random(seed)
    while isinstance(slow, Slow):
        listed = list(hexagrams.moves(state, state.turn))
        by_move = {
            (Triad if a[0] == "T" else Hexad)(number(a), number(b)): (a, b)
            for a, b in plies(slow)
        }
        assert by_move.keys() == set(listed)
        assert len(by_move) == len(listed)
        followers = {
            move: after(slow, *by_move[move])
            for move in rng.sample(listed, min(8, len(listed)))
        }
        for move, expected in followers.items():
            found = hexagrams.play(state, state.turn, move)
            assert (found.turn == OVER) == isinstance(expected, Ended)
            assert expected in (drawn(found), Ended(found.winner, found.ending))
        move, slow = rng.choice(list(followers.items()))
        state = hexagrams.play(state, state.turn, move)


@given(any_position(), st.sampled_from([WHITE, BLACK]))
def test_whoever_resigns_has_lost_whoever_is_on_turn(state: State, seat: int) -> None:
    over = hexagrams.play(state, seat, Resign())
    assert (over.turn, over.winner, over.ending) == (OVER, 1 - seat, "resigned")
    assert hexagrams.places(over)[seat] == 2


def test_taking_the_last_hexad_wins() -> None:
    state = position("H(1,2) T(8,1)", "H(1,4) T(1,1)")
    over = folded(state, "H(1,2)xH(1,4)")
    assert (over.turn, over.winner, over.ending) == (OVER, WHITE, "hexads")
    assert hexagrams.places(over) == (1, 2)


def test_a_hexad_may_leave_an_enemy_hexad_alone() -> None:
    state = position("H(1,2) T(8,1)", "H(1,4) T(1,1)")
    assert ply("H(1,2)-H(0,1)") in set(hexagrams.moves(state, WHITE))


def test_a_hexad_needs_both_triangles_between_empty() -> None:
    for triad in ("T(4,3)", "T(5,3)"):
        state = position("H(1,2) T(8,1)", f"H(1,4) T(1,1) {triad}")
        with pytest.raises(IllegalMoveError, match="stands between"):
            folded(state, "H(1,2)xH(1,4)")


def test_own_triads_stand_in_the_way_too() -> None:
    state = position("H(1,2) T(4,3)", "H(1,4) T(1,1)")
    with pytest.raises(IllegalMoveError, match="stands between"):
        folded(state, "H(1,2)xH(1,4)")


def test_a_triad_on_the_last_rank_is_stuck() -> None:
    state = position("H(0,1) T(8,1)", "H(2,5) T(1,5)")
    assert all(isinstance(move, Hexad) for move in hexagrams.moves(state, WHITE))


def test_a_side_without_any_move_loses() -> None:
    white = "H(0,1) T(8,1) T(8,3) T(8,5)"
    black = "H(2,5) T(2,2) T(3,2) T(2,0) T(3,0)"
    state = position(white, black, turn=BLACK)
    over = folded(state, "H(2,5)-H(1,6)")
    assert (over.turn, over.winner, over.ending) == (OVER, BLACK, "stuck")


def test_hexads_that_could_not_move_before_are_not_blocked_by_a_move() -> None:
    white = "H(0,1) T(1,5)"
    black = "H(2,5) T(2,2) T(3,2) T(2,0) T(3,0)"
    state = position(white, black, turn=BLACK)
    assert folded(state, "H(2,5)-H(1,6)").turn == WHITE


@pytest.mark.parametrize(
    ("white", "black", "winner"),
    [("T(8,1)", "T(1,1) T(1,3)", BLACK), ("T(8,1) T(8,3)", "T(1,1)", WHITE),
     ("T(8,1)", "T(1,1)", NOBODY)],
)  # fmt: skip
def test_after_sixty_quiet_plies_more_triads_win(
    white: str, black: str, winner: int
) -> None:
    state = position(f"H(0,3) {white}", f"H(2,3) {black}", quiet=58)
    state = folded(state, "H(0,3)-H(0,5)")
    assert (state.turn, state.quiet) == (BLACK, 59)
    state = folded(state, "H(2,3)-H(2,5)")
    assert (OVER, winner, "count") == (state.turn, state.winner, state.ending)
    assert ((1, 1) if winner == NOBODY else (1 + winner, 2 - winner)) == (
        hexagrams.places(state)
    )


def test_triad_moves_and_captures_end_the_quiet() -> None:
    state = position("H(0,3) T(6,2)", "H(2,3) T(1,1)", quiet=59)
    assert folded(state, "T(6,2)-T(7,2)").quiet == 0
    state = position("H(1,2) H(0,5) T(8,1)", "H(1,4) H(2,5) T(1,1)", quiet=59)
    after_capture = folded(state, "H(1,2)xH(1,4)")
    assert (after_capture.turn, after_capture.quiet) == (BLACK, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("T(8,1)-T(7,0)", "None of your triads"),
        ("T(4,1)-T(3,0)", "forward"),
        ("T(4,1)-T(6,0)", "forward"),
        ("T(2,0)-T(3,0)", "Another triad"),
        ("T(3,6)-T(4,5)", "can capture"),
        ("H(2,5)-H(2,3)", "None of your hexads"),
        ("H(0,1)-H(2,1)", "neighbouring"),
        ("H(0,1)-H(1,0)", "Another hexad"),
        ("H(0,1)-H(0,3)", "can capture"),
    ],
)
def test_refusals_say_why(text: str, words: str) -> None:
    state = position(
        "H(0,1) H(1,0) T(2,0) T(3,0) T(4,1) T(3,6)", "H(2,5) T(5,1) T(8,1)"
    )
    with pytest.raises(IllegalMoveError, match=words):
        folded(state, text)


@pytest.mark.parametrize("number", [-1, 5, 4, 40, 99, 2**62])
def test_cells_that_do_not_exist_hold_no_stone(number: int) -> None:
    for move in (Triad(number, 0), Hexad(number + 10, 0), Hexad(-number, 0)):
        with pytest.raises(IllegalMoveError, match="None of your"):
            hexagrams.play(position("H(0,1)", "H(2,5)"), WHITE, move)
    with pytest.raises(IllegalMoveError, match="forward"):
        hexagrams.play(START, WHITE, Triad(1, number + 41))


def test_only_who_is_on_turn_moves_and_nobody_after_the_end() -> None:
    with pytest.raises(IllegalMoveError, match="not your turn"):
        hexagrams.play(START, BLACK, ply("T(5,1)xT(4,1)"))
    over = hexagrams.play(START, BLACK, Resign())
    assert (over.turn, over.winner, over.ending) == (OVER, WHITE, "resigned")
    for move in (ply("T(4,1)xT(5,1)"), Resign()):
        with pytest.raises(IllegalMoveError, match="over"):
            hexagrams.play(over, WHITE, move)
    with pytest.raises(IllegalMoveError, match="over"):
        hexagrams.play(over, OVER, Triad(16, 20))
    with pytest.raises(IllegalMoveError, match="Nobody sits"):
        hexagrams.play(START, 2, Resign())
    assert not list(hexagrams.moves(over, OVER))


def test_other_numbers_of_seats_and_colours_are_refused() -> None:
    with pytest.raises(OptionsError):
        hexagrams.start(3, Options())
    with pytest.raises(OptionsError):
        hexagrams.start(2, Options(first="red"))  # type: ignore[arg-type]  # wrong
