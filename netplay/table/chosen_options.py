"""From what people type about a match to a game's options.

Editions and word lists are named: as shipped, as the user's own, by digest or by file.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import HostTable
from netplay.named_files import FILE_MEMORY_BYTES, memory_capped
from netplay.options import read_options
from netplay.said import Words
from netplay.sentences import Says
from netplay.table.own_files import OwnFiles
from netplay.table.resource_names import find_edition, find_words
from netplay.table.resources import Kind, Shelf
from rules import GAMES, editions, lexicon
from rules.game import Game

_NAMED: Final = frozenset({"edition", "words", "lexicon"})
"""Keys of options that name a file."""


def chosen_options(
    game: Game[Any, Any],
    pairs: Iterable[tuple[str, str]],
    edition: str = "",
    words: str = "",
) -> Any:  # noqa: ANN401 (each game has options of its own)
    """Return the options struct that a user wishes for.

    Args:
        game: Whose options.
        pairs: (key, value) as typed; later ones replace earlier ones.
        edition: Name of an edition, if not among the pairs.
        words: Name of a word list, likewise.

    Raises:
        LocalError: USAGE, the game has no such option, or it no such value;
            BAD_EDITION or BAD_WORDS, what is named is not there or damaged.
    """
    pairs = list(pairs)
    given = {key.strip().lower(): value.strip() for key, value in pairs}
    edition = edition or given.get("edition", "")
    words = words or given.get("words", given.get("lexicon", ""))
    left = [pair for pair in pairs if pair[0].strip().lower() not in _NAMED]
    options = read_options(game, left)
    title, resources = game.ABOUT.title, game.ABOUT.resources
    if edition and "edition" not in resources:
        raise LocalError(Code.USAGE, Says.NO_EDITIONS(game=title))
    if words and "lexicon" not in resources:
        raise LocalError(Code.USAGE, Says.WITHOUT_WORDS(game=title))
    return replace(options, **_named(options, edition, words))


def is_of_files(table: HostTable) -> bool:
    """Tell whether an edition or a word list of a table has to be read from a file."""
    given = {key.strip().lower(): value.strip() for key, value in table.options}
    edition = table.edition or given.get("edition", "")
    words = table.words or given.get("words", given.get("lexicon", ""))
    return not (_is_here(edition, editions) and _is_here(words, lexicon))


def _is_here(name: str, shelf: Any) -> bool:  # noqa: ANN401 (the module of either)
    """Tell whether a name or a digest stands for something that is at hand."""
    if not name or name in shelf.shipped() or name in shelf.own():
        return True
    try:
        shelf.find(name)
    except LookupError:
        return False
    return True


def kept_files(table: HostTable, home: Path) -> tuple[str, Words, HostTable]:
    """Read, build and keep the files that a table names; runs in a worker.

    Args:
        table: As the user wishes it.
        home: Of the node.

    Returns:
        The name of a code and words, if it cannot be; else the table, with digests in
        the place of files.
    """
    try:
        with memory_capped(FILE_MEMORY_BYTES):
            return "", "", _with_digests(table, Home(home))
    except LocalError as error:
        return error.code.name, error.detail, table
    except MemoryError:
        place = table.words or table.edition
        return Code.FILE.name, Says.MEMORY_LIMIT(path=place), table


def _with_digests(table: HostTable, home: Home) -> HostTable:
    """Return the table with what it names kept in the home."""
    shelf = Shelf(home.words)
    OwnFiles(home).look()
    game = GAMES.get(table.game)
    if game is None:
        return table  # which is told by whoever forms it
    options = chosen_options(game, table.options, table.edition, table.words)
    found = game.ABOUT.digests(options)
    for kind in Kind:
        if digest := found.get(kind.value, ""):
            shelf.adopt(kind, bytes.fromhex(digest))
    pairs = [(k.strip().lower(), k, v) for k, v in table.options]
    named = {key for key, _, _ in pairs} & {"edition"} or table.edition
    left = tuple((k, v) for key, k, v in pairs if key not in _NAMED)
    edition = found.get("edition", "") if named else ""
    return replace(table, options=left, edition=edition, words=found["lexicon"])


def _named(
    options: Any,  # noqa: ANN401 (a game's own)
    edition: str,
    words: str,
) -> Mapping[str, str]:
    """Return the digests of what is named, and of an edition's own words.

    Args:
        options: Those of the game, with the fields that the names are for.
        edition: A name, empty for the edition there is.
        words: Likewise.
    """
    if edition:
        digest = find_edition(edition).hex()
        found = editions.find(digest)
        listed = find_words(words or found.words, found.alphabet).hex()
        return {"edition": digest, "lexicon": listed}
    if words:
        alphabet = lexicon.find(options.lexicon).alphabet
        return {"lexicon": find_words(words, alphabet).hex()}
    return {}
