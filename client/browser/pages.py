"""The pages of a home: who is let in, and which session is whose."""

from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from platform import node
from typing import NoReturn

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from client.app import settings
from client.app.link import Opener
from client.app.model import Model
from client.app.settings import Settings
from client.browser import talk
from client.browser.access import Access, Knocks
from client.browser.guests import GuestSession, seat, token_of
from client.browser.server import Guest, Page, RefusedError, made
from client.browser.session import PageSession
from client.ui import texts
from client.ui.texts import _, sentence
from client.ui.theme import CONTRAST, DARK, LIGHT
from netplay.door_place import open_door
from netplay.errors import LocalError
from netplay.limits import (
    DOOR_GUESTS,
    LENT_LOOKS,
    WEB_ASLEEP_SECONDS,
    WEB_LOOKS_ASLEEP_SECONDS,
    WEB_SESSIONS,
)
from netplay.messages.door import BYSTANDER, Seated
from netplay.said import Words
from netplay.sentences import Says
from netplay.web_place import GUEST_MARK

UNKNOWN, FULL, TAKEN = 4401, 4429, 4409
"""Why a page is turned away: not let in, too many, shown in another tab since."""


FORGET_SECONDS = 1.0
"""Until a browser that is forgotten is shown nothing more, at the latest."""


class Kept(Struct, eq=False):
    """A session, and what ends it."""

    session: PageSession
    scope: trio.CancelScope
    asleep: float
    """Seconds for which it waits for its page to come back."""
    looks: bool = False
    """It is of a guest who looks on."""
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
        self._knocks = Knocks()

    async def welcome(self, hello: talk.Hello, page: Page) -> Guest:
        """Let a page in to its session, or to a new one.

        Raises:
            RefusedError: It is not known, or there are too many.
        """
        own, _damaged = settings.load(self._home)
        texts.speak(own.language)
        if (hello.entry or hello.token).startswith(GUEST_MARK):
            # A guest has no settings here: they are as the browser is set
            named = hello.lang.partition("-")[0].lower()
            theme = CONTRAST if hello.contrast else DARK if hello.dark else LIGHT
            plain = Settings(theme=theme.name, language=own.language)
            if named in texts.LANGUAGES:
                plain = replace(plain, language=named)
            if hello.still:
                plain = replace(plain, animation="off")
            return await self._seat(hello, page, plain)
        token = self._token(hello, page)
        key = token, hello.tab
        kept = self._living(key)
        if kept is None:
            self._make_room(page, guests=False)
            session = PageSession(Model(settings=own, computer=node()), self._home)
            kept = self._begin(key, session)
        return self._attach(kept, page, token, hello)

    def _token(self, hello: talk.Hello, page: Page) -> str:
        """Return the token of an owner's page.

        Raises:
            RefusedError: It shows nothing that is good, or where others can read it.
        """
        if not page.tls and not _is_here(page.address):
            words = _("Your own games are shown to this computer alone.")
            if not hello.entry and not hello.token:  # as one who had a seat elsewhere
                words = _("Ask for a new link: it leads back to your seat.")
            self._turn_away(page, UNKNOWN, words)
        token, now = hello.token, trio.current_time()
        if hello.entry:
            token = self._access.enter(hello.entry, page.address, now)
        elif not self._access.knows(token):
            token = ""
        if not token:
            words = _("This link was used, or is too old. “netplay web” makes another.")
            self._turn_away(page, UNKNOWN, words)
        return token

    async def _seat(self, hello: talk.Hello, page: Page, plain: Settings) -> Guest:
        """Let somebody in who was lent a seat; in one tab at a time.

        Args:
            hello: What the page says.
            page: It.
            plain: Settings for who has none here.

        Raises:
            RefusedError: It is lent no more, or the node does not answer.
        """
        given = hello.entry or hello.token
        kept = self._living((given, ""))
        if kept is not None:
            return self._attach(kept, page, given, hello)
        found = await self._seated(given, page, plain.language)
        token = GUEST_MARK + found.token.hex()
        kept = self._living((token, ""))
        if kept is None:
            looks = found.seat == BYSTANDER
            self._make_room(page, guests=True, looks=looks)
            session = GuestSession(
                Model(settings=plain), self._home, found.token, self._end(token)
            )
            asleep = WEB_LOOKS_ASLEEP_SECONDS if looks else WEB_ASLEEP_SECONDS
            kept = self._begin((token, ""), session, asleep, looks=looks)
        return self._attach(kept, page, token, hello)

    async def _seated(self, given: str, page: Page, language: str) -> Seated:
        """Return what the node has lent to who shows this.

        Raises:
            RefusedError: It has lent nothing, or does not answer.
        """
        texts.speak(language)
        # What others at its address have tried, and a node that is down, cost no seat.
        if not self._knocks.may_knock(page.address, trio.current_time()):
            self._turn_away(page, UNKNOWN, _("Too many wrong links."), later=True)
        try:
            return await seat(self._home, token_of(given), self._opener)
        except LocalError as error:
            texts.speak(language)  # others have been told something meanwhile
            later = error.said != Says.SEAT_LENT_NO_MORE()
            self._turn_away(page, UNKNOWN, sentence(error.said), later=later)

    def _end(self, token: str) -> Callable[[Words], None]:
        """Return what tells a guest's page that its seat is lent no more."""

        def end(words: Words) -> None:
            kept = self._kept.get((token, ""))
            if kept is not None and kept.page is not None:
                said = {"refused": sentence(words), "lang": texts.spoken()}
                kept.page.send(msgspec.json.encode(said))

        return end

    def _begin(
        self,
        key: tuple[str, str],
        session: PageSession,
        asleep: float = WEB_ASLEEP_SECONDS,
        *,
        looks: bool = False,
    ) -> Kept:
        kept = self._kept[key] = Kept(session, trio.CancelScope(), asleep, looks)
        self._nursery.start_soon(self._live, key, kept)
        return kept

    def _attach(self, kept: Kept, page: Page, token: str, hello: talk.Hello) -> Guest:
        """Show a session to a page; one that showed it before is told."""
        if kept.page is not None:
            kept.page.close(TAKEN, "")
        kept.page = page
        texts.speak(kept.session.model.settings.language)
        told = {
            "token": token,
            "words": {
                "lost": _("The connection to Netplay is lost. Trying again …"),
                "taken": _("Netplay goes on in another tab."),
                "here": _("Go on here"),
                "over": _("Netplay has ended here."),
            },
            "made": made(),
        }
        page.send(msgspec.json.encode(told))
        kept.session.attach(page.send, hello.w, hello.h)
        return _Behind(kept, page)

    async def watch(self) -> None:
        """End the sessions of browsers that are forgotten while they are there."""
        while True:
            await trio.sleep(FORGET_SECONDS)
            for (token, _tab), kept in list(self._kept.items()):
                if isinstance(kept.session, GuestSession) or self._access.knows(token):
                    continue
                if kept.page is not None:
                    texts.speak(kept.session.model.settings.language)
                    words = _("This browser can no longer get in.")
                    said = {"refused": words, "lang": texts.spoken()}
                    kept.page.send(msgspec.json.encode(said))
                    kept.page.close(UNKNOWN, "")
                kept.scope.cancel()

    def _turn_away(
        self, page: Page, code: int, words: str, *, later: bool = False
    ) -> NoReturn:
        """Say why a page is not let in, and whether it is to come again."""
        said = {"refused": words, "lang": texts.spoken(), "later": later}
        page.send(msgspec.json.encode(said))
        raise RefusedError(code, "")

    def _living(self, key: tuple[str, str]) -> Kept | None:
        """Return the session of a page, None if there is none, or one that ends."""
        kept = self._kept.get(key)
        return None if kept is None or kept.scope.cancel_called else kept

    def _make_room(self, page: Page, *, guests: bool, looks: bool = False) -> None:
        """End the session that has been without its page for longest, if need be.

        The node knows of who looks on only once the session has come to its door: of
        those who come at once it would let each in.
        """
        kind = [
            kept
            for kept in self._kept.values()
            if isinstance(kept.session, GuestSession) is guests
            if not kept.scope.cancel_called
        ]
        looking = [kept for kept in kind if kept.looks]
        if looks and len(looking) >= LENT_LOOKS:
            kind = looking  # they leave the rest to guests with seats
        elif len(kind) < (DOOR_GUESTS if guests else WEB_SESSIONS):
            return
        asleep = [kept for kept in kind if kept.page is None]
        if not asleep:
            words = _("Netplay is open in too many tabs. Close one of them.")
            if guests:  # whose tabs they are not
                words = sentence(Says.TOO_MANY_GUESTS())
            self._turn_away(page, FULL, words, later=True)
        min(asleep, key=lambda kept: kept.session.left_at).scope.cancel()

    async def _live(self, key: tuple[str, str], kept: Kept) -> None:
        """Run a session until it ends, or its page has been away for long."""
        session = kept.session
        try:
            with kept.scope:
                async with trio.open_nursery() as nursery:
                    session.nursery = nursery
                    session.link = session.way(self._opener)
                    nursery.start_soon(session.link.keep_open)
                    nursery.start_soon(_watch, kept)
                    await session.live()
                    nursery.cancel_scope.cancel()
        finally:
            if self._kept.get(key) is kept:
                del self._kept[key]
            if kept.page is not None:
                kept.page.close(1000, "")


def _is_here(address: str) -> bool:
    """Tell whether an address is this computer's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


async def _watch(kept: Kept) -> None:
    """End a session whose page does not come back."""
    while True:
        await trio.sleep(kept.asleep / 10)
        away = trio.current_time() - kept.session.left_at
        if kept.page is None and away >= kept.asleep:
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


__all__ = ["FULL", "TAKEN", "UNKNOWN", "Pages"]
