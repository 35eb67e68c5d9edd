"""Optional rules and tournaments: source document, Optional Rules, Tournament Rules."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules import networdz
from rules.game import CHANCE, CLOCK, IllegalMoveError, OptionsError
from rules.networdz import Expire, Lay, Overtime, Pass, Phase, Renew, State, Trade
from rules.tiles import Reveal, Show, Shown, bag_size
from tests.rules.networdz.positions import (
    Word,
    held,
    laid,
    lay,
    options,
    position,
    revealed,
    settled,
    words,
)

A, E, S, T = 0, 4, 18, 19
CAT: list[Word] = [("across", 7, 6, "CaT")]


def refused(state: State, move: Any, actor: int = 0) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        networdz.play(state, actor, move)
    return str(caught.value)


@pytest.mark.parametrize(
    "chosen",
    [
        {"hints": True},
        {"show_racks": True},
        {"trade_blanks": True},
        {"four_of_a_kind": True},
        {"timed": 1},
    ],
)
def test_tournaments_allow_none_of_the_optional_rules(chosen: dict[str, Any]) -> None:
    assert networdz.start(2, options(**chosen)).phase == Phase.DRAW
    with pytest.raises(OptionsError, match="allow none of the optional rules"):
        networdz.start(2, options(tournament=True, **chosen))


def test_the_american_way_belongs_to_tournaments() -> None:
    assert networdz.start(2, options(tournament=True, american=True)).turn == -1
    with pytest.raises(OptionsError, match="American way"):
        networdz.start(2, options(american=True))


@pytest.mark.parametrize("minutes", [-1, 61])
def test_a_turn_takes_up_to_an_hour(minutes: int) -> None:
    with pytest.raises(OptionsError, match="up to 60 minutes"):
        networdz.start(2, options(timed=minutes))


def test_hints_change_nothing_in_the_rules() -> None:
    plain = position("CAT", "E", bag="X")
    hinted = position("CAT", "E", bag="X", opts=options(hints=True))
    assert list(networdz.moves(hinted, 0)) == list(networdz.moves(plain, 0))


# Show racks


def test_the_rack_of_whose_turn_it_is_lies_face_up() -> None:
    state = position("CA", "ON", bag="XY", opts=options(show_racks=True))
    assert networdz.actors(state) == {CHANCE}
    assert list(networdz.moves(networdz.view(state, 0), CHANCE)) == [Show(0, 2)]
    state = networdz.play(state, CHANCE, Show(0, 2))
    state = networdz.play(state, CHANCE, Show(1, A))
    assert networdz.actors(state) == {0}
    view = networdz.view(state, 1)
    assert view.tiles.kinds[0] == (2, A)
    assert networdz.view(state, 0).tiles.kinds[1] == (-1, -1)


def test_tiles_drawn_are_shown_at_the_next_turn_only() -> None:
    state = settled(position("CAT", "ON", bag="XY", opts=options(show_racks=True)))
    state = laid(state, "across", 7, 6, "CAT")
    state = revealed(state, "YX")
    assert networdz.view(state, 1).tiles.kinds[0] == (-1, -1)
    state = networdz.play(settled(state), 1, Pass())
    assert networdz.view(settled(state), 1).tiles.kinds[0] == (24, 23)


def test_racks_are_not_shown_without_the_option() -> None:
    state = position("CA", "ON", bag="XY")
    assert refused(state, Show(0, 2), CHANCE) == "It is not your turn"
    state = laid(position("CATS", "ON", bag="XYZ"), "across", 7, 6, "CAT")
    assert refused(state, Show(3, S), CHANCE).startswith("That tile is not to be")


# Trade blanks


def trading(rack: str = "AS", **more: Any) -> State:
    chosen = options(trade_blanks=True, **more)
    return position(rack, "E", bag="XX", board=CAT, opts=chosen)


def test_a_tile_is_traded_for_the_blank_that_stands_for_its_letter() -> None:
    state = trading()
    move = Trade(112, (Shown(0, A),))
    assert [m for m in networdz.moves(state, 0) if isinstance(m, Trade)] == [move]
    after = networdz.play(state, 0, move)
    assert after.turn == 0
    assert networdz.actors(after) == {0}
    assert held(after, 0) == "S?"
    assert (after.letters[112], after.kinds[112]) == (A + 1, A + 1)
    assert after.blanks == ()
    assert after.tiles.counts[26] == 1
    assert words(after, 0) == []
    assert networdz.view(after, 1).tiles.kinds[0] == (-1, 26)


def test_the_traded_tile_counts_its_points_from_then_on() -> None:
    after = networdz.play(trading(), 0, Trade(112, (Shown(0, A),)))
    after = laid(after, "across", 7, 9, "S")
    assert words(after, 0) == [("CATS", 7)]


def test_the_blank_taken_may_be_laid_anew() -> None:
    after = networdz.play(trading(), 0, Trade(112, (Shown(0, A),)))
    again = laid(after, "across", 7, 9, "s")
    assert words(again, 0) == [("CATS", 6)]
    assert again.blanks == ((114, 1112),)


@pytest.mark.parametrize(
    ("move", "message"),
    [
        (Trade(112, (Shown(1, S),)), "The tile must have the letter of the blank"),
        (Trade(111, (Shown(0, A),)), "There is no blank on that square"),
        (Trade(-1, (Shown(0, A),)), "There is no blank on that square"),
        (Trade(112, ()), "There is no blank on that square"),
        (Trade(112, (Shown(0, A), Shown(1, S))), "There is no blank on that square"),
        (Trade(112, (Shown(2, A),)), "That tile is not on the rack"),
        (Trade(112, (Shown(1, A),)), "That tile has another letter"),
    ],
)
def test_no_other_trade_is_made(move: Trade, message: str) -> None:
    assert refused(trading(), move) == message


def test_blanks_are_not_traded_without_the_option() -> None:
    state = position("AS", "E", bag="XX", board=CAT)
    move = Trade(112, (Shown(0, A),))
    assert refused(state, move) == "Blanks are not traded in this game"
    assert not [m for m in networdz.moves(state, 0) if isinstance(m, Trade)]


def test_the_russian_yo_may_be_traded_for_a_blank_that_is_a_ye() -> None:
    chosen = options("ЕТ", "russian", trade_blanks=True)
    board: list[Word] = [("across", 7, 7, "еТ")]
    state = position("ЁЖ", "Т", bag="А", board=board, opts=chosen)
    trade = next(m for m in networdz.moves(state, 0) if isinstance(m, Trade))
    assert held(networdz.play(state, 0, trade), 0) == "Ж?"


# Exchange four of a kind


def four(rack: str = "EEEEATS", bag: str = "UVWXYZZ", **chosen: Any) -> State:
    return position(rack, "O", bag=bag, opts=options(four_of_a_kind=True, **chosen))


def shown(*numbers: int, kind: int = E) -> Renew:
    return Renew(tuple(Shown(number, kind) for number in numbers))


def test_a_rack_with_four_of_a_kind_is_exchanged_and_the_turn_stays() -> None:
    state = four()
    move = shown(0, 1, 2, 3)
    assert [m for m in networdz.moves(state, 0) if isinstance(m, Renew)] == [move]
    after = networdz.play(state, 0, move)
    assert networdz.actors(after) == {CHANCE}
    after = revealed(after, "ZYXWVUZ")
    assert held(after, 0) == "ZYXWVUZ"
    assert networdz.actors(after) == {0}
    assert (after.tiles.deal, bag_size(after.tiles)) == (1, 7)
    assert words(after, 0) == []


def test_the_others_see_the_four_only() -> None:
    state = four()
    move = shown(0, 1, 2, 3)
    view = networdz.play(networdz.view(state, 1), 0, move)
    assert view == networdz.view(networdz.play(state, 0, move), 1)
    assert [each.kind for each in view.tiles.returned] == [E, E, E, E, -1, -1, -1]


def test_of_five_alike_any_four_are_shown() -> None:
    state = four("EEEEETS")
    assert len([m for m in networdz.moves(state, 0) if isinstance(m, Renew)]) == 5


@pytest.mark.parametrize(
    "move",
    [
        shown(0, 1, 2),
        shown(0, 1, 3, 2),
        shown(0, 1, 2, 4),
        shown(0, 1, 2, 3, kind=A),
        shown(0, 1, 2, 2),
        shown(0, 1, 2, 7),
        Renew(()),
    ],
)
def test_four_of_the_same_letter_must_be_shown(move: Renew) -> None:
    assert refused(four(), move)


def test_blanks_are_no_letter() -> None:
    state = four("????ATS")
    message = refused(state, shown(0, 1, 2, 3, kind=26))
    assert message == "Four of the same letter are needed"
    assert not [m for m in networdz.moves(state, 0) if isinstance(m, Renew)]


def test_the_pool_must_hold_seven() -> None:
    state = four(bag="UVWXYZ")
    message = refused(state, shown(0, 1, 2, 3))
    assert message == "There are fewer than seven tiles left in the pool"
    assert not [m for m in networdz.moves(state, 0) if isinstance(m, Renew)]


def test_four_of_a_kind_are_not_exchanged_without_the_option() -> None:
    state = position("EEEEATS", "O", bag="UVWXYZZ")
    assert refused(state, shown(0, 1, 2, 3)).startswith("Four of a kind are not")


# Timed turns


def test_a_turn_that_took_too_long_is_lost() -> None:
    state = position("CAT", "E", bag="X", opts=options(timed=2))
    assert networdz.actors(state) == {0, CLOCK}
    assert list(networdz.moves(state, CLOCK)) == [Expire()]
    after = networdz.play(state, CLOCK, Expire())
    assert after.turn == 1
    assert words(after, 0) == [("-", 0)]
    assert after.last.error == "The time is over"


def test_turns_that_all_run_out_end_the_match_once_the_pool_is_empty() -> None:
    state = position("CAT", "E", opts=options(timed=2))
    state = networdz.play(state, CLOCK, Expire())
    assert networdz.play(state, CLOCK, Expire()).phase == Phase.TALLY


@pytest.mark.parametrize("move", [Expire(), Overtime(0)])
def test_no_clock_runs_in_an_untimed_match(move: Expire | Overtime) -> None:
    state = position("CAT", "E", bag="X")
    assert networdz.actors(state) == {0}
    assert refused(state, move, CLOCK) == "It is not your turn"


def test_the_clock_waits_while_tiles_are_drawn() -> None:
    state = position("CATS", "E", bag="XXX", opts=options(timed=1))
    assert networdz.actors(laid(state, "across", 7, 6, "CAT")) == {CHANCE}


def test_each_kind_of_clock_keeps_to_its_match() -> None:
    timed = position("CAT", "E", bag="X", opts=options(timed=2))
    assert refused(timed, Overtime(0), CLOCK) == "That clock does not run"
    assert refused(tournament(), Expire(), CLOCK) == "The turns are not timed"
    assert refused(timed, Pass(), CLOCK) == "That move is not yours to make"
    assert refused(timed, Expire()) == "That move is not yours to make"


# Tournament


def tournament(*racks: str, bag: str = "UVWXYZ", **chosen: Any) -> State:
    opts = options(tournament=True, **chosen)
    return position(*(racks or ("CATS", "EAT")), bag=bag, opts=opts)


def test_going_over_the_time_costs_ten_points_each_minute() -> None:
    state = tournament()
    assert networdz.actors(state) == {0, CLOCK}
    assert list(networdz.moves(state, CLOCK)) == [Overtime(0)]
    for _ in range(3):
        state = networdz.play(state, CLOCK, Overtime(0))
    assert state.scores == (-30, 0)
    assert state.turn == 0
    assert refused(state, Overtime(1), CLOCK) == "That clock does not run"
    assert networdz.MINUTES == 25


def test_there_is_no_exchange_with_fewer_than_seven_in_the_pool() -> None:
    state = tournament()
    message = refused(state, Pass((0,)))
    assert message == "There are fewer than seven tiles left in the pool"
    assert [m for m in networdz.moves(state, 0) if isinstance(m, Pass)] == [Pass()]
    state = tournament(bag="UVWXYZZ")
    assert networdz.play(state, 0, Pass((0,))).turn == 1
    assert len([m for m in networdz.moves(state, 0) if isinstance(m, Pass)]) == 16


def test_an_invalid_play_loses_the_turn() -> None:
    state = tournament()
    after = networdz.play(state, 0, lay(state, "across", 7, 6, "TAC"))
    assert after.turn == 1
    assert after.last.error == "TAC is not in the dictionary"
    assert words(after, 0) == [("-", 0)]
    assert held(after, 0) == "CATS"
    assert not any(after.letters)
    assert (after.passes, after.zeros) == (0, 1)


def test_everybody_has_seen_the_tiles_of_an_invalid_play() -> None:
    state = tournament()
    move = lay(state, "across", 7, 6, "TAC")
    for seat in (0, 1, None):
        told = networdz.play(networdz.view(state, seat), 0, move)
        after = networdz.view(networdz.play(state, 0, move), seat)
        assert told == after
        assert after.tiles.kinds[0][:3] == (2, A, T)


def test_what_cannot_lie_on_the_board_is_refused_even_in_tournaments() -> None:
    state = tournament()
    assert refused(state, Lay((), ())) == "No tiles played"
    other = lay(state, "across", 7, 6, "AT", 1)
    assert refused(state, other) == "That tile is not on the rack"


def test_three_turns_of_nothing_by_everybody_end_the_match() -> None:
    state = tournament()
    for _ in range(5):
        state = networdz.play(state, state.turn, Pass())
    assert state.phase == Phase.PLAY
    wrong = networdz.play(state, 1, lay(state, "across", 7, 7, "EA", 1))
    assert wrong.phase == Phase.TALLY
    assert settled(wrong).scores == (-7, -3)


def test_a_play_without_points_is_a_turn_of_nothing_too() -> None:
    state = replace(tournament("??S", "EAT"), zeros=5)
    after = laid(state, "across", 7, 7, "at")
    assert (after.scores, after.phase) == ((0, 0), Phase.TALLY)


def test_points_start_the_count_anew() -> None:
    state = replace(tournament(), zeros=5)
    assert laid(state, "across", 7, 6, "CAT").zeros == 0


def test_the_american_way_doubles_for_who_goes_out_and_takes_from_nobody() -> None:
    state = tournament("CAT", "QA", "Z", bag="", american=True)
    state = settled(laid(state, "across", 7, 6, "CAT"))
    assert state.scores == (12 + 42, 0, 0)
    assert state.tally == (42, 0, 0)


def test_when_nobody_goes_out_everybody_loses_the_american_way_too() -> None:
    state = tournament("CAT", "QA", bag="", american=True)
    state = networdz.play(networdz.play(state, 0, Pass()), 1, Pass())
    assert settled(state).scores == (-6, -11)


def test_no_other_actor_has_a_move() -> None:
    state = tournament()
    for actor in (1, 2, CHANCE, -3):
        assert not list(networdz.moves(state, actor))
    assert refused(state, Reveal(0, 2), CHANCE) == "It is not your turn"
