"""What closes the window from outside: a signal, or the end of whoever started it."""

from collections.abc import Sequence
from socket import socket

import trio

from client import loop
from netplay import ending


async def show(
    window: loop.WindowLoop,
    scripts: socket | None,
    told: Sequence[int] = (),
    *,
    leash: bool,
) -> None:
    """Show a window until it is closed, by its user or from outside.

    Args:
        window: What is shown.
        scripts: As `loop.run` takes it.
        told: The signals that came before.
        leash: Close the window when standard input is closed.
    """
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_obey, window, told)
        if leash:
            nursery.start_soon(_follow, window)
        await loop.run(window, scripts)
        nursery.cancel_scope.cancel()


async def _obey(window: loop.WindowLoop, told: Sequence[int]) -> None:
    with trio.open_signal_receiver(*ending.signals()) as signals:
        if not told:
            await anext(signals)
        window.leave()


async def _follow(window: loop.WindowLoop) -> None:
    await ending.slipped()
    window.leave()
