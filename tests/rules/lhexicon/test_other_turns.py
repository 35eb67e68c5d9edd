"""Discards, blanks picked up, passes, lost turns, resigning and the end."""

import pytest
from msgspec.structs import replace

from rules import hexes, lhexicon, tiles
from rules.game import CHANCE, CLOCK, Resign
from rules.lhexicon import (
    OFFICIAL_MINUTES,
    Discard,
    Expire,
    Options,
    Pass,
    PickUp,
    Swap,
)
from rules.lhexicon.turns import BARREN
from rules.tiles import Shown
from tests.rules.lhexicon import matches, worked

NUMBER = hexes.numbers(9)


def test_discarding_takes_new_tiles_before_the_old_ones_go_back() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA")
    numbers = state.tiles.racks[0][2:5]
    state = lhexicon.play(state, 0, Discard(numbers))
    assert lhexicon.actors(state) == {CHANCE}
    assert state.turn == 1
    state = matches.give(state, "XYZ")
    assert sorted(state.tiles.kinds[0]) == sorted(matches.kinds("COIJXYZ"))
    assert state.tiles.deal == 1
    assert tiles.bag_size(state.tiles) == 86


def test_discarding_needs_tiles_in_order_and_as_many_in_the_bank() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA")
    rack = state.tiles.racks[0]
    assert matches.refused(state, 0, Discard(())) == "No tiles discarded"
    assert matches.refused(state, 0, Discard(rack[::-1])) == (
        "The tiles are not in order"
    )
    short = replace(state, tiles=replace(state.tiles, first=98))
    assert matches.refused(short, 0, Discard(rack[:3])) == (
        "There are not enough tiles left in the pool"
    )
    sizes = {
        len(move.tiles)
        for move in lhexicon.moves(replace(short, letters=(0,) * 217), 0)
        if isinstance(move, Discard)
    }
    assert sizes == {1, 2}


def _with_blanks() -> lhexicon.State:
    options = Options(lexicon=matches.small("COED", "DO", "ON"))
    state = matches.begin("??EDIJK", "COCOAAA", options=options)
    state = matches.lay(state, "c(-1,0)* o(0,0)* E(1,0)* D(2,0)*")
    return matches.give(state)


def test_a_blank_is_picked_up_for_its_letter_and_the_turn_is_gone() -> None:
    state = _with_blanks()
    cell = NUMBER[-1, 0]
    after = lhexicon.play(state, 1, matches.swap(state, 1, "C", cell))
    assert after.turn == 0
    assert after.blanks == (NUMBER[0, 0],)
    assert after.letters == state.letters
    assert after.numbers[cell] == matches.tile(state, 1, "C")
    assert sorted(after.tiles.kinds[1]) == sorted(matches.kinds("?OCOAAA"))
    assert lhexicon.actors(after) == {0}
    seen = lhexicon.view(after, 0)
    assert seen.tiles.kinds[1].count(lhexicon.BLANK) == 1


def test_whatever_is_done_between_passes_begins_their_count_anew() -> None:
    state = replace(_with_blanks(), passes=(1, 1))
    cell, discard = NUMBER[-1, 0], lhexicon.Discard((matches.tile(state, 1, "A"),))
    for move in (matches.swap(state, 1, "C", cell), discard):
        assert lhexicon.play(state, 1, move).passes == (0, 0)
    assert lhexicon.play(state, 1, lhexicon.Pass()).passes == (1, 2)


def test_both_blanks_may_be_picked_up_at_once() -> None:
    state = _with_blanks()
    swaps = [
        Swap(matches.tile(state, 1, "O"), NUMBER[0, 0]),
        Swap(matches.tile(state, 1, "C"), NUMBER[-1, 0]),
    ]
    after = lhexicon.play(state, 1, lhexicon.pick_up(state, swaps))
    assert after.blanks == ()
    assert after.tiles.kinds[1].count(lhexicon.BLANK) == 2


def test_what_was_a_blank_scores_once_its_letter_lies_there() -> None:
    state = _with_blanks()
    state = replace(state, options=Options(lexicon=matches.small("COEDAC")))
    word = "C(-1,0) O(0,0) E(1,0) D(2,0) A(3,0)* C(4,0)*"
    laid, path = matches.placed(state, 1, word)
    with_blanks = lhexicon.judge(state, 1, laid, path)
    assert isinstance(with_blanks, lhexicon.Verdict)
    assert with_blanks.points == 1 + 1 + 1 + 4
    swaps = [
        Swap(matches.tile(state, 1, "O"), NUMBER[0, 0]),
        Swap(matches.tile(state, 1, "C"), NUMBER[-1, 0]),
    ]
    after = lhexicon.play(state, 1, lhexicon.pick_up(state, swaps))
    without = lhexicon.judge(after, 1, *matches.placed(after, 1, word))
    assert isinstance(without, lhexicon.Verdict)
    assert without.points == 4 + 1 + 1 + 1 + 1 + 4


@pytest.mark.parametrize(
    ("swaps", "kinds", "reason"),
    [
        ([], [], "Blanks are picked up one by one, in order"),
        ([("C", (-1, 0)), ("C", (-1, 0))], [2, 2], "Blanks are picked up"),
        ([("C", (-1, 0))], [], "The tiles shown are not the tiles laid"),
        ([("C", (1, 0))], [2], "There is no blank on that hexagon"),
        ([("A", (-1, 0))], [0], "The blank stands for another letter"),
        ([("A", (-1, 0))], [2], "That tile has another letter"),
    ],
)
def test_blanks_are_picked_up_for_the_right_letter_only(
    swaps: list[tuple[str, hexes.Hex]], kinds: list[int], reason: str
) -> None:
    state = _with_blanks()
    wanted = tuple(
        Swap(matches.tile(state, 1, letter), NUMBER[cell]) for letter, cell in swaps
    )
    shown = tuple(
        Shown(swap.tile, kind) for swap, kind in zip(wanted, kinds, strict=False)
    )
    assert matches.refused(state, 1, PickUp(wanted, shown)).startswith(reason)


def test_a_match_ends_when_every_seat_has_passed_twice_running() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA")
    for seat in (0, 1, 0):
        state = lhexicon.play(state, seat, Pass())
    state = matches.give(lhexicon.play(state, 1, Discard(state.tiles.racks[1][:1])))
    for seat in (0, 1, 0, 1):
        assert lhexicon.actors(state) == {seat}
        state = lhexicon.play(state, seat, Pass())
    assert lhexicon.actors(state) == frozenset()
    assert matches.refused(state, 0, Pass()) == "The game is over"
    assert matches.refused(state, 0, Resign()) == "The game is over"


@pytest.mark.parametrize("leaver", [False, True])
def test_a_match_in_which_nobody_finds_a_word_any_more_ends(*, leaver: bool) -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", *["EEEEEEE"] * leaver)
    if leaver:
        state = lhexicon.play(state, 2, Resign())
    turns = 0
    while lhexicon.actors(state):
        rack = state.tiles.racks[state.turn]
        state = matches.give(lhexicon.play(state, state.turn, Discard(rack[:1])))
        turns += 1
    assert turns == 2 * BARREN


def test_a_match_ends_when_the_bank_is_empty_and_a_player_has_no_tiles() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA")
    held = replace(
        state.tiles,
        first=100,
        racks=(state.tiles.racks[0][:5], state.tiles.racks[1]),
        kinds=(state.tiles.kinds[0][:5], state.tiles.kinds[1]),
    )
    state = replace(state, tiles=held)
    assert lhexicon.actors(state) == {0}
    state = matches.lay(state, worked.CODED)
    assert lhexicon.actors(state) == frozenset()
    assert lhexicon.places(state) == (1, 2)


def test_alone_the_match_lasts_until_the_bank_is_used_up() -> None:
    state = matches.begin("CODEDIJ")
    state = replace(state, tiles=replace(state.tiles, first=96))
    again = lhexicon.play(state, 0, Discard(state.tiles.racks[0][:4]))
    assert lhexicon.actors(again) == {CHANCE}
    state = matches.lay(state, worked.CODED)
    assert tiles.bag_size(state.tiles) == 0
    assert lhexicon.actors(state) == frozenset()
    assert lhexicon.places(state) == (1,)


def test_alone_two_passes_end_the_match() -> None:
    state = matches.begin("CODEDIJ")
    state = lhexicon.play(lhexicon.play(state, 0, Pass()), 0, Pass())
    assert lhexicon.actors(state) == frozenset()


def test_the_turn_goes_past_whoever_has_resigned() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", "EEEEEEE")
    state = lhexicon.play(state, 1, Resign())
    assert lhexicon.actors(state) == {0}
    state = lhexicon.play(state, 0, Pass())
    assert lhexicon.actors(state) == {2}
    state = lhexicon.play(state, 2, Resign())
    assert lhexicon.actors(state) == frozenset()
    assert lhexicon.places(state) == (1, 2, 2)


def test_the_turn_goes_on_when_the_player_to_move_resigns() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", "EEEEEEE")
    state = lhexicon.play(state, 0, Resign())
    assert lhexicon.actors(state) == {1}
    assert matches.refused(state, 0, Resign()) == "Only a player can resign"
    assert matches.refused(state, CHANCE, Resign()) == "Only a player can resign"


def test_alone_resigning_ends_the_match() -> None:
    state = lhexicon.play(matches.begin("CODEDIJ"), 0, Resign())
    assert lhexicon.actors(state) == frozenset()


def test_resigning_while_tiles_are_drawn_leaves_the_drawing_to_go_on() -> None:
    state = lhexicon.start(3, Options())
    state = lhexicon.play(state, 0, Resign())
    assert lhexicon.actors(state) == {CHANCE}
    assert lhexicon.actors(matches.give(state)) == {1}


def test_a_timed_turn_that_expires_is_a_pass() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(timed=OFFICIAL_MINUTES))
    assert lhexicon.actors(state) == {0, CLOCK}
    assert list(lhexicon.moves(state, CLOCK)) == [Expire()]
    state = lhexicon.play(state, CLOCK, Expire())
    assert lhexicon.actors(state) == {1, CLOCK}
    assert state.passes == (1, 0)


def test_nobody_moves_out_of_turn_or_makes_anothers_kind_of_move() -> None:
    state = matches.begin("CODEDIJ", "AAAAAAA", options=Options(timed=OFFICIAL_MINUTES))
    assert matches.refused(state, 1, Pass()) == "It is not your turn"
    assert matches.refused(state, 0, Expire()) == "That is not possible now"
    assert matches.refused(state, CLOCK, Pass()) == "That is not possible now"
    assert matches.refused(state, 0, lhexicon.Accept()) == "That is not possible now"
    drawing = lhexicon.start(2, Options())
    assert matches.refused(drawing, CHANCE, Pass()) == "That is not possible now"
    assert list(lhexicon.moves(drawing, 0)) == []


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (0, Options()),
        (5, Options()),
        (2, Options(side=5)),
        (2, Options(side=11)),
        (2, Options(timed=61)),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(seats: int, options: Options) -> None:
    with pytest.raises(ValueError, match=r"one to four|6 to 10|60 minutes"):
        lhexicon.start(seats, options)


def test_a_dictionary_of_another_alphabet_is_refused() -> None:
    made = matches.lexicon.build(("A", "B"), [(0, 1)])
    other = matches.Lexicon(made)
    matches.lexicon.register(other)
    with pytest.raises(ValueError, match="A to Z"):
        lhexicon.start(2, Options(lexicon=other.digest))


def test_a_reveal_is_for_its_owner_only() -> None:
    state = lhexicon.start(2, Options())
    move = next(iter(lhexicon.moves(state, CHANCE)))
    assert lhexicon.mask(state, CHANCE, move, 0) == move
    assert lhexicon.mask(state, CHANCE, move, 1) == tiles.Reveal(0, tiles.UNKNOWN)
    assert lhexicon.mask(state, 0, Pass(), None) == Pass()
