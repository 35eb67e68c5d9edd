"""All words at once are the words one by one, and take little room on the way."""

import tracemalloc
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.lexicon import build, graph, read
from rules.lexicon.graph import END, LAST, LETTER_SHIFT

words = st.lists(st.integers(0, 4), min_size=1, max_size=6).map(tuple)


@given(st.lists(words, max_size=40), st.integers(0, 30))
def test_it_does_not_matter_how_much_is_held(
    some: list[tuple[int, ...]], held: int
) -> None:
    lexicon = read(build(("A", "B", "C", "D", "E"), some))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "HELD_BYTES", held)
        found = lexicon.by_length(6)
    assert [list(map(tuple, each)) for each in found] == [
        sorted({word for word in some if len(word) == length}) for length in range(7)
    ]


def test_texts_that_are_not_needed_any_more_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 4 ** 7 words of 7 letters, all behind the same 20 letters.
    arcs, to = array("I", [0]), END
    for letters in [4] * 7 + [1] * 20:
        start = len(arcs)
        arcs.extend(letter << LETTER_SHIFT | to for letter in range(letters))
        arcs[-1] |= LAST
        to = start
    text = 4**7 * 28
    monkeypatch.setattr(graph, "HELD_BYTES", text)
    tracemalloc.start()
    try:
        found = graph.everything(arcs, to)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == 4**7
    assert {len(word) for word in found} == {27}
    words_take = 4**7 * (8 + 64)
    assert most - words_take < 4 * text  # of some 20 that there have been
