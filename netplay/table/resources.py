"""Editions and word lists by digest: what is here, and fetching what is not.

Both travel in pieces that are asked for one by one, a few ahead.  The whole is checked
against its digest and read as data before anything uses it; then it is kept in the
home, so that the next match with the same words starts at once.  To check a long list
takes seconds: the node has it done in another process.
"""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, assert_never

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Faults
from netplay.home import set_aside, write_whole
from netplay.messages.table import CHUNK_BYTES, Piece, Terms, Want
from netplay.named_files import EDITION_BYTES, read_named
from netplay.said import Words, spoken
from netplay.sentences import Says
from rules import editions, lexicon


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
            self._lose(path, self._faults)

    def _lose(self, path: Path, faults: Faults) -> None:
        """Set a damaged file aside; it may come again from a peer."""
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
            code, words = outcome
            if not code:
                self._restore(kind, _place(folder, kind, digest))
            kept(_error(code, words) if code else None)

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


def _error(code: str, words: Words) -> NetplayError:
    """Return the error that was told by its name."""
    kind = LocalError if Code[code] is Code.DISK else PeerError
    return kind(Code[code], words)


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
