"""Clicked `netplay:` lines: whether they come to this program, and having it so."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Final

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
