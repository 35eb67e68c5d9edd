"""The map of words in a file: the same words, or none at all."""

from pathlib import Path

import pytest

from netplay.players.words.wordmap import WordMap, file_of, keep, restore
from rules.lexicon import build, read

WORDS = read(build(("A", "B", "C"), [(0, 1), (1, 0), (0, 1, 2), (2, 1, 0, 1)]))


def test_a_kept_map_has_the_same_words(tmp_path: Path) -> None:
    made = WordMap(WORDS, 15, tmp_path)
    path = file_of(tmp_path, WORDS.digest, 15)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]

    again = WordMap(WORDS, 15, tmp_path)

    assert again.anagrams == made.anagrams == WordMap(WORDS, 15).anagrams
    assert restore(path, WORDS.digest, 15) == made.anagrams


@pytest.mark.parametrize("at", [0, 10, 40, 50, -1])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, at: int) -> None:
    made = WordMap(WORDS, 15, tmp_path)
    path = file_of(tmp_path, WORDS.digest, 15)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)

    assert restore(path, WORDS.digest, 15) is None
    assert WordMap(WORDS, 15, tmp_path).anagrams == made.anagrams
    assert restore(path, WORDS.digest, 15) == made.anagrams


@pytest.mark.parametrize("size", [0, 3, 41, 44, 60])
def test_a_file_cut_short_is_as_good_as_none(tmp_path: Path, size: int) -> None:
    WordMap(WORDS, 15, tmp_path)
    path = file_of(tmp_path, WORDS.digest, 15)
    path.write_bytes(path.read_bytes()[:size])

    assert restore(path, WORDS.digest, 15) is None


def test_a_file_of_other_words_or_lengths_is_not_taken(tmp_path: Path) -> None:
    WordMap(WORDS, 15, tmp_path)
    path = file_of(tmp_path, WORDS.digest, 15)

    assert restore(path, WORDS.digest, 12) is None
    assert restore(path, "00" * 32, 15) is None


def test_where_nothing_can_be_written_the_map_is_made_all_the_same(
    tmp_path: Path,
) -> None:
    keep(tmp_path / "missing" / "a.map", WORDS.digest, 15, [])

    assert WordMap(WORDS, 15, tmp_path / "missing").has(bytes([0, 1]))
    assert not list(tmp_path.iterdir())
