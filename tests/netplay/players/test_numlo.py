"""The computer player of Numlo."""

from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.players.deepening import EASY, MEDIUM, positions
from netplay.players.numlo import (
    FINAL,
    POSITIONS,
    WON,
    Judge,
    Search,
    choose,
    evaluate,
    terrain,
)
from rules import numlo
from rules.game import CHANCE, Resign
from rules.numlo import OVER, Options, Place, State
from tests.rules.numlo.positions import board, position

LEVELS = (0, EASY, MEDIUM - 20, MEDIUM, MEDIUM + 1)


def standstill() -> float:
    """A clock by which a search has all the time it wants."""
    return 0.0


def unhurried(view: State, seat: int, skill: int, seed: int = 0) -> Place:
    return choose(view, seat, skill, Random(seed), clock=standstill)


def midgame(seed: int, seats: int = 3, plies: int = 30, size: int = 8) -> State:
    """Return a position some random plies into a match."""
    rng = Random(seed)
    state = numlo.start(seats, Options(size=size, values=bool(seed % 2)))
    while CHANCE in numlo.actors(state) or (plies := plies - 1) > 0:
        for actor in numlo.actors(state):
            move = rng.choice(list(numlo.moves(state, actor)))
            following = numlo.play(state, actor, move)
            if following.turn == OVER:
                return state
            state = following
    return state


def brute(state: State, seat: int) -> tuple[int, ...]:
    """Return the best final scores a seat can reach if the other does its best too."""
    if state.turn == OVER:
        return numlo.scores(state)
    ends = [
        brute(numlo.play(state, state.turn, move), seat)
        for move in numlo.moves(state, state.turn)
    ]
    pick = max if state.turn == seat else min
    return pick(ends, key=lambda scores: scores[seat] - scores[1 - seat])


@settings(max_examples=12)
@given(st.integers(0, 2**20), st.integers(2, 4), st.sampled_from(LEVELS))
def test_every_level_answers_with_a_legal_move(
    seed: int, seats: int, skill: int
) -> None:
    state = midgame(seed, seats, plies=1 + seed % 40)
    move = choose(state, state.turn, skill, Random(seed), budget=0.05)
    assert move in set(numlo.moves(state, state.turn))


class Steady(Random):
    def random(self) -> float:
        return 0.99


def test_easy_takes_the_hint_unless_it_slips() -> None:
    for seed in range(20):
        state = midgame(seed)
        assert choose(state, state.turn, 20, Steady(0)).square == numlo.hint(state)


def test_a_slip_of_easy_is_among_the_best_three() -> None:
    state = midgame(4)
    gains = sorted(
        (
            numlo.gain(state, state.turn, move.square)
            for move in numlo.moves(state, state.turn)
            if isinstance(move, Place)
        ),
        reverse=True,
    )
    for seed in range(30):
        square = choose(state, state.turn, 0, Random(seed)).square
        assert numlo.gain(state, state.turn, square) >= gains[:3][-1]


@pytest.mark.parametrize("skill", [40, 80])
def test_the_same_view_and_seed_give_the_same_move(skill: int) -> None:
    state = midgame(7)
    assert unhurried(state, state.turn, skill) == unhurried(state, state.turn, skill)


def test_a_search_stops_when_its_time_is_up() -> None:
    ticks = count()
    state = midgame(3, size=12)
    move = choose(
        state, state.turn, 100, Random(0), budget=5.0, clock=lambda: float(next(ticks))
    )
    assert move in set(numlo.moves(state, state.turn))
    assert next(ticks) < 20  # it looked at the clock a few times, then no more


def test_less_skill_lays_more_often_where_it_looks_good_at_once() -> None:
    state = midgame(41, 2, 20)
    tempting = choose(state, state.turn, EASY, Steady(0))

    def tempted(skill: int) -> int:
        """Return how often in forty turns; who looks ahead lays elsewhere."""
        return sum(
            choose(
                state, state.turn, skill, Random(seed), 8.0,
                map(float, count()).__next__,
            ) == tempting
            for seed in range(40)
        )  # fmt: skip

    half = 53  # lacks 0.7 of what is above Easy, and 0.7 * 0.7 is half
    assert tempted(100) == 0
    assert tempted(half) == pytest.approx(20, abs=9)
    assert 0 < tempted(half + 17) < tempted(half) < tempted(half - 17)


def test_even_the_best_does_not_begin_every_game_alike() -> None:
    """Who has beaten it once does not win again by the same moves."""
    state = numlo.start(2, Options(size=8, start="othello", values=False))
    found = {
        choose(state, 0, 100, Random(seed), 8.0, map(float, count()).__next__)
        for seed in range(12)
    }
    assert len(found) > 1


def test_a_search_with_no_share_at_all_still_has_a_move() -> None:
    state = midgame(3)
    square, depth = Search(state, state.turn, 0, lambda: True).best()
    assert Place(square) in set(numlo.moves(state, state.turn))
    assert depth == 0


def test_more_skill_looks_at_more_positions() -> None:
    counts = [positions(skill, *POSITIONS) for skill in range(EASY + 1, 101)]
    assert counts == sorted(counts)
    assert counts[-1] > 500 * counts[0]


@settings(max_examples=8)
@given(st.integers(0, 2**20))
def test_the_last_squares_are_played_for_the_best_end_there_is(seed: int) -> None:
    rng, state = Random(seed), midgame(seed, 2, plies=0)
    while (
        sum(owner is None for owner in numlo.owners(state)) > 6 and state.turn != OVER
    ):
        state = numlo.play(
            state, state.turn, rng.choice([*numlo.moves(state, state.turn)])
        )
    if state.turn == OVER:
        return
    seat = state.turn
    chosen = numlo.play(state, seat, unhurried(state, seat, 100))
    best, reached = brute(state, seat), brute(chosen, seat)
    assert reached[seat] - reached[1 - seat] == best[seat] - best[1 - seat]


def test_a_corner_is_taken_rather_than_a_longer_run() -> None:
    cells = board(".RB.....", "........", "..GGG...", "..BRRRR.", "...GG...")
    state = position(cells)
    assert numlo.hint(state) == 3 * 8 + 7
    assert unhurried(state, 0, 60) == Place(0)
    assert choose(state, 0, 20, Steady(0)) == Place(0)


def test_a_seat_that_has_resigned_is_not_waited_for_in_the_search() -> None:
    state = midgame(5)
    others = [seat for seat in range(3) if seat != state.turn]
    left = numlo.play(state, others[0], Resign())
    assert unhurried(left, left.turn, 50) in set(numlo.moves(left, left.turn))


def best_end(state: State, seat: int) -> int:
    """Return what a seat can reach against all others, tried out to each end."""
    if state.turn == OVER:
        scores = numlo.scores(state)
        own, rivals = scores[seat], {0, 1, 2} - {seat, *state.gone}
        most = max(scores[rival] for rival in rivals)
        lead = sum(own - other for other in scores)
        return 0 if own == most else lead + (WON if own > most else -WON)
    pick = max if state.turn == seat else min
    return pick(
        best_end(numlo.play(state, state.turn, move), seat)
        for move in numlo.moves(state, state.turn)
        if isinstance(move, Place)
    )


@pytest.mark.parametrize("seed", range(8))
def test_tiles_of_who_has_resigned_are_turned_like_any_others(seed: int) -> None:
    rng, state = Random(seed), midgame(seed, 3, plies=12)
    state = numlo.play(state, (state.turn + 1 + seed % 2) % 3, Resign())
    while sum(owner is None for owner in numlo.owners(state)) > 5:
        moves = [*numlo.moves(state, state.turn)]
        state = numlo.play(state, state.turn, rng.choice(moves))
    assert_ends_are_seen(state)


def assert_ends_are_seen(state: State) -> None:
    seat, search = state.turn, Search(state, state.turn, 10**6, lambda: False)
    for move in numlo.moves(state, seat):
        assert isinstance(move, Place)
        end = best_end(numlo.play(state, seat, move), seat)
        assert search.value(move.square, 9) == FINAL * end


@given(
    st.sampled_from(["BRG", "BRGGGG", "BRRRRG", "BBBBRG"]),
    st.sampled_from([(), (1,), (2,)]),
    st.randoms(use_true_random=False),
)
def test_whoever_holds_most_only_those_who_play_on_are_to_be_beaten(
    letters: str, gone: tuple[int, ...], rng: Random
) -> None:
    rng = Random(rng.getrandbits(32))
    cells = {cell: rng.choice(letters) for cell in board(size=8)}
    for hole in rng.sample(sorted(cells), 3):
        cells[hole] = "."
    assert_ends_are_seen(position(cells, 0, 3, gone=gone))


def test_the_terrain_of_a_board_covers_what_it_should() -> None:
    land = terrain(12)
    counts = [part.bit_count() for part in land[:5]]
    assert counts == [4, 4 * 8, 8, 4, 4 * 8]
    assert land.order[0] == 0
    assert land.order[13] == max(land.order)


def promised(own: set[int], other: set[int]) -> int:
    """Return what a board of 64 squares without values promises its first seat."""
    boards = [sum(1 << square for square in squares) for squares in (own, other)]
    return Judge(8, bytes(64)).promise(boards, (1 << 64) - 1 - sum(boards), 0)


def test_beside_a_corner_of_one_s_own_stands_a_tile_that_nobody_can_flip() -> None:
    """Of a corner 24, of an edge 3, beside an empty corner -7; open to others -2."""
    corner = 24 - 2
    assert promised({0, 1}, {63}) == corner + 3 - 2 + 2 * 4 - (corner + 4)
    # Where the corner is empty, the tile beside it is bad and follows none.
    assert promised({1, 2}, {63}) == 3 - 7 - 4 - (corner + 4)
    # The last square of a row does not follow on the first of the next one.
    assert promised({7, 8}, {63}) == corner + 4 - 7 - 2 - (corner + 4)


def test_moves_to_make_count_and_points_do_not_before_the_end() -> None:
    assert promised({27}, {28, 29}) == (-2 + 3) - (-4 + 3)
    assert promised({27}, {28, 36}) == (-2 + 2 * 3) - (-4 + 2 * 3)


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), [(MEDIUM, EASY), (MEDIUM + 1, EASY + 1)])
def test_a_higher_level_comes_out_ahead(better: int, worse: int) -> None:
    ahead = 0.0
    for game in range(6):
        rng, skills = Random(game // 2), [better, worse]
        state = numlo.start(2, Options(size=8))
        while state.turn != OVER:
            if state.turn == CHANCE:
                move: numlo.Move = rng.choice([*numlo.moves(state, CHANCE)])
            else:
                skill = skills[state.turn ^ game % 2]
                move = choose(state, state.turn, skill, rng, clock=standstill)
            state = numlo.play(state, state.turn, move)
        ours, theirs = numlo.scores(state)[:: -1 if game % 2 else 1]
        ahead += (ours > theirs) + (ours == theirs) / 2
    assert ahead >= 4


@pytest.mark.parametrize("gone", [(), (2,), (2, 3)])
def test_at_a_level_start_each_who_still_plays_wins_as_often(
    gone: tuple[int, ...],
) -> None:
    rng, state = Random(1), numlo.start(4, numlo.Options(values=False))
    while CHANCE in numlo.actors(state):
        state = numlo.play(state, CHANCE, rng.choice([*numlo.moves(state, CHANCE)]))
    for seat in gone:
        state = numlo.play(state, seat, Resign())
    found = evaluate(state, state.turn, 1500, rng)
    share = 1 / (4 - len(gone))
    assert found.candidates[0].chance == pytest.approx(share, abs=0.04)
