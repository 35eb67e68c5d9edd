"""Dial the links that are wanted, again and again, until they are there."""

from collections.abc import Callable, Sequence

import trio

from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.journal import Journal
from netplay.limits import DIALS, DOOR_TRIES, HANDSHAKE_SECONDS
from netplay.peering import invitation
from netplay.peering.address import parse
from netplay.peering.connection import Connection, Way
from netplay.peering.dial_plan import HOPELESS, BackOff, Entropy, places
from netplay.peering.fingerprint import fingerprint
from netplay.peering.link import End
from netplay.peering.links import Links
from netplay.peering.net import Net, Secured
from netplay.peering.peers import KnownPeers
from netplay.peering.racing import LostError, Race
from netplay.sentences import Says
from netplay.wanted import Dial

Unreachable = Callable[[Dial, NetplayError], None]
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
        self._keys: dict[Dial, bytes] = {}
        """Who was there, of those that are dialled by address alone."""
        self._retry = trio.Event()

    def want(self, wanted: Sequence[Dial], nursery: trio.Nursery) -> None:
        """Look for exactly these links from now on."""
        self._wanted = frozenset(wanted)
        self._hopeless &= self._wanted
        for dial in wanted:
            if len(self._dialling) >= DIALS:
                break  # the others when one of these has come to its end
            if dial not in self._dialling and dial not in self._hopeless:
                self._dialling.add(dial)
                nursery.start_soon(self._keep_dialling, dial, nursery)

    def retry(self) -> None:
        """Dial everything that is missing at once, also what seemed hopeless."""
        self._hopeless.clear()
        self._links.held.clear()
        self._retry.set()
        self._retry = trio.Event()

    async def _keep_dialling(self, dial: Dial, nursery: trio.Nursery) -> None:
        """Dial until the link is no longer missing."""
        back_off = BackOff(self._entropy, calm=dial.calm)
        await self._pause(self._held(dial))
        while dial in self._wanted and dial not in self._hopeless:
            if await self._dial(dial):
                back_off.reset()
            await self._pause(max(back_off.next(), self._held(dial)))
        self._keys.pop(dial, None)
        self._dialling.discard(dial)
        self.want(tuple(self._wanted), nursery)

    async def _pause(self, seconds: float) -> None:
        """Wait, or until the user asks to try at once."""
        with trio.move_on_after(seconds):
            await self._retry.wait()

    def _held(self, dial: Dial) -> float:
        """Return the seconds for which this peer must not be dialled."""
        key = dial.key or self._keys.get(dial)
        return self._links.held.wait(key, trio.current_time())

    async def _dial(self, dial: Dial) -> bool:
        """Try every address of a wanted link; return whether it was open."""
        try:
            return await self._dial_places(dial)
        except LostError as lost:
            errors = lost.errors
        except NetplayError as error:
            errors = [error]
        if all(error.code in HOPELESS for error in errors):
            self._hopeless.add(dial)
        loud = [error for error in errors if error.code is Code.WRONG_KEY]
        worst = (loud or errors)[0]
        self._journal("dial.failed", address=dial.address, why=worst)
        self._unreachable(dial, worst)
        return False

    async def _dial_places(self, dial: Dial) -> bool:
        """Dial the addresses and carry the link that comes of it to its end.

        Returns:
            Whether it was open.

        Raises:
            LostError: No address answered.
            NetplayError: The node that did would not talk.
        """

        async def attempt(place: str) -> Secured:
            return await self._connect(place, dial)

        place, secured = await Race(self._places(dial), attempt).run()
        connection = Connection(secured.stream, secured.key, place, Way.DIALLED)
        connection.called = dial.address
        self._keys[dial] = secured.key
        await self._links.carry(connection, trio.current_time(), _welcome)
        return _was_open(connection)

    def _places(self, dial: Dial) -> list[str]:
        """Return where to try.

        Raises:
            LocalError: USAGE, what was typed is no address and no other is known.
        """
        known = self._known.addresses(dial.key) if dial.key else ()
        try:
            wanted = invitation.places(dial.address) if dial.address else ()
        except LocalError:
            if not known:
                raise
            wanted = ()
        known = (*known, *self._known.told(dial.key)) if dial.key else ()
        return places([place.text() for place in wanted], known)

    async def _connect(self, place: str, dial: Dial) -> Secured:
        """Return a stream to the node at an address, if it is the one that is wanted.

        Raises:
            NetplayError: It is not, or there is none.
        """
        secured = await self._secured(place)
        try:
            self._judge(place, secured.key, dial)
        except NetplayError as error:
            await trio.aclose_forcefully(secured.stream)
            if error.code is Code.WRONG_KEY and self._is_hearsay(place, dial):
                raise LocalError(Code.NO_ANSWER, place) from None
            raise
        return secured

    def _is_hearsay(self, place: str, dial: Dial) -> bool:
        """Return whether we know of a place only because its node told us.

        In another network the same number is somebody else's, and nobody's fault.
        """
        key = dial.key
        if key is None or place not in self._known.told(key):
            return False
        if place in self._known.addresses(key):
            return False
        wanted = invitation.places(dial.address) if dial.address else ()
        return place not in [each.text() for each in wanted]

    async def _secured(self, place: str) -> Secured:
        """Return a stream to whoever is at an address, and its key.

        A node with a crowd at its door hangs up on somebody, so it is asked again.

        Raises:
            NetplayError: There is nobody, or nobody who proves a key.
        """
        back_off = BackOff(self._entropy)
        for more in reversed(range(DOOR_TRIES)):
            stream = await self._net.connect(parse(place))
            try:
                with trio.fail_after(HANDSHAKE_SECONDS):
                    return await self._net.secure(stream, server_side=False)
            except trio.TooSlowError:
                break
            except LocalError:
                if not more:
                    raise
            await trio.sleep(back_off.next())
        raise LocalError(Code.NO_ANSWER, place)

    def _judge(self, place: str, key: bytes, dial: Dial) -> None:
        """Refuse another key than was wanted, invited or known there, or a blocked one.

        Raises:
            PeerError: WRONG_KEY.
            LocalError: USAGE, the player has blocked it.
        """
        if key in self._known.blocked:
            name = self._known.blocked.all()[key] or fingerprint(key)
            detail = Says.UNBLOCK_FIRST(name=name)
            raise LocalError(Code.USAGE, detail)
        if dial.key is not None:
            if key != dial.key:
                wanted, found = fingerprint(dial.key), fingerprint(key)
                detail = Says.OTHER_KEY_ANSWERED(wanted=wanted, found=found)
                raise PeerError(Code.WRONG_KEY, detail)
        elif invitation.is_invitation(dial.address):
            if not invitation.read(dial.address).fits(key):
                detail = Says.NOT_THE_INVITER(place=place, key=fingerprint(key))
                raise PeerError(Code.WRONG_KEY, detail)
        else:
            self._known.check(place, key)


def _welcome(_connection: Connection) -> None:
    """Let a peer in whose key has been judged already."""


def _was_open(connection: Connection) -> bool:
    """Return whether a connection that has ended was open; raise why not."""
    if connection.opened_at is not None:
        return True
    ended = connection.ended
    if ended is None or ended.code is None:
        raise LocalError(Code.NO_ANSWER, connection.address)
    said = ended.reason if ended.reason != ended.code.text else ""
    side = "told by the other side" if ended.end is End.THEIRS else ""
    raise PeerError(ended.code, said or side)
