"""The computer player of Hexagrams."""

from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netplay.levels import SKILLS
from netplay.players import talent
from netplay.players.deepening import EASY, MEDIUM, positions
from netplay.players.hexagrams import (
    BEST,
    BETTER,
    EXPERT,
    LEAST,
    MASTER,
    PLAIN,
    PLENTY,
    WIN,
    Ply,
    Search,
    Sight,
    choose,
    ended,
    evaluate,
    promise,
    sight,
)
from rules import hexagrams
from rules.game import Resign
from rules.hexagrams import BLACK, OVER, WHITE, Hexad, Options, State
from tests.rules.hexagrams.positions import ply, position

START = hexagrams.start(2, Options())
LEVELS = (0, EASY, MEDIUM - 20, MEDIUM, MEDIUM + 1)


def standstill() -> float:
    """A clock by which a search has all the time it wants."""
    return 0.0


def unhurried(view: State, skill: int, seed: int = 0) -> Ply:
    return choose(view, view.turn, skill, Random(seed), clock=standstill)


def midgame(seed: int, plies: int) -> State:
    """Return a position some random plies into a match."""
    rng, state = Random(seed), START
    for _ in range(plies):
        after = hexagrams.play(
            state, state.turn, rng.choice(list(hexagrams.moves(state, state.turn)))
        )
        if after.turn == OVER:
            break
        state = after
    return state


@settings(max_examples=15)
@given(st.integers(0, 2**20), st.integers(0, 40), st.sampled_from(LEVELS))
def test_every_level_answers_with_a_legal_move(
    seed: int, plies: int, skill: int
) -> None:
    state = midgame(seed, plies)
    move = choose(state, state.turn, skill, Random(seed), budget=0.05)
    assert move in set(hexagrams.moves(state, state.turn))


@pytest.mark.parametrize("skill", [EASY, 50, 80])
def test_black_finds_the_blocking_move_of_the_example(skill: int) -> None:
    state = position(
        "H(1,2) T(3,0) T(3,2) T(6,2)", "H(1,6) H(2,3) T(5,-1) T(5,3) T(6,0)", turn=BLACK
    )

    class Steady(Random):
        def random(self) -> float:
            return 0.99

    move = choose(state, BLACK, skill, Steady(1), clock=standstill)
    assert hexagrams.play(state, BLACK, move).winner == BLACK


def test_the_only_move_is_played_without_thinking() -> None:
    state = position("H(0,1) T(4,1) T(8,1)", "H(2,5) T(5,1) T(5,5)")
    assert list(hexagrams.moves(state, WHITE)) == [ply("T(4,1)xT(5,1)")]
    looked = Search(0, lambda: True).best(state, hexagrams.moves(state, WHITE))
    assert looked == (ply("T(4,1)xT(5,1)"), 0)


def minimax(state: State, seat: int, depth: int, seen: Sight = BEST) -> int:
    """Return what a search without any short cut finds."""
    if state.turn == OVER:
        return ended(state, seat, depth)
    listed, stands = list(hexagrams.moves(state, state.turn)), list[int]()
    if depth <= 0 and not hexagrams.forced(state):
        stands = [promise(state, seat, seen)]  # hexads may be taken, and need not be
        there = state.hexads[1 - seat] if seen.taking else 0
        listed = [m for m in listed if isinstance(m, Hexad) and there >> m.target & 1]
    held = depth <= 0 and seen.taking and bool(hexagrams.forced(state))
    left = depth if held else depth - 1  # what must be taken costs no depth
    after = (hexagrams.play(state, state.turn, move) for move in listed)
    return max([*stands, *(-minimax(each, 1 - seat, left, seen) for each in after)])


@settings(max_examples=10)
@given(st.integers(0, 2**20), st.integers(20, 60), st.sampled_from((PLAIN, BEST)))
def test_short_cuts_do_not_change_what_is_found(
    seed: int, plies: int, seen: Sight
) -> None:
    state = midgame(seed, plies)
    listed = list(hexagrams.moves(state, state.turn))
    values = {
        move: -minimax(hexagrams.play(state, state.turn, move), 1 - state.turn, 1, seen)
        for move in listed
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("netplay.players.hexagrams.DEEPEST", 2)
        search = Search(1_000_000, lambda: False, seen=seen)
        best, _ = search.best(state, listed)
    assert values[best] == max(values.values())


@settings(max_examples=6)
@given(st.integers(0, 2**20), st.integers(20, 60))
def test_a_move_is_worth_what_so_many_plies_show_whatever_was_seen_before(
    seed: int, plies: int
) -> None:
    state = midgame(seed, plies)
    listed = list(hexagrams.moves(state, state.turn))
    search = Search(5_000, lambda: False)
    search.best(state, listed)
    search.allowance.extend(1_000_000)
    for move in listed:
        after = hexagrams.play(state, state.turn, move)
        shallow = -minimax(after, 1 - state.turn, 1)
        found = search.value(state, move, 2)
        assert found == shallow or min(abs(found), abs(shallow)) >= PLENTY


def test_a_hexad_that_can_be_taken_back_is_not_won() -> None:
    """White takes the hexad of E5, and the other takes that one in its turn."""
    state = position("H(1,2) H(0,1) T(8,1)", "H(1,4) H(1,6) T(1,1)")
    taking = ply("H(1,2)xH(1,4)")
    assert hexagrams.play(state, WHITE, taking).hexads[BLACK].bit_count() == 1
    after = hexagrams.play(state, WHITE, taking)
    assert Search(1_000, lambda: False).value(state, taking, 1) < promise(after, WHITE)
    plain = Search(1_000, lambda: False, seen=PLAIN).value(state, taking, 1)
    assert plain == promise(after, WHITE, PLAIN)


def test_who_sees_a_win_is_sure_of_what_another_move_lost() -> None:
    state = midgame(818, 26)
    others = tuple(hexagrams.moves(state, state.turn))
    found = evaluate(state, state.turn, 1_500, Random(0), others)
    win, other = found.candidates[:2]
    # Three moves on the win is there, and two moves on there is nothing of it yet.
    assert win.chance > 0.99
    assert other.chance < 0.5
    assert win.chance - other.chance > other.error


def test_easy_slips_only_among_the_best_three() -> None:
    state = midgame(2, 12)
    picks = {unhurried(state, 0, seed) for seed in range(60)}
    assert 2 <= len(picks) <= 3 or len(list(hexagrams.moves(state, state.turn))) == 1


@pytest.mark.parametrize("skill", [40, 80])
def test_the_same_view_and_seed_give_the_same_move(skill: int) -> None:
    state = midgame(7, 15)
    assert unhurried(state, skill) == unhurried(state, skill)


def test_a_search_stops_when_its_time_is_up() -> None:
    ticks = count()
    state = midgame(3, 10)
    move = choose(
        state, state.turn, 100, Random(0), budget=5.0, clock=lambda: float(next(ticks))
    )
    assert move in set(hexagrams.moves(state, state.turn))
    assert next(ticks) < 20


def test_more_skill_with_the_same_sight_looks_at_more_positions() -> None:
    for skills in range(EASY + 1, EXPERT), range(EXPERT, MASTER), range(MASTER, 101):
        counts = [positions(skill, LEAST, sight(skill).most) for skill in skills]
        assert counts == sorted(counts)


def test_a_level_sees_no_less_than_the_one_below() -> None:
    seen = [sight(talent("hexagrams", skill)) for skill in SKILLS.values()]
    assert seen == [PLAIN, PLAIN, PLAIN, PLAIN, BETTER, BEST]


def test_the_end_of_a_match_is_worth_more_than_any_promise() -> None:
    won = hexagrams.play(START, BLACK, Resign())
    assert ended(won, WHITE, 3) == WIN + 3 == -ended(won, BLACK, 3)
    draw = position("H(0,3) T(8,1)", "H(2,3) T(1,1)", quiet=59)
    draw = hexagrams.play(draw, WHITE, ply("H(0,3)-H(0,5)"))
    assert ended(draw, WHITE) == 0
    assert promise(START, WHITE) == -promise(START, BLACK) == BEST.turn


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), [(MEDIUM, EASY), (MEDIUM + 1, EASY + 1)])
def test_a_higher_level_comes_out_ahead(better: int, worse: int) -> None:
    won = 0.0
    for game in range(8):
        rng, skills, state = Random(game // 2), [better, worse], midgame(game // 2, 4)
        while state.turn != OVER:
            skill = skills[state.turn ^ game % 2]
            move = choose(state, state.turn, skill, rng, clock=standstill)
            state = hexagrams.play(state, state.turn, move)
        won += 0.5 if state.winner < 0 else state.winner == game % 2
    assert won >= 5
