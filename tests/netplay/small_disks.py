"""Disks that are full, or can only be read, for this process."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def room_for(size: int) -> Generator[None]:
    """Let the system refuse to write any file beyond a size."""
    resource = pytest.importorskip("resource", reason="the system has no such limit")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def read_only(folder: Path) -> Generator[None]:
    """Let nothing in a folder be opened to be written."""
    real = os.open

    def refusing(path: str | Path, flags: int, *more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR) and folder in Path(path).parents:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, flags, *more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", refusing)
        yield
