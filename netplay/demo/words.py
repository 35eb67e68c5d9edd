"""An edition and a word list that no other node has, so that both must travel."""

from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from netplay.table.resources import Kind, Shelf
from rules import GAMES, editions, lexicon

NAME = "demo"


class Files(NamedTuple):
    """What to give `HostTable`; empty for games without words."""

    edition: str
    words: str


def make_files(game: str, folder: Path) -> Files:
    """Write an edition and a word list for a game that has them.

    The edition is the game's own under another name.  The word list is the game's own
    and one word more, the first in the alphabet that was not a word before.

    Args:
        game: A key of `GAMES`.
        folder: Where to write.
    """
    options: Any = GAMES[game].ABOUT.options()
    edition_file, words_file = "", ""
    if hasattr(options, "edition"):
        edition = replace(editions.find(options.edition), name=NAME)
        edition_file = str(folder / "demo.toml")
        Path(edition_file).write_text(editions.write(edition), "utf-8")
    if hasattr(options, "lexicon"):
        own = lexicon.find(options.lexicon)
        words_file = str(folder / "demo.graph")
        more = {*own.words(), new_word(own)}
        Path(words_file).write_bytes(lexicon.build(own.alphabet, more))
    return Files(edition_file, words_file)


def keep_files(files: Files, shelf: Shelf) -> None:
    """Use an edition and a word list here, and keep them for whoever looks later."""
    if files.edition:
        edition = editions.read(Path(files.edition).read_text("utf-8"))
        shelf.keep(Kind.EDITION, editions.encode(edition))
    if files.words:
        shelf.keep(Kind.LEXICON, Path(files.words).read_bytes())


def new_word(own: lexicon.Lexicon) -> lexicon.Word:
    """Return the shortest, first run of the first letter that is no word."""
    length = 3
    while own.has((0,) * length):
        length += 1
    return (0,) * length
