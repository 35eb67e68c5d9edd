"""The dictionary tools, for commands and windows alike (source document, Dictionary).

Add, delete, import, export, check.  A list is given by name, digest or path; what
changes is written to a file, whole or not at all.
"""

from collections.abc import Sequence
from pathlib import Path

from netplay.errors import Code, LocalError
from netplay.named_files import WORD_TEXT_BYTES, read_named
from netplay.said import Said, spoken
from netplay.sentences import Says
from netplay.table.resources import find_edition, find_words, folds_of, put
from rules import editions, lexicon, wordlists
from rules.editions import Edition
from rules.lexicon import Lexicon, LexiconError


def edition_of(name: str) -> Edition:
    """Return the edition whose letters words are made of.

    Raises:
        LocalError: BAD_EDITION, there is none such.
    """
    return editions.find(find_edition(name).hex())


def list_of(name: str, edition: Edition) -> Lexicon:
    """Return a word list given by name, digest or file.

    Raises:
        LocalError: BAD_WORDS, there is none such, or its letters are others.
    """
    found = lexicon.find(find_words(name, edition.alphabet).hex())
    if found.alphabet != edition.alphabet:
        detail = Says.OTHER_LETTERS(name=name, edition=edition.name)
        raise LocalError(Code.BAD_WORDS, detail)
    return found


def change(
    verb: str, edition_name: str, name: str, words: Sequence[str], out: Path
) -> Said:
    """Add words to a list or delete them; return what was done.

    Args:
        verb: "add" or "delete".
        edition_name: Whose letters.
        name: The list as it is.
        words: As people write them.
        out: Where the changed list goes; a file in use may lie there.

    Raises:
        LocalError: BAD_WORDS, a word cannot be added or deleted; DISK.
    """
    edition = edition_of(edition_name)
    found = list_of(name, edition)
    try:
        if verb == "add":
            data, done = wordlists.add(found, words, edition.longest), Says.ADDED
        else:
            data, done = wordlists.delete(found, words), Says.DELETED
    except LexiconError as error:
        raise LocalError(Code.BAD_WORDS, spoken(error)) from error
    put(out, data)
    return done(count=len(words))


def import_text(edition_name: str, file: Path, out: Path) -> Said:
    """Make a list from text; a faulty line leaves everything as it was.

    Raises:
        LocalError: BAD_WORDS, the file cannot be read, or a line is faulty; DISK.
    """
    edition = edition_of(edition_name)
    folds = folds_of(edition.alphabet)
    try:
        place = file.expanduser()
        text = read_named(place, WORD_TEXT_BYTES, Code.BAD_WORDS).decode("utf-8-sig")
        words = wordlists.import_text(edition.alphabet, text, edition.longest, folds)
        data = lexicon.build(edition.alphabet, words, folds)
    except OSError as error:
        raise LocalError(
            Code.BAD_WORDS, Says.AT(place=file, why=error.strerror)
        ) from error
    except UnicodeDecodeError:
        raise LocalError(Code.BAD_WORDS, Says.NOT_UTF_8(path=file)) from None
    except LexiconError as error:
        raise LocalError(Code.BAD_WORDS, spoken(error)) from error
    put(out, data)
    return Says.IMPORTED(count=len(words))


def export_text(edition_name: str, name: str, out: Path) -> Said:
    """Write a list as text.

    Raises:
        LocalError: BAD_WORDS, there is none such; DISK.
    """
    found = list_of(name, edition_of(edition_name))
    put(out.expanduser(), wordlists.export_text(found).encode())
    return Says.WORDS_EXPORTED(count=found.count, path=out)


def check(edition_name: str, name: str, words: Sequence[str]) -> list[bool]:
    """Return of each word whether the list has it.

    Raises:
        LocalError: BAD_WORDS, there is no such list.
    """
    found = list_of(name, edition_of(edition_name))
    return [wordlists.check(found, word) for word in words]


def look(edition_name: str, name: str, word: str) -> Said:
    """Return whether a list has a word; if not, why it is refused, and who has it.

    Raises:
        LocalError: BAD_WORDS, there is no such list.
    """
    edition, word = edition_of(edition_name), word.strip()
    found, shown = list_of(name, edition), word.upper()
    there = wordlists.check(found, word)
    first = (Says.A_WORD if there else Says.NO_WORD)(word=shown)
    try:
        wordlists.checked(found.alphabet, word, edition.longest, found.folds)
    except LexiconError as error:
        return Says.THEN(first=first, then=spoken(error))
    if there:
        return first
    others = ", ".join(_having(word, found))
    then = Says.OTHERS_HAVE_IT(lists=others) if others else Says.NO_LIST_HAS_IT()
    return Says.THEN(first=first, then=then)


def _having(word: str, looked: Lexicon) -> list[str]:
    """Return the names of the other lists of the same letters that have a word."""
    named = {**lexicon.shipped(), **lexicon.own()}
    lists = {name: lexicon.find(digest) for name, digest in named.items()}
    return [
        name
        for name, each in lists.items()
        if each.alphabet == looked.alphabet and wordlists.check(each, word)
    ]
