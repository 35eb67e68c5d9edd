"""A disk that is full: no file of this process may grow beyond some bytes."""

from collections.abc import Generator
from contextlib import contextmanager

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
