"""The option *challenge*: words stand unless the next player doubts them."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import networdz
from rules.game import CHANCE, CLOCK, IllegalMoveError, OptionsError, Resign
from rules.networdz import (
    Accept,
    Challenge,
    Expire,
    Lay,
    Move,
    Pass,
    Pending,
    Phase,
    State,
)
from rules.tiles import bag_size, kind_of, pending
from tests.rules.networdz.positions import (
    held,
    laid,
    lay,
    options,
    position,
    revealed,
    settled,
    words,
)
from tests.test_second_rules import jumbled

WAYS = ("single", "double", "five")
FULL = "EEEEEEE"


def _begin(way: str, *racks: str, bag: str = FULL, timed: int = 0) -> State:
    return position(*racks, bag=bag, opts=options(challenge=way, timed=timed))


def _refused(state: State, seat: int, move: Move) -> str:
    with pytest.raises(IllegalMoveError) as caught:
        networdz.play(state, seat, move)
    return str(caught.value)


@pytest.mark.parametrize("way", WAYS)
def test_a_word_counts_and_waits_for_the_next_player_before_tiles_are_drawn(
    way: str,
) -> None:
    state = laid(_begin(way, "CATQQQQ", "SSSSSSS"), "across", 7, 6, "CAT")
    assert state.scores == (12, 0)
    assert words(state, 0) == [("CAT", 12)]
    assert networdz.actors(state) == {1}
    assert len(state.tiles.racks[0]) == 4
    assert bag_size(state.tiles) == 7
    assert list(networdz.moves(state, 1))[:2] == [Challenge(), Accept()]


@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_word_goes_back_to_the_rack_and_its_turn_is_lost(way: str) -> None:
    state = laid(_begin(way, "CATQQQQ", "SSSSSSS"), "across", 7, 6, "TCA")
    assert state.scores == (12, 0)
    state = networdz.play(state, 1, Challenge())
    assert not any(state.letters)
    assert not any(state.kinds)
    assert held(state, 0) == "CATQQQQ"
    assert state.scores == (0, 0)
    assert words(state, 0) == [("-", 0)]
    assert state.zeros == 1
    assert state.last.error == "TCA is not in the dictionary"
    assert networdz.actors(state) == {1}
    assert _refused(state, 1, Challenge()) == "There is no play to challenge"
    # All have seen the tiles, and their owner may lay them again.
    view = networdz.view(state, 1)
    assert kind_of(view.tiles, state.tiles.racks[0][0]) == 2
    state = settled(networdz.play(state, 1, Pass()))
    assert laid(state, "across", 7, 6, "CAT").scores == (12, 0)


def test_a_challenge_in_vain_costs_what_the_table_has_agreed() -> None:
    came = {}
    for way in WAYS:
        state = laid(_begin(way, "CATQQQQ", "SSSSSSS"), "across", 7, 6, "CAT")
        state = networdz.play(state, 1, Challenge())
        assert networdz.actors(state) == {CHANCE}
        state = revealed(state, "EEE")
        came[way] = (state.turn, state.scores, words(state, 0), words(state, 1))
    assert came == {
        "single": (1, (12, 0), [("CAT", 12)], []),
        "double": (0, (12, 0), [("CAT", 12)], [("-", 0)]),
        "five": (1, (17, 0), [("CAT", 12), ("+!", 5)], []),
    }


@pytest.mark.parametrize("way", WAYS)
def test_any_other_move_accepts_and_both_draw(way: str) -> None:
    state = laid(_begin(way, "CATQQQQ", "SSSSSSS"), "across", 7, 6, "TCA")
    state = networdz.play(state, 1, Pass(state.tiles.racks[1][:2]))
    assert pending(state.tiles) == 14
    state = settled(state)
    assert state.scores == (12, 0)
    assert [len(rack) for rack in state.tiles.racks] == [7, 7]
    assert networdz.actors(state) == {0}
    assert bag_size(state.tiles) == 4  # 7 - 3 - 2, and 2 back


def test_who_exchanges_while_another_draws_sees_what_goes_back() -> None:
    state = laid(_begin("single", "CATQQQQ", "SSSSSSS"), "across", 7, 6, "CAT")
    gone = state.tiles.racks[1][:2]
    state = networdz.play(state, 1, Pass(gone))
    own, other = (networdz.view(state, seat).tiles.returned for seat in (1, 0))
    assert [each.kind for each in own] == [18, 18]
    assert [each.kind for each in other] == [-1, -1]


def test_accepting_leaves_the_turn() -> None:
    state = laid(_begin("double", "CATQQQQ", "SSSSSSS"), "across", 7, 6, "TCA")
    state = revealed(networdz.play(state, 1, Accept()), "EEE")
    assert networdz.actors(state) == {1}
    assert _refused(state, 1, Accept()) == "There is no play to challenge"


def test_only_the_next_player_may_challenge() -> None:
    state = _begin("single", "CATQQQQ", "SSSSSSS", "NNNNNNN")
    state = laid(state, "across", 7, 6, "TCA")
    for seat in (0, 2):
        assert _refused(state, seat, Challenge()) == "It is not your turn"
    # Whoever leaves says nothing to it: then it is the one after who may.
    state = networdz.play(state, 1, Resign())
    assert networdz.actors(state) == {2}
    state = networdz.play(state, 2, Challenge())
    assert state.scores == (0, 0, 0)
    assert networdz.actors(state) == {2}


def test_a_play_of_who_leaves_may_be_challenged_and_draws_nothing() -> None:
    begun = _begin("single", "CATQQQQ", "SSSSSSS", "NNNNNNN")
    state = networdz.play(laid(begun, "across", 7, 6, "TCA"), 0, Resign())
    assert networdz.actors(state) == {1}
    stood = networdz.play(state, 1, Accept())
    assert networdz.actors(stood) == {1}
    assert bag_size(stood.tiles) == 7
    back = networdz.play(state, 1, Challenge())
    assert not any(back.letters)
    assert networdz.actors(back) == {1}


def test_misplaced_tiles_and_a_single_letter_are_refused_as_ever() -> None:
    state = _begin("single", "CATQQQQ", "SSSSSSS")
    said = _refused(state, 0, lay(state, "across", 0, 0, "CAT"))
    assert said == "Word must cover center square"
    said = _refused(state, 0, lay(state, "across", 7, 7, "C"))
    assert said == "C is not in the dictionary"


def test_with_nobody_left_to_challenge_the_dictionary_is_asked_at_once() -> None:
    state = position("CATQQQQ", bag=FULL, opts=options(challenge="single"))
    said = _refused(state, 0, lay(state, "across", 7, 6, "TCA"))
    assert said == "TCA is not in the dictionary"
    assert networdz.actors(laid(state, "across", 7, 6, "CAT")) == {CHANCE}


def test_the_end_waits_for_the_last_word_to_be_accepted() -> None:
    state = laid(_begin("five", "CAT", "SS", bag=""), "across", 7, 6, "CAT")
    assert networdz.actors(state) == {1}
    assert list(networdz.moves(state, 1)) == [Challenge(), Accept()]
    said = "The last play waits for your answer"
    assert _refused(state, 1, Pass()) == said
    assert networdz.ABOUT.lapsing is not None
    assert networdz.ABOUT.lapsing.lapse(state, 1) == Accept()
    over = settled(networdz.play(state, 1, Accept()))
    assert over.phase == Phase.OVER
    assert over.scores == (14, -2)
    paid = settled(networdz.play(state, 1, Challenge()))
    assert paid.scores == (19, -2)


def test_a_wrong_last_word_is_no_end() -> None:
    state = laid(_begin("double", "CAT", "SS", bag=""), "across", 7, 6, "ACT")
    state = networdz.play(state, 1, Challenge())
    assert networdz.actors(state) == {1}
    assert held(state, 0) == "CAT"


def test_a_challenge_in_vain_of_the_last_word_costs_no_turn_that_is_not_there() -> None:
    state = laid(_begin("double", "CAT", "SS", bag=""), "across", 7, 6, "CAT")
    over = settled(networdz.play(state, 1, Challenge()))
    assert over.phase == Phase.OVER
    assert over.scores == (14, -2)
    assert words(over, 1) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_challenge_in_vain_is_no_pass_in_the_row_that_ends_a_match(way: str) -> None:
    state = laid(_begin(way, "CATQ", "SS", bag=""), "across", 7, 6, "CAT")
    state = networdz.play(state, 1, Challenge())
    state = networdz.play(state, state.turn, Pass())
    assert state.phase is Phase.PLAY
    state = networdz.play(state, state.turn, Pass())
    assert state.phase is not Phase.PLAY


def test_whose_time_is_over_has_accepted() -> None:
    begun = _begin("single", "CATQQQQ", "SSSSSSS", timed=3)
    state = laid(begun, "across", 7, 6, "TCA")
    assert networdz.actors(state) == {1, CLOCK}
    state = settled(networdz.play(state, CLOCK, Expire()))
    assert state.turn == 0
    assert held(state, 0) == "QQQQEEE"
    last = laid(_begin("single", "CAT", "SS", bag="", timed=3), "across", 7, 6, "TCA")
    over = settled(networdz.play(last, CLOCK, Expire()))
    assert over.phase == Phase.OVER
    assert over == settled(networdz.play(last, 1, Accept())), "and nothing else"


def test_a_turn_is_lost_by_time_or_a_challenge_in_vain_but_for_the_last() -> None:
    for way in WAYS:
        for rack, bag in (("CATQQQQ", FULL), ("CAT", "")):
            begun = _begin(way, rack, "SS", bag=bag, timed=3)
            assert networdz.forfeited(begun, Expire()) == 0
            state, last = laid(begun, "across", 7, 6, "CAT"), not bag
            for move, costs in ((Expire(), True), (Challenge(), way == "double")):
                actor = CLOCK if move == Expire() else 1
                lost = costs and not last
                assert networdz.forfeited(state, move) == (1 if lost else None)
                after = settled(networdz.play(state, actor, move))
                assert (after.turn == 0) == lost or after.phase == Phase.OVER
    wrong = laid(_begin("double", "TCA", "SS", bag=""), "across", 7, 6, "TCA")
    assert networdz.forfeited(wrong, Challenge()) is None
    assert networdz.forfeited(wrong, Accept()) is None


def test_a_blank_comes_back_as_a_blank() -> None:
    state = laid(_begin("single", "CA?QQQQ", "SSSSSSS"), "across", 7, 6, "tCA")
    assert state.blanks
    state = networdz.play(state, 1, Challenge())
    assert not state.blanks
    assert held(state, 0) == "CA?QQQQ"


def test_tournament_rules_have_their_own_way_with_wrong_words() -> None:
    with pytest.raises(OptionsError):
        networdz.start(2, options(challenge="single", tournament=True))


def _everything(state: State) -> Counter[int]:
    """Return how many tiles of each kind there are, wherever they are."""
    there = Counter(kind for rack in state.tiles.kinds for kind in rack if kind >= 0)
    there.update(each.kind for each in state.tiles.returned)
    there.update(kind - 1 for kind in state.kinds if kind)
    return there


@settings(max_examples=25)
@given(st.sampled_from(WAYS), st.integers(2, 4), st.randoms(use_true_random=False))
def test_no_tile_and_no_point_is_lost_or_made(
    way: str, seats: int, rng: Random
) -> None:
    racks = ["CATSNOE", "TOEANTS", "ONXDAST", "ZOASTAN"][:seats]
    bag = "ANTTOES" * 2
    state = position(*racks, bag=bag, opts=options(challenge=way))
    whole = Counter(networdz.ground(state.options).alphabet.index(c) for c in bag)
    whole.update(_everything(state))
    for _ in range(40):
        actors = sorted(networdz.actors(state))
        if not actors:
            break
        [actor] = actors
        some = list(islice(networdz.moves(state, actor), 30))
        move = rng.choice(some)
        if isinstance(move, Lay) and rng.random() < 0.5:
            move = jumbled(move, rng)
        before, state = state, networdz.play(state, actor, move)
        _check(before, actor, move, state)
        assert all(whole[kind] >= n for kind, n in _everything(state).items())
        if pending(state.tiles) is None and not bag_size(state.tiles):
            assert _everything(state) == whole


def _check(before: State, actor: int, move: Move, after: State) -> None:
    """Check what a move may change: points follow from the lists, views agree."""
    if after.phase is not Phase.OVER:
        for seat, lines in enumerate(after.lists):
            assert after.scores[seat] == sum(line.points for line in lines)
    play = before.pending
    if isinstance(move, Challenge) and play is not None:
        free = replace(before, pending=None)
        changed = after.scores[play.seat] - free.scores[play.seat]
        wrong = after.lists[play.seat][-1].word == "-"
        if after.phase is not Phase.OVER:
            five = 5 if before.options.challenge == "five" else 0
            assert changed == (-play.points if wrong else five)
    for seat in (None, *range(len(after.scores))):
        seen = networdz.view(before, seat)
        told = networdz.mask(before, actor, move, seat)
        assert networdz.play(seen, actor, told) == networdz.view(after, seat)
    waits: Pending | None = after.pending
    assert waits is None or after.turn != waits.seat
