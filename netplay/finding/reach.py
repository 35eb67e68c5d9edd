"""Can others reach this node?  Without a server only another node can tell.

Theory of operation.  Whoever has called us has reached us where it dialled, which it
tells when it is asked; and it is asked to dial each of our places by itself: the
address that our link comes from, at the port we name, and for a friend those that we
name.  It checks that our own key answers there, and tells of each what came of it.
A node does that for a peer now and then; places that somebody names are dialled only
for those whom the player has called or plays with.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

import trio

from netplay.errors import Code, NetplayError, PeerError
from netplay.finding.places import useful
from netplay.finding.verdict import (
    NOBODY,
    Standing,
    Try,
    Verdict,
    is_near,
    judge,
    number_in,
)
from netplay.journal import Journal
from netplay.limits import (
    HANDSHAKE_SECONDS,
    PROBE_PAUSE_SECONDS,
    PROBE_SECONDS,
    PROBES_AT_ONCE,
)
from netplay.messages.link import DialBack, DialedBack, Tried
from netplay.messages.types import REASON_CHARACTERS, TRIED
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection, Way
from netplay.peering.link import DIAL_BACK
from netplay.peering.links import Links
from netplay.peering.net import Net
from netplay.said import Said, Words, known
from netplay.sanitize import clean
from netplay.sentences import Says

PLAINLY: Final = {
    Says.PLACE_REFUSES.name: Says.TRIED_REFUSES(),
    Says.PLACE_SILENT.name: Says.TRIED_SILENT(),
    Says.NO_WAY_TO.name: Says.TRIED_NO_WAY(),
}
"""What came of dialling, for others: they know the place."""


class Reach:
    """Asks peers to dial back, and dials back for them."""

    def __init__(
        self,
        net: Net,
        links: Links,
        journal: Journal,
        seen: Callable[[bytes, Try], None],
        friend: Callable[[bytes], bool],
        standing: Callable[[], Standing],
    ) -> None:
        """Prepare.

        Args:
            net: How to dial.
            links: Who is there.
            journal: Where results are noted.
            seen: Told of every attempt, and of whose it was.
            friend: Whether the player has called somebody, or plays with them.
            standing: What is known of our addresses.
        """
        self._seen: Final = seen
        self._net: Final = net
        self._links: Final = links
        self._journal: Final = journal
        self._friend: Final = friend
        self._standing: Final = standing
        self._numbers: Final = count(1)
        self._asked: Final[dict[tuple[bytes, int], trio.Event]] = {}
        self._dialled: Final[dict[bytes, dict[Address, float]]] = {}
        """Where we have dialled for peers just before, and when."""
        self._dialling = 0
        """For how many we do so at the moment."""
        self._latest: Final[dict[bytes, dict[str, tuple[Try, float]]]] = {}
        """What came of the last attempts of each peer that is there, and when."""
        self.verdict = NOBODY

    # Asking.

    async def test(self, port: int, places: Sequence[str]) -> Verdict:
        """Return whether others reach this node.

        Args:
            port: Where it believes that they do.
            places: All places where it may be.
        """
        self._forget()
        tries: list[Try] = []
        async with trio.open_nursery() as nursery:
            for key, connection in tuple(self._links.here().items()):
                if connection.through:
                    continue  # it says nothing of where we can be called
                if DIAL_BACK in connection.features:
                    nursery.start_soon(self._ask, key, port, places, tries)
                elif connection.way is Way.CAME:
                    tries.append(self._try(connection, connection.address, ""))
        self.verdict = judge(tries, self._standing())
        self._journal("reach", scope=self.verdict.scope.value, why=self.verdict.words)
        return self.verdict

    async def ask(self, key: bytes, port: int, places: Sequence[str]) -> None:
        """Let a peer try our places, or tell where it has; `seen` is told."""
        await self._ask(key, port, places, [])

    async def _ask(
        self, key: bytes, port: int, places: Sequence[str], tries: list[Try]
    ) -> None:
        asked = key, next(self._numbers)
        self._asked[asked] = trio.Event()
        self._links.send((key,), DialBack(asked[1], port, tuple(places)))
        with trio.move_on_after(PROBE_SECONDS):
            for other, answered in tuple(self._asked.items()):
                if other[0] == key:  # where it dials already it does not dial again
                    await answered.wait()
        del self._asked[asked]
        tries += [one for one, _at in self._latest.get(key, {}).values()]

    def told(self, key: bytes, message: DialedBack) -> None:
        """Take a peer's answer; one that nobody waits for is dropped."""
        asked = self._asked.get((key, message.number))
        connection = self._links.here().get(key)
        if asked is None or asked.is_set() or connection is None:
            return
        asked.set()
        self._forget()
        latest = self._latest.setdefault(key, {})
        for told in message.tried:
            one = self._try_told(connection, told)
            latest[one.host] = one, trio.current_time()
            self._seen(key, one)

    def _forget(self) -> None:
        """Forget what peers have told that are gone, or that may try again."""
        now = trio.current_time()
        for gone in self._latest.keys() - self._links.here().keys():
            del self._latest[gone]
        for latest in self._latest.values():
            for host, (_one, at) in tuple(latest.items()):
                if at + PROBE_PAUSE_SECONDS <= now:
                    del latest[host]

    def _try_told(self, connection: Connection, told: Tried) -> Try:
        """Return an attempt as its peer tells of it."""
        why = known(clean(told.reason, REASON_CHARACTERS)) or Says.DIAL_FAILED()
        where = clean(told.address, len(told.address))
        if connection.way is Way.CAME and number_in(where) is None:
            where = connection.address  # it knows us by a name: that tells no kind
        return self._try(connection, where, "" if told.reached else why)

    def _try(self, connection: Connection, where: str, error: Words) -> Try:
        hello = connection.hello
        assert hello is not None  # every open link has heard one
        near = is_near(connection.address, self._standing())
        return Try(hello.name, where, error, near)

    # Answering.

    async def dial_back(self, connection: Connection, message: DialBack) -> None:
        """Dial a peer back and tell it what came of it."""
        tried: list[Tried] = []
        if connection.way is Way.DIALLED and not connection.through:
            tried.append(Tried(connection.address[:64], reached=True, reason=""))
        key = connection.key
        places = self._free(key, self._places(connection, message))
        if places:
            tried += await self._dial_all(key, places)
        answer = DialedBack(message.number, tuple(tried))
        self._links.send((connection.key,), answer)

    def _places(self, connection: Connection, message: DialBack) -> list[Address]:
        """Return where to dial a peer: where it comes from, and a friend where it says.

        Places of some network at home are dialled only for who is in the same one.
        """
        found: list[Address] = []
        if connection.through:
            return found  # nobody knows where it is
        here = connection.address
        if connection.way is Way.MET:
            here = parse(here).host
        if here and connection.way is not Way.DIALLED:
            found.append(Address(here, message.port))
        if self._friend(connection.key):
            own = self._standing()
            named = [parse(text) for text in map(useful, message.places) if text]
            # Without its interface such a number leads nowhere.
            named = [one for one in named if not one.host.startswith("fe80:")]
            near = bool(here) and is_near(here, own)
            found += [one for one in named if near or not is_near(one.host, own)]
        reached = connection.address if connection.way is Way.DIALLED else ""
        return [one for one in dict.fromkeys(found) if one.text() != reached]

    def _free(self, key: bytes, places: Sequence[Address]) -> list[Address]:
        """Return those of a peer's places that may be dialled now; note that they are.

        None twice so soon, and not more than so many.
        """
        now = trio.current_time()
        for other, dialled in tuple(self._dialled.items()):
            for place, at in tuple(dialled.items()):
                if at + PROBE_PAUSE_SECONDS <= now:
                    del dialled[place]
            if not dialled:
                del self._dialled[other]
        if self._dialling >= PROBES_AT_ONCE:
            return []
        dialled = self._dialled.setdefault(key, {})
        free = [one for one in places if one not in dialled][: TRIED - len(dialled)]
        dialled.update((one, now) for one in free)
        return free

    async def _dial_all(self, key: bytes, places: Sequence[Address]) -> list[Tried]:
        """Return what comes of dialling a peer at each of its places, all at once."""
        found: dict[Address, Tried] = {}

        async def dial(where: Address) -> None:
            error = await self._dial(key, where)
            text = where.text()[:64]
            found[where] = Tried(text, reached=not error, reason=str(error))

        self._dialling += 1
        try:
            async with trio.open_nursery() as nursery:
                for where in places:
                    nursery.start_soon(dial, where)
        finally:
            self._dialling -= 1
        return [found[where] for where in places]

    async def _dial(self, key: bytes, where: Address) -> Words:
        """Return why a peer is not reached at a place, nothing if it is."""
        try:
            stream = await self._net.connect(where)
            with trio.fail_after(HANDSHAKE_SECONDS):
                found = await self._net.secure(stream, server_side=False)
            await trio.aclose_forcefully(found.stream)
            if found.key != key:
                raise PeerError(Code.WRONG_KEY)
        except trio.TooSlowError:
            return Code.NO_ANSWER.text
        except NetplayError as failed:
            detail = failed.detail
            code = detail.code if isinstance(detail, Said) else ""
            return PLAINLY.get(code, failed.code.text)
        return ""
