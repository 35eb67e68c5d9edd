"""The pages of a home: who is let in, and which session is whose."""

from pathlib import Path
from platform import node

import msgspec
import trio
from msgspec import Struct

from client import settings, texts
from client.browser import talk
from client.browser.access import Access
from client.browser.server import Guest, Page, RefusedError
from client.browser.session import PageSession
from client.link import Link, Opener
from client.model import Model
from client.texts import _
from netplay.door_place import open_door
from netplay.limits import WEB_ASLEEP_SECONDS, WEB_SESSIONS

UNKNOWN, FULL, TAKEN = 4401, 4429, 4409
"""Why a page is turned away: not let in, too many, shown in another tab since."""


class Kept(Struct, eq=False):
    """A session, and what ends it."""

    session: PageSession
    scope: trio.CancelScope
    page: Page | None = None


class Pages:
    """All sessions of a home, each for one tab of one browser."""

    def __init__(
        self,
        home: Path,
        access: Access,
        nursery: trio.Nursery,
        opener: Opener = open_door,
    ) -> None:
        """Begin with none.

        Args:
            home: Whose settings and node they are.
            access: Says who may come in.
            nursery: Where sessions run.
            opener: Opens the way to the node.
        """
        self._home, self._access, self._nursery = home, access, nursery
        self._opener = opener
        self._kept: dict[tuple[str, str], Kept] = {}

    def welcome(self, hello: talk.Hello, page: Page) -> Guest:
        """Let a page in to its session, or to a new one.

        Raises:
            RefusedError: It is not known, or there are too many.
        """
        now = trio.current_time()
        own, _damaged = settings.load(self._home)
        texts.speak(own.language)
        token = hello.token
        if hello.entry:
            token = self._access.enter(hello.entry, page.address, now)
        elif not self._access.knows(token, page.address):
            token = ""
        if not token:
            words = _("This link was used, or is too old. “netplay web” makes another.")
            self._turn_away(page, UNKNOWN, words)
        key = token, hello.tab
        kept = self._kept.get(key)
        if kept is None:
            self._make_room(page)
            session = PageSession(Model(settings=own, computer=node()), self._home)
            kept = self._kept[key] = Kept(session, trio.CancelScope())
            self._nursery.start_soon(self._live, key, kept)
        elif kept.page is not None:
            kept.page.close(TAKEN, "")
        kept.page = page
        page.send(msgspec.json.encode({"token": token, "words": _words()}))
        kept.session.attach(page.send, hello.w, hello.h)
        return _Behind(kept, page)

    def _turn_away(self, page: Page, code: int, words: str) -> None:
        page.send(msgspec.json.encode({"refused": words, "lang": texts.spoken()}))
        raise RefusedError(code, "")

    def _make_room(self, page: Page) -> None:
        """End the session that has been without its page for longest, if need be."""
        if len(self._kept) < WEB_SESSIONS:
            return
        asleep = [kept for kept in self._kept.values() if kept.page is None]
        if not asleep:
            self._turn_away(
                page, FULL, _("Netplay is open in too many tabs. Close one of them.")
            )
        min(asleep, key=lambda kept: kept.session.left_at).scope.cancel()

    async def _live(self, key: tuple[str, str], kept: Kept) -> None:
        """Run a session until it ends, or its page has been away for long."""
        session = kept.session
        try:
            with kept.scope:
                async with trio.open_nursery() as nursery:
                    session.nursery = nursery
                    session.link = Link(
                        self._home,
                        session.hear,
                        session.came,
                        session.gone,
                        self._opener,
                    )
                    nursery.start_soon(session.link.run)
                    nursery.start_soon(_watch, kept)
                    await session.run()
                    nursery.cancel_scope.cancel()
        finally:
            if self._kept.get(key) is kept:
                del self._kept[key]
            if kept.page is not None:
                kept.page.close(1000, "")


async def _watch(kept: Kept) -> None:
    """End a session whose page does not come back."""
    while True:
        await trio.sleep(WEB_ASLEEP_SECONDS / 10)
        away = trio.current_time() - kept.session.left_at
        if kept.page is None and away >= WEB_ASLEEP_SECONDS:
            kept.scope.cancel()


class _Behind:
    """What is behind a page: its session, as long as it is its page."""

    def __init__(self, kept: Kept, page: Page) -> None:
        self._kept, self._page = kept, page
        self.said = kept.session.said

    def left(self) -> None:
        """Let the session wait for the page to come back."""
        self._kept.session.detach(self._page.send)
        if self._kept.page is self._page:
            self._kept.page = None


def _words() -> dict[str, str]:
    """Return what the page says where no session can."""
    return {
        "lost": _("The connection to Netplay is lost. Trying again …"),
        "taken": _("Netplay goes on in another tab."),
        "over": _("Netplay has ended here."),
    }


__all__ = ["FULL", "TAKEN", "UNKNOWN", "Pages"]
