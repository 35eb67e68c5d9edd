"""What Lhexicon's computer player hopes for, keeps, and leaves to others."""

from collections.abc import Callable
from itertools import count
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.players.lhexicon import NAMED, choose
from netplay.players.lhexicon.board import MANY, WIDE, Outlook, Walls
from netplay.players.lhexicon.evaluation import (
    KEPT,
    LONE,
    SCORES,
    SPREAD,
    margin,
    offered,
    reply,
    worth_kept,
)
from netplay.players.lhexicon.search import NO_HOPE, hope
from rules import lexicon, lhexicon
from rules.lhexicon import EMPTY, LETTERS, RACK, Lay, State
from rules.lhexicon import cells as sets
from tests.rules.lhexicon import matches, worked


def _letters(text: str) -> int:
    return sets.mask(LETTERS.index(letter) for letter in text)


def _rack(text: str) -> tuple[int, ...]:
    return tuple(sorted(matches.kinds(text)))


def _outlook(*words: str) -> tuple[Outlook, int]:
    """Return the outlook of a dictionary, and its first node."""
    made = lexicon.find(matches.small(*words))
    return Outlook(made), made.root


def _jumping(looks: int) -> Callable[[], float]:
    """Return a clock that stands still for so many looks, and then is far ahead."""
    ticks = count()
    return lambda: 0.0 if next(ticks) < looks else 1e9


def _empty(state: State) -> int:
    return sets.mask(cell for cell, each in enumerate(state.letters) if each == EMPTY)


def test_endings_are_told_with_their_letters_and_what_they_score() -> None:
    outlook, root = _outlook("CAB", "CAT", "CATTY")
    words = lexicon.find(matches.small("CAB", "CAT", "CATTY"))
    node = words.child(words.child(root, LETTERS.index("C")), LETTERS.index("A"))
    ahead = outlook.ahead(node)
    assert (ahead.most, ahead.which) == (3, _letters("BTY"))
    assert ahead.endings == (
        (5, _letters("TY")),
        (3, _letters("B")),
        (1, _letters("T")),
    )


def test_of_a_node_with_many_endings_nothing_is_said() -> None:
    words = [f"A{a}{b}" for a in LETTERS for b in LETTERS[:3]]
    assert len(words) > MANY // 2
    outlook, root = _outlook(*words, *(word + "S" for word in words))
    assert outlook.ahead(root) is WIDE


@pytest.mark.parametrize(
    ("need", "out", "spare", "points"),
    [
        ("", "", 0, 9),
        ("E", "", 0, 4),
        ("", "Z", 0, 4),
        ("", "Z", 1, 9),
        ("", "SE", 1, 9),
        ("E", "SE", 1, NO_HOPE),
        ("E", "SE", 2, 4),
        ("X", "", 2, NO_HOPE),
    ],
)
def test_the_best_ending_that_can_be_spelled_is_hoped_for(
    need: str, out: str, spare: int, points: int
) -> None:
    endings = ((9, _letters("AZ")), (4, _letters("EST")))
    assert hope(endings, _letters(need), _letters(out), spare) == points


def test_there_is_a_score_for_each_number_of_tiles_that_a_rack_can_lay() -> None:
    assert [len(scores) for scores in SCORES] == list(range(RACK + 1))


def test_whoever_goes_out_leaves_the_other_nothing_to_gain() -> None:
    assert reply(3, 1, 0, 3) == 0.0
    assert margin(1, 5, 0) == pytest.approx(SCORES[1][0])


def test_against_a_last_tile_everything_short_of_going_out_costs_a_turn() -> None:
    last = pytest.approx(SCORES[1][0])
    assert reply(3, 1, 0, 1) == reply(3, 1, 0, 2) == last


@given(*[st.integers(1, RACK)] * 2, st.integers(0, 20))
def test_whoever_chooses_gains_as_much_as_by_any_choice(
    mine: int, others: int, bag: int
) -> None:
    choices = [
        score - reply(mine, others, bag, laid)
        for laid, score in enumerate(SCORES[mine], 1)
    ]
    gain = margin(mine, others, bag) - max(choices)
    assert -1e-9 <= gain <= SPREAD * log(mine) + 1e-9


def test_tiles_drawn_from_the_bag_keep_the_match_going() -> None:
    assert reply(1, 1, 3, 1) == margin(1, 3, 0)


def test_a_rack_of_twins_or_of_consonants_alone_is_worth_less() -> None:
    assert worth_kept(_rack("EE")) < worth_kept(_rack("EI"))
    assert worth_kept(_rack("LNRT")) < worth_kept(_rack("LNRE"))
    assert worth_kept(_rack("NR")) - worth_kept(_rack("VR")) == pytest.approx(
        KEPT["N"] - KEPT["V"]
    )


def test_walls_tell_what_one_tile_could_earn_and_what_a_play_shuts_in() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL))
    after = matches.lay(state, worked.LEVELED)
    side = state.options.side
    walls = Walls(side, _empty(state))
    laid = walls.of(_empty(state) & ~_empty(after))
    assert (walls.opening, walls.trapped(0), walls.trapped(laid)) == (0, 0, 4)
    shut = Walls(side, _empty(after))
    assert shut.opening == max(
        shut.gain(shut.of(1 << cell)) for cell in sets.members(_empty(after))
    )
    assert shut.opening == 3 * 3  # a tile amid the trap of four splits it


def test_a_board_offers_less_with_fewer_tiles_on_it_and_more_traps() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL))
    after = matches.lay(state, worked.LEVELED)
    walls = Walls(state.options.side, _empty(state))
    laid = walls.of(_empty(state) & ~_empty(after))
    some = laid & laid - 1  # one tile less: nothing is shut in
    assert walls.trapped(some) == 0
    assert offered(walls, laid) < offered(walls, some)
    assert offered(walls, some & some - 1) < offered(walls, some)


def test_a_tile_that_finds_no_place_at_the_end_is_worth_less_than_any() -> None:
    assert min(LONE, key=lambda letter: LONE[letter]) == "Q"
    assert set(LONE) == set(KEPT)


@pytest.mark.parametrize("looks", [4, 40])
def test_with_no_time_to_weigh_plays_the_best_player_takes_the_highest_score(
    looks: int,
) -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    move = choose(state, 1, 100, Random(1), clock=_jumping(looks))
    assert move == NAMED["best"](state, 1, Random(1), clock=_jumping(looks))
    assert isinstance(move, Lay)
    assert lhexicon.play(state, 1, move).scores[1] > 0
