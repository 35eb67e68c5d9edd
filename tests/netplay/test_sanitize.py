import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from netplay.sanitize import clean, shown_name, visible, width

ANY_TEXT = st.text(alphabet=st.characters())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("  two\t words\r\n here ", "two words here"),
        ("\x1b[31mred\x07", "[31mred"),
        ("pay\u202egnp.exe", "paygnp.exe"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("e\u0301", "\u00e9"),
        ("a\u2028b\u2029c", "a b c"),
        ("\u0301lost mark", "lost mark"),
        ("x \u0301y", "x y"),
        ("z" + "\u0301" * 40, "\u017a" + "\u0301" * 3),
        ("\ud800", ""),
        ("\U000f0000private", "private"),
        ("fill\u3164er", "filler"),
        ("", ""),
        ("Ёж & Ñandú", "Ёж & Ñandú"),
    ],
)
def test_text_loses_exactly_what_may_not_be_shown(text: str, shown: str) -> None:
    assert clean(text, 100) == shown


def test_a_text_too_long_is_cut_without_a_trailing_space() -> None:
    assert clean("ab cdef", 3) == "ab"


def test_wide_characters_cost_two_columns() -> None:
    assert clean("漢字漢字", 5) == "漢字"
    assert width("漢") == 2
    assert width("a") == 1
    assert width("\u0301") == 0


def test_marks_cannot_smuggle_in_more_characters_than_allowed() -> None:
    assert len(clean("b\u0323\u0323\u0323" * 20, 10)) <= 10


@given(ANY_TEXT, st.integers(0, 30))
@example("a\u200b\u0301", 30)
@example("\u0300 \u0301", 30)
def test_cleaning_is_idempotent_and_within_its_bounds(text: str, n: int) -> None:
    once = clean(text, n)
    assert clean(once, n) == once
    assert len(once) <= n
    assert sum(map(width, once)) <= n
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(c)[0] == "C" for c in once)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\x1b", "\u3164"])
def test_a_name_of_which_nothing_is_left_is_a_question_mark(name: str) -> None:
    assert shown_name(name) == "?"


def test_a_name_is_cut_to_what_a_name_may_have() -> None:
    assert shown_name("\x1b[2JEve" + "e" * 30) == "[2JEve" + "e" * 18


@given(ANY_TEXT)
def test_of_several_lines_all_is_left_that_may_be_seen(text: str) -> None:
    shown = visible(text)
    assert shown.count("\n") == text.count("\n")
    assert all(c == "\n" or unicodedata.category(c)[0] != "C" for c in shown)
    assert visible(shown) == shown


def test_indents_stay() -> None:
    assert visible("two:\n  a\x07\tb\n") == "two:\n  a b\n"
