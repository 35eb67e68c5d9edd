"""The option *challenge*: words stand unless an opponent doubts them with reason."""

from itertools import islice

from msgspec.structs import replace

from rules import hexes, lhexicon
from rules.game import CHANCE, CLOCK, Resign
from rules.lhexicon import (
    OFFICIAL_MINUTES,
    Accept,
    Challenge,
    Discard,
    Expire,
    Lay,
    Options,
    Pass,
)
from tests.rules.lhexicon import matches, worked

NUMBER = hexes.numbers(9)
FALSE = "J(0,0)* I(1,0)* D(2,0)*"


def _begin(*racks: str, timed: int = 0) -> lhexicon.State:
    options = Options(challenge=True, timed=timed)
    return matches.begin("CODEDIJ", *racks, options=options)


def test_a_word_waits_for_every_opponents_answer_before_it_scores() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), worked.CODED)
    assert lhexicon.actors(state) == {1, 2}
    assert list(lhexicon.moves(state, 2)) == [Accept(), Challenge()]
    assert matches.refused(state, 1, Pass()) == "That is not possible now"
    state = lhexicon.play(state, 2, Accept())
    assert lhexicon.actors(state) == {1}
    assert state.scores == (0, 0, 0)
    assert len(state.tiles.racks[0]) == 2
    state = lhexicon.play(state, 1, Accept())
    assert state.scores == (8, 0, 0)
    assert lhexicon.actors(state) == {CHANCE}
    assert matches.give(state).turn == 1


def test_a_false_word_that_nobody_challenges_stands() -> None:
    state = matches.lay(_begin("AAAAAAA"), FALSE)
    state = matches.give(lhexicon.play(state, 1, Accept()))
    assert state.scores == (7, 0)


def test_a_false_word_goes_back_when_it_is_challenged() -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = matches.lay(before, FALSE)
    state = lhexicon.play(state, 2, Challenge())
    assert state.letters == before.letters
    assert state.numbers == before.numbers
    assert state.tiles.racks == before.tiles.racks
    assert state.scores == (0, 0, 0)
    assert lhexicon.actors(state) == {1}
    seen = lhexicon.view(state, 1).tiles.kinds[0]
    assert sorted(kind for kind in seen if kind >= 0) == sorted(matches.kinds("JID"))


def test_a_blank_goes_back_as_a_blank() -> None:
    options = Options(challenge=True)
    state = matches.begin("?ODEDIJ", "AAAAAAA", options=options)
    state = matches.lay(state, "j(0,0)* I(1,0)* D(2,0)*")
    assert state.blanks == (NUMBER[0, 0],)
    state = lhexicon.play(state, 1, Challenge())
    assert state.blanks == ()
    assert lhexicon.BLANK in state.tiles.kinds[0]


def test_whoever_challenges_a_good_word_loses_the_next_turn() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), worked.CODED)
    state = matches.give(lhexicon.play(state, 1, Challenge()))
    assert state.scores == (8, 0, 0)
    assert lhexicon.actors(state) == {2}
    state = lhexicon.play(state, 2, Pass())
    state = lhexicon.play(state, 0, Pass())
    assert lhexicon.actors(state) == {1}


def test_of_two_the_other_moves_again_when_a_turn_is_lost() -> None:
    state = matches.lay(_begin("AAAAAAA"), worked.CODED)
    state = matches.give(lhexicon.play(state, 1, Challenge()))
    assert lhexicon.actors(state) == {0}


def test_silence_is_assent_when_the_time_is_up() -> None:
    state = matches.lay(_begin("AAAAAAA", timed=OFFICIAL_MINUTES), FALSE)
    assert lhexicon.actors(state) == {1, CLOCK}
    state = lhexicon.play(state, CLOCK, Expire())
    assert state.scores == (7, 0)


def test_placement_is_checked_even_where_words_are_not() -> None:
    state = _begin("AAAAAAA")
    laid, path = matches.placed(state, 0, "J(1,0)* I(2,0)* D(3,0)*")
    assert matches.refused(state, 0, lhexicon.lay(state, laid, path)) == (
        "The first word must cover the centre"
    )


def test_an_opponent_who_resigns_need_not_answer() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(state, 1, Resign())
    assert lhexicon.actors(state) == {2}
    state = matches.give(lhexicon.play(state, 2, Accept()))
    assert state.scores == (7, 0, 0)
    assert lhexicon.actors(state) == {2}


def test_the_last_answer_may_be_to_resign() -> None:
    state = matches.lay(_begin("AAAAAAA", "EEEEEEE"), FALSE)
    state = lhexicon.play(state, 2, Accept())
    state = matches.give(lhexicon.play(state, 1, Resign()))
    assert state.scores == (7, 0, 0)
    assert lhexicon.actors(state) == {2}


def test_whoever_resigns_takes_an_unanswered_word_along() -> None:
    before = _begin("AAAAAAA", "EEEEEEE")
    state = lhexicon.play(matches.lay(before, FALSE), 0, Resign())
    assert state.letters == before.letters
    assert lhexicon.actors(state) == {1}


def test_alone_words_are_checked_all_the_same() -> None:
    state = matches.begin("CODEDIJ", options=Options(challenge=True))
    laid, path = matches.placed(state, 0, FALSE)
    assert matches.refused(state, 0, lhexicon.lay(state, laid, path)) == (
        "JID is not in the dictionary"
    )


def test_where_words_are_not_checked_false_ones_are_among_the_moves() -> None:
    options = Options(side=6, challenge=True, lexicon=matches.small("AB"))
    state = matches.begin("ABAAAAA", "EEEEEEE", options=options)
    found: list[str] = []
    laid = (m for m in lhexicon.moves(state, 0) if isinstance(m, Lay))
    for move in islice(laid, 400):
        after = lhexicon.play(state, 0, move)
        assert after.announced is not None
        found.append("".join(lhexicon.LETTERS[x] for x in after.announced.word))
    count = found.count("AB")
    assert count == 6 * 12  # each A first, B on or next to the centre
    assert found[:count] == ["AB"] * count
    assert len(found) == 400


def test_words_of_the_dictionary_come_first_and_all_others_last() -> None:
    options = Options(side=6, challenge=True, lexicon=matches.small("AB"))
    state = matches.begin("ABAAAAA", "EEEEEEE", options=options)
    two = state.tiles.racks[0][:2]
    held = replace(
        state.tiles,
        racks=(two, state.tiles.racks[1]),
        kinds=((0, 1), state.tiles.kinds[1]),
    )
    moves = list(lhexicon.moves(replace(state, tiles=held), 0))
    kinds = [type(move) for move in moves]
    known = kinds.index(Discard)
    assert kinds == [Lay] * known + [Discard] * 3 + [Pass] + [Lay] * (24 - known)
    words = [
        laid.announced.word
        for move in moves
        if isinstance(move, Lay)
        and (laid := lhexicon.play(replace(state, tiles=held), 0, move)).announced
    ]
    assert words == [(0, 1)] * known + [(1, 0)] * (24 - known)
