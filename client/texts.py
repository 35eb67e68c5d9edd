"""The window's own texts in the user's language, switchable while running.

Call `_` where a text is shown, never where a module is loaded, or it stays in the
language of the start.
"""

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
