"""The computer player of Hexcolumns: legal, steady, fair, and hard to fill up."""

from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay.players.hexcolumns import choose, delay
from rules import hexcolumns as game
from tests.rules.hexcolumns.wells import alone, cells, chance, columns, hexes

SKILLS = (0, 30, 60, 100)


def advanced(state: game.State, ticks: int, rng: Random) -> game.State:
    """Let time go by; what is left of it after a landing is dropped."""
    state, _ = game.advance(state, 0, ticks)
    return chance(state, rng)


def survived(size: int, level: int, skill: int, pieces: int, seed: int) -> game.Well:
    """Play alone at the pace of a person, until the well or the count is full."""
    rng = Random(seed)
    state = chance(game.start(1, game.Options(size=size, level=level)), rng)
    while not state.wells[0].over and state.wells[0].pieces <= pieces:
        seen = state.wells[0].pieces
        state = advanced(state, delay(state, 0, skill), rng)
        if not state.wells[0].over and state.wells[0].pieces == seen:
            move = choose(state, 0, skill, rng)
            state = chance(game.play(state, 0, move), rng)
    return state.wells[0]


@settings(max_examples=20, deadline=None)
@given(
    skill=st.sampled_from(SKILLS),
    size=st.sampled_from(game.SIZES),
    level=st.sampled_from((0, 12, 25)),
    seed=st.integers(0, 99),
)
def test_every_choice_is_a_legal_move(
    skill: int, size: int, level: int, seed: int
) -> None:
    rng = Random(seed)
    state = chance(game.start(1, game.Options(size=size, level=level)), rng)
    for _ in range(60):
        if state.wells[0].over:
            break
        move = choose(state, 0, skill, rng)
        assert move in list(game.moves(state, 0))
        state = chance(game.play(state, 0, move), rng)
        if not state.wells[0].over:
            state = advanced(state, rng.randrange(9), rng)


@settings(max_examples=12, deadline=None)
@given(
    radars=st.tuples(st.booleans(), st.booleans()),
    level=st.sampled_from((0, 12)),
    seed=st.integers(0, 999),
)
def test_a_player_plans_with_its_own_well_and_radar_alone(
    radars: tuple[bool, bool], level: int, seed: int
) -> None:
    """Whatever the other seat has: nobody's piece hangs on what others do."""
    rng = Random(seed)
    state = game.start(2, game.Options(size=6, level=level))
    state = chance(state, rng)
    for seat, on in enumerate(radars):
        if on:
            state = chance(game.play(state, seat, game.Radar(on=True)), rng)
    for _ in range(rng.randrange(4)):
        state = chance(game.play(state, 0, game.Drop()), rng)
    for seat in (0, 1):
        other = state.wells[1 - seat]
        twin = replace(other, radar=not other.radar, piece=other.piece[::-1], level=5)
        wells = (state.wells[0], twin) if seat == 0 else (twin, state.wells[1])
        before, after = (
            choose(each, seat, 100, Random(1))
            for each in (state, replace(state, wells=wells))
        )
        assert before == after


@pytest.mark.parametrize("skill", SKILLS)
def test_the_same_view_gives_the_same_choice(skill: int) -> None:
    state = alone({-1: "r b", 2: "y y g"}, piece="g y r")
    choices = {repr(choose(state, 0, skill, Random(n))) for n in range(5)}
    assert len(choices) == 1


@pytest.mark.parametrize("skill", SKILLS)
def test_each_input_brings_the_piece_nearer_to_one_landing(skill: int) -> None:
    rng = Random(8)
    state = alone({-1: "r b", 2: "y y g"}, piece="g y r", level=3)
    inputs = 0
    while not game.chance_count(state):
        state = game.play(state, 0, choose(state, 0, skill, rng))
        inputs += 1
        if not game.chance_count(state):
            state, _ = game.advance(state, 0, delay(state, 0, skill))
    assert inputs <= 5 + 2 + 1


def landed(state: game.State, skill: int) -> game.Well:
    this = state.wells[0].pieces
    while state.wells[0].piece and state.wells[0].pieces == this:
        state = game.play(state, 0, choose(state, 0, skill, Random(0)))
    return state.wells[0]


@pytest.mark.parametrize("column", [-4, -1, 0, 3])
def test_it_completes_a_long_alignment(column: int) -> None:
    well = landed(alone({column: "r r"}, piece="r r r"), 100)
    assert [len(gone.cells) for gone in well.gone] == [5]


def test_it_turns_the_piece_as_an_alignment_needs_it() -> None:
    spec = {column: "b y g v"[: 7 - 2 * (abs(column) > 3)] for column in range(-5, 6)}
    well = landed(alone(spec | {0: "b y b g r r"}, piece="b r g"), 100)
    assert well.gained > 5


def test_it_does_not_block_the_place_where_pieces_appear() -> None:
    well = landed(alone({2: "b y", 0: "r b r b r b"}, piece="g v o"), 100)
    assert not well.over


def test_it_stays_where_it_can_get_nowhere_else() -> None:
    wall = "r b y r b y r b"
    well = landed(alone({-1: wall, 1: wall}, piece="g v o"), 100)
    assert set(columns(6, well.cells)[0].split()) == {"g", "v", "o"}


def test_at_the_last_level_it_only_plans_what_there_is_time_for() -> None:
    """A piece falls a hex in 41 ms; five columns take 25 ticks, rotations more."""
    state = alone({5: "r r"}, piece="r b g", level=25, height=4)
    for _ in range(9):
        move = choose(state, 0, 100, Random(0))
        state = game.play(state, 0, move)
        if not state.wells[0].piece:
            break
        state, _ = game.advance(state, 0, delay(state, 0, 100))
        assert state.wells[0].piece, "it landed by itself before the plan was done"
    assert not state.wells[0].piece


def after_two(pile: dict[int, str], words: str, following: str, radar: bool) -> int:
    """Return the worth of what this piece and the next one destroy."""
    state = alone(pile, piece=words, radar=radar)
    first = landed(replace(state, gems=state.gems + hexes(following), need=2), 100)
    second = landed(alone(columns(6, first.cells), piece=following), 100)
    return (first.gained - 5) // (7 if radar else 10) + (second.gained - 5) // 10


def test_with_the_radar_it_prepares_for_the_next_piece() -> None:
    with_radar = without = 0
    for seed in range(12):
        rng = Random(seed)
        pile = {c: " ".join(rng.choices("roygbv", k=4)) for c in range(-5, 6)}
        quiet = columns(6, game.settle(6, cells(6, pile)).cells)
        words, following = (" ".join(rng.choices("roygbv", k=3)) for _ in range(2))
        with_radar += after_two(quiet, words, following, radar=True)
        without += after_two(quiet, words, following, radar=False)
    assert with_radar > without


def test_it_looks_ahead_to_a_piece_that_will_land_while_it_is_looked_at() -> None:
    wall, side = "r b y r b y r b", "g v o g v o"
    pile = {-3: side, -1: wall, 0: "v g v g v", 1: wall, 3: side}
    state = alone(pile, piece="g y r", radar=True, level=25)
    state = replace(state, gems=state.gems + hexes("b b o"), need=2)
    move = choose(state, 0, 100, Random(0))
    assert move in {game.Rotate(), game.Drop()}


@pytest.mark.parametrize("skill", [60, 100])
def test_a_good_player_looks_at_the_radar_while_the_well_is_crowded(skill: int) -> None:
    sides = (*range(-5, 0), *range(1, 6))
    crowded = dict.fromkeys(sides, "r b g y v o")
    assert choose(alone(crowded), 0, skill, Random(0)) == game.Radar(on=True)
    roomy = alone({0: "r b"}, radar=True)
    assert choose(roomy, 0, skill, Random(0)) == game.Radar(on=False)


def test_it_goes_on_after_a_pause() -> None:
    state = game.play(alone(), 0, game.Pause())
    assert choose(state, 0, 50, Random(0)) == game.Resume()


@given(ahead=st.binary(min_size=3, max_size=3), skill=st.sampled_from(SKILLS))
def test_without_the_radar_it_does_not_know_what_others_have_drawn(
    ahead: bytes, skill: int
) -> None:
    state = alone({1: "r b", -2: "y y"}, piece="g y r")
    drawn = bytes(1 + byte % game.KINDS for byte in ahead)
    knowing = replace(state, gems=state.gems + drawn)
    assert choose(knowing, 0, skill, Random(0)) == choose(state, 0, skill, Random(0))


def test_the_better_the_player_the_faster_its_fingers() -> None:
    fresh, moved = alone(), alone(column=2, height=4)
    looks = [delay(fresh, 0, skill) for skill in range(101)]
    keys = [delay(moved, 0, skill) for skill in range(101)]
    assert looks == sorted(looks, reverse=True)
    assert keys == sorted(keys, reverse=True)
    assert (looks[0], looks[100], keys[0], keys[100]) == (36, 6, 12, 5)


@pytest.mark.slow
def test_on_side_8_at_level_5_it_survives_a_median_of_300_pieces() -> None:
    lasted = [survived(8, 5, 100, pieces=300, seed=seed).pieces for seed in range(3)]
    assert median(lasted) > 300


@pytest.mark.slow
def test_more_skill_lasts_longer_and_scores_more() -> None:
    medians = [
        median(survived(6, 0, skill, 200, seed).score for seed in range(5))
        for skill in (0, 30, 60)
    ]
    assert medians == sorted(set(medians))


def test_even_a_beginner_plays_on_for_a_while_at_level_0() -> None:
    lasted = [survived(8, 0, 0, pieces=60, seed=seed).pieces for seed in range(5)]
    assert median(lasted) >= 25


@pytest.mark.parametrize("skill", SKILLS)
def test_two_computers_of_one_skill_fill_different_wells(skill: int) -> None:
    rng = Random(4)
    state = chance(game.start(2, game.Options(size=6, level=4)), rng)
    while min(well.pieces for well in state.wells) < 12:
        for seat in (0, 1):
            assert not state.wells[seat].over
            state = chance(game.play(state, seat, choose(state, seat, skill, rng)), rng)
    assert state.wells[0].cells != state.wells[1].cells
