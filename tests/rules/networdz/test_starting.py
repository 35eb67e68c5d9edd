"""Who starts, and the deal: source document, Starting the game."""

import pytest
from msgspec.structs import replace

from rules import editions, networdz
from rules.game import CHANCE, IllegalMoveError, OptionsError, Resign
from rules.networdz import NOBODY, Draw, Options, Phase, State
from rules.tiles import UNKNOWN, Reveal, bag_size
from tests.rules.networdz.positions import options, registered, settled

BLANK = 26
A, B, C = range(3)


def started(seats: int, *draws: tuple[int, int]) -> State:
    state = networdz.start(seats, options())
    for seat, kind in draws:
        state = networdz.play(state, CHANCE, Draw(seat, kind))
    return state


def test_everybody_draws_a_tile_in_turn() -> None:
    state = networdz.start(3, options())
    assert (state.phase, state.turn) == (Phase.DRAW, NOBODY)
    assert networdz.actors(state) == {CHANCE}
    listed = list(networdz.moves(state, CHANCE))
    assert len(listed) == 100
    assert listed.count(Draw(0, A)) == 9
    assert listed.count(Draw(0, BLANK)) == 2
    state = networdz.play(state, CHANCE, Draw(0, A))
    listed = list(networdz.moves(state, CHANCE))
    assert listed.count(Draw(1, A)) == 8
    assert len(listed) == 99


def test_the_lowest_tile_starts() -> None:
    state = started(3, (0, C), (1, A), (2, B))
    assert (state.phase, state.turn) == (Phase.PLAY, 1)
    assert state.draws == (Draw(0, C), Draw(1, A), Draw(2, B))


def test_a_blank_is_lowest() -> None:
    assert started(2, (0, A), (1, BLANK)).turn == 1


def test_those_who_tie_for_the_lowest_draw_again_from_all_tiles() -> None:
    state = started(4, (0, B), (1, C), (2, B), (3, C))
    assert state.turn == NOBODY
    listed = list(networdz.moves(state, CHANCE))
    assert listed.count(Draw(0, B)) == 2
    assert len(listed) == 100
    state = networdz.play(state, CHANCE, Draw(0, C))
    state = networdz.play(state, CHANCE, Draw(2, A))
    assert state.turn == 2


def test_they_may_tie_more_than_once() -> None:
    state = started(2, (0, B), (1, B), (0, A), (1, A), (0, C), (1, B))
    assert state.turn == 1


@pytest.mark.parametrize("move", [Draw(1, A), Draw(0, 27), Draw(0, -1), Draw(9, A)])
def test_nothing_else_can_be_drawn(move: Draw) -> None:
    with pytest.raises(IllegalMoveError, match="cannot be drawn"):
        networdz.play(networdz.start(2, options()), CHANCE, move)


def test_no_tile_is_drawn_for_the_start_later() -> None:
    state = started(2, (0, A), (1, B))
    with pytest.raises(IllegalMoveError, match="not to be turned up"):
        networdz.play(state, CHANCE, Draw(0, A))


def test_the_tiles_drawn_go_back_before_the_racks_are_dealt() -> None:
    state = started(3, (0, C), (1, A), (2, B))
    assert state.tiles.deal == 0
    assert bag_size(state.tiles) == 100 - 21
    assert state.tiles.racks[1] == tuple(range(7))
    assert state.tiles.racks[2] == tuple(range(7, 14))
    assert state.tiles.racks[0] == tuple(range(14, 21))
    assert networdz.actors(state) == {CHANCE}
    assert networdz.actors(settled(state)) == {1}


def test_a_tile_dealt_is_told_to_its_owner_only() -> None:
    state = started(2, (0, A), (1, B))
    move = next(networdz.moves(state, CHANCE))
    assert move == Reveal(0, A)
    assert networdz.mask(state, CHANCE, move, 0) == move
    for seat in (1, None):
        told = networdz.mask(state, CHANCE, move, seat)
        assert told == Reveal(0, UNKNOWN)
        assert list(networdz.moves(networdz.view(state, seat), CHANCE)) == [told]


def test_alone_one_starts_at_once() -> None:
    state = networdz.start(1, options())
    assert (state.phase, state.turn, state.draws) == (Phase.PLAY, 0, ())
    assert len(state.tiles.racks[0]) == 7
    assert networdz.actors(settled(state)) == {0}


def test_who_resigned_while_drawing_neither_starts_nor_gets_a_rack() -> None:
    state = started(3, (0, C), (1, A))
    state = networdz.play(state, 1, Resign())
    state = networdz.play(state, CHANCE, Draw(2, B))
    assert state.turn == 2
    assert [len(rack) for rack in state.tiles.racks] == [7, 0, 7]


@pytest.mark.parametrize("seats", [0, 5, -1])
def test_one_to_four_play(seats: int) -> None:
    with pytest.raises(OptionsError, match="one to four players"):
        networdz.start(seats, options())


def test_there_must_be_a_rack_for_everybody() -> None:
    small = replace(editions.load("standard"), name="few", rack=12)
    kinds = tuple(replace(kind, count=1) for kind in small.kinds)
    few = options(edition=registered(replace(small, kinds=kinds)))
    assert networdz.start(2, few).turn == NOBODY
    with pytest.raises(OptionsError, match="too few tiles"):
        networdz.start(3, few)


def test_edition_and_dictionary_must_be_here_and_fit() -> None:
    for missing in (
        replace(options(), edition="0" * 64),
        replace(options(), lexicon="0" * 64),
    ):
        with pytest.raises(OptionsError, match="is not here"):
            networdz.start(2, missing)
    german = replace(options(), edition=editions.shipped()["german"])
    with pytest.raises(OptionsError, match="other letters"):
        networdz.start(2, german)


def test_the_shipped_edition_and_the_english_words_are_the_default() -> None:
    field = networdz.ground(Options())
    assert field.edition.name == "networdz"
    assert field.words.has([2, 0, 19])
