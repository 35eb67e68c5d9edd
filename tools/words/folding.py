"""Folding the letters of a language to those that are on its tiles."""

import unicodedata
from functools import cache
from typing import Final

_SPLIT: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss"})


def plain(word: str, keep: str = "") -> str:
    """Return a lower-case word without accents and ligatures.

    Args:
        word: The word as it is written.
        keep: Accented letters that are tiles of their own and stay.
    """
    if word.isascii():
        return word
    letters = unicodedata.normalize("NFC", word)
    return "".join([letter if letter in keep else _bare(letter) for letter in letters])


@cache
def _bare(letter: str) -> str:
    """Return a letter without its accents, or the two that a ligature stands for."""
    apart = unicodedata.normalize("NFD", letter.translate(_SPLIT))
    return "".join(mark for mark in apart if not unicodedata.combining(mark))
