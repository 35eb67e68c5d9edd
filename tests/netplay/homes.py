"""Nodes whose matches lie in real files, which tests damage, fill up or put back."""

from pathlib import Path
from typing import Final

from netplay.errors import Code, LocalError
from netplay.record.archive import FileArchive
from netplay.record.store import SECRETS, SUFFIX, Disk, FileDisk
from netplay.table.shared import Means
from netplay.table.tables import Tables
from tests.netplay.joined_nodes import Net, Node
from tests.netplay.party import Dice

FULL: Final = "no space left"
"""What a disk of the tests says when it is full: the system words it, no catalogue."""


class FillingDisk(FileDisk):
    """A file on a disk that may be full: half of what is written finds room."""

    def __init__(self, path: Path, archive: "FillingArchive") -> None:
        super().__init__(path)
        self._archive = archive

    def append(self, data: bytes) -> None:
        archive = self._archive
        if self._path.suffix == SECRETS and archive.secrets_left is not None:
            archive.secrets_left -= 1
            archive.full = archive.full or archive.secrets_left < 0
        if archive.full:
            super().append(data[: len(data) // 2])
            raise LocalError(Code.DISK, FULL)
        super().append(data)
        archive.unsafe.add(self._path.name)

    def sync(self) -> None:
        super().sync()
        self._archive.unsafe.discard(self._path.name)


class FillingArchive(FileArchive):
    """Real files, and a switch that leaves no room."""

    full = False
    secrets_left: int | None = None
    """So many writes of secrets find room yet; any number if None."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.unsafe = set[str]()
        """Files of which something would be lost with the power."""

    def open(self, match: bytes) -> Disk:
        return FillingDisk(self._path(match, SUFFIX), self)

    def open_secrets(self, match: bytes) -> Disk:
        return FillingDisk(self._path(match, SECRETS), self)


class HomeNode(Node):
    """A node with a folder for its matches."""

    def __init__(self, name: str, folder: Path) -> None:
        self.folder = folder
        self.files = FillingArchive(folder)
        self.runs = 0
        super().__init__(name)

    def means(self) -> Means:
        self.runs += 1
        key, dice = self.signer, Dice(f"{self.name} {self.runs}")
        return Means(key, self.files, self.shelf, dice, lambda: 1, key.unseal)

    def restart(self, now: float) -> None:
        self.tables.close()
        self.begin(now)

    def begin(self, now: float) -> None:
        """Start with the files that are there."""
        self.tables = Tables(self.means(), self.name)
        self.tables.reopen(now)

    def file(self, suffix: str = SUFFIX) -> Path:
        """Return the one file of its kind."""
        (found,) = self.folder.glob(f"*{suffix}")
        return found


class Homes(Net):
    """Nodes with folders."""

    def __init__(self, folder: Path, *names: str) -> None:
        super().__init__()
        for name in names:
            (folder / name).mkdir()
            self.nodes[name] = HomeNode(name, folder / name)

    def __getitem__(self, name: str) -> HomeNode:
        node = self.nodes[name]
        assert isinstance(node, HomeNode)
        return node

    def close(self) -> None:
        """End all nodes."""
        for node in self.nodes.values():
            assert isinstance(node, HomeNode)
            node.files.full = False
            node.tables.close()
