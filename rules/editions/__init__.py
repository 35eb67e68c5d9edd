"""Editions: the tiles, board and word list of a word game, named by their digest.

    edition = find(shipped()["networdz"])
    edition.kinds[edition.blank].count

The source document calls this the configuration file.  The host's edition travels
to the peers as `encode` makes it and is checked there by `decode`.
"""

from rules.editions.edition import (
    BLOCKED,
    COLOURS,
    MAX_BYTES,
    MAX_SIDE,
    MIN_SIDE,
    PLAIN,
    Edition,
    EditionError,
    Kind,
    Problem,
    decode,
    encode,
    letter_factor,
    problems,
    word_factor,
)
from rules.editions.reading import read, write
from rules.editions.shelf import find, forget, load, own, register, shipped

__all__ = [
    "BLOCKED",
    "COLOURS",
    "MAX_BYTES",
    "MAX_SIDE",
    "MIN_SIDE",
    "PLAIN",
    "Edition",
    "EditionError",
    "Kind",
    "Problem",
    "decode",
    "encode",
    "find",
    "forget",
    "letter_factor",
    "load",
    "own",
    "problems",
    "read",
    "register",
    "shipped",
    "word_factor",
    "write",
]
