"""The window's own texts in the user's language, switchable while running.

Call `_` where a text is shown, never where a module is loaded, or it stays in the
language of the start.
"""

from netplay.language import (
    LANGUAGES,
    LOCALE,
    _,
    decimal,
    ngettext,
    phrase,
    sentence,
    speak,
    spoken,
)
from netplay.said import worded


def told(words: str) -> str:
    """Return what the rules said in the language."""
    return phrase(worded(words))


__all__ = [
    "LANGUAGES",
    "LOCALE",
    "_",
    "decimal",
    "ngettext",
    "phrase",
    "sentence",
    "speak",
    "spoken",
    "told",
]
