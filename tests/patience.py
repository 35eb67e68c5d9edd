"""How long a test waits for what comes by itself."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, Final

import trio

PATIENCE: Final = 300.0
"""Seconds, on a machine that has much else to do: it bounds a failure, no promise."""


def until(true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for a question to be answered with anything true.

    To ask a browser or a node costs both something, so that it is done more and more
    seldom: what is waited for comes at once, or not so soon.
    """
    end, pause = monotonic() + seconds, 0.02
    while not (found := true()):
        assert monotonic() < end, "waited in vain"
        sleep(pause)
        pause = min(0.15, pause * 1.25)
    return found


async def held(holds: Callable[[], Any]) -> None:
    """Wait until something holds that tells nobody, while other tasks go on."""
    with trio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 (a thread or a process makes it hold)
            await trio.sleep(0.01)
