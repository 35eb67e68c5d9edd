"""Which edition and word list are meant by the names that other programs use.

A record or a position names its tiles (`english set`, `french`), its board
(`CrosswordGame`), its words (`CSW21`, `FRA20`) and its game (`classic`).  Each name may
be missing, and then follows from the others: words of a language are played with its
tiles.  What is not here is said, and never taken for something else.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from msgspec import Struct

from netplay.formats.placing import Faults
from rules import editions, lexicon
from rules.editions import Edition
from rules.sentence import sentence

STANDARD: Final = "standard"
"""The edition that is meant where nothing is named."""

_NOISE: Final = re.compile(r"[\s_.,-]+|\b(tile|tiles|set|letters|distribution|the)\b")

_LANGUAGES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("english", "en", "eng"), STANDARD),
    **dict.fromkeys(("french", "français", "francais", "fr"), "french"),
    **dict.fromkeys(("german", "deutsch", "de"), "german"),
    **dict.fromkeys(("spanish", "español", "espanol", "castellano", "es"), "spanish"),
    **dict.fromkeys(("russian", "русский", "ru"), "russian"),
}
"""What tiles are called elsewhere -> the edition of that name here."""

_LISTS: Final = (
    (
        r"(nwl|twl|owl|csw|ospd|osw|ecwl|nswl|cel|oswi|otcwl)\d*|sowpods|collins",
        "english",
    ),
    (r"(fra|ods|lpl)\d*", "french"),
    (r"rd\d*|duden", "german"),
    (r"(fise|file|les|rae)\d*", "spanish"),
    (r"osps\d*", "polish"),
    (r"nsf\d*", "norwegian"),
    (r"disc\d*", "catalan"),
    (r"saol\d*", "swedish"),
    (r"(dsw|swl)\d*", "dutch"),
    (r"zinga\d*", "italian"),
    (r"vm\d*|vocabularium", "latin"),
)
"""Word lists of clubs -> the language of the tiles they are played with."""

_GAMES: Final = frozenset(
    {"", "classic", "crossword", "crosswordgame", "scrabble", "standard", "networdz"}
)
"""Names of the game whose rules are those of Networdz."""

_BOARDS: Final = frozenset(
    {"crosswordgame", "crossword", "standard", "standard15", "classic", "15x15"}
)
"""Names of the usual board."""

_OTHER_SIZE: Final = re.compile(r"super|(?<!\d)(?!15)\d\d(?!\d)")
"""In the name of a board that cannot be one of 15 by 15 squares."""


class Names(Struct, frozen=True):
    """What a file says it was played with; empty where it says nothing."""

    tiles: str = ""
    board: str = ""
    words: str = ""
    game: str = ""


class Meant(Struct, frozen=True):
    """What these names stand for here."""

    edition: str
    """Digest."""
    lexicon: str
    """Digest; of a list without a word if there is none with such letters."""
    remarks: tuple[str, ...] = ()
    """What the user should know of it, in words."""


def meant(names: Names, edition: str = "") -> Meant:
    """Return what the names of a file stand for.

    Args:
        names: As the file has them.
        edition: Digest, if the file carries its edition or the user chose one: then
            tiles and board need no name.

    Raises:
        Faults: Tiles, board or game are none that are here; the words say which.
    """
    if _plain(names.game) not in _GAMES:
        raise Faults(
            "the game is {game}, which is not played here", game=repr(names.game)
        )
    found = editions.find(edition) if edition else _edition(names)
    words, remarks = _words(names.words, found)
    if not edition and _usual(names):
        unknown = sentence(
            "the board {board} is not known here: the usual one is used",
            board=repr(names.board.strip()),
        )
        remarks = (unknown, *remarks)
    return Meant(found.digest, words, remarks)


def _usual(names: Names) -> bool:
    """Tell whether a board of a name unknown here is taken for the usual one.

    Its squares may be other ones; scores that do not fit are remarked on then.
    """
    plain = _plain(names.board)
    if not plain or plain in _BOARDS or _OTHER_SIZE.search(plain):
        return False
    try:
        _named(names.board, "board")
    except Faults:
        return True
    return False


def agreeing(one: str, other: str) -> bool:
    """Tell whether two names may be of the same tiles, or the same board."""
    first, second = _plain(one), _plain(other)
    if not first or not second or {first, second} <= _BOARDS:
        return True
    return _LANGUAGES.get(first, first) == _LANGUAGES.get(second, second)


def _plain(name: str) -> str:
    """Return a name without what differs from one program to the next."""
    return _NOISE.sub("", name.strip().casefold())


def _edition(names: Names) -> Edition:
    board = names.board if _plain(names.board) not in _BOARDS | {""} else ""
    by_board = _named(board, "board") if board and not _usual(names) else None
    if _plain(names.tiles):
        tiles = _named(names.tiles, "tiles")
    elif by_board is not None and _agree(_language(names.words), by_board):
        return by_board
    else:
        tiles = _of_words(names.words)
    if not names.board.strip():
        return tiles
    squares = by_board or editions.load(STANDARD)
    for known in (tiles, *_known()):
        if known.kinds == tiles.kinds and known.board == squares.board:
            return known
    raise Faults(
        "no edition here has the tiles of {tiles} and the board {board}",
        tiles=repr(tiles.name),
        board=repr(names.board),
    )


def _known() -> Iterator[Edition]:
    """Yield the editions that have a name here, the user's own first."""
    for digest in (*editions.own().values(), *editions.shipped().values()):
        yield editions.find(digest)


def _named(name: str, what: str) -> Edition:
    """Return the edition of that name.

    Raises:
        Faults: There is none.
    """
    named = {**editions.shipped(), **editions.own()}
    plain = _plain(name)
    for known, digest in named.items():
        if name.strip().casefold() == known or plain == _plain(known):
            return editions.find(digest)
    if plain in _LANGUAGES:
        return editions.load(_LANGUAGES[plain])
    with suppress(LookupError):
        return editions.find(name.strip().lower())
    raise Faults(
        "there is no edition with the board {name} here; there are {names}, and an "
        "edition of one's own may have that name"
        if what == "board"
        else "there is no edition with the tiles {name} here; there are {names}, and "
        "an edition of one's own may have that name",
        name=repr(name),
        names=", ".join(named),
    )


def _language(words: str) -> str:
    """Return the language of a word list's name, empty if it is not known."""
    first = words.casefold().split()[:1]
    for pattern, language in _LISTS:
        if first and re.fullmatch(pattern, re.sub(r"[_-].*", "", first[0])):
            return language
    plain = _plain(words)
    return plain if plain in _LANGUAGES else ""


def _agree(language: str, edition: Edition) -> bool:
    """Tell whether words of a language, if it is known, go with an edition's tiles."""
    if not language or language == edition.name:
        return True
    kin = _LANGUAGES.get(language)
    return kin is not None and editions.load(kin).language == edition.language


def _of_words(words: str) -> Edition:
    """Return the edition whose tiles words are usually played with.

    Raises:
        Faults: There is none for their language.
    """
    language = _language(words)
    if not language:
        standard, digest = editions.load(STANDARD), _list(words)
        if not digest:
            return standard
        alphabet, every = lexicon.find(digest).alphabet, (standard, *_known())
        return next((each for each in every if each.alphabet == alphabet), standard)
    if language in _LANGUAGES:
        return editions.load(_LANGUAGES[language])
    named = {**editions.shipped(), **editions.own()}
    if language in named:
        return editions.find(named[language])
    raise Faults(
        "the words are those of {words}: there is no edition with {language} tiles "
        "here; there are {names}",
        words=repr(words.strip()),
        language=sentence(language),
        names=", ".join(named),
    )


def _list(words: str) -> str:
    """Return the digest of a list with that name or digest, empty if it is not here."""
    named = {**lexicon.shipped(), **lexicon.own()}
    name = words.strip()
    if name.casefold() in named:
        return named[name.casefold()]
    try:
        return lexicon.find(name.lower()).digest
    except LookupError:
        return ""


def _words(words: str, edition: Edition) -> tuple[str, tuple[str, ...]]:
    """Return the digest of the word list to use, and what is to be said of it."""
    name, asked = words.strip(), _list(words)
    if asked and lexicon.find(asked).alphabet == edition.alphabet:
        return asked, ()
    own = {**lexicon.shipped(), **lexicon.own()}.get(edition.words, "")
    fits = own and lexicon.find(own).alphabet == edition.alphabet
    used = own if fits else wordless(edition)
    remarks: list[str] = []
    if not _agree(_language(words), edition):
        remarks.append(
            sentence(
                "the words {name} are of another language than the tiles",
                name=repr(name),
            )
        )
    absent = bool(name) and not asked
    if absent or not fits:
        remarks.append(
            sentence(
                "the word list {name} is not here: {instead}",
                name=repr(name if absent else edition.words),
                instead=sentence(
                    "words are those of {words}" if fits else "no word is known",
                    words=repr(edition.words),
                ),
            )
        )
    return used, tuple(remarks)


def wordless(edition: Edition) -> str:
    """Return the digest of a list without a word for the letters of an edition."""
    empty = lexicon.read(lexicon.build(edition.alphabet, [], {}))
    lexicon.register(empty)
    return empty.digest
