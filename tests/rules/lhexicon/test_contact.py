"""Where words may lie, and the sentences that refuse them."""

import pytest

from rules import hexes
from rules.lhexicon import cells
from rules.lhexicon.cells import Refusal, misplaced, touched
from tests.rules.lhexicon import worked

SIDE = 9
NUMBER = hexes.numbers(SIDE)


def _fault(before: tuple[str, ...], word: str) -> Refusal | None:
    return misplaced(worked.board(before), worked.laid(word), worked.path(word), SIDE)


def test_every_legal_example_of_the_document_is_well_placed() -> None:
    opening = (worked.CODED, worked.CRUEL)
    assert _fault((), worked.CODED) is None
    assert _fault((worked.CODED,), worked.CRUEL) is None
    assert _fault(opening, worked.LEVELED) is None
    assert _fault((*opening, worked.LEVELED), worked.CODDLE) is None
    assert _fault((*opening, worked.LEVELED), worked.PLEADED) is None


def test_diagram_4_names_the_touching_letter_left_out() -> None:
    assert _fault((worked.CODED,), worked.CRUEL_DIAGRAM_4) == Refusal(
        "L touches O, which is not in the word", (NUMBER[-1, 0],)
    )


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("", "No tiles played"),
        ("C(-2,0) O(-1,0)", "No tiles played"),
        ("C(-2,0)* R(-3,0)*", "There is a letter on that hexagon already"),
        ("A(-4,0)* R(-3,0)* A(-4,0)", "A letter may be used only once in the word"),
        ("A(-4,0)* R(-3,0)", "The word runs over an empty hexagon"),
        ("A(-3,0)* D(0,0)", "A and D are not on neighbouring hexagons"),
        ("C(-3,0)* A(5,5)*", "There is no such hexagon"),
        ("A(-5,0)* A(-6,0)*", "The word must use a letter already on the board"),
        ("A(-5,0)*", "A word has at least two letters"),
        ("D(0,0) A(0,1)* R(0,2)*", "A touches E, which is not in the word"),
        ("A(-1,1)* R(-1,2)*", "A touches O, D, which are not in the word"),
        ("E(1,0) A(1,-1)*", "A touches D, D, which are not in the word"),
    ],
)
def test_each_misplaced_word_is_refused_in_words(word: str, reason: str) -> None:
    number = {**NUMBER, (5, 5): 217}
    steps = [(letter, number[q, r], new) for letter, (q, r), new in worked.parse(word)]
    laid = {cell: letter for letter, cell, new in steps if new}
    path = [cell for _, cell, _ in steps]
    fault = misplaced(worked.board((worked.CODED,)), laid, path, SIDE)
    assert fault is not None
    assert fault.reason == reason


def test_a_tile_laid_but_not_marked_is_named_with_its_cell() -> None:
    word = worked.laid(worked.CRUEL)
    path = worked.path(worked.CRUEL)
    fault = misplaced(worked.board((worked.CODED,)), word, path[:-2], SIDE)
    left = tuple(sorted(path[-2:]))
    assert fault == Refusal("L, E were laid but are not in the word", left)


def test_the_first_word_covers_the_centre() -> None:
    assert _fault((), "O(1,0)* N(2,0)*") == Refusal(
        "The first word must cover the centre", (NUMBER[0, 0],)
    )


def test_touched_letters_are_all_earlier_ones_next_to_a_new_one() -> None:
    letters = worked.board((worked.CODED,))
    old = cells.mask(n for n, x in enumerate(letters) if x >= 0)
    new = cells.mask([NUMBER[-2, 1], NUMBER[-3, 1]])
    assert cells.members(touched(old, new, SIDE)) == (NUMBER[-2, 0], NUMBER[-1, 0])
