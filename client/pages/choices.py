"""What there is to choose from in the preferences, in the user's language."""

from collections.abc import Iterable
from functools import cache

from client import cells, texts
from client.board import find
from client.pages import real_time
from client.settings import SPEEDS, WAITS
from client.texts import _
from client.theme import SCALES, largest
from rules import GAMES


def lists(size: tuple[int, int]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return, for each drop-down, (value, words).

    Args:
        size: The window's.
    """
    return {
        "set.theme": _themes(),
        "set.scale": tuple((str(s), f"{s} %") for s in scales(size)),
        "set.language": tuple(texts.LANGUAGES.items()),
        "set.animation": _named(SPEEDS, _("off"), _("slow"), _("normal"), _("fast")),
        "set.pause": _named(WAITS, _("none"), _("short"), _("normal")),
        "set.cells": _ways(),
        **real_time.lists(),
    }


def titles() -> dict[str, str]:
    """Return what stands before each drop-down."""
    return {
        "set.theme": _("Colours"),
        "set.scale": _("Size of everything"),
        "set.language": _("Language"),
        "set.animation": _("Animation"),
        "set.pause": _("Pause before computers' moves"),
        "set.cells": _("Cells of {game}").format(game=", ".join(_two_named())),
        **real_time.titles(),
    }


def scales(size: tuple[int, int]) -> tuple[int, ...]:
    """Return the scales for which a window has room."""
    return tuple(s for s in SCALES if s <= largest(size)) or SCALES[:1]


def _themes() -> tuple[tuple[str, str], ...]:
    return ("light", _("light")), ("dark", _("dark")), ("contrast", _("high contrast"))


def _named(values: Iterable[str], *names: str) -> tuple[tuple[str, str], ...]:
    return tuple(zip(values, names, strict=True))


def _ways() -> tuple[tuple[str, str], ...]:
    """Return the ways to call cells, each with what one is called then."""
    examples = zip(*_two_named().values(), strict=True)
    both = zip((cells.LETTERS, cells.PAGE), examples, strict=False)
    return tuple((way, ", ".join(names)) for way, names in both)


@cache
def _two_named() -> dict[str, tuple[str, str]]:
    """Return the titles of games in which cells have two names, and an example."""
    found = {each.ABOUT.title: find(name).TRAITS.cells for name, each in GAMES.items()}
    return {title: names for title, names in found.items() if names is not None}
