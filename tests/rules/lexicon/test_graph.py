"""A word list as a graph holds exactly its words, however it is asked."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.lexicon import Lexicon, LexiconError, build, open_file, read

ALPHABET = ("A", "B", "C", "CH", "Ñ")
FEW = ((2, 0), (2, 0, 1), (0,), (3, 0, 1), (2, 4))

letters = st.integers(0, len(ALPHABET) - 1)
words = st.lists(letters, min_size=1, max_size=6).map(tuple)
word_lists = st.lists(words, max_size=40)


def lexicon_of(some: Sequence[tuple[int, ...]]) -> Lexicon:
    return read(build(ALPHABET, some))


@given(word_lists)
def test_a_graph_gives_back_its_words_sorted_each_once(
    some: list[tuple[int, ...]],
) -> None:
    lexicon = lexicon_of(some)
    assert list(lexicon.words()) == sorted(set(some))
    assert lexicon.count == len(set(some))
    assert lexicon.longest == max(map(len, some), default=0)
    assert lexicon.alphabet == ALPHABET


@given(word_lists, st.integers(0, 7))
def test_the_words_of_each_length_are_all_words(
    some: list[tuple[int, ...]], longest: int
) -> None:
    found = lexicon_of(some).by_length(longest)
    assert len(found) == longest + 1
    for length, spelled in enumerate(found):
        wanted = sorted({bytes(word) for word in some if len(word) == length})
        assert spelled == wanted


@given(word_lists, st.lists(words))
def test_has_agrees_with_a_set(
    some: list[tuple[int, ...]], others: list[tuple[int, ...]]
) -> None:
    lexicon = lexicon_of(some)
    for word in [*some, *others, ()]:
        assert lexicon.has(word) == (word in set(some))


def test_every_short_word_is_told_apart() -> None:
    lexicon = lexicon_of(FEW)
    for size in range(4):
        for word in product(range(-1, 7), repeat=size):
            assert lexicon.has(word) == (word in FEW)


@given(word_lists, words)
def test_walking_by_child_and_by_arcs_is_the_same(
    some: list[tuple[int, ...]], word: tuple[int, ...]
) -> None:
    lexicon = lexicon_of(some)
    node = lexicon.root
    for letter in word:
        arcs = dict(lexicon.arcs(node))
        assert list(arcs) == sorted(arcs)
        assert lexicon.child(node, letter) == arcs.get(letter, 0)
        node = lexicon.child(node, letter)
    assert lexicon.ends(node) == lexicon.has(word)


@given(word_lists, st.lists(letters, max_size=3))
def test_words_can_be_asked_by_their_beginning(
    some: list[tuple[int, ...]], start: list[int]
) -> None:
    known = [word for word in sorted(set(some)) if word[: len(start)] == tuple(start)]
    assert list(lexicon_of(some).words(start)) == known


@given(word_lists, words)
def test_every_word_has_a_place_and_no_other_word_has(
    some: list[tuple[int, ...]], other: tuple[int, ...]
) -> None:
    lexicon = lexicon_of(some)
    known = sorted(set(some))
    assert [lexicon.index(word) for word in known] == list(range(len(known)))
    assert [lexicon.at(place) for place in range(len(known))] == known
    for place in (-1, len(known)):
        with pytest.raises(LookupError):
            lexicon.at(place)
    if other not in known:
        with pytest.raises(LookupError):
            lexicon.index(other)


@given(word_lists)
def test_the_digest_names_the_words_not_how_they_came(
    some: list[tuple[int, ...]],
) -> None:
    twisted = sorted(some, key=hash) + some[:3]
    assert build(ALPHABET, twisted) == build(ALPHABET, some)


@given(word_lists, words)
def test_another_word_makes_another_digest(
    some: list[tuple[int, ...]], word: tuple[int, ...]
) -> None:
    more = lexicon_of([*some, word])
    assert (more.digest == lexicon_of(some).digest) == (word in some)


def test_the_same_words_in_another_alphabet_are_another_lexicon() -> None:
    one, other = build(("A", "B"), [(0, 1)]), build(("A", "C"), [(0, 1)])
    assert read(one).digest != read(other).digest


def test_equal_ends_of_words_are_stored_once() -> None:
    lexicon = lexicon_of([(first, 0, 1, 2) for first in range(5)])
    nodes = {lexicon.child(lexicon.root, first) for first in range(5)}
    assert len(nodes) == 1
    assert lexicon.data.nbytes - 4 * (1 + 5 + 3) == len(build(ALPHABET, [])) - 4


def test_a_letter_may_count_as_another() -> None:
    lexicon = read(build(("Е", "Ё", "Л"), [(1, 2), (2, 0)], folds={1: 0}))
    assert dict(lexicon.folds) == {1: 0}
    assert lexicon.alphabet == ("Е", "Ё", "Л")
    assert list(lexicon.words()) == [(0, 2), (2, 0)]
    assert lexicon.has((0, 2))
    assert lexicon.has((1, 2))
    assert lexicon.has((2, 1))
    assert not lexicon.has((1,))
    assert lexicon.child(lexicon.root, 1) == lexicon.child(lexicon.root, 0) != 0
    assert list(lexicon.words((1,))) == [(0, 2)]
    assert lexicon.index((2, 1)) == 1
    assert [letter for letter, _ in lexicon.arcs(lexicon.root)] == [0, 2]


@pytest.mark.parametrize("word", [(), (5,), (-1, 0), (0, 300), (0,) * 33])
def test_what_is_no_word_of_the_alphabet_is_not_built(word: tuple[int, ...]) -> None:
    with pytest.raises(LexiconError, match="is not a word of this alphabet"):
        build(ALPHABET, [(0, 1), word])


def test_more_arcs_than_can_be_numbered_are_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rules.lexicon.graph.INDEX", 3)
    assert read(build(ALPHABET, [(0, 1, 2)])).count == 1
    with pytest.raises(LexiconError, match="too many words"):
        build(ALPHABET, [(0, 1, 2, 3)])


def test_more_words_than_are_read_are_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rules.lexicon.graph.MAX_WORDS", 2)
    assert read(build(ALPHABET, [(0,), (1,), (0,)])).count == 2
    with pytest.raises(LexiconError, match="too many words"):
        build(ALPHABET, [(0,), (1,), (2,)])


def test_the_longest_word_there_can_be_is_built() -> None:
    assert lexicon_of([(0,) * 32]).longest == 32


@pytest.mark.parametrize(
    "alphabet",
    [
        (),
        ("A", "A"),
        ("",),
        ("ABCDE",),
        ("A", " "),
        ("=",),
        ("\n",),
        ("\u202e",),
        ("N\u0303",),
        tuple(map(chr, range(0x4E00, 0x4E00 + 129))),
    ],
)
def test_what_is_no_alphabet_is_refused(alphabet: tuple[str, ...]) -> None:
    with pytest.raises(LexiconError, match=r"alphabet|cannot be a letter"):
        build(alphabet, [])


def test_an_alphabet_may_have_128_letters() -> None:
    alphabet = tuple(map(chr, range(0x4E00, 0x4E00 + 128)))
    assert read(build(alphabet, [(127, 0)])).has((127, 0))


def test_a_file_is_mapped_and_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "few.graph"
    path.write_bytes(build(ALPHABET, FEW))
    lexicon = open_file(path)
    assert list(lexicon.words()) == sorted(FEW)
    lexicon.verify()


def test_an_empty_file_is_no_word_list(tmp_path: Path) -> None:
    path = tmp_path / "empty.graph"
    path.touch()
    with pytest.raises(LexiconError, match="empty"):
        open_file(path)


@given(word_lists)
def test_a_big_endian_machine_reads_the_same(some: list[tuple[int, ...]]) -> None:
    data = bytearray(build(ALPHABET, some))
    start = len(build(ALPHABET, [])) - 4
    # What such a machine would have in memory is, seen from here, each number turned.
    for place in range(start, len(data), 4):
        data[place : place + 4] = data[place : place + 4][::-1]
    turned = Lexicon(bytes(data), order="big")
    assert list(turned.words()) == sorted(set(some))
