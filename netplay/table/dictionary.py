"""The dictionary tools, for commands and windows alike (source document, Dictionary).

Add, delete, import, export, check.  A list is given by name, digest or path; what
changes is written to a file, whole or not at all.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import comb, prod
from pathlib import Path
from typing import Final, TypeAlias

from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.node_questions import Search
from netplay.named_files import WORD_TEXT_BYTES, place_of, read_named
from netplay.players.words.leaves import BLANK_NAME, known
from netplay.said import Said, spoken
from netplay.sanitize import clean
from netplay.sentences import Says
from netplay.table.resources import LIST, find_edition, find_words, folds_of, put
from rules import editions, lexicon, wordlists
from rules.editions import Edition
from rules.lexicon import Lexicon, LexiconError, Word


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
        place = place_of(file)
        text = read_named(place, WORD_TEXT_BYTES, Code.BAD_WORDS).decode("utf-8-sig")
        lines = [line.partition("\t") for line in text.split("\n")]
        text = "\n".join(line[0] for line in lines)
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
    _define(out, edition, dict(zip(words, (line[2] for line in lines), strict=False)))
    return Says.IMPORTED(count=len(words))


def export_text(home: Home, edition_name: str, name: str, out: Path) -> Said:
    """Write a list as text, with what its words mean where the list has that.

    Raises:
        LocalError: BAD_WORDS, there is none such; DISK.
    """
    found = list_of(name, edition_of(edition_name))
    text, defined = wordlists.export_text(found), _defined(home, name)
    if defined:
        parted = (line.partition("\t") for line in defined.split("\n"))
        meant = {word: meaning.strip() for word, _tab, meaning in parted}
        lines = (f"{word}\t{meant.get(word, '')}" for word in text.split("\n"))
        text = "\n".join(line.rstrip("\t") for line in lines)
    put(place_of(out), text.encode())
    return Says.WORDS_EXPORTED(count=found.count, path=out)


# What words mean, where a list says so: a file beside that of the list, with words and
# definitions as they came. It does not travel, for no match depends on it.


DEFINED: Final = ".definitions"
"""What is added to the name of a list's file."""

MEANING: Final = 240
"""Characters of a definition that are shown."""

LINE: Final = 4 * MEANING
"""Characters of a definition that are read, signs that are not shown among them."""


def _define(out: Path, edition: Edition, meant: Mapping[Word, str]) -> None:
    """Keep what the words of a list mean beside its file; forget what stood there."""
    beside = out.with_name(out.name + DEFINED)
    lines = [
        f"{wordlists.spell(edition.alphabet, word)}\t{text.strip()}\n"
        for word, text in meant.items()
        if text.strip()
    ]
    if lines:
        put(beside, "".join(lines).encode())
        return
    try:
        beside.unlink(missing_ok=True)
    except OSError as error:
        why = Says.AT(place=beside, why=error.strerror)
        raise LocalError(Code.DISK, why) from None


def _defined(home: Home, name: str) -> str:
    """Return what `_define` has kept of a list, empty where that is nothing."""
    named = name in {**lexicon.shipped(), **lexicon.own()}
    place = home.dictionaries / f"{name}{LIST}" if named else place_of(name)
    try:
        beside = place.with_name(place.name + DEFINED)
        return read_named(beside, WORD_TEXT_BYTES, Code.BAD_WORDS).decode()
    except (OSError, ValueError, LocalError):
        return ""


def meanings(home: Home, digest: str, words: Iterable[str]) -> dict[str, str]:
    """Return what words of a list mean, those of which somebody has said it.

    Args:
        home: Where the user's lists lie.
        digest: The list.
        words: As people write them.
    """
    named = {**lexicon.shipped(), **lexicon.own()}
    places = (name for name, each in named.items() if each == digest)
    defined = next(filter(None, (_defined(home, name) for name in places)), "")
    if not defined:
        return {}
    told = {word: _meaning(defined, lexicon.find(digest), word) for word in words}
    return {word: meaning for word, meaning in told.items() if meaning}


def _meaning(defined: str, found: Lexicon, word: str) -> str:
    """Return what a word means by what `_defined` has returned of its list."""
    try:
        signs = wordlists.split(found.alphabet, word, found.folds)
    except LexiconError:  # laid in a game, unchallenged
        return ""
    # A list may have hundreds of thousands of words: they are not taken apart for one.
    start = f"{wordlists.spell(found.alphabet, signs)}\t"
    at = 0 if defined.startswith(start) else defined.find(f"\n{start}") + 1
    if not defined.startswith(start, at):
        return ""
    line = defined[at + len(start) : at + len(start) + LINE].partition("\n")[0]
    meaning = clean(line.strip(), MEANING + 1)
    if len(meaning) > MEANING:
        meaning = f"{meaning[:MEANING].rpartition(' ')[0]} …"
    return meaning


def in_list(edition_name: str, name: str, words: Sequence[str]) -> list[bool]:
    """Return of each word whether the list has it.

    Raises:
        LocalError: BAD_WORDS, there is no such list.
    """
    found = list_of(name, edition_of(edition_name))
    return [wordlists.check(found, word) for word in words]


def look_up(home: Home, edition_name: str, name: str, word: str) -> Said:
    """Return whether a list has a word, and what it means, if the list says so.

    If it has not: why it is refused, and which lists have it.

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
        meaning = _meaning(_defined(home, name), found, word)
        return Says.MEANS(first=first, meaning=meaning) if meaning else first
    named = {**lexicon.shipped(), **lexicon.own()}
    lists = {name: lexicon.find(digest) for name, digest in named.items()}
    having = [
        name
        for name, each in lists.items()
        if each.alphabet == found.alphabet and wordlists.check(each, word)
    ]
    others = ", ".join(having)
    then = Says.OTHERS_HAVE_IT(lists=others) if others else Says.NO_LIST_HAS_IT()
    return Says.THEN(first=first, then=then)


# Looking for words by what is known of them.


ANY: Final = -1
"""In a pattern one letter, whichever; among letters a blank."""

MANY: Final = -2
"""In a pattern any number of letters, or none."""

LETTERS: Final = 12
"""Of which words are made."""

BLANKS: Final = 2
"""Among them."""

_SIGNS: Final = {BLANK_NAME: ANY, "*": MANY}

_USED: Final[Mapping[Search, str]] = {
    "pattern": f"{BLANK_NAME}*",
    "anagrams": BLANK_NAME,
    "hooks": "",
}
"""Which of the signs mean something; the others are on no tile."""


def search(edition_name: str, name: str, how: Search, text: str) -> list[str]:
    """Return the words of a list that fit, of one length the likeliest drawn first.

    Args:
        edition_name: Whose letters, and how many tiles of each there are.
        name: The list.
        how: `pattern`: those that look so, `?` for a letter and `*` for any number;
            `anagrams`: those that some letters spell, `?` for a blank, the longest
            first; `hooks`: those that a letter before or behind makes of a word.
        text: The pattern, the letters, the word.

    Raises:
        LocalError: BAD_WORDS, there is no such list; USAGE, the text is nothing to
            look for.
    """
    return search_first(edition_name, name, how, text, sys.maxsize)[1]


def search_first(
    edition_name: str, name: str, how: Search, text: str, most: int
) -> tuple[int, list[str]]:
    """Return how many words fit, and the first of them, as `search` does.

    A pattern may fit a million words.  No more of them are spelled out than are told:
    the node would be busy with them while its matches wait.
    """
    edition = edition_of(edition_name)
    found, signs = _read(edition, name, text, _USED[how])
    if how == "anagrams":
        _check_rack(signs, LETTERS)
        words = list(set(_spelled(found, signs)))
        count = len(words)
    elif how == "hooks":
        numbers = range(len(found.alphabet))
        longer = [*((n, *signs) for n in numbers), *((*signs, n) for n in numbers)]
        fits = {word for word in longer if min(word) >= 0 and found.has(word)}
        words = list(fits)
        count = len(words)
    else:
        pattern = _Pattern(found, signs)
        count, words = pattern.count, pattern.shortest(most)

    def key(word: Word) -> tuple[int, int, Word]:
        length = -len(word) if how == "anagrams" else len(word)
        return length, -ways(edition, word), word

    first = sorted(words, key=key)[:most]
    return count, [wordlists.spell(found.alphabet, word) for word in first]


def worth_kept(edition_name: str, name: str, text: str) -> float:
    """Return what tiles kept on the rack are worth, in points.

    Raises:
        LocalError: BAD_WORDS, there is no such list, or nobody has learned what tiles
            are worth with these words; USAGE, the text is none to look for.
    """
    edition = edition_of(edition_name)
    found, signs = _read(edition, name, text, BLANK_NAME)
    _check_rack(signs, edition.rack)
    table, blank = known(found), len(found.alphabet)
    if table is None:
        raise LocalError(Code.BAD_WORDS, Says.NO_LEAVES(name=name))
    return table.worth(sorted(blank if sign == ANY else sign for sign in signs))


def _read(
    edition: Edition, name: str, text: str, used: str
) -> tuple[Lexicon, list[int]]:
    """Return a list, and letters and signs as it has them."""
    found, signs = list_of(name, edition), list[int]()
    try:
        for part in re.split(r"([?*])", "".join(text.split())):
            if part and part in used:
                signs.append(_SIGNS[part])
            elif part:
                signs += wordlists.split(found.alphabet, part, found.folds)
    except LexiconError as error:
        raise LocalError(Code.USAGE, spoken(error)) from error
    if not signs:
        raise LocalError(Code.USAGE, Says.NOTHING_SOUGHT())
    return found, signs


def _check_rack(signs: Sequence[int], most: int) -> None:
    """Refuse what takes long, every part of the letters is looked at, or is no rack.

    Raises:
        LocalError: USAGE, there are too many.
    """
    if len(signs) > most or signs.count(ANY) > BLANKS:
        raise LocalError(Code.USAGE, Says.LETTERS_MOST(count=most))


_At: TypeAlias = tuple[int, int]
"""Where a beginning is: in the list, and at which places of the pattern, a bit each."""


class _Pattern:
    """What words are to look like.

    All places in the pattern at which a beginning may be are followed at once: several
    signs for any number would else double the ways with every letter.
    """

    def __init__(self, found: Lexicon, pattern: Sequence[int]) -> None:
        """Count the words that look so: beginnings that go on alike are one."""
        signs = [
            sign
            for sign, same in groupby(pattern)
            for _ in ([sign] if sign == MANY else same)
        ]
        self._found: Final = found
        self._end: Final = 1 << len(signs)
        self._many = sum(1 << at for at, sign in enumerate(signs) if sign == MANY)
        self._taking = [
            sum(1 << at for at, sign in enumerate(signs) if sign in {letter, ANY})
            for letter in range(len(found.alphabet))
        ]
        self._start: Final[_At] = found.root, 1 | (self._many & 1) << 1
        self._counts: Final[dict[_At, int]] = {}
        waiting = [self._start]
        while waiting:
            after = [to for _letter, to in self._longer(waiting[-1])]
            if unknown := [to for to in after if to not in self._counts]:
                waiting += unknown
            else:
                at = waiting.pop()
                self._counts[at] = self._ends(at) + sum(
                    self._counts[to] for to in after
                )

    @property
    def count(self) -> int:
        """How many words look so."""
        return self._counts[self._start]

    def shortest(self, most: int) -> list[Word]:
        """Return words that look so, the shortest, of each length all or none.

        Args:
            most: With so many no longer ones are looked for.
        """
        words: list[Word] = []
        level: list[tuple[Word, _At]] = [((), self._start)]
        while level and len(words) < most:
            words += [word for word, at in level if self._ends(at)]
            level = [
                ((*word, letter), to)
                for word, at in level
                for letter, to in self._longer(at)
                if self._counts[to]
            ]
        return words

    def _longer(self, at: _At) -> Iterator[tuple[int, _At]]:
        """Yield the letters that may follow a beginning, and where each leads."""
        node, places = at
        for letter, to in self._found.arcs(node):
            on = (places & self._taking[letter]) << 1 | places & self._many
            if on:
                yield letter, (to, on | (on & self._many) << 1)

    def _ends(self, at: _At) -> bool:
        node, places = at
        return bool(places & self._end) and self._found.ends(node)


def _spelled(found: Lexicon, signs: Sequence[int]) -> Iterator[Word]:
    """Yield the words that letters, or some of them, spell."""
    waiting: list[tuple[Word, int]] = [((), found.root)]
    held = Counter(signs)
    while waiting:
        word, node = waiting.pop()
        if found.ends(node):
            yield word
        if len(word) < len(signs):
            for letter, to in found.arcs(node):
                longer = (*word, letter)
                if (Counter(longer) - held).total() <= held[ANY]:
                    waiting.append((longer, to))


def ways(edition: Edition, word: Word) -> int:
    """Return in how many ways the tiles of a word can be drawn, blanks left out."""
    counts = edition.counts
    return prod(comb(counts[n], many) for n, many in Counter(word).items())
