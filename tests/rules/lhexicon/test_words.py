"""The document's plays through the whole game, and words that are refused."""

from msgspec.structs import replace

from rules import hexes, lhexicon, tiles
from rules.lhexicon import Bonus, Options, Placed, Refusal, Verdict
from tests.rules.lhexicon import matches, worked

NUMBER = hexes.numbers(9)


def _leveled() -> lhexicon.State:
    """Return the match of the document after LEVELED; CODDLE or PLEADED may follow."""
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    assert state.scores == (8, 0)
    state = matches.give(matches.lay(state, worked.CRUEL), "DAAA")
    assert state.scores == (8, 9)
    return matches.give(matches.lay(state, worked.LEVELED), "AAABB")


def test_the_documents_match_scores_what_it_says_up_to_diagram_5() -> None:
    assert _leveled().scores == (8 + 21, 9)


def test_coddle_splits_the_trap_for_18() -> None:
    state = _leveled()
    assert lhexicon.traps(state) == (worked.group("(-2,-1)(-1,-1)(0,-1)(1,-1)"),)
    state = matches.lay(state, worked.CODDLE)
    assert state.scores == (29, 9 + 18)
    assert lhexicon.traps(state) == (
        worked.group("(-2,-1)(-1,-1)"),
        worked.group("(1,-1)"),
    )


def test_pleaded_only_shrinks_the_trap_for_10() -> None:
    state = matches.lay(_leveled(), worked.PLEADED)
    assert state.scores == (29, 9 + 10)
    assert len(lhexicon.traps(state)[0]) == 3


def test_diagram_4_is_refused_with_the_letter_left_out() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED))
    laid, path = matches.placed(state, 1, worked.CRUEL_DIAGRAM_4)
    reason = "L touches O, which is not in the word"
    assert lhexicon.judge(state, 1, laid, path) == Refusal(reason, (NUMBER[-1, 0],))
    assert matches.refused(state, 1, lhexicon.lay(state, laid, path)) == reason
    assert lhexicon.touching(state, laid) == (NUMBER[-2, 0], NUMBER[-1, 0])


def test_judging_tells_points_word_and_traps_before_the_play() -> None:
    state = matches.begin("CODEDIJ", "RUELCPA")
    state = matches.give(matches.lay(state, worked.CODED), "EVELE")
    state = matches.give(matches.lay(state, worked.CRUEL))
    laid, path = matches.placed(state, 0, worked.LEVELED)
    verdict = lhexicon.judge(lhexicon.view(state, 0), 0, laid, path)
    trap = worked.group("(-2,-1)(-1,-1)(0,-1)(1,-1)")
    word = tuple(matches.kinds("LEVELED"))
    assert verdict == Verdict(21, word, Bonus(closed=(trap,)))
    assert verdict.text == "LEVELED"


def test_a_word_the_dictionary_lacks_is_named() -> None:
    state = matches.begin("CODEDIJ")
    laid, path = matches.placed(state, 0, "J(0,0)* I(1,0)* D(2,0)*")
    assert lhexicon.judge(state, 0, laid, path) == Refusal(
        "JID is not in the dictionary", path
    )


def test_a_blank_scores_nothing_and_may_be_any_letter() -> None:
    state = matches.begin("?ODEDIJ", "CODEDAA")
    state = matches.lay(state, "c(-2,0)* O(-1,0)* D(0,0)* E(1,0)* D(2,-1)*")
    assert state.scores == (4, 0)
    assert state.blanks == (NUMBER[-2, 0],)
    state = matches.lay(matches.give(state), "C(-2,0) O(-2,-1)* D(-2,-2)*")
    assert state.scores == (4, 2)


def test_a_blank_may_stand_for_qu_but_a_q_is_only_q() -> None:
    options = Options(lexicon=matches.small("QUIT", "QIT"))
    state = matches.begin("?ITQAAA", options=options)
    numbers = {letter: matches.tile(state, 0, letter) for letter in "?ITQ"}
    path = (NUMBER[0, 0], NUMBER[1, 0], NUMBER[2, 0])
    rest = [Placed(numbers["I"], path[1], 8), Placed(numbers["T"], path[2], 19)]
    as_qu = [Placed(numbers["?"], path[0], lhexicon.QU), *rest]
    verdict = lhexicon.judge(state, 0, as_qu, path)
    assert isinstance(verdict, Verdict)
    assert (verdict.text, verdict.points) == ("QUIT", 2)
    q_as_qu = [Placed(numbers["Q"], path[0], lhexicon.QU), *rest]
    assert lhexicon.judge(state, 0, q_as_qu, path) == Refusal(
        "That tile does not stand for that letter"
    )
    q_as_q = [Placed(numbers["Q"], path[0], 16), *rest]
    verdict = lhexicon.judge(state, 0, q_as_q, path)
    assert isinstance(verdict, Verdict)
    assert (verdict.text, verdict.points) == ("QIT", 10)
    after = lhexicon.play(state, 0, lhexicon.lay(state, as_qu, path))
    assert after.letters[path[0]] == lhexicon.QU
    assert lhexicon.text(after.letters[path[0]]) == "QU"


def test_tiles_must_be_ones_own_and_be_what_they_are_shown_to_be() -> None:
    state = matches.begin("CODEDIJ", "CODEDAA")
    laid, path = matches.placed(state, 0, worked.CODED)
    move = lhexicon.lay(state, laid, path)
    theirs, _ = matches.placed(state, 1, worked.CODED)
    assert lhexicon.judge(state, 0, theirs, path) == Refusal(
        "That tile is not on the rack"
    )
    unknown = lhexicon.judge(lhexicon.view(state, 1), 0, laid, path)
    assert unknown == Refusal("There is no such tile left")
    stacked = [replace(each, cell=path[0]) for each in laid]
    assert lhexicon.judge(state, 0, stacked, path) == Refusal(
        "Two tiles lie on one hexagon"
    )
    missing = replace(move, shown=move.shown[1:])
    assert matches.refused(state, 0, missing) == (
        "The tiles shown are not the tiles laid"
    )
    lie = (replace(move.shown[0], kind=0), *move.shown[1:])
    assert matches.refused(state, 0, replace(move, shown=lie)) == (
        "That tile has another letter"
    )


def test_tiles_are_named_in_the_order_of_the_word() -> None:
    state = matches.begin("CODEDIJ")
    laid, path = matches.placed(state, 0, worked.CODED)
    move = lhexicon.lay(state, laid[::-1], path)
    assert move == lhexicon.lay(state, laid, path)
    turned = replace(move, laid=move.laid[::-1], shown=move.shown[::-1])
    assert matches.refused(state, 0, turned) == (
        "The tiles are not in the order of the word"
    )


def test_the_bank_fills_the_rack_up_after_a_word() -> None:
    state = matches.begin("CODEDIJ")
    state = matches.give(matches.lay(state, worked.CODED))
    assert len(state.tiles.racks[0]) == lhexicon.RACK
    assert tiles.bag_size(state.tiles) == 100 - 7 - 5
