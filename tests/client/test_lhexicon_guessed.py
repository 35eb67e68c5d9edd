"""The word that the letters laid make, if it can be no other."""

from msgspec.structs import replace

from client.ui.intents import Click
from rules.lhexicon import Lay
from tests.client.games import RIGHT, drops, marks
from tests.client.lhexicon_hands import after, coded, move_of, node, said
from tests.rules.lhexicon import worked


def test_a_word_that_can_be_no_other_is_told_while_it_is_laid_and_marked_by_next() -> (
    None
):
    seen = coded()
    local = after(seen, *drops(seen.view, 0, worked.CODED))
    assert "CODED: 8 points" in said(seen, local)
    marked = after(seen, RIGHT, local=local)
    assert marked.path == worked.path(worked.CODED)
    assert isinstance(move_of(seen, marked, RIGHT), Lay)
    other = after(seen, Click("back"), local=marked)
    assert not other.path


def test_where_several_words_can_be_meant_none_is_marked() -> None:
    seen = coded()
    local = after(seen, *drops(seen.view, 0, "C(-1,0)* O(0,0)* D(1,0)*"))
    assert "COD 6" in said(seen, local)
    assert "DOC 6" in said(seen, local)
    assert not after(seen, RIGHT, local=local).path


def test_words_that_nobody_checks_are_not_told() -> None:
    seen = coded()
    options = replace(seen.view.options, challenge=True)
    unchecked = replace(seen, view=replace(seen.view, options=options))
    local = after(unchecked, *drops(seen.view, 0, worked.CODED))
    assert "CODED" not in said(unchecked, local)
    assert not after(unchecked, RIGHT, local=local).path


def test_whoever_marks_by_hand_begins_with_no_mark() -> None:
    seen = coded()
    laid = after(seen, *drops(seen.view, 0, worked.CODED), RIGHT)
    assert node(seen, laid, "word").value == "CODED"
    first, *rest = marks(worked.CODED)
    local = after(seen, first, local=laid)
    assert node(seen, local, "word").value == "C"
    assert isinstance(move_of(seen, after(seen, *rest, local=local), RIGHT), Lay)
