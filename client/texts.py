"""The window's own texts in the user's language, switchable while running.

Call `_` where a text is shown, never where a module is loaded, or it stays in the
language of the start.
"""

import re
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Final

LOCALE: Final = Path(__file__).parent / "assets" / "locale"
LANGUAGES: Final = {
    "en": "English",
    "fr": "Français",
    "de": "Deutsch",
    "es": "Español",
    "ru": "Русский",
}
"""What can be chosen, each by its own name."""


_PHRASES: Final = (
    "{word} is not in the dictionary",
    "{name} has left",
    "{name} does not play",
    "no seat at the table of {name}",
)
"""What the rules and the node say of a word or a player."""


class _Current:
    """The one catalogue in use."""

    catalogue: NullTranslations = NullTranslations()


def speak(language: str) -> None:
    """Use another language from now on; English where no catalogue is found."""
    _Current.catalogue = translation(
        "netplay", LOCALE, languages=[language], fallback=True
    )


def _(text: str) -> str:
    """Return the text in the current language."""
    return _Current.catalogue.gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits the count, in the current language."""
    return _Current.catalogue.ngettext(one, many, count)


def told(words: str) -> str:
    """Return what the rules or the node said, as far as it is known, in the language.

    The node says "what happened: the detail", or "one, another" where it lists; names,
    addresses and numbers among them stay as they are.
    """
    if not words:
        return ""  # which gettext takes for its own header
    whole = _(words)
    if whole != words:
        return whole
    for phrase in _PHRASES:
        before, key, after = re.split("[{}]", phrase)
        if words.startswith(before) and words.endswith(after) and ": " not in words:
            whose = words[len(before) : len(words) - len(after)]
            return _(phrase).format(**{key: whose})
    for sign in (": ", ", "):
        head, between, rest = words.partition(sign)
        if between:
            return f"{told(head)}{sign}{told(rest)}"
    return words
