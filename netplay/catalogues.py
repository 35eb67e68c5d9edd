"""The catalogues of texts, and which of them is the user's.

This is all that `--help` needs: it loads nothing that takes long, not even `pathlib`.
What nodes and rules say is put into words by `netplay.language`.

The language may change at any time.  Call `_` where a text is shown, never where a
module is loaded, or it stays in the language of the start.
"""

import os
import stat
from collections.abc import Callable
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


class _Catalogue:
    """The texts of one language: those asked for are found in the bytes of its file.

    Python's own `gettext` reads all three thousand of a file before the first is asked
    for; that, and loading it, takes a third of what `--help` takes.  English has no
    file: each text is its own translation.
    """

    def __init__(self, language: str = "en", data: bytes = bytes(20)) -> None:
        """Take a `.mo` file, whose texts stand in the order of the English ones."""
        self.language: Final = language
        self._data: Final = data
        self._count, self._ids, self._texts = map(self._number, (8, 12, 16))
        self._found: Final[dict[str, list[str]]] = {}
        self._form: Callable[[int], int] | None = None

    def text(self, english: str) -> str:
        """Return a text; English where the file has none."""
        return self._forms(english)[0]

    def form(self, one: str, many: str, count: int) -> str:
        """Return the form of a text that fits a count."""
        forms = self._forms(f"{one}\0{many}")
        if not self._count:
            return forms[count != 1]
        if self._form is None:
            from gettext import c2py  # noqa: PLC0415 (few commands count anything)

            rule = self.text("").partition("plural=")[2].partition(";")[0]
            self._form = c2py(rule)
        return forms[min(self._form(count), len(forms) - 1)]

    def _forms(self, english: str) -> list[str]:
        """Return what stands for a text; for one that counts something, all forms."""
        known = self._found.get(english)
        if known is None:
            known = (self._look(english.encode()) or english).split("\0")
            self._found[english] = known
        return known

    def _look(self, english: bytes) -> str:
        """Return what stands for a text, empty for nothing: by halving."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._at(self._ids, middle) < english:
                low = middle + 1
            else:
                high = middle
        if low == self._count:
            return ""
        # Of a text that counts something, the form for one may be asked for alone.
        found = (self._at(self._ids, low) + b"\0").startswith(english + b"\0")
        return self._at(self._texts, low).decode() if found else ""

    def _at(self, table: int, index: int) -> bytes:
        """Return a text of one of the two tables, which tell its length and place."""
        at = table + 8 * index
        size, start = self._number(at), self._number(at + 4)
        return self._data[start : start + size]

    def _number(self, at: int) -> int:
        return int.from_bytes(self._data[at : at + 4], "little")


class _Current:
    """The one catalogue in use."""

    catalogue: _Catalogue = _Catalogue()


def speak(language: str) -> None:
    """Use another language from now on; English where no catalogue is found."""
    _Current.catalogue = _Catalogue(language)
    try:  # by its name: to look for one as gettext does takes the locales of the world
        with open(f"{LOCALE}/{language}/LC_MESSAGES/{DOMAIN}.mo", "rb") as file:
            _Current.catalogue = _Catalogue(language, file.read())
    except FileNotFoundError:
        return


def spoken() -> str:
    """Return the language in use."""
    return _Current.catalogue.language


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
        import json  # noqa: PLC0415 (not before there are any settings)

        with open(place, "rb") as file:
            found = str(json.loads(file.read()).get("language", ""))
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
    return "" if found == "en" else found


def _(text: str) -> str:
    return _Current.catalogue.text(text) if text else ""


def ngettext(one: str, many: str, count: int) -> str:
    """Return the form of the text that fits the count, in the current language."""
    return _Current.catalogue.form(one, many, count)
