"""What tiles left are worth: learned, guessed, and counted in the choice of a play."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.players.words.leaves import Keep, Table, best_of, table, written
from netplay.players.words.plays import BLANK, Finder, Play
from netplay.players.words.position import Rack
from netplay.players.words.wordmap import WordMap
from rules import lexicon
from rules.lexicon import build, read
from tests.netplay.players.words.test_plays import ALPHABET, MAP, board, grow, rack

SIZE = len(ALPHABET) + 1
VALUES = Random(5)
TABLE = Table(
    tuple(VALUES.uniform(-3, 3) for _ in range(SIZE)),
    tuple(tuple(VALUES.uniform(-1, 1) for _ in range(SIZE)) for _ in range(SIZE)),
)


def left(finder: Finder, play: Play, held: Rack) -> list[int]:
    """Return the tiles a play leaves, counted one by one."""
    kept = [letter for letter, _ in held.tiles] + [len(ALPHABET)] * held.blanks
    for _, letter, points in finder.tiles(play):
        kept.remove(len(ALPHABET) if points == BLANK else letter)
    return sorted(kept)


@given(seed=st.integers(0, 10**6), hand=st.text(ALPHABET + "?", max_size=4))
def test_the_best_play_is_the_best_with_what_it_leaves(seed: int, hand: str) -> None:
    rows, held = grow(seed, 2), rack(hand)
    finder = Finder(board(rows), held, MAP)
    keep = Keep(held, TABLE.worth, MAP)

    play, worth = best_of(finder, keep)

    values = [
        each.score + TABLE.worth(left(finder, each, held)) for each in finder.plays()
    ]
    assert worth == pytest.approx(max(values, default=float("-inf")))
    assert (play is None) == (not values)


def test_a_table_is_read_as_it_was_written() -> None:
    english = lexicon.load("english")
    found = table(english, WordMap(read(build(english.alphabet, [(0, 1)])), 2))

    text = written(english, found.tiles, found.pairs)

    assert f'"S": {found.tiles[18]:.2f}'.rstrip("0") in text
    assert found.tiles[26] > 15 > found.tiles[18] > 3 > found.tiles[16]


@pytest.mark.parametrize("name", ["english", "french", "german", "russian", "spanish"])
def test_each_shipped_word_list_has_a_table(name: str) -> None:
    words = lexicon.load(name)
    small = WordMap(read(build(words.alphabet, [(0, 1)])), 2)

    learned = table(words, small)

    assert learned.tiles[-1] == max(learned.tiles)
    assert any(any(row) for row in learned.pairs)


def test_a_list_of_ones_own_has_a_guess_by_how_words_are_spelled() -> None:
    words = read(build(("A", "B", "C"), [(0, 1), (0, 1, 0), (0, 0), (2, 0)]))

    guessed = table(words, WordMap(words, 5))

    assert guessed.tiles[0] > guessed.tiles[2]
    assert guessed.worth((0, 0)) < 2 * guessed.tiles[0]
