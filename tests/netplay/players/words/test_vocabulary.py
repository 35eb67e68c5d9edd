"""Who plays better knows more words, and the same words every time."""

import pytest

from netplay.players.words.vocabulary import ALL, vocabulary
from rules import lexicon


@pytest.mark.parametrize("name", ["english", "spanish"])
def test_more_skill_is_more_words(name: str) -> None:
    words = lexicon.load(name)
    sample = [words.at(index) for index in range(0, words.count, words.count // 1000)]
    before: set[tuple[int, ...]] = set()
    counts: list[int] = []
    for skill in (0, 20, 40, 60, 80):
        knows = vocabulary(words.digest, skill)
        assert knows is not None
        known = set(filter(knows, sample))
        assert before <= known
        before = known
        counts.append(len(known))
    assert counts == sorted(set(counts))
    assert counts[0] < 100
    assert counts[-1] < 950


def test_the_best_know_every_word() -> None:
    assert vocabulary(lexicon.load("english").digest, ALL) is None


def test_beginners_know_the_common_words() -> None:
    words = lexicon.load("english")
    knows = vocabulary(words.digest, 10)
    assert knows is not None
    for text, known in (("HOUSE", True), ("WATER", True), ("QOPH", False)):
        assert knows(bytes(map(words.alphabet.index, text))) == known
