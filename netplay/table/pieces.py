"""Files on their way from a peer, in pieces that are asked for a few ahead."""

from collections.abc import Iterable, Iterator
from typing import Final

from netplay.errors import Code, NetplayError, PeerError
from netplay.limits import RESOURCE_BYTES, RESOURCE_WANTS
from netplay.messages.table import CHUNK_BYTES, Piece, Want
from netplay.table.resources import Kind, Shelf


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
        while self._asked < end and self._ahead() < RESOURCE_WANTS:
            yield Want(self._table, self.digest, self._asked)
            self._asked += CHUNK_BYTES

    def _ahead(self) -> int:
        """Return how many pieces have been asked for and not come."""
        return -(-(self._asked - len(self._data)) // CHUNK_BYTES)

    def take(self, piece: Piece) -> bytes | None:
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

    def begin(self, table: bytes, needed: Iterable[tuple[Kind, bytes]]) -> list[Want]:
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

    def take(self, piece: Piece) -> Iterator[Want]:
        """Take a piece; yield what to ask for next.

        Raises:
            PeerError: BAD_DIGEST or TOO_LARGE.
        """
        fetch = next((one for one in self._coming if one.digest == piece.digest), None)
        if fetch is None:
            return  # asked for by terms that have been replaced
        whole = fetch.take(piece)
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
