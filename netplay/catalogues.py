"""The catalogues of texts, and which of them is the user's.

This is all that `--help` needs: it loads nothing that takes long.  What nodes and rules
say is put into words by `netplay.language`.

The language may change at any time.  Call `_` where a text is shown, never where a
module is loaded, or it stays in the language of the start.
"""

import gettext
import json
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LOCALE: Final = Path(__file__).parents[1] / "client" / "assets" / "locale"
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
    _Current.catalogue = gettext.translation(
        DOMAIN, LOCALE, languages=[language], fallback=True
    )
    _Current.language = language


@contextmanager
def usage() -> Generator[None]:
    """Let `argparse`, which asks gettext by itself, say what is wrong in that language.

    What it says is in our catalogue, too; it looks for the language in the
    environment.
    """
    before = os.environ.get("LANGUAGE")
    gettext.bindtextdomain(DOMAIN, LOCALE)
    domain = gettext.textdomain()
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = spoken()
    try:
        yield
    finally:
        gettext.textdomain(domain)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def spoken() -> str:
    """Return the language in use."""
    return _Current.language


def wanted(home: Path) -> str:
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


def _chosen(home: Path) -> str:
    """Return the language chosen in a window; English is what nobody has chosen."""
    place = home / SETTINGS
    try:
        status = place.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > SETTINGS_BYTES:
            return ""  # a pipe would be waited for, by every command
        found = json.loads(place.read_bytes()).get("language", "")
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    return "" if found == "en" else str(found)


def _(text: str) -> str:
    return _Current.catalogue.gettext(text) if text else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits the count, in the current language."""
    return _Current.catalogue.ngettext(one, many, count)
