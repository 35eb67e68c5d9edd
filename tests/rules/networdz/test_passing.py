"""Passing, discards, the end and the tally: source document, Passing to Ending."""

import pytest
from msgspec.structs import replace

from rules import networdz
from rules.game import CHANCE, IllegalMoveError, Resign
from rules.networdz import NOBODY, Pass, Phase, State
from rules.tiles import Reveal, Show, bag_size
from tests.rules.networdz.positions import (
    held,
    laid,
    options,
    position,
    revealed,
    settled,
    words,
)


def passed(state: State, *discards: int) -> State:
    return networdz.play(state, state.turn, Pass(discards))


def over(state: State) -> State:
    """Return the state after all racks were shown."""
    state = settled(state)
    assert state.phase == Phase.OVER
    assert networdz.actors(state) == frozenset()
    return state


def test_a_pass_is_a_line_with_a_dash_and_no_points() -> None:
    after = passed(position("CAT", "EAT", bag="X"))
    assert words(after, 0) == [("-", 0)]
    assert (after.turn, after.scores) == (1, (0, 0))


def test_discards_are_replaced_before_they_go_back() -> None:
    after = passed(position("CATS", "E", bag="XYZ"), 0, 2)
    assert after.turn == 1
    assert after.last.discards == 2
    assert networdz.actors(after) == {CHANCE}
    kinds = {
        move.kind for move in networdz.moves(after, CHANCE) if isinstance(move, Reveal)
    }
    assert kinds == {23, 24, 25}
    after = revealed(after, "ZX")
    assert held(after, 0) == "ASZX"
    assert after.tiles.deal == 1
    assert bag_size(after.tiles) == 3
    assert words(after, 0) == [("-", 0)]


def test_any_number_may_be_discarded_up_to_what_the_pool_holds() -> None:
    state = position("CATS", "E", bag="XY")
    discards = [
        move.discards for move in networdz.moves(state, 0) if isinstance(move, Pass)
    ]
    assert len(discards) == 4 + 6 + 1
    assert discards[-1] == ()
    with pytest.raises(IllegalMoveError, match="not enough tiles left in the pool"):
        passed(state, 0, 1, 2)


@pytest.mark.parametrize(
    ("discards", "message"),
    [
        ((1, 0), "Discards are named in the order"),
        ((0, 0), "not on the rack"),
        ((4,), "not on the rack"),
        ((-1,), "not on the rack"),
    ],
)
def test_only_ones_own_tiles_are_discarded_each_once(
    discards: tuple[int, ...], message: str
) -> None:
    with pytest.raises(IllegalMoveError, match=message):
        passed(position("CATS", "E", bag="XY"), *discards)


def test_others_see_which_numbers_are_discarded_but_no_letters() -> None:
    state = position("CATS", "E", bag="XYZ")
    assert networdz.mask(state, 0, Pass((0,)), 1) == Pass((0,))
    after = networdz.play(networdz.view(state, 1), 0, Pass((0,)))
    assert after == networdz.view(passed(state, 0), 1)
    assert after.tiles.returned[0].kind == -1


def test_the_match_ends_when_the_pool_is_empty_and_all_pass() -> None:
    state = passed(passed(position("CAT", "QA", "B")))
    assert state.phase == Phase.PLAY
    state = over(passed(state))
    assert state.out == NOBODY
    assert state.scores == (-6, -11, -4)
    assert state.tally == (-6, -11, -4)


def test_a_word_between_passes_lets_the_match_go_on() -> None:
    state = passed(position("S", "CATS", "AB"))
    state = passed(laid(state, "across", 7, 6, "CAT"))
    assert state.passes == 1
    assert passed(state).phase == Phase.PLAY


def test_passes_do_not_end_it_while_the_pool_has_tiles() -> None:
    state = position("CAT", "EAT", bag="X")
    for _ in range(11):
        state = passed(state)
    assert state.phase == Phase.PLAY
    assert passed(state).phase == Phase.TALLY  # nobody plays on: six rounds of nothing


def test_the_match_ends_when_somebody_has_played_all_tiles() -> None:
    state = laid(position("CAT", "QA", "?Z"), "across", 7, 6, "CAT")
    assert (state.phase, state.out) == (Phase.TALLY, 0)
    assert networdz.actors(state) == {CHANCE}
    state = over(state)
    assert state.scores == (12 + 11 + 10, -11, -10)
    assert state.tally == (21, -11, -10)


def test_an_empty_rack_ends_nothing_while_the_pool_has_tiles() -> None:
    state = laid(position("CAT", "QA", bag="E"), "across", 7, 6, "CAT")
    assert state.phase == Phase.PLAY


def test_racks_are_shown_to_all_before_the_tally() -> None:
    state = laid(position("CAT", "QA", "Z"), "across", 7, 6, "CAT")
    bystander = networdz.view(state, None)
    assert list(networdz.moves(state, CHANCE)) == [Show(3, 16)]
    for move in (Show(3, 16), Show(4, 0), Show(5, 25)):
        state = networdz.play(state, CHANCE, move)
        bystander = networdz.play(bystander, CHANCE, move)
    assert state.phase == bystander.phase == Phase.OVER
    assert bystander.scores == state.scores == (33, -11, -10)


@pytest.mark.parametrize("move", [Show(4, 0), Show(3, 0), Show(0, 0), Reveal(3, 16)])
def test_racks_are_shown_in_order_and_as_they_are(move: Show | Reveal) -> None:
    state = laid(position("CAT", "QA", "Z"), "across", 7, 6, "CAT")
    with pytest.raises(IllegalMoveError):
        networdz.play(state, CHANCE, move)


def test_the_last_discards_are_revealed_before_the_tally() -> None:
    state = position("CAT", "EAT", bag="XYZ")
    for _ in range(11):
        state = passed(state)
    state = passed(state, 3)
    assert state.phase == Phase.TALLY
    assert isinstance(next(networdz.moves(state, CHANCE)), Reveal)
    assert over(state).scores[0] == -6


def test_the_highest_score_wins() -> None:
    state = over(laid(position("CAT", "QA", "Z"), "across", 7, 6, "CAT"))
    assert networdz.places(state) == (1, 3, 2)


def test_a_tie_goes_to_the_higher_score_before_the_tiles_left_were_counted() -> None:
    state = replace(position("", "A", "B", ""), scores=(9, 10, 13, 2))
    state = over(replace(state, phase=Phase.TALLY))
    assert state.scores == (9, 9, 9, 2)
    assert networdz.places(state) == (3, 2, 1, 4)


def test_equal_in_both_share_a_place() -> None:
    state = replace(position("A", "A", "B"), scores=(10, 10, 5), tally=(-1, -1, 0))
    assert networdz.places(state) == (1, 1, 3)


def test_places_are_known_at_any_time() -> None:
    state = laid(position("CATS", "QA", bag="XXX"), "across", 7, 6, "CAT")
    assert networdz.places(state) == (1, 2)


def test_alone_one_plays_until_all_is_laid() -> None:
    state = over(laid(position("CAT"), "across", 7, 6, "CAT"))
    assert (state.scores, networdz.places(state)) == ((12,), (1,))


def test_when_one_resigns_the_others_go_on() -> None:
    state = position("CAT", "QA", "AB", bag="X")
    state = networdz.play(state, 0, Resign())
    assert (state.turn, state.resigned) == (1, (0,))
    state = passed(passed(state))
    assert state.turn == 1
    assert networdz.places(state) == (3, 1, 1)


def test_who_resigns_out_of_turn_leaves_the_turn_where_it_is() -> None:
    state = networdz.play(position("CAT", "QA", "AB", bag="X"), 1, Resign())
    assert state.turn == 0
    assert passed(state).turn == 2


def test_passes_are_counted_anew_when_somebody_resigns() -> None:
    state = passed(passed(position("CAT", "QA", "AB")))
    state = networdz.play(state, 0, Resign())
    assert state.phase == Phase.PLAY
    assert passed(passed(state)).phase == Phase.TALLY


@pytest.mark.parametrize(("tournament", "rounds"), [(True, 3), (False, 6)])
def test_turns_without_points_are_counted_anew_when_somebody_resigns(
    tournament: bool, rounds: int
) -> None:
    state = position("CAT", "QA", "AB", bag="XYZ", opts=options(tournament=tournament))
    for _ in range(3 * rounds - 1):
        state = passed(state)
    state = networdz.play(state, state.turn, Resign())
    for _ in range(2 * rounds):
        assert state.phase == Phase.PLAY
        state = passed(state)
    assert state.phase == Phase.TALLY


def test_the_tiles_of_who_resigned_are_neither_shown_nor_counted() -> None:
    state = networdz.play(position("CAT", "QA", "Z"), 1, Resign())
    state = laid(state, "across", 7, 6, "CAT")
    assert [
        move.tile for move in networdz.moves(state, CHANCE) if isinstance(move, Show)
    ] == [5]
    assert over(state).scores == (22, 0, -10)


def test_who_resigns_during_the_tally_is_not_waited_for() -> None:
    state = laid(position("CAT", "QA", "Z"), "across", 7, 6, "CAT")
    state = networdz.play(state, CHANCE, Show(3, 16))
    state = networdz.play(state, CHANCE, Show(4, 0))
    state = networdz.play(state, 2, Resign())
    assert state.phase == Phase.OVER
    assert state.scores == (12 + 11, -11, 0)


def test_the_last_one_left_has_won_at_once() -> None:
    state = networdz.play(position("CAT", "QA", bag="X"), 0, Resign())
    assert state.phase == Phase.OVER
    assert networdz.places(state) == (2, 1)
    for seat in (0, 1):
        with pytest.raises(IllegalMoveError, match="not in this game"):
            networdz.play(state, seat, Resign())


@pytest.mark.parametrize("seat", [2, -1, -2, 99])
def test_only_seats_resign(seat: int) -> None:
    with pytest.raises(IllegalMoveError, match="not in this game"):
        networdz.play(position("CAT", "QA", bag="X"), seat, Resign())


def test_alone_one_may_resign_too() -> None:
    state = networdz.play(networdz.start(1, options()), 0, Resign())
    assert state.phase == Phase.OVER
    assert networdz.places(state) == (1,)


def test_the_tiles_being_drawn_are_revealed_though_their_owner_left() -> None:
    state = passed(position("CATS", "E", "ON", bag="XYZ"), 0)
    state = networdz.play(state, 0, Resign())
    assert networdz.actors(state) == {CHANCE}
    assert revealed(state, "X").tiles.deal == 1
