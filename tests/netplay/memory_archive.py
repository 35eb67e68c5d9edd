"""Matches that nobody keeps, in place of those in a home."""

from collections.abc import Iterable, Sequence

from netplay.errors import Code, LocalError
from netplay.home import aside_names
from netplay.record import store
from netplay.sentences import Says


class MemoryArchive:
    """An `Archive` without files: what outlives a node is `disks`."""

    def __init__(self) -> None:
        """Start empty."""
        self.disks: dict[str, store.MemoryDisk] = {}
        self._in_hand: dict[bytes, int] = {}
        self._aside: set[bytes] = set()

    def _disk(self, name: str) -> store.MemoryDisk:
        """Return a disk, as it was left."""
        return self.disks.setdefault(name, store.MemoryDisk())

    def has(self, match: bytes) -> bool:
        """Tell whether a match is kept here."""
        return match.hex() + store.SUFFIX in self.disks

    def written(self, match: bytes) -> int:
        """Return that nobody knows when a match was written."""
        del match
        return 0

    def size(self, match: bytes) -> int:
        """Return how many bytes a disk has."""
        return len(self.open(match).read()) if self.has(match) else 0

    def open(self, match: bytes) -> store.Disk:
        """Open the disk of a match."""
        return self._disk(match.hex() + store.SUFFIX)

    def open_secrets(self, match: bytes) -> store.Disk:
        """Open the disk of a match's secrets."""
        return self._disk(match.hex() + store.SECRETS)

    def secrets_name(self, match: bytes) -> str:
        """Return what the disk of secrets is called."""
        return match.hex() + store.SECRETS

    def discard(self, match: bytes, *, secrets: bool) -> None:
        """Forget a match that has not begun here, or its secrets too."""
        for suffix in (store.SUFFIX, store.SECRETS)[: 1 + secrets]:
            self.disks.pop(match.hex() + suffix, None)

    def set_aside(self, match: bytes, suffix: str, rest: bytes) -> str:
        """Keep what a disk has under another name, and return that."""
        name = match.hex() + suffix
        disk = self._disk(name)
        aside = next(n for n in aside_names(name) if n not in self.disks)
        self.disks[aside] = store.MemoryDisk(disk.read())
        disk.cut(0)
        if not rest:
            del self.disks[name]
            return aside
        disk.append(rest)
        disk.sync()
        return aside

    def named(self, path: str) -> bytes | None:
        """Return the match whose disk has a name."""
        stem = path.removesuffix(store.SUFFIX)
        whole_name = path != stem and len(stem) == 2 * 32
        return bytes.fromhex(stem) if whole_name else None

    def write_again(self, match: bytes) -> None:
        """Make sure of the disks of a match after they had refused."""
        for suffix in (store.SUFFIX, store.SECRETS):
            self._disk(match.hex() + suffix).sync()

    def lay_aside(self, match: bytes) -> None:
        """Remember that a match is to be opened by the player alone."""
        self.let_go(match)
        self._aside.add(match)

    def take_again(self, match: bytes) -> None:
        """Forget that a match was laid aside."""
        self._aside.discard(match)

    def is_laid_aside(self, match: bytes) -> bool:
        """Tell whether a match was laid aside."""
        return match in self._aside

    def begin_opening(self, match: bytes) -> None:
        """Note nothing: what dies takes this along."""

    def end_opening(self, match: bytes) -> None:
        """Note nothing."""

    def newest(self) -> Sequence[str]:
        """Return the names of the match files, the one made last first."""
        return [name for name in reversed(self.disks) if name.endswith(store.SUFFIX)]

    def in_hand(self) -> dict[bytes, int]:
        """Return the matches in hand."""
        return dict(self._in_hand)

    def take_in_hand(self, match: bytes, number: int) -> None:
        """Remember that a match is in hand."""
        self._in_hand[match] = number

    def let_go(self, match: bytes) -> None:
        """Remember that a match is in hand no more."""
        self._in_hand.pop(match, None)

    def read(self, path: str) -> store.Copy:
        """Return what is whole of a match kept here."""
        if path not in self.disks:
            raise LocalError(Code.FILE, Says.NO_SUCH_FILE(path=path))
        return store.copy_of(self.disks[path].read())

    def spare(self, path: str, *, over: bool) -> str:
        """Return a name that is not taken, or may be."""
        if path in self.disks and not over:
            raise LocalError(Code.TAKEN, path)
        return path

    def write(
        self, path: str, entries: Iterable[bytes], more: Iterable[bytes] = ()
    ) -> None:
        """Keep a copy under another name."""
        self.disks[path] = store.MemoryDisk(store.whole(entries, more))
