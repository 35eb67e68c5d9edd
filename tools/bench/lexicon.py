"""Time word lists: opening, looking up, the map of words."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from netplay.players.words.wordmap import WordMap
from rules import lexicon
from tools.bench.measuring import Row, paired, plain, ratio_row, timed, usual


def rows() -> Iterator[Row]:
    """Measure."""
    words = lexicon.load("english")
    spelled = list(words.words())
    text = "\n".join("".join(words.alphabet[n] for n in word) for word in spelled)
    rounds = paired(
        lambda: timed(lambda: WordMap(words, 15)),
        lambda: timed(lambda: set(text.split("\n"))),
        rounds=3,
    )
    versus = "a set of the same words from text"
    yield ratio_row("lexicon: map of words", "ms", versus, rounds)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder)
        WordMap(words, 15, kept)  # makes the file
        rounds = paired(
            lambda: timed(lambda: WordMap(words, 15, kept)),
            lambda: timed(lambda: set(text.split("\n"))),
            rounds=3,
        )
    yield ratio_row("lexicon: map of words, kept", "ms", versus, rounds)
    sample = spelled[:: len(spelled) // 2000]
    took = usual(lambda: [words.has(word) for word in sample])
    yield plain("lexicon: look up", took * 1000 / len(sample), "us")
