"""From what people type about a match to a game's options.

Editions and word lists are named: as shipped, as the user's own, by digest or by file.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from netplay.errors import Code, LocalError
from netplay.options import read_options
from netplay.sentences import Says
from netplay.table.resource_names import find_edition, find_words
from rules import editions, lexicon
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
