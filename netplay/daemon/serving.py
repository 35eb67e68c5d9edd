"""Serves the pages for browsers beside the node, once somebody wants a link to them."""

import subprocess
import sys
from collections.abc import Callable
from typing import Final

import trio

from netplay import ending
from netplay.errors import Code, LocalError
from netplay.faults import Nursery
from netplay.home import Home
from netplay.sentences import Says
from netplay.system.processes import apart
from netplay.web_place import Served, served

START_SECONDS: Final = 60.0
"""For the pages to be there: a small computer loads the fonts for a while."""

LOOK_SECONDS: Final = 0.1


class Serving:
    """The pages of a home, from a process of their own that ends with the node.

    It is on a leash: where the node is killed, the pages end, too.
    """

    def __init__(self, home: Home, journal: Callable[..., None]) -> None:
        """Serve nothing yet."""
        self._home: Final = home
        self._journal: Final = journal
        self._starting: Final = trio.Lock()

    async def pages(self, nursery: Nursery) -> Served:
        """Return where pages are served: as they are already, or to all around.

        Args:
            nursery: Where the process is kept.

        Raises:
            LocalError: FAULT, they cannot be served.
        """
        async with self._starting:
            found = await self._look()
            if found is None:
                nursery.start_soon(self._serve)
                with trio.move_on_after(START_SECONDS):
                    while (found := await self._look()) is None:  # noqa: ASYNC110 (another process tells)
                        await trio.sleep(LOOK_SECONDS)
        if found is None:
            raise LocalError(Code.FAULT, Says.PAGES_NOT_SERVED())
        return found

    async def _look(self) -> Served | None:
        return await trio.to_thread.run_sync(served, self._home.path)

    async def _serve(self) -> None:
        """Keep the process until the node ends."""
        words = [sys.executable, "-m", "client.browser", "--home", str(self._home.path)]
        try:
            process = await trio.lowlevel.open_process(
                [*words, "--lan", ending.LEASH],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **apart(),
            )
        except OSError as error:
            self._journal("web.failed", why=str(error))
            return
        assert process.stdin is not None
        self._journal("web.up", pid=process.pid)
        try:
            code = await process.wait()
            self._journal("web.down", code=code)
        finally:
            with trio.CancelScope(shield=True):
                await process.stdin.aclose()
                with trio.move_on_after(START_SECONDS / 10):
                    await process.wait()
                if process.returncode is None:
                    process.kill()
                    await process.wait()
