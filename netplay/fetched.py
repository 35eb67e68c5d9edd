"""Editions and word lists that the node has fetched: registered here from the home.

The node has checked them against their digests and keeps each as a file that bears
its digest as name; the rules then find them by that digest.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from netplay.errors import LocalError
from netplay.named_files import EDITION_BYTES, read_named
from rules import editions, lexicon

FOLDER: Final = "words"
"""Within the home."""


def restore(home: Path) -> None:
    """Register what is kept and not known yet; what is damaged is left alone."""
    kinds: dict[str, tuple[Callable[[str], object], Callable[[Path], None]]] = {
        "edition": (editions.find, _edition),
        "lexicon": (lexicon.find, _lexicon),
    }
    for suffix, (find, register) in kinds.items():
        for path in sorted((home / FOLDER).glob(f"*.{suffix}")):
            with suppress(LookupError):
                find(path.stem)
                continue
            with suppress(OSError, ValueError, LocalError):
                register(path)


def _edition(path: Path) -> None:
    found = editions.decode(read_named(path, EDITION_BYTES))
    if found.digest == path.stem:
        editions.register(found)


def _lexicon(path: Path) -> None:
    """Register a word list if it is what its name says: checked when it was kept."""
    found = lexicon.open_file(path)
    found.compare()
    if found.digest == path.stem:
        lexicon.register(found)
