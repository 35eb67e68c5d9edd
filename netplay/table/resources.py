"""Editions and word lists by digest: what is here, and fetching what is not.

Both travel in pieces that are asked for one by one, a few ahead.  The whole is checked
against its digest and read as data before anything uses it; then it is kept in the
home, so that the next match with the same words starts at once.  To check a long list
takes seconds: the node has it done in another process.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, assert_never

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Faults
from netplay.home import Home, set_aside, write_whole
from netplay.limits import RESOURCE_BYTES, RESOURCE_WANTS
from netplay.messages.table import CHUNK_BYTES, Piece, Terms, Want
from netplay.named_files import EDITION_BYTES, WORD_TEXT_BYTES, place_of, read_named
from netplay.said import Said, Words, spoken
from netplay.sentences import Says
from rules import editions, lexicon, wordlists
from rules.editions import Edition
from rules.lexicon import Lexicon
from rules.sentence import sentence


class Kind(Enum):
    """What a digest names."""

    EDITION = "edition"
    LEXICON = "lexicon"


_DIGEST: Final = re.compile("[0-9a-f]{64}")
"""The name of a file that was kept; whatever else lies in the folder is not ours."""


class Parcel(NamedTuple):
    """A file that has come from a peer, to be checked and kept."""

    kind: str
    digest: bytes
    data: bytes
    folder: Path


Outcome: TypeAlias = tuple[str, Words]
"""The name of a code, or nothing, and words: errors do not travel well to another
process."""

Elsewhere: TypeAlias = Callable[[Parcel, Callable[[Outcome], None]], None]
"""Has a parcel kept by `keep_parcel`, and tells what came of it."""

Kept: TypeAlias = Callable[[NetplayError | None], None]
"""Told that a file is here, or why it is not."""


class Shelf:
    """What this node has: shipped with the program, or kept in the home."""

    def __init__(
        self,
        folder: Path | None,
        elsewhere: Elsewhere | None = None,
        faults: Faults | None = None,
    ) -> None:
        """Open what an earlier run has kept.

        Args:
            folder: Where to keep things; None to forget them at the end.
            elsewhere: Checks and keeps what peers send; None to do it at once, here.
            faults: Told of what is damaged, which is set aside; None to leave it alone,
                as all do but the node whose folder it is.
        """
        self._folder: Final = folder
        self._elsewhere: Final = elsewhere
        self._faults: Final = faults
        if folder is not None and folder.is_dir():
            for kind in Kind:
                for path in sorted(folder.glob(f"*.{kind.value}")):
                    self._restore(kind, path)

    def _restore(self, kind: Kind, path: Path) -> None:
        """Register one kept file, if it is what its name says."""
        try:
            digest, use = _opened(kind, path)
        except OSError:
            return
        except (ValueError, LocalError):
            digest, use = "", None
        if use is not None and digest == path.stem:
            use()
        elif self._faults is not None and _DIGEST.fullmatch(path.stem):
            # Set a damaged file aside; it may come again from a peer
            faults = self._faults
            try:
                name = set_aside(path).name
            except LocalError as error:
                faults.fault(error.said)
                return
            faults.fault(Says.RESOURCES_DAMAGED(name=name))

    def take_in(self, kind: Kind, digest: bytes, data: bytes, kept: Kept) -> None:
        """Check and keep a file that has come from a peer.

        Args:
            kind: What it should be.
            digest: What it should have.
            data: The file.
            kept: Told when it is here, or BAD_DIGEST, BAD_WORDS or BAD_EDITION, or
                DISK if it cannot be written; perhaps before this returns.
        """
        if self._folder is None or self._elsewhere is None:
            try:
                use = _checked(self._folder, kind, digest, data)
            except NetplayError as error:
                kept(error)
            else:
                use()
                kept(None)
            return

        def told(outcome: Outcome) -> None:
            name, words = outcome
            if not name:
                self._restore(kind, _place(folder, kind, digest))
                kept(None)
            elif Code[name] is Code.DISK:
                kept(LocalError(Code.DISK, words))
            else:
                kept(PeerError(Code[name], words))

        folder = self._folder
        self._elsewhere(Parcel(kind.value, digest, data, folder), told)

    def take_up(self, kind: Kind, digest: bytes) -> None:
        """Make known what another process has kept in the folder."""
        if self._folder is not None and not self.has(kind, digest):
            self._restore(kind, _place(self._folder, kind, digest))

    def has(self, kind: Kind, digest: bytes) -> bool:
        """Tell whether it is here."""
        return _find(kind, digest) is not None

    def keep(self, kind: Kind, data: bytes) -> bytes:
        """Check, register and keep what came from outside; return its digest.

        Raises:
            PeerError: BAD_WORDS or BAD_EDITION, it cannot be used.
            LocalError: DISK, it cannot be written.
        """
        digest, use = _good(kind, data)
        _write(self._folder, kind, digest, data)
        use()
        return digest

    def adopt(self, kind: Kind, digest: bytes) -> None:
        """Keep what is registered in this process but not shipped, if anything.

        A table whose words come from a file of the user's must go on after a restart,
        and its computer players run in other processes.

        Raises:
            LocalError: DISK, it cannot be written.
        """
        data = _find(kind, digest)
        shipped = {**editions.shipped(), **lexicon.shipped()}.values()
        if self._folder is None or data is None or digest.hex() in shipped:
            return
        if not _place(self._folder, kind, digest).exists():
            _write(self._folder, kind, digest, bytes(data))

    def piece(self, want: Want) -> Piece:
        """Return what a peer asked for.

        Raises:
            PeerError: BAD_DIGEST, it is not here, or does not reach so far.
        """
        for kind in Kind:
            data = _find(kind, want.digest)
            if data is not None and want.offset < len(data):
                chunk = bytes(data[want.offset : want.offset + CHUNK_BYTES])
                return Piece(want.table, want.digest, len(data), want.offset, chunk)
        raise PeerError(Code.BAD_DIGEST, "that file is not here")


def _opened(kind: Kind, path: Path) -> tuple[str, Callable[[], None]]:
    """Return the digest of a kept file and what registers it.

    A word list was checked before it was kept, so that its digest is enough.

    Raises:
        OSError: It cannot be opened.
        ValueError: It is damaged.
    """
    if kind is Kind.LEXICON:
        words = lexicon.open_file(path)
        words.compare()
        return words.digest, lambda: lexicon.register(words)
    digest, use = _read(kind, read_named(path, EDITION_BYTES))
    return digest.hex(), use


def keep_parcel(parcel: Parcel) -> Outcome:
    """Check a file and write it into its folder; runs in a worker."""
    try:
        _checked(parcel.folder, Kind(parcel.kind), parcel.digest, parcel.data)
    except NetplayError as error:
        return error.code.name, error.detail
    return "", ""


def _checked(
    folder: Path | None, kind: Kind, digest: bytes, data: bytes
) -> Callable[[], None]:
    """Check a file and write it; return what registers it.

    Raises:
        PeerError: BAD_DIGEST, BAD_WORDS or BAD_EDITION.
        LocalError: DISK.
    """
    found, use = _good(kind, data)
    if found != digest:
        raise PeerError(Code.BAD_DIGEST)
    _write(folder, kind, digest, data)
    return use


def _write(folder: Path | None, kind: Kind, digest: bytes, data: bytes) -> None:
    """Keep the bytes of something in a folder, if there is one.

    Raises:
        LocalError: DISK.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(_place(folder, kind, digest), data)


def _place(folder: Path, kind: Kind, digest: bytes) -> Path:
    """Return where something is kept."""
    return folder / f"{digest.hex()}.{kind.value}"


_FAULTS: Final = {Kind.EDITION: Code.BAD_EDITION, Kind.LEXICON: Code.BAD_WORDS}


def _good(kind: Kind, data: bytes) -> tuple[bytes, Callable[[], None]]:
    """Return what `_read` does.

    Raises:
        PeerError: BAD_WORDS or BAD_EDITION.
    """
    try:
        return _read(kind, data)
    except ValueError as error:
        raise PeerError(_FAULTS[kind], spoken(error)) from error


def _find(kind: Kind, digest: bytes) -> bytes | memoryview | None:
    """Return the bytes that travel for a digest, or None."""
    try:
        match kind:
            case Kind.EDITION:
                return editions.encode(editions.find(digest.hex()))
            case Kind.LEXICON:
                return lexicon.find(digest.hex()).data
            case _:
                assert_never(kind)
    except LookupError:
        return None


def _read(kind: Kind, data: bytes) -> tuple[bytes, Callable[[], None]]:
    """Return the digest of bytes from anywhere, and what registers them.

    Raises:
        ValueError: They are not what they should be.
    """
    match kind:
        case Kind.EDITION:
            edition = editions.decode(data)
            return bytes.fromhex(edition.digest), lambda: editions.register(edition)
        case Kind.LEXICON:
            words = lexicon.read(data)
            return bytes.fromhex(words.digest), lambda: lexicon.register(words)
        case _:
            assert_never(kind)


def named(terms: Terms) -> Iterator[tuple[Kind, bytes]]:
    """Yield what a match is played with."""
    for kind, digest in ((Kind.EDITION, terms.edition), (Kind.LEXICON, terms.lexicon)):
        if digest:
            yield kind, digest


def missing(shelf: Shelf, terms: Terms) -> Iterator[tuple[Kind, bytes]]:
    """Yield what is not here of what a match is played with."""
    for kind, digest in named(terms):
        if not shelf.has(kind, digest):
            yield kind, digest


# Files on their way from a peer, in pieces that are asked for a few ahead.


class Fetch:
    """One file on its way from a peer."""

    def __init__(self, kind: Kind, digest: bytes, table: bytes) -> None:
        """Prepare to fetch; `wants` says what to ask for first.

        Args:
            kind: What it is.
            digest: Names it.
            table: The nonce of the terms that name it.
        """
        self.kind: Final = kind
        self.digest: Final = digest
        self._table: Final = table
        self._size = -1
        self._asked = 0
        self._data = bytearray()

    @property
    def progress(self) -> tuple[int, int]:
        """Bytes that have come and bytes in all; (0, 0) before the first piece."""
        return len(self._data), max(self._size, 0)

    def wants(self) -> Iterator[Want]:
        """Yield what to ask for now; the size is known after the first piece."""
        end = CHUNK_BYTES if self._size < 0 else self._size
        # Pieces that have been asked for and not come count, the last one too.
        most = len(self._data) + (RESOURCE_WANTS - 1) * CHUNK_BYTES
        while self._asked < end and self._asked <= most:
            yield Want(self._table, self.digest, self._asked)
            self._asked += CHUNK_BYTES

    def on_piece(self, piece: Piece) -> bytes | None:
        """Take a piece; return the whole when it is the last.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE, it is not the piece asked for.
        """
        if not 0 < piece.size <= RESOURCE_BYTES:
            raise PeerError(Code.TOO_LARGE, f"a file of {piece.size} bytes")
        if self._size not in {-1, piece.size} or piece.offset != len(self._data):
            raise PeerError(Code.BAD_DIGEST, "a piece out of place")
        due = min(CHUNK_BYTES, piece.size - piece.offset)
        if len(piece.data) != due or piece.offset >= self._asked:
            raise PeerError(Code.BAD_DIGEST, "a piece of the wrong length")
        self._size = piece.size
        self._data += piece.data
        return bytes(self._data) if len(self._data) == self._size else None

    def again(self) -> None:
        """Ask once more for what has not come, after the link was lost."""
        self._asked = len(self._data)


class Fetches:
    """All that is on its way from one peer: what a table needs and has not."""

    def __init__(self, shelf: Shelf) -> None:
        """Begin with nothing missing."""
        self._shelf: Final = shelf
        self._coming: list[Fetch] = []
        """What is on its way, or being checked."""
        self._news: list[NetplayError | None] = []

    def __bool__(self) -> bool:
        """Tell whether anything is on its way."""
        return bool(self._coming)

    def fetch(self, table: bytes, needed: Iterable[tuple[Kind, bytes]]) -> list[Want]:
        """Fetch this and nothing else; return what to ask for.

        Args:
            table: The nonce of the terms that name it.
            needed: What is missing.
        """
        known = {fetch.digest: fetch for fetch in self._coming}
        self._coming = [known.get(d, Fetch(kind, d, table)) for kind, d in needed]
        self._news = []
        return list(self.wants())

    def wants(self) -> Iterator[Want]:
        """Yield what to ask for now."""
        for fetch in self._coming:
            yield from fetch.wants()

    def on_piece(self, piece: Piece) -> Iterator[Want]:
        """Take a piece; yield what to ask for next.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE.
        """
        fetch = next((one for one in self._coming if one.digest == piece.digest), None)
        if fetch is None:
            return  # asked for by terms that have been replaced
        whole = fetch.on_piece(piece)
        if whole is None:
            yield from fetch.wants()
            return

        def kept(fault: NetplayError | None) -> None:
            if fetch in self._coming:
                self._coming.remove(fetch)
                self._news.append(fault)

        self._shelf.take_in(fetch.kind, fetch.digest, whole, kept)

    def take_news(self) -> tuple[bool, NetplayError | None]:
        """Return whether a file has come since the last call, and why one is no good.

        A file is checked by another process: it is here some time after its last piece.
        """
        news, self._news = self._news, []
        return bool(news), next(filter(None, news), None)

    def again(self) -> None:
        """Ask once more for what has not come, after the link was lost."""
        for fetch in self._coming:
            fetch.again()


# Editions and word lists by what players call them: a name, a digest, or a file.


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
    except UnicodeDecodeError:
        raise LocalError(Code.BAD_EDITION, Says.NOT_UTF_8(path=name)) from None
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
        text = data.decode()
        if not text.strip():  # a game would begin in which nothing can be laid
            raise LocalError(Code.BAD_WORDS, Says.NO_WORDS_IN(path=path))
        words = _spell(text, alphabet)
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
        if word := line.strip():
            try:
                short = len(word) <= wordlists.MANY  # no list takes any other
                yield wordlists.split(alphabet, word) if short else ()
            except lexicon.LexiconError as error:
                why = sentence("line {number}: {why}", number=number, why=error.words)
                raise lexicon.LexiconError(why) from error


# Editions and word lists of the user's own, kept in the home under names.
#
# An edition is a TOML file, a word list a packed graph; the file's name is the name.
# Whoever puts a file there by hand, or has another program write it, is as welcome as
# the window: `OwnFiles.refresh` takes up what has changed since it was last called.


EDITION: Final = ".toml"
LIST: Final = ".graph"

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
"""As editions may be called."""


class OwnFiles:
    """What lies in a home by name; `refresh` makes it known to `rules`."""

    def __init__(self, home: Home) -> None:
        """Look at nothing yet."""
        self._home: Final = home
        self._seen: Final[dict[Path, tuple[int, int]]] = {}
        self._faults: Final[dict[Path, Said]] = {}
        """What is wrong with files, as the home was told."""

    def refresh(self) -> None:
        """Take up what has come, changed or gone; tell the home of a damaged file."""
        found, home = dict[Path, tuple[int, int]](), self._home
        for folder, suffix, shipped in (
            (home.editions, EDITION, editions.shipped()),
            (home.dictionaries, LIST, lexicon.shipped()),
        ):
            for path in sorted(folder.glob(f"*{suffix}")):
                with suppress(OSError):  # it has just gone
                    status = path.stat()
                    if _NAME.fullmatch(path.stem) and path.stem not in shipped:
                        # What changes when it is replaced
                        found[path] = status.st_mtime_ns, status.st_ino
        for path in self._seen.keys() - found.keys():
            (editions if path.suffix == EDITION else lexicon).forget(path.stem)
            self._tell(path, "")
        for path, mark in found.items():
            if self._seen.get(path) != mark:
                self._tell(path, _take(path))
        self._seen.clear()
        self._seen.update(found)

    def _tell(self, path: Path, why: Words) -> None:
        """Tell the home what is wrong with a file, or that nothing is any more."""
        if path in self._faults:
            self._home.faults.mended(self._faults.pop(path))
        if why:
            self._faults[path] = Says.OWN_FILE_FAULTY(name=path.name, why=why)
            self._home.faults.fault(self._faults[path])

    def list_path(self, name: str) -> Path:
        """Return where a word list of the user's own lies, or is to lie.

        Raises:
            LocalError: BAD_WORDS, it cannot be called so.
        """
        _check_name(Code.BAD_WORDS, name, name in lexicon.shipped())
        return self._home.dictionaries / f"{name}{LIST}"

    def save(self, name: str, text: str) -> Edition:
        """Keep an edition under a name; return it.

        Args:
            name: What it is to be called; stands in its TOML, too.
            text: TOML.

        Raises:
            LocalError: BAD_EDITION, it is faulty or cannot be called so; DISK.
        """
        _check_name(Code.BAD_EDITION, name, name in editions.shipped())
        try:
            edition = editions.read(text)
        except ValueError as error:
            raise LocalError(Code.BAD_EDITION, spoken(error)) from error
        if edition.name != name:
            detail = Says.NAME_DIFFERS(name=edition.name, other=name)
            raise LocalError(Code.BAD_EDITION, detail)
        put(self._home.editions / f"{name}{EDITION}", text.encode())
        self.refresh()
        return edition


def put(path: Path, data: bytes) -> None:
    """Write a file of the user's by rename, making its folder if need be.

    Raises:
        LocalError: DISK, it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise LocalError(
            Code.DISK, Says.AT(place=path.parent, why=error.strerror)
        ) from None
    write_whole(path, data)


def _check_name(code: Code, name: str, taken: bool) -> None:
    """Check a name of the user's own.

    Raises:
        LocalError: It is none, or one of the program's own has it.
    """
    if not _NAME.fullmatch(name):
        detail = Says.NAME_LETTERS(name=name)
        raise LocalError(code, detail)
    if taken:
        detail = Says.NAME_SHIPPED(name=name)
        raise LocalError(code, detail)


def _take(path: Path) -> Words:
    """Make a file's content known under its name; return why not if it is no good."""
    take: Callable[[Path], None] = _edition if path.suffix == EDITION else _list
    try:
        take(path)
    except OSError as error:
        return error.strerror or str(error)
    except UnicodeDecodeError:
        return Says.NOT_UTF_8(path=path.name)
    except ValueError as error:
        return spoken(error)
    except LocalError as error:
        return error.detail
    return ""


def _edition(path: Path) -> None:
    """Make an edition known."""
    edition = editions.read(read_named(path, EDITION_BYTES).decode())
    editions.register(edition, path.stem)


def _list(path: Path) -> None:
    """Make a word list known."""
    found: Lexicon = lexicon.open_file(path)
    found.compare()
    lexicon.register(found, path.stem)
