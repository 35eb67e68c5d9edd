"""What the node itself answers its windows; the rest is for the desk."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import trio

from netplay import VERSION
from netplay.address import parse
from netplay.dialler import Dialler
from netplay.fingerprint import fingerprint
from netplay.links import Links
from netplay.messages.door import (
    Done,
    Failed,
    GetStatus,
    PeerStatus,
    Request,
    Retry,
    SetName,
    Status,
    StopNode,
    Tool,
)
from netplay.messages.types import NAME_CHARACTERS
from netplay.peers import KnownPeers
from netplay.sanitize import clean
from netplay.wire import pack

if TYPE_CHECKING:
    from netplay.node import Parts


class Front:
    """The node's own answers, and its status."""

    def __init__(
        self,
        parts: "Parts",
        links: Links,
        known: KnownPeers,
        dialler: Dialler,
        stop: Callable[[], None],
    ) -> None:
        """Take what there is to tell about.

        Args:
            parts: The node's parts.
            links: Who is there.
            known: Who has been there.
            dialler: Who looks for them.
            stop: Ends the node.
        """
        self._parts = parts
        self._desk = parts.desk
        self._links = links
        self._known = known
        self._dialler = dialler
        self._stop = stop
        self.name = parts.home.setting("name")
        self.port = 0

    def answer(self, window: int, request: Request) -> Done | Failed:
        """Answer a request.

        Raises:
            NetplayError: It cannot be done.
        """
        match request.ask:
            case GetStatus():
                return Done(request.id, data=pack(self.status()))
            case StopNode():
                self._stop()
                return Done(request.id, "the node stops")
            case Retry():
                self._dialler.retry()
                return Done(request.id)
            case Tool(verb="forget", arguments=(address,)):
                return Done(request.id, self._forget(address))
            case SetName(name):
                return self._rename(window, request, name)
            case _:
                return self._desk.ask(window, request, trio.current_time())

    def status(self) -> Status:
        """Return all a window shows of the node."""
        now = trio.current_time()
        return Status(
            name=self.name,
            key=fingerprint(self._parts.key),
            version=VERSION,
            addresses=self._parts.addresses(),
            port=self.port,
            mode=self._desk.mode(),
            peers=(*self._here(now), *self._away(now)),
            table=self._desk.table_status(now),
            saved=self._parts.saved(),
            nearby=(),
        )

    def _forget(self, text: str) -> str:
        """Trust whoever answers at an address from now on."""
        address = parse(text).text()
        known = self._known.forget(address)
        self._dialler.retry()
        return f"{address} was {'known' if known else 'not known'}"

    def _rename(self, window: int, request: Request, name: str) -> Done | Failed:
        """Take another name, if the desk does, and keep it."""
        answer = self._desk.ask(window, request, trio.current_time())
        if isinstance(answer, Done):
            self.name = clean(name, NAME_CHARACTERS)
            self._parts.home.set("name", self.name)
        return answer

    def _here(self, now: float) -> Iterator[PeerStatus]:
        """Yield the peers that are there."""
        for key, connection in self._links.here().items():
            yield PeerStatus(
                name=connection.hello.name if connection.hello else "",
                key=fingerprint(key),
                address=connection.address,
                connected=True,
                since=_seconds(connection.opened_at, now),
            )

    def _away(self, now: float) -> Iterator[PeerStatus]:
        """Yield the peers that have gone."""
        for key, seen in self._links.away():
            yield PeerStatus(
                name=self._known.name(key),
                key=fingerprint(key),
                address=next(iter(self._known.addresses(key)), ""),
                connected=False,
                since=int(now - seen),
            )


def _seconds(since: float | None, now: float) -> int:
    """Return whole seconds since a time, 0 if it has not come."""
    return 0 if since is None else int(now - since)
