"""The window's own texts in the user's language, switchable while running.

Call `_` where a text is shown, never where a module is loaded, or it stays in the
language of the start.
"""

import re
from collections.abc import Mapping
from functools import cache
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


_BARE: Final = (
    "{word} is not in the dictionary",
    "{name} has left",
    "{name} does not play",
    "no seat at the table of {name}",
)
"""What the rules and the node say of a word or a player, without a reason behind it."""


@cache
def _phrases() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the sentences of the node that have values in them, each with its shape.

    A value in them is any text; those with most words come first.
    """
    lines = (LOCALE / "phrases.txt").read_text("utf-8").splitlines()
    bare = tuple((each, _shape(each, "[^:]+?")) for each in _BARE)
    return (*bare, *((each, _shape(each, ".+?")) for each in lines))


def _shape(phrase: str, value: str) -> re.Pattern[str]:
    """Return what matches a sentence, its values as groups of the same names."""
    parts = re.split(r"{(\w+)}", phrase)
    for i, part in enumerate(parts):
        parts[i] = f"(?P<v{part}>{value})" if i % 2 else re.escape(part)
    return re.compile("".join(parts))


class _Current:
    """The one catalogue in use."""

    catalogue: NullTranslations = NullTranslations()
    language: str = "en"


def speak(language: str) -> None:
    """Use another language from now on; English where no catalogue is found."""
    _Current.catalogue = translation(
        "netplay", LOCALE, languages=[language], fallback=True
    )
    _Current.language = language


def spoken() -> str:
    """Return the language in use."""
    return _Current.language


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
    for phrase, shape in _phrases():
        if found := shape.fullmatch(words):
            values = {k[1:]: told(v) for k, v in found.groupdict().items()}
            return _filled(_(phrase), values)
    for sign in (": ", ", "):
        head, between, rest = words.partition(sign)
        if between:
            return f"{told(head)}{sign}{told(rest)}"
    return words


def _filled(phrase: str, values: Mapping[str, str]) -> str:
    """Return a sentence with its values in their places, as plain text."""
    return re.sub(r"{(\w+)}", lambda each: values[each[1]], phrase)
