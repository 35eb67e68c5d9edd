"""The quick search against one that tries every word everywhere."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.players.words.leaves import best_play
from netplay.players.words.plays import BLANK, Finder, Play
from netplay.players.words.position import BLOCKED, EMPTY, Board, Rack
from netplay.players.words.wordmap import WordMap
from rules.lexicon import build, read
from tests.netplay.players.words.brute import Brute, Placed

ALPHABET = "ABCDE"
POINTS = {"A": 1, "B": 3, "C": 4, "D": 2, "E": 1}
SIZE = 6
WORDS = sorted(
    {
        "".join(word)
        for seed in range(220)
        for word in [random.Random(seed).choices(ALPHABET, k=2 + seed % 5)]
    }
)
MAP = WordMap(
    read(build(tuple(ALPHABET), [tuple(map(ALPHABET.index, w)) for w in WORDS])), SIZE
)
PREMIUMS = {
    (r, c): (1 + (r * 7 + c * 3) % 4, 1 + (r * 5 + c * 11) % 3)
    for r in range(SIZE)
    for c in range(SIZE)
}


def board(rows: list[str]) -> Board:
    letters, worth = [], []
    for ch in "".join(rows):
        letters.append({".": EMPTY, "#": BLOCKED}.get(ch, ALPHABET.find(ch.upper())))
        worth.append(POINTS[ch] if ch.isupper() else 0)
    return Board(
        width=SIZE,
        height=SIZE,
        letters=tuple(letters),
        worth=tuple(worth),
        letter_times=tuple(PREMIUMS[r, c][0] for r in range(SIZE) for c in range(SIZE)),
        word_times=tuple(PREMIUMS[r, c][1] for r in range(SIZE) for c in range(SIZE)),
        start=2 * SIZE + 3,
    )


def rack(text: str) -> Rack:
    return Rack(
        tiles=tuple((ALPHABET.index(ch), POINTS[ch]) for ch in text if ch != "?"),
        blanks=text.count("?"),
        size=4,
        bonus=50,
    )


def found(finder: Finder, play: Play) -> Placed:
    return frozenset(
        (square // SIZE, square % SIZE, name.lower() if points == BLANK else name)
        for square, letter, points in finder.tiles(play)
        for name in [ALPHABET[letter]]
    )


def grow(seed: int, turns: int) -> list[str]:
    """Return the rows of a board after some random plays, whoever finds them."""
    rng = random.Random(seed)
    rows = ["." * SIZE for _ in range(SIZE)]
    for _ in range(rng.randrange(3)):
        r, c = rng.randrange(SIZE), rng.randrange(SIZE)
        if (r, c) != (2, 3):
            rows[r] = rows[r][:c] + "#" + rows[r][c + 1 :]
    for _ in range(turns):
        hand = "".join(rng.choices(ALPHABET + "?", k=4))
        finder = Finder(board(rows), rack(hand), MAP)
        plays = sorted(sorted(found(finder, play)) for play in finder.plays())
        if plays:
            for r, c, letter in rng.choice(plays):
                rows[r] = rows[r][:c] + letter + rows[r][c + 1 :]
    return rows


@given(
    seed=st.integers(0, 10**6),
    turns=st.integers(0, 4),
    hand=st.text(ALPHABET + "?", min_size=1, max_size=4).filter(
        lambda text: text.count("?") <= 2
    ),
)
def test_every_play_and_score_is_as_by_trying_everything(
    seed: int, turns: int, hand: str
) -> None:
    rows = grow(seed, turns)
    brute = Brute(rows, set(WORDS), POINTS, PREMIUMS, 4)

    finder = Finder(board(rows), rack(hand), MAP)
    plays = finder.plays()

    expected = brute.plays(hand, (2, 3))
    assert {found(finder, play): play.score for play in plays} == expected
    assert len(plays) == len(expected)


@given(seed=st.integers(0, 10**6), hand=st.text(ALPHABET + "?", max_size=4))
def test_the_best_play_is_the_best_of_all(seed: int, hand: str) -> None:
    rows = grow(seed, 3)

    best = best_play(Finder(board(rows), rack(hand), MAP))

    plays = Finder(board(rows), rack(hand), MAP).plays()
    assert (best.score if best else None) == max(
        (play.score for play in plays), default=None
    )


def test_tiles_of_one_letter_may_differ_in_points() -> None:
    rows = ["......", "......", "..AB..", "......", "......", "......"]
    odd = Rack(tiles=((0, 1), (0, 3), (1, 3)), blanks=0, size=4, bonus=50)

    finder = Finder(board(rows), odd, MAP)
    plays = finder.plays()

    keys = [tuple(finder.tiles(play)) for play in plays]
    assert len(set(keys)) == len(keys)
    plain = {frozenset((square, letter) for square, letter, _ in key) for key in keys}
    same = Finder(board(rows), rack("AAB"), MAP)
    assert plain == {
        frozenset((square, letter) for square, letter, _ in same.tiles(play))
        for play in same.plays()
    }
    assert any(points == 3 for key in keys for _, letter, points in key if not letter)


@pytest.mark.parametrize("word", WORDS[:50], ids=str)
def test_the_map_has_the_words_of_the_lexicon(word: str) -> None:
    letters = bytes(map(ALPHABET.index, word))

    assert MAP.has(letters)
    assert not MAP.has(letters + bytes([4, 4, 4, 4, 4]))


def test_an_edition_may_take_shorter_words_only() -> None:
    lexicon = read(build(("A", "B"), [(0, 1), (0, 0, 1, 0), (0, 1, 0)]))

    words = WordMap(lexicon, 3)

    assert words.has(bytes([0, 1, 0]))
    assert not words.has(bytes([0, 0, 1, 0]))
