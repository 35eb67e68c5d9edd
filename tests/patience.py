"""How long a test waits for what comes by itself."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final

PATIENCE: Final = 300.0
"""Seconds, on a machine that has much else to do: it bounds a failure, no promise."""


def until(true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for a question to be answered with anything true."""
    end = monotonic() + seconds
    while not (found := true()):
        assert monotonic() < end, "waited in vain"
        sleep(0.02)
    return found
