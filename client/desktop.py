"""Clicked `netplay:` lines: whether they come to this program, and having it so."""

import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol

import trio

from client.pages.link_offer import LinksKnown
from netplay.errors import LocalError
from netplay.said import Words
from netplay.system.links import Handler, handler, opener


class Links:
    """What tells this computer, for the lines of one home."""

    def __init__(self, home: Path, found: Handler | None = None) -> None:
        """Find it.

        Args:
            home: Which a line is opened with.
            found: What tells it; None for the one of this system.
        """
        self._home: Final = home
        self._handler: Final = found or handler(sys.platform, os.environ)

    def known(self) -> LinksKnown:
        """Return how it is."""
        found = self._handler
        try:
            return LinksKnown(found.installed if found.able else None)
        except OSError:  # a folder or a registry that nobody may read
            return LinksKnown(None)

    async def switch(self, *, on: bool) -> LinksKnown:
        """Have lines opened, or no more; the desktop's programs may take seconds."""
        found = self._handler
        wish = partial(found.install, opener(str(self._home))) if on else found.remove
        words: Words
        try:
            words, bad = await trio.to_thread.run_sync(wish), False
        except OSError as error:
            words, bad = error.strerror or str(error), True
        except LocalError as error:
            words, bad = error.said, True
        return LinksKnown(self.known().on, words, bad)


# The desktop's own notifications, for a player who looks at another window.
#
# A library speaks to each system's service, in a thread: it may take long. Where there
# is no such service, or the library is not installed, nothing is shown.


TITLE: Final = "Netplay"
"""What the desktop calls the program."""

WAITING: Final = 5
"""Notifications that may wait for a slow service; what comes then is left out."""

LIBRARY: Final = "desktop_notifier"


class Notifier(Protocol):
    """Shows notifications; may hold its thread up."""

    def send(self, title: str, message: str) -> object:
        """Show one."""
        ...


def desktop() -> Notifier:
    """Return what speaks to this desktop.

    Raises:
        ImportError: The library is not installed.
    """
    log = logging.getLogger(LIBRARY)
    log.addHandler(logging.NullHandler())
    log.propagate = False
    made: Callable[..., Notifier]
    made = import_module(f"{LIBRARY}.sync").DesktopNotifierSync
    return made(app_name=TITLE, app_icon=None)


def safe(text: str, platform: str = sys.platform) -> str:
    """Return a text as the service shows it: that of freedesktop reads marks in it."""
    special = platform in {"win32", "darwin"}
    return text if special else escape(text, quote=False)


class Notices:
    """The notifications of one window."""

    def __init__(self, make: Callable[[], Notifier] = desktop) -> None:
        """Prepare; the service is asked when there is something to show.

        Args:
            make: Returns what shows them.
        """
        self._make: Final = make
        self._notifier: Notifier | None = None
        self._broken = False
        self._one: Final = trio.CapacityLimiter(1)
        self._waiting = 0
        self._told: set[str] = set()

    def looked_at(self) -> None:
        """Note that the player looks at the window: what was told is read."""
        self._told.clear()

    def wants(self, about: str) -> bool:
        """Tell whether something is to be told: the same chat but once."""
        if self._broken or self._waiting >= WAITING or about in self._told:
            return False
        if about.startswith("chat:"):
            self._told.add(about)
        return True

    async def show(self, title: str, text: str) -> None:
        """Show a notification, and wait for it in a thread.

        Args:
            title: Of the game, from the program's own words.
            text: What may hold names of players.
        """
        self._waiting += 1
        try:
            await trio.to_thread.run_sync(
                partial(self._send, title, safe(text)),
                limiter=self._one,
                abandon_on_cancel=True,
            )
        finally:
            self._waiting -= 1

    def _send(self, title: str, text: str) -> None:
        """Show it, if that can be done at all."""
        try:
            if self._notifier is None:
                self._notifier = self._make()
            self._notifier.send(title, text)
        except Exception:  # noqa: BLE001 (whatever a desktop lacks, the game goes on)
            self._broken = True
