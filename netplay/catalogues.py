"""The catalogues of texts, and which of them is the user's.

This is all that `--help` needs: it loads nothing that takes long, not even `pathlib`.
What nodes and rules say is put into words by `netplay.language`.

The language may change at any time.  Call `_` where a text is shown, never where a
module is loaded, or it stays in the language of the start.
"""

import gettext
import os
import stat
from os import PathLike
from typing import Final

LOCALE: Final = os.path.join(
    os.path.dirname(os.path.dirname(__file__)), "client", "assets", "locale"
)
DOMAIN: Final = "netplay"
"""What gettext calls our catalogues."""

SETTINGS: Final = "window.json"
"""Of the window, in the home; its language is that of the commands too."""

SETTINGS_BYTES: Final = 1 << 20
"""Of those that are read here: some thousands are usual."""

LOCALES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")

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

    catalogue: gettext.NullTranslations = gettext.NullTranslations()
    language: str = "en"


def speak(language: str) -> None:
    """Use another language from now on; English where no catalogue is found."""
    _Current.catalogue = gettext.NullTranslations()
    _Current.language = language
    try:  # by its name: to look for one as gettext does takes the locales of the world
        with open(f"{LOCALE}/{language}/LC_MESSAGES/{DOMAIN}.mo", "rb") as file:
            _Current.catalogue = gettext.GNUTranslations(file)
    except FileNotFoundError:
        return


def spoken() -> str:
    """Return the language in use."""
    return _Current.language


def wanted(home: PathLike[str] | str) -> str:
    """Return the language of a user at a terminal.

    First what `LANGUAGE` asks for, then what was chosen in the window of this home,
    then what the rest of the environment says.
    """
    for words in (_locale("LANGUAGE"), _chosen(home), *map(_locale, LOCALES)):
        for word in words.split(":"):
            if (code := word[:2].lower()) in LANGUAGES:
                return code
    return "en"


def _locale(name: str) -> str:
    """Return a variable of the environment, empty where it is not set."""
    return os.environ.get(name, "")


def _chosen(home: PathLike[str] | str) -> str:
    """Return the language chosen in a window; English is what nobody has chosen."""
    place = os.path.join(home, SETTINGS)
    try:
        status = os.stat(place)
        if not stat.S_ISREG(status.st_mode) or status.st_size > SETTINGS_BYTES:
            return ""  # a pipe would be waited for, by every command
        with open(place, "rb") as file:
            found = _language(file.read())
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    return "" if found == "en" else found


def _language(settings: bytes) -> str:
    import json  # noqa: PLC0415 (not before there are any settings)

    return str(json.loads(settings).get("language", ""))


def _(text: str) -> str:
    return _Current.catalogue.gettext(text) if text else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits the count, in the current language."""
    return _Current.catalogue.ngettext(one, many, count)
