"""Dial the links that are wanted, again and again, until they are there."""

from collections.abc import Callable, Sequence

import trio

from netplay.address import parse
from netplay.connection import Connection, Way
from netplay.dialling import HOPELESS, BackOff, Entropy, places
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.fingerprint import fingerprint
from netplay.journal import Journal
from netplay.limits import HANDSHAKE_SECONDS
from netplay.link import End
from netplay.links import Links
from netplay.net import Net
from netplay.peers import KnownPeers
from netplay.table import Dial

Unreachable = Callable[[Dial, str], None]
"""Told of a link that could not be had, and why."""


class Dialler:
    """One task for each link that is wanted and missing."""

    def __init__(
        self,
        net: Net,
        links: Links,
        known: KnownPeers,
        entropy: Entropy,
        journal: Journal,
        unreachable: Unreachable,
    ) -> None:
        """Start with nothing to dial.

        Args:
            net: How to connect.
            links: Where connections go.
            known: Other addresses of peers, and the keys known at addresses.
            entropy: For the jitter.
            journal: Where failures are noted.
            unreachable: Told of them.
        """
        self._net = net
        self._links = links
        self._known = known
        self._entropy = entropy
        self._journal = journal
        self._unreachable = unreachable
        self._wanted: frozenset[Dial] = frozenset()
        self._dialling: set[Dial] = set()
        self._hopeless: set[Dial] = set()
        self._retry = trio.Event()

    def want(self, wanted: Sequence[Dial], nursery: trio.Nursery) -> None:
        """Look for exactly these links from now on."""
        self._wanted = frozenset(wanted)
        self._hopeless &= self._wanted
        for dial in wanted:
            if dial not in self._dialling and dial not in self._hopeless:
                self._dialling.add(dial)
                nursery.start_soon(self._keep_dialling, dial, nursery)

    def retry(self) -> None:
        """Dial everything that is missing at once, also what seemed hopeless."""
        self._hopeless.clear()
        self._retry.set()
        self._retry = trio.Event()

    async def _keep_dialling(self, dial: Dial, nursery: trio.Nursery) -> None:
        """Dial until the link is no longer missing."""
        back_off = BackOff(self._entropy)
        while dial in self._wanted and dial not in self._hopeless:
            if await self._dial(dial):
                back_off.reset()
            with trio.move_on_after(back_off.next()):
                await self._retry.wait()
        self._dialling.discard(dial)
        if dial in self._wanted:
            self.want(tuple(self._wanted), nursery)

    async def _dial(self, dial: Dial) -> bool:
        """Try every address of a wanted link; return whether it was open."""
        known = self._known.addresses(dial.key) if dial.key else ()
        error: NetplayError = LocalError(Code.NO_ADDRESS, "none is known")
        for place in places(dial.address, known):
            try:
                if await self._dial_address(dial, place):
                    return True
            except NetplayError as failed:
                error = failed
            if dial not in self._wanted:
                return False
        if error.code in HOPELESS:
            self._hopeless.add(dial)
        self._journal("dial.failed", address=dial.address, why=error)
        self._unreachable(dial, str(error))
        return False

    async def _dial_address(self, dial: Dial, place: str) -> bool:
        """Dial one address and carry the link to its end.

        Returns:
            Whether it was open.

        Raises:
            NetplayError: Why it was not.
        """
        address = parse(place)
        began = trio.current_time()
        stream = await self._net.connect(address)
        try:
            with trio.fail_after(HANDSHAKE_SECONDS):
                secured = await self._net.secure(stream, server_side=False)
        except trio.TooSlowError:
            raise LocalError(Code.NO_ANSWER, place) from None
        connection = Connection(
            secured.stream, secured.key, address.text(), Way.DIALLED
        )
        connection.called = dial.address
        await self._links.carry(
            connection, began, lambda found: self._judge(found, dial)
        )
        return _was_open(connection)

    def _judge(self, connection: Connection, dial: Dial) -> None:
        """Refuse another key than was wanted or known there."""
        if dial.key is None:
            self._known.check(connection.address, connection.key)
        elif connection.key != dial.key:
            wanted, found = fingerprint(dial.key), fingerprint(connection.key)
            raise PeerError(Code.WRONG_KEY, f"{wanted} was wanted, {found} answered")


def _was_open(connection: Connection) -> bool:
    """Return whether a connection that has ended was open; raise why not."""
    if connection.opened_at is not None:
        return True
    ended = connection.ended
    if ended is None or ended.code is None:
        raise LocalError(Code.NO_ANSWER, connection.address)
    side = "told by the other side" if ended.end is End.THEIRS else ""
    raise PeerError(ended.code, ended.reason or side)
