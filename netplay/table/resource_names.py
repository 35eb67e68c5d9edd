"""Editions and word lists by what players call them: a name, a digest, or a file."""

from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path

from netplay.errors import Code, LocalError
from netplay.named_files import EDITION_BYTES, WORD_TEXT_BYTES, read_named
from netplay.record.copies import place_of
from netplay.sentences import Says
from rules import editions, lexicon, wordlists
from rules.sentence import sentence


def find_edition(name: str) -> bytes:
    """Return the digest of an edition given by name, digest or path of a TOML file.

    Raises:
        LocalError: BAD_EDITION, there is none, or the file is faulty.
    """
    named = {**editions.shipped(), **editions.own()}
    if name in named:
        return bytes.fromhex(named[name])
    try:
        return bytes.fromhex(editions.find(name).digest)
    except LookupError:
        pass
    try:
        path = place_of(name)
        text = read_named(path, EDITION_BYTES, Code.BAD_EDITION).decode()
        edition = editions.read(text)
    except FileNotFoundError:
        names = ", ".join(named)
        detail = Says.NO_EDITION(name=name, names=names)
        raise LocalError(Code.BAD_EDITION, detail) from None
    except OSError as error:
        detail = Says.AT(place=name, why=error.strerror)
        raise LocalError(Code.BAD_EDITION, detail) from None
    except ValueError as error:
        raise LocalError(Code.BAD_EDITION, Says.AT(place=name, why=error)) from error
    editions.register(edition)
    return bytes.fromhex(edition.digest)


def find_words(name: str, alphabet: tuple[str, ...]) -> bytes:
    """Return the digest of a word list given by name, digest or path of a file.

    Args:
        name: Of a shipped list, a digest, or a file: a packed graph, or text with one
            word a line.
        alphabet: The letters of the edition.

    Raises:
        LocalError: BAD_WORDS, there is none, or the file is faulty.
    """
    named = {**lexicon.shipped(), **lexicon.own()}
    if name in named:
        return bytes.fromhex(named[name])
    try:
        return bytes.fromhex(lexicon.find(name).digest)
    except LookupError:
        pass
    found = read_words(place_of(name), alphabet)
    lexicon.register(found)
    return bytes.fromhex(found.digest)


def read_words(path: Path, alphabet: tuple[str, ...]) -> lexicon.Lexicon:
    """Return the word list of a file, packed or text.

    Raises:
        LocalError: BAD_WORDS, the file cannot be read or is no word list.
    """
    try:
        data = read_named(path, WORD_TEXT_BYTES, Code.BAD_WORDS)
        if data.startswith(b"NPWORDS"):
            return lexicon.read(data)
        words = _spell(data.decode(), alphabet)
        return lexicon.read(lexicon.build(alphabet, words, folds_of(alphabet)))
    except OSError as error:
        names = ", ".join({**lexicon.shipped(), **lexicon.own()})
        detail = Says.NO_LIST(path=path, why=error.strerror, names=names)
        raise LocalError(Code.BAD_WORDS, detail) from error
    except UnicodeDecodeError:
        raise LocalError(Code.BAD_WORDS, Says.NOT_UTF_8(path=path)) from None
    except ValueError as error:
        raise LocalError(Code.BAD_WORDS, Says.AT(place=path, why=error)) from error


def folds_of(alphabet: tuple[str, ...]) -> Mapping[int, int]:
    """Return which letters count as others in the shipped list of an alphabet."""
    lists = (lexicon.load(name) for name in lexicon.shipped())
    nothing: dict[int, int] = {}
    return next((each.folds for each in lists if each.alphabet == alphabet), nothing)


def _spell(text: str, alphabet: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the words of a text, in any order, as letters.

    One by one: millions of them as they are counted here take a gigabyte.

    Raises:
        ValueError: A line has something that is no letter; it is named.
    """
    for number, line in enumerate(StringIO(text, newline=None), 1):
        if line.strip():
            try:
                yield wordlists.split(alphabet, line.strip())
            except lexicon.LexiconError as error:
                why = sentence("line {number}: {why}", number=number, why=error.words)
                raise lexicon.LexiconError(why) from error
