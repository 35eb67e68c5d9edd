"""Words of one length by what may stand where, and where blanks may lie."""

from hypothesis import given
from hypothesis import strategies as st

from netplay.players.words.plays import FEW, Blanks, Group
from netplay.players.words.wordmap import WordMap
from rules.lexicon import build, read

LETTERS = 6
MAP = WordMap(read(build(tuple("ABCDEF"), [(0, 1)])), 3)
LENGTH = 3
WORD = st.lists(
    st.integers(0, LETTERS - 1), min_size=LENGTH, max_size=LENGTH, unique=False
).map(bytes)
MASK = st.integers(-1, (1 << LETTERS) - 1)


@given(
    words=st.lists(WORD, max_size=3 * FEW),
    masks=st.dictionaries(st.integers(0, LENGTH - 1), MASK),
    begin=st.integers(0, 9),
)
def test_a_group_gives_the_words_whose_letters_are_all_allowed(
    words: list[bytes], masks: dict[int, int], begin: int
) -> None:
    group = Group(b"".join(words), LENGTH, MAP.table)
    checks = [(begin + place, mask) for place, mask in masks.items()]

    for _ in range(2):  # what was found out once serves again
        assert list(group.choose(checks, begin)) == [
            word
            for word in words
            if all(mask >> word[place] & 1 for place, mask in masks.items())
        ]


@given(mask=st.integers(-1, (1 << 255) - 1))
def test_a_table_has_a_one_for_each_letter_of_the_set(mask: int) -> None:
    assert list(MAP.table(mask)) == [mask >> letter & 1 for letter in range(256)]


@given(
    tiles=st.lists(st.integers(0, 3), max_size=4),
    blanks=st.integers(0, 2),
    laid=st.lists(st.integers(0, 3), min_size=1, max_size=4),
)
def test_blanks_lie_wherever_the_tiles_cover_the_rest(
    tiles: list[int], blanks: int, laid: list[int]
) -> None:
    free = tuple(range(1, 2 * len(laid), 2))

    ways = Blanks(tuple(tiles), blanks).find(tuple(laid), free)

    expected = set[tuple[int, ...]]()
    for chosen in range(1 << len(laid)):
        at = [number for number in range(len(laid)) if chosen >> number & 1]
        rest = [letter for number, letter in enumerate(laid) if number not in at]
        covered = all(rest.count(letter) <= tiles.count(letter) for letter in rest)
        if len(at) <= blanks and covered:
            expected.add(tuple(free[number] for number in at))
    assert set(ways) == expected
    assert len(ways) == len(expected)
