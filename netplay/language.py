"""Texts in the user's language: those of the window, and what nodes and rules say."""

import errno
import os
from collections.abc import Mapping
from typing import Final

from netplay.catalogues import LANGUAGES, LOCALE, _, ngettext, speak, spoken
from netplay.said import TEMPLATES, Said, Value, filled

_OF_THE_SYSTEM: Final[Mapping[object, Said]] = {
    os.strerror(errno.ENOSPC): Said("DISK_IS_FULL"),
    os.strerror(errno.EFBIG): Said("FILE_AT_LIMIT"),
    os.strerror(errno.EROFS): Said("DISK_IS_READ_ONLY"),
    os.strerror(errno.EACCES): Said("NOT_ALLOWED"),
    os.strerror(errno.ENOENT): Said("NO_FILE_THERE"),
    os.strerror(errno.EIO): Said("DISK_FAILS"),
}
"""What systems say of files in words of their own, mostly English ones."""


def phrase(value: Value | None) -> str:
    """Return what is said in the current language; names and numbers as they are."""
    value = _OF_THE_SYSTEM.get(value, value)
    if not isinstance(value, Said):
        return "" if value is None else str(value)
    if value.code == "DECIMAL":  # no text that could be translated
        return _pointed(str(value))
    template = _(TEMPLATES.get(value.code, value.code))
    return filled(template, {name: phrase(each) for name, each in value.values})


def decimal(value: float, sign: str = "") -> str:
    """Return a number with one decimal, as the current language writes it.

    Args:
        value: The number.
        sign: "+" to begin those from nought on with it.
    """
    return _pointed(f"{value:{sign}z.1f}")  # never -0.0


def _pointed(number: str) -> str:
    return number if spoken() == "en" else number.replace(".", ",")


def sentence(value: Value | None) -> str:
    """Return the same as it stands alone: a capital first, but no name is changed."""
    text, first = phrase(value), value
    while isinstance(first, Said):
        template = _(TEMPLATES.get(first.code, first.code))
        if not template.startswith("{"):
            return capital(text)
        first = dict(first.values).get(template[1 : template.index("}")])
    return text


def capital(text: str) -> str:
    """Return a text with a capital first."""
    return text[:1].upper() + text[1:]


__all__ = [
    "LANGUAGES",
    "LOCALE",
    "_",
    "capital",
    "decimal",
    "ngettext",
    "phrase",
    "sentence",
    "speak",
    "spoken",
]
