"""Word lists: packed graphs, named by the digest of their content.

    lexicon = find(shipped()["english"])
    lexicon.has((2, 0, 19))  # C A T, as indexes into lexicon.alphabet

Rules get the digest through a match's options and never see a path.
"""

from rules.lexicon.graph import (
    MAX_LENGTH,
    Lexicon,
    LexiconError,
    Word,
    find,
    forget,
    load,
    open_file,
    own,
    read,
    register,
    shipped,
)
from rules.lexicon.making import SIZES, Tiers, build, pack_tiers, tiers

__all__ = [
    "MAX_LENGTH",
    "SIZES",
    "Lexicon",
    "LexiconError",
    "Tiers",
    "Word",
    "build",
    "find",
    "forget",
    "load",
    "open_file",
    "own",
    "pack_tiers",
    "read",
    "register",
    "shipped",
    "tiers",
]
