"""The map of words finds each word by its letters, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from netplay.players.words.wordmap import CODE_BITS, WordMap, letter_code
from rules.lexicon import MAX_LENGTH, build, read

LETTERS = 128
ALPHABET = tuple(chr(0x100 + number) for number in range(LETTERS))

letters = st.integers(0, LETTERS - 1)
words = st.lists(letters, min_size=1, max_size=MAX_LENGTH).map(tuple)


@given(st.lists(words, max_size=30), st.integers(2, MAX_LENGTH), words)
def test_words_are_found_by_their_letters(
    some: list[tuple[int, ...]], longest: int, other: tuple[int, ...]
) -> None:
    made = WordMap(read(build(ALPHABET, some)), longest)
    known = {bytes(word) for word in some if 2 <= len(word) <= longest}
    for word in [*map(bytes, some), bytes(other)]:
        assert made.has(word) == (word in known)
        anagrams = {each for each in known if sorted(each) == sorted(word)}
        assert set(made.words(made.code(word), len(word))) == anagrams
    held = [spelled for length in made.anagrams for spelled in length.values()]
    assert sum(map(len, held)) == sum(map(len, known))


def test_the_largest_sum_of_codes_spills_into_no_other() -> None:
    heavy = max(range(LETTERS), key=letter_code)
    assert letter_code(heavy) < 1 << CODE_BITS
    some = [(heavy,) * MAX_LENGTH, *((n,) * MAX_LENGTH for n in range(4))]
    made = WordMap(read(build(ALPHABET, some)), MAX_LENGTH)
    assert all(made.has(bytes(word)) for word in some)
