"""Words that were looked at one by one, which no source decides: `chosen.toml`."""

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = Path(__file__).with_name("chosen.toml")


class Chosen(NamedTuple):
    """What was decided for a language, as words in lower case on its tiles."""

    two: frozenset[str]
    """All its words of two tiles."""

    more: frozenset[str]
    """Longer words that its source lacks."""

    less: frozenset[str]
    """Longer words that its source has and that are none."""


def _read() -> dict[str, Chosen]:
    """Return what was decided for each language."""
    with FILE.open("rb") as file:
        tables = tomllib.load(file)
    return {
        name: Chosen(*(frozenset(table[key].split()) for key in Chosen._fields))
        for name, table in tables.items()
    }


CHOSEN: Final = _read()
"""Name of the word list -> what was decided for it."""
