"""Serves the pages for browsers beside the node, once somebody wants a link to them.

Whom they are for is kept, so that a node which starts anew serves them again: who plays
in a browser has nothing but a link.
"""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, TypeAlias

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


For: TypeAlias = Literal["here", "lan", "own"]
"""The owner's browser on this computer; guests from the local network; or the owner's
own devices there, over TLS."""

KEPT: Final = "pages"
"""The setting that says for whom."""

AGAIN_SECONDS: Final = 0.5
AGAIN_MOST_SECONDS: Final = 60.0
"""Between two attempts at serving, ever longer where they end at once."""


class Serving:
    """The pages of a home, from a process of their own that ends with the node.

    It is on a leash: where the node is killed, the pages end, too.  Where it is killed
    itself another one takes its place.
    """

    def __init__(self, home: Home, journal: Callable[..., None]) -> None:
        """Serve nothing yet."""
        self._home: Final = home
        self._journal: Final = journal
        self._starting: Final = trio.Lock()
        self._process: trio.Process | None = None
        self._runs = False
        self.wanted = kept(home)
        """For whom the owner has said yes."""

    async def pages(self, nursery: Nursery, whom: For) -> Served:
        """Return where pages are served for somebody, now that they are wanted.

        Args:
            nursery: Where the process is kept.
            whom: The owner has said yes to that.

        Raises:
            LocalError: FAULT, they cannot be served; DISK, nothing can be kept.
        """
        async with self._starting:
            fresh = whom not in self.wanted and whom != "here"
            self.wanted = (*self.wanted, whom) if fresh else self.wanted
            found = await self._look()
            if found is not None and not _serves(found, whom) and self._process:
                # Pages are served for more, without an end of those that are shown.
                assert self._process.stdin is not None
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await self._process.stdin.send_all(f"{whom}\n".encode())
                found = None
            if found is None and not self._runs:
                self._runs = True
                nursery.start_soon(self._serve)
            if fresh or found is None:
                try:
                    self._home.set(KEPT, " ".join(self.wanted))
                except LocalError:
                    # They tell where they are in a file: nobody waits for that in vain.
                    if found is None:
                        raise
                    # Else it is asked again next time.
            if found is None:
                with trio.move_on_after(START_SECONDS):
                    while not ((found := await self._look()) and _serves(found, whom)):  # noqa: ASYNC110 (another process tells)
                        await trio.sleep(LOOK_SECONDS)
        if found is None or (whom == "own" and not _serves(found, whom)):
            raise LocalError(Code.FAULT, Says.PAGES_NOT_SERVED())
        return found

    async def go_on(self, nursery: Nursery, *, lent: bool) -> None:
        """Serve as before the node was ended, if anybody may come.

        Args:
            nursery: Where the process is kept.
            lent: Whether a seat is lent.
        """
        for whom in self.wanted:
            if whom != "lan" or lent:
                with suppress(LocalError):  # it is in the journal
                    await self.pages(nursery, whom)

    async def _look(self) -> Served | None:
        return await trio.to_thread.run_sync(served, self._home.path)

    async def _serve(self) -> None:
        """Keep a process until the node ends."""
        pause = AGAIN_SECONDS
        while True:
            began = trio.current_time()
            await self._run()
            if trio.current_time() - began > AGAIN_MOST_SECONDS:
                pause = AGAIN_SECONDS
            await trio.sleep(pause)
            pause = min(2 * pause, AGAIN_MOST_SECONDS)

    async def _run(self) -> None:
        """Keep one process until it ends."""
        words = [sys.executable, "-m", "client.browser", "--home", str(self._home.path)]
        try:
            process = await trio.lowlevel.open_process(
                [*words, *(f"--{each}" for each in self.wanted), ending.LEASH],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                **apart(),
            )
        except OSError as error:
            self._journal("web.failed", why=str(error))
            return
        assert process.stdin is not None
        self._process = process
        self._journal("web.up", pid=process.pid)
        try:
            code = await process.wait()
            self._journal("web.down", code=code)
        finally:
            self._process = None
            with trio.CancelScope(shield=True):
                await process.stdin.aclose()
                with trio.move_on_after(START_SECONDS / 10):
                    await process.wait()
                if process.returncode is None:
                    process.kill()
                    await process.wait()


_ALL: Final[tuple[For, ...]] = ("lan", "own")


def kept(home: Home) -> tuple[For, ...]:
    """Return for whom the owner of a home has said yes."""
    named = home.setting(KEPT).split()
    return tuple(each for each in _ALL if each in named)


def let_in(home: Home, *, on: bool) -> None:
    """Let the owner's devices in from the local network, or no more.

    Raises:
        LocalError: DISK, that cannot be kept.
    """
    others = [each for each in kept(home) if each != "own"]
    home.set(KEPT, " ".join([*others, "own"] if on else others))


def _serves(found: Served, whom: For) -> bool:
    return {"here": True, "lan": bool(found.hosts), "own": bool(found.own_port)}[whom]
