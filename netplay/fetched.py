"""Editions and word lists that the node has fetched: registered here from the home.

The node has checked them against their digests and keeps each as a file that bears
its digest as name; the rules then find them by that digest.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from rules import editions, lexicon

FOLDER: Final = "words"
"""Within the home."""


def restore(home: Path) -> None:
    """Register all that is kept; what is damaged or misnamed is left alone."""
    kinds: dict[str, Callable[[bytes, str], None]] = {
        "edition": _edition,
        "lexicon": _lexicon,
    }
    for suffix, register in kinds.items():
        for path in sorted((home / FOLDER).glob(f"*.{suffix}")):
            try:
                register(path.read_bytes(), path.stem)
            except (OSError, ValueError):
                continue


def _edition(data: bytes, digest: str) -> None:
    found = editions.decode(data)
    if found.digest == digest:
        editions.register(found)


def _lexicon(data: bytes, digest: str) -> None:
    """Register a word list if it is what its name says."""
    found = lexicon.read(data)
    if found.digest == digest:
        lexicon.register(found)
