"""What Lhexicon's computer player hopes for, keeps, and leaves to others."""

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from netplay.players.lhexicon import NAMED, choose
from netplay.players.lhexicon.ground import Walls
from netplay.players.lhexicon.outlook import MANY, WIDE, Outlook
from netplay.players.lhexicon.seeking import NO_HOPE, hope
from netplay.players.lhexicon.tempo import SCORES, SHARES, margin, reply
from netplay.players.lhexicon.weighing import KEPT, leave
from rules import hexes, lexicon, lhexicon
from rules.lhexicon import EMPTY, LETTERS, Lay, State
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


def test_shares_of_tiles_laid_add_up_to_all() -> None:
    assert [round(sum(shares), 9) for shares in SHARES[1:]] == [1.0] * 7
    assert [len(shares) for shares in SHARES] == list(range(8))


def test_whoever_goes_out_leaves_the_other_nothing_to_gain() -> None:
    assert reply(3, 1, 0, 3) == 0.0
    assert margin(1, 5, 0) == SCORES[1]


def test_against_a_last_tile_everything_short_of_going_out_costs_a_turn() -> None:
    assert reply(3, 1, 0, 1) == reply(3, 1, 0, 2) == SCORES[1]


def test_tiles_drawn_from_the_bag_keep_the_match_going() -> None:
    assert reply(1, 1, 3, 1) == margin(1, 3, 0)


def test_a_rack_of_twins_or_of_consonants_alone_is_worth_less() -> None:
    assert leave(_rack("EE")) < leave(_rack("EI"))
    assert leave(_rack("LNRT")) < leave(_rack("LNRE"))
    assert leave(_rack("NR")) - leave(_rack("VR")) == pytest.approx(
        KEPT["N"] - KEPT["V"]
    )


def test_what_one_tile_may_earn_after_a_play_is_what_it_earns_on_the_new_board() -> (
    None
):
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL))
    side = state.options.side
    after = matches.lay(state, worked.LEVELED)
    walls = Walls(side, _empty(state))
    laid = walls.of(_empty(state) & ~_empty(after))
    assert walls.openings(laid) == Walls(side, _empty(after)).openings(0) != []
    assert len(hexes.hexagon(side)) == 217


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
