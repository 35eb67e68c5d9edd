"""Words as people write them: split, spelled, imported, exported, added, deleted."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.lexicon import Lexicon, LexiconError, build, read
from rules.wordlists import (
    LineError,
    add,
    check,
    delete,
    export_text,
    import_text,
    order,
    spell,
    split,
)

_TILES = "A B C CH D E H L LL N Ñ O R RR Z"
SPANISH = tuple(_TILES.split())
RUSSIAN = ("А", "Е", "Ё", "К", "Л")
FOLDS = {2: 1}

canonical = st.text("".join(SPANISH), min_size=1, max_size=8)
anything = st.text(max_size=12)


def spanish(*words: str) -> Lexicon:
    return read(build(SPANISH, [split(SPANISH, word) for word in words]))


@given(canonical)
def test_what_is_split_spells_the_same(text: str) -> None:
    assert spell(SPANISH, split(SPANISH, text)) == text


@given(canonical)
def test_a_word_splits_at_every_digraph_left_to_right(text: str) -> None:
    word = split(SPANISH, text)
    for one, other in pairwise(word):
        assert SPANISH[one] + SPANISH[other] not in SPANISH
    assert len(word) == len(text) - sum(len(SPANISH[at]) - 1 for at in word)


@given(canonical)
def test_capital_or_small_is_the_same(text: str) -> None:
    assert split(SPANISH, text.lower()) == split(SPANISH, text)


@given(anything)
def test_any_text_is_split_or_refused(text: str) -> None:
    try:
        word = split(SPANISH, text)
    except LexiconError as error:
        assert "on no tile" in str(error)
    else:
        assert all(0 <= letter < len(SPANISH) for letter in word)


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("CHARRO", "CH A RR O"),
        ("llano", "LL A N O"),
        ("año", "A Ñ O"),
        ("an\u0303o", "A Ñ O"),
        ("árbol", "A R B O L"),
        ("ÁÉ", "A E"),
        ("lLL", "LL L"),
        ("", ""),
    ],
)
def test_words_fall_into_tiles(text: str, tiles: str) -> None:
    assert [SPANISH[letter] for letter in split(SPANISH, text)] == tiles.split()


def test_ligatures_fall_into_two_tiles_and_sharp_s_into_two_s() -> None:
    latin = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    assert spell(latin, split(latin, "Œuf")) == "OEUF"
    assert spell(latin, split(latin, "cæcum")) == "CAECUM"
    assert spell(latin, split(latin, "Straße")) == "STRASSE"


def test_small_letters_on_tiles_are_found_too() -> None:
    assert split(("a", "b", "ch"), "ACHB") == (0, 2, 1)


@pytest.mark.parametrize("text", ["A B", "A-B", "A.B", "A1", "W", "A\n", "Ж", "A\0"])
def test_what_is_on_no_tile_is_named(text: str) -> None:
    with pytest.raises(LexiconError, match="on no tile"):
        split(SPANISH, text)


def test_a_message_does_not_repeat_pages() -> None:
    with pytest.raises(LexiconError) as caught:
        split(SPANISH, "!" * 100_000)
    assert len(str(caught.value)) < 100
    with pytest.raises(LexiconError) as caught:
        import_text(SPANISH, "A" * 100_000)
    assert len(str(caught.value)) < 100


def test_a_letter_that_counts_as_another_is_read_as_that() -> None:
    assert split(RUSSIAN, "ёлка", FOLDS) == split(RUSSIAN, "елка") == (1, 4, 3, 0)
    assert split(RUSSIAN, "ёлка") == (2, 4, 3, 0)


def test_double_letters_come_first_and_accented_ones_last() -> None:
    words = ["ZA", "ÑA", "LLA", "CHA", "AA", "A", "CA", "RRA", "CCH", "CZ", "LA"]
    numbers = [split(SPANISH, word) for word in words]
    listed = [spell(SPANISH, word) for word in sorted(numbers, key=order(SPANISH))]
    assert listed == [
        *("CHA", "LLA", "RRA", "A", "AA", "CCH", "CA", "CZ", "LA", "ZA", "ÑA")
    ]


@given(st.lists(canonical, min_size=1))
def test_what_is_exported_imports_the_same(texts: list[str]) -> None:
    words = {split(SPANISH, text) for text in texts}
    some = [word for word in words if 2 <= len(word) <= 8] + [(0, 0)]
    lexicon = read(build(SPANISH, some))
    text = export_text(lexicon)
    assert text.count("\n") == lexicon.count
    again = import_text(SPANISH, text)
    assert build(SPANISH, again) == bytes(lexicon.data)


def test_a_list_may_come_from_any_system() -> None:
    plain = import_text(SPANISH, "CHE\nLE\n")
    for text in ("CHE\r\nLE\r\n", "CHE\nLE", "\ufeffche\nle\n"):
        assert import_text(SPANISH, text) == plain


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 1, "there is no word"),
        ("\n", 1, "there is no word"),
        ("AL\n\nLA\n", 2, "there is no word"),
        ("AL\n  \nLA\n", 2, "there is no word"),
        ("AL\nLA\n\n", 3, "there is no word"),
        ("AL\nCA LA\n", 2, "on no tile"),
        ("AL\nLA \n", 2, "on no tile"),
        ("AL\nLA,\n", 2, "on no tile"),
        ("AL\nWEB\n", 2, "on no tile"),
        ("AL\nL\n", 2, "2 to 12 letters"),
        ("CH\n", 1, "2 to 12 letters"),
        ("AL\n" + "A" * 13 + "\n", 2, "2 to 12 letters"),
        ("AL\nAA\n", 2, "AA does not come after AL"),
        ("AL\nLA\nLA\n", 3, "LA does not come after LA"),
        ("AL\nCHE\n", 2, "CHE does not come after AL"),
        ("ÑA\nZA\n", 2, "ZA does not come after ÑA"),
        ("AL\rLA\n", 1, "on no tile"),
    ],
)
def test_a_bad_list_names_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(LineError, match=f"^line {line}: .*{why}") as caught:
        import_text(SPANISH, text)
    assert caught.value.line == line


def test_the_first_bad_line_is_the_one_named() -> None:
    with pytest.raises(LineError) as caught:
        import_text(SPANISH, "AL\nXX\nAA\n\n")
    assert caught.value.line == 2


def test_an_edition_may_allow_longer_words() -> None:
    assert len(import_text(SPANISH, "A" * 15, longest=15)[0]) == 15
    with pytest.raises(LineError, match="2 to 15 letters"):
        import_text(SPANISH, "A" * 16, longest=15)


@given(st.text("ACHLÑ1 \n\n\r", max_size=20))
def test_any_text_is_imported_or_names_a_line_it_has(text: str) -> None:
    try:
        words = import_text(SPANISH, text)
    except LineError as error:
        assert 1 <= error.line <= text.count("\n") + 1
    else:
        assert len(words) == len(text.splitlines())


def test_words_are_added_and_deleted_again() -> None:
    few = spanish("CHE", "LA")
    more = read(add(few, ["ñandú".replace("ú", "o"), "alla"]))
    assert export_text(more) == "CHE\nALLA\nLA\nÑANDO\n"
    assert delete(more, ["Ñando", "ALLA"]) == bytes(few.data)


@pytest.mark.parametrize(
    ("text", "why"),
    [("la", "already"), ("a", "letters"), ("al la", "on no tile"), ("", "no word")],
)
def test_what_cannot_be_added_is_refused(text: str, why: str) -> None:
    with pytest.raises(LexiconError, match=why):
        add(spanish("CHE", "LA"), ["alla", text])


def test_an_added_word_has_twelve_letters_at_most_unless_allowed() -> None:
    few = spanish("LA")
    assert read(add(few, ["A" * 12])).longest == 12
    with pytest.raises(LexiconError, match="2 to 12 letters"):
        add(few, ["A" * 13])
    assert read(add(few, ["A" * 13], longest=15)).longest == 13


@pytest.mark.parametrize("text", ["el", "w", ""])
def test_a_word_that_is_not_there_cannot_be_deleted(text: str) -> None:
    with pytest.raises(LexiconError, match="not in the dictionary"):
        delete(spanish("CHE", "LA"), ["LA", text])


def test_folds_outlive_a_change() -> None:
    few = read(build(RUSSIAN, [(1, 4)], FOLDS))
    more = read(add(few, ["ёлка"]))
    assert dict(more.folds) == FOLDS
    assert check(more, "ЕЛКА")
    assert check(more, "ёлка")
    assert delete(more, ["ЁЛКА"]) == bytes(few.data)


def test_checking_a_word_never_fails() -> None:
    few = spanish("CHE", "LA")
    assert check(few, "che")
    assert not check(few, "echo")
    assert not check(few, "web site!")
    assert not check(few, "")
