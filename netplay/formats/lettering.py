"""Tiles as text: a letter each, `[CH]` for several, `?` for a blank."""

import re
from collections.abc import Iterable
from typing import Final

from rules.networdz import Ground
from rules.sentence import RulesError


class LetterError(RulesError, ValueError):
    """A text names a tile that the edition does not have."""


_TOKEN: Final = re.compile(r"\[[^\]]*\]|.")


def tokens(text: str) -> list[str]:
    """Return the single tiles of a text, without the brackets."""
    return [token.strip("[]") for token in _TOKEN.findall(text)]


def letter(name: str, ground: Ground) -> int:
    """Return the index of a letter of the edition, or -1."""
    return ground.alphabet.index(name) if name in ground.alphabet else -1


def kinds(text: str, ground: Ground) -> tuple[int, ...]:
    """Return the kinds of the tiles that a text names.

    Raises:
        LetterError: The edition has no such tile; the message names it.
    """
    found: list[int] = []
    for name in tokens(text):
        kind = ground.blank if name == "?" else letter(name.upper(), ground)
        if kind < 0:
            raise LetterError("{name} is no tile of this edition", name=repr(name))
        found.append(kind)
    return tuple(found)


def spell(kinds_: Iterable[int], ground: Ground) -> str:
    """Return tiles as text."""
    return "".join(
        "?" if kind == ground.blank else bracketed(ground.alphabet[kind])
        for kind in kinds_
    )


def bracketed(name: str) -> str:
    """Return a tile's letters, in brackets if they are several."""
    return name if len(name) == 1 else f"[{name}]"
