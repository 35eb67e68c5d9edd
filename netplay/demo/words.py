"""An edition and a word list that no other node has, so that both must travel."""

from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from netplay.table.resource_names import find_edition, find_words
from netplay.table.resources import Kind, Shelf
from rules import GAMES, editions, lexicon

NAME = "demo"


class Files(NamedTuple):
    """What to give `HostTable`; empty for games without words."""

    edition: str
    words: str


def make_files(
    game: str, folder: Path, edition_name: str = "", words_name: str = ""
) -> Files:
    """Write an edition and a word list for a game that has them.

    The edition is a known one under another name.  The word list is a known one and
    one word more, the first in the alphabet that was not a word before.

    Args:
        game: A key of `GAMES`.
        folder: Where to write.
        edition_name: Name, digest or path; empty for the game's own edition.
        words_name: The same of a word list; empty for the edition's own.

    Raises:
        LocalError: There is no such edition or word list.
    """
    about = GAMES[game].ABOUT
    options: Any = about.options()
    edition_file, words_file = "", ""
    if "edition" in about.resources:
        digest = find_edition(edition_name).hex() if edition_name else options.edition
        edition = editions.find(digest)
        edition_file = str(folder / "demo.toml")
        text = editions.write(replace(edition, name=NAME))
        Path(edition_file).write_text(text, "utf-8")
        options = replace(
            options,
            lexicon=find_words(words_name or edition.words, edition.alphabet).hex(),
        )
    if "lexicon" in about.resources:
        own = lexicon.find(options.lexicon)
        words_file = str(folder / "demo.graph")
        data = lexicon.build(own.alphabet, {*own.words(), new_word(own)}, own.folds)
        Path(words_file).write_bytes(data)
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
