"""Dial the links that are wanted, again and again, until they are there."""

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from typing import Final, NamedTuple, TypeAlias, TypeVar

import trio

from netplay import limits
from netplay.errors import Code, LocalError, NetplayError, PeerError
from netplay.faults import Nursery
from netplay.fingerprint import fingerprint, folded
from netplay.journal import Journal
from netplay.peering import dial_plan, invitation
from netplay.peering.address import Address, parse
from netplay.peering.connection import Connection, Way
from netplay.peering.dial_plan import HOPELESS, MUTE, BackOff, Entropy, places, told
from netplay.peering.line import is_via, misled
from netplay.peering.links import Links
from netplay.peering.net import (
    Few,
    LostError,
    Meeting,
    Net,
    Race,
    Secured,
    few,
    host_outside,
    leads,
    to_be_called,
    wide,
)
from netplay.peering.peers import KnownPeers
from netplay.said import Said
from netplay.sentences import Says
from netplay.wanted import Dial


class Also(NamedTuple):
    """One more place where whoever is missing may be."""

    address: str
    """As the player wrote it."""
    places: tuple[str, ...]


Attempt: TypeAlias = Callable[[str], Awaitable[Secured]]
"""Connects to a place and proves who is there; raises a NetplayError."""

T = TypeVar("T")

Won: TypeAlias = tuple[str, Secured, Way]
"""The place, the stream, and who has called."""

LOOK_SECONDS: Final = 0.25
"""Between looks whether a call is still wanted."""

PLAIN_SECONDS: Final = 0.4
"""For which a plain call has the field to itself: it is answered by then, or not."""

ANSWERED_SECONDS: Final = 2.0
"""For which a plain call that was answered may still win over one that was met."""

LATE: Final = 5.0
"""Seconds later than a stranger's word has ended it is noted for sure."""

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
        together: Callable[[Dial], None],
    ) -> None:
        """Start with nothing to dial.

        Args:
            net: How to connect.
            links: Where connections go.
            known: Other addresses of peers, and the keys known at addresses.
            entropy: For the jitter.
            journal: Where failures are noted.
            unreachable: Told of them.
            together: Told of a call that only succeeds if the other calls, too.
        """
        self._net = net
        self._links = links
        self._known = known
        self._entropy = entropy
        self.failed: Final = dial_plan.Failures(journal)
        self._unreachable = unreachable
        self._together = together
        self._spent: Final = Counter[Address]()
        """How often places of whom the player waits for were called; see `Meeting`."""
        self._met: dict[bytes, float] = {}
        """When meeting a member was last tried."""
        self._told: set[Dial] = set()
        """Of which calls the player knows that the other must call, too."""
        self._wanted: frozenset[Dial] = frozenset()
        self._dialling: set[Dial] = set()
        self._hopeless: set[Dial] = set()
        self._answered: Final[Counter[Dial]] = Counter()
        """How many plain calls were answered and are not proved yet."""
        self._proving: Final[dict[str, float]] = {}
        """Since when a plain call goes on to each place that was answered."""
        self._crowded: Final[dict[Dial, BackOff]] = {}
        """The waits before those are called again who answer and had no time."""
        self._waits: Final[dict[Dial, BackOff]] = {}
        """Those between other calls."""
        self._keys: dict[Dial, bytes] = {}
        """Who was there, of those that are dialled by address alone."""
        self._beside: set[bytes] = set()
        self._more: Also | None = None
        self._racing: dict[trio.CancelScope, Dial] = {}
        self._pausing: dict[Dial, trio.CancelScope] = {}
        self._retry = trio.Event()
        self.around = dial_plan.Around()
        self._first: tuple[Dial, ...] = ()
        self._by_udp: Final = dial_plan.UdpCalls()
        self.hearsay: Final = dial_plan.Hearsay(known, links.here)

    def want(
        self, wanted: Sequence[Dial], nursery: Nursery, first: Sequence[Dial] = ()
    ) -> None:
        """Look for exactly these links from now on.

        Args:
            wanted: Whom tables want, so many of them at a time.
            nursery: Where to.
            first: Who is to carry to some of them: there is always room for them.
        """
        self._first = tuple(first)
        self._wanted = frozenset((*first, *wanted))
        if not any(dial.key is None or dial.eager for dial in self._wanted):
            self._spent.clear()
        self._hopeless &= self._wanted
        self._told &= self._wanted
        for dial in (*first, *wanted):
            if dial not in first and self._looked_for(first) >= limits.DIALS:
                break  # the others when one of these has come to its end
            if dial not in self._dialling and dial not in self._hopeless:
                self._dialling.add(dial)
                nursery.start_soon(self._keep_dialling, dial, nursery)

    def _looked_for(self, first: Sequence[Dial]) -> int:
        """Return how many are missing that are being dialled, apart from some."""
        here, dialling = self._links.here(), self._dialling.difference(first)
        return sum((dial.key or self._keys.get(dial)) not in here for dial in dialling)

    def beside(self, key: bytes, nursery: Nursery) -> None:
        """Dial a peer beside its link, on which nothing is heard, until it is again."""
        if key not in self._beside:
            self._beside.add(key)
            nursery.start_soon(self._keep_beside, key)

    async def _keep_beside(self, key: bytes) -> None:
        """Dial as long as the link is there and says nothing."""
        back_off = BackOff(self._entropy)
        while self._links.is_quiet(key):
            dial = Dial("", key)
            await self._dial(dial)
            await self._pause(dial, max(back_off.next(), self._held(dial)))
        self._beside.discard(key)

    async def visit(self, address: str, key: bytes | None = None) -> None:
        """Call once, whether or not there is a link; return at the end of this one.

        Args:
            address: An invitation, or a place; empty for all that a key is known at.
            key: Who is wanted, None for whoever is there.

        Raises:
            NetplayError: Nobody answers, or another than was invited.
        """
        try:
            await self._dial_places(Dial(address, key))
        except LostError as lost:
            raise told(lost.errors) from None

    def also(self, address: str) -> None:
        """Look for everybody who is missing at one more place, and say if that fails.

        Raises:
            LocalError: USAGE, it is no address.
        """
        self._more = Also(address, tuple(p.text() for p in invitation.places(address)))
        for scope in self._racing:
            scope.cancel()
        self.retry()

    def retry(self) -> None:
        """Dial everything that is missing at once, also what seemed hopeless."""
        self._hopeless.clear()
        self._spent.clear()
        self._links.held.clear()
        self.hearsay.forget()
        self._retry.set()
        self._retry = trio.Event()

    async def _keep_dialling(self, dial: Dial, nursery: Nursery) -> None:
        """Dial until the link is no longer missing."""
        back_off = BackOff(self._entropy, calm=dial.calm or dial.patient)
        self._waits[dial] = back_off
        self.hearsay.lost(dial, trio.current_time())
        await self._pause(dial, self._held(dial))
        while dial in self._wanted and dial not in self._hopeless:
            if await self._dial(dial):
                back_off.reset()
            if dial.once:
                self._hopeless.add(dial)
                break
            waits = self._crowded.get(dial, back_off)
            await self._pause(dial, max(waits.next(), self._held(dial)))
        self._keys.pop(dial, None)
        self._crowded.pop(dial, None)
        self._waits.pop(dial, None)
        self._answered.pop(dial, None)
        self._dialling.discard(dial)
        self.want(tuple(self._wanted.difference(self._first)), nursery, self._first)

    def moved(self, key: bytes | None = None) -> None:
        """Dial somebody at once who is missing: it may be elsewhere now.

        What the other has been told at the same time it does, too; so both meet.

        Args:
            key: Who; None if we are elsewhere, or awake again: all who are missing.
        """

        def is_meant(dial: Dial) -> bool:
            return dial.key is not None and key in {None, dial.key} and not dial.few

        if key is None:
            self.hearsay.anew(None, trio.current_time())
        for whom in filter(is_meant, self._waits):
            self._met.pop(whom.key or b"", None)
            self._waits[whom].reset()
        for scope, dial in tuple(self._racing.items()):
            if is_meant(dial):
                scope.cancel()
        for dial, scope in tuple(self._pausing.items()):
            if is_meant(dial) and not self._held(dial):
                scope.cancel()

    async def _pause(self, dial: Dial, seconds: float) -> None:
        """Wait, or until the user asks to try at once, or there is news of a place."""
        with trio.move_on_after(seconds) as scope:
            self._pausing[dial] = scope
            await self._retry.wait()
        if self._pausing.get(dial) is scope:
            del self._pausing[dial]

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
        if (dial.key is None or dial.few) and dial not in self._wanted:
            return False  # there is a link by another way, or the player has left
        if self._waits_for(dial, errors):
            return False
        hopeless = HOPELESS if dial.key is None else HOPELESS - {Code.VERSION}
        if all(error.code in hopeless for error in errors):
            self._hopeless.add(dial)  # but a player of ours may update any time
        worst = told(errors)
        if dial.key is None and worst.code in MUTE:
            # A player has called in vain: say what helps
            found = wide([place for place in self._places(dial) if not is_via(place)])
            known = bool(self._fingerprint(dial))
            worst = dial_plan.cure(worst, found, self._net, known=known)
        self.failed.note(dial, worst, trio.current_time())
        self._unreachable(dial, worst)
        if self._more is not None and dial.key is not None and not dial.once:
            more, self._more = self._more, None  # tried; the player is told what came
            self._unreachable(Dial(more.address, None), worst)
        return False

    def _waits_for(self, dial: Dial, errors: Sequence[NetplayError]) -> bool:
        """Return whether to call somebody later who has no time, as with a crowd."""
        if dial.key is not None or any(error.code in HOPELESS for error in errors):
            return False
        known = bool(self._fingerprint(dial))
        if not any(dial_plan.is_hopeful(error, dial, known=known) for error in errors):
            return False
        if dial not in self._crowded:
            self._crowded[dial] = dial_plan.while_crowded(self._entropy)
            self.around.crowded(told(errors))
        return self._crowded[dial].tries < limits.CROWDED_TRIES

    async def _dial_places(self, dial: Dial) -> bool:
        """Dial the addresses and carry the link that comes of it to its end.

        Returns:
            Whether it was open.

        Raises:
            LostError: No address answered.
            NetplayError: The node that did would not talk.
        """
        connection, back_off = await self._carry_first(dial), BackOff(self._entropy)
        for _ in range(limits.DOOR_TRIES - 1):
            if dial.key is not None or not connection.was_dropped:
                break
            # Whoever is there may have called us at the same time, and keep that one:
            # only a call to an address is given up for it.
            await trio.sleep(back_off.next())
            if connection.key in self._links.here():
                return True
            connection = await self._carry_first(dial)
        return connection.was_open()

    async def _carry_first(self, dial: Dial) -> Connection:
        """Carry the connection to who answers first to its end, and return it.

        Raises:
            LostError: No address answered.
            NetplayError: What did is not the one.
        """
        tried = Counter[str]()

        async def attempt(place: str) -> Secured:
            tried[place] += 1
            late = dial in self._waits and self._waits[dial].late
            once = dial.patient or late or self.hearsay.bounds(place, dial)
            more = once and tried[place] > 1  # one call of each
            if more or not self.hearsay.may(place, dial, trio.current_time()):
                raise LocalError(Code.NO_ANSWER, place)
            return await self._connect(place, dial)

        place, secured, way = await self._race(dial, attempt)
        connection = Connection(secured.stream, secured.key, place, way)
        connection.called, connection.udp = dial.address, secured.udp
        if self.around.carried is not None:
            connection.through = self.around.carried.carrier(secured.stream)
        self._keys[dial] = secured.key
        if self._more is not None and place in self._more.places:
            self._more = None
        await self._links.carry(connection, trio.current_time(), _welcome)
        return connection

    async def _race(self, dial: Dial, attempt: Attempt) -> Won:
        """Return who answers first; where else to look may be said meanwhile.

        Raises:
            LostError: No address answered.
        """
        while True:
            with trio.CancelScope() as scope:
                self._racing[scope] = dial
                try:
                    if dial.few:
                        return await self._call_seldom(dial)
                    spots = self._spots(dial)
                    if spots or self._may_be_found(dial):
                        return await self._race_and_meet(dial, attempt, spots)
                    place, secured = await Race(self._places(dial), attempt).winner()
                    return place, secured, Way.DIALLED
                finally:
                    del self._racing[scope]

    async def _race_and_meet(
        self, dial: Dial, attempt: Attempt, spots: Sequence[Address]
    ) -> Won:
        """Return who answers first, or calls us as we call it.

        Raises:
            LostError: Nobody does.
        """
        asked, began = dial.key is None, trio.current_time()
        meeting = Meeting(
            self._net,
            partial(self._judge_met, dial),
            self._entropy,
            leads=leads(self._links.own_key, self._fingerprint(dial)),
            spent=self._spent if asked or dial.eager else None,
        )
        won: list[Won] = []
        lost: LostError | None = None
        async with _first_of(won, lambda each: each[1]):
            async with trio.open_nursery() as nursery:

                async def meet() -> None:
                    # Who answers a plain call as well is left with that one: over a
                    # link that has our own port nobody can be asked where it comes out.
                    await trio.sleep(PLAIN_SECONDS)
                    for spot in spots:
                        await self._let_prove(spot.text(), limits.PROVING_SECONDS)
                    place, secured = await meeting.meet(spots)
                    won.append((place, secured, Way.MET))
                    with trio.move_on_after(ANSWERED_SECONDS):
                        while self._answered[dial]:  # noqa: ASYNC110 (many may prove)
                            await trio.sleep(LOOK_SECONDS / 10)
                    nursery.cancel_scope.cancel()

                if spots:
                    nursery.start_soon(meet)
                by_udp = partial(self._keep_calling, spots, dial, won)
                nursery.start_soon(by_udp, nursery.cancel_scope)
                try:
                    place, secured = await Race(self._places(dial), attempt).winner()
                    won.append((place, secured, Way.DIALLED))
                except LostError as error:
                    lost = error
                    if all(one.code in MUTE for one in error.errors):
                        wait = (
                            limits.TOGETHER_SECONDS
                            if asked
                            else limits.TOGETHER_LEAST_SECONDS
                        )
                        await self._wait_for_call(dial, began + wait)
                nursery.cancel_scope.cancel()
            won.sort(key=lambda each: each[2] is Way.MET)
        if not won:
            raise lost or LostError([])
        return won[0]

    async def _keep_calling(
        self,
        spots: Sequence[Address],
        dial: Dial,
        won: list[Won],
        scope: trio.CancelScope,
    ) -> None:
        """Call over UDP now and then: it opens our router for the other's calls.

        Nothing else calls the spots so meanwhile, and not before plain calls over TCP
        had their time: whom these reach can be asked where our calls come out.
        """
        places = {spot.text() for spot in spots} - self._by_udp.places

        async def call(place: str) -> None:
            with suppress(NetplayError):
                secured = await self._call_by_udp(place, dial)
                won.append((place, secured, Way.DIALLED))
                scope.cancel()

        with self._by_udp.calling(places):
            await trio.sleep(limits.UDP_HEAD_START_SECONDS)
            while places and self._net.udp:
                async with trio.open_nursery() as nursery:
                    for place in places:
                        nursery.start_soon(call, place)
                    nursery.start_soon(trio.sleep, limits.UDP_MEETING_SECONDS)

    async def _call_seldom(self, dial: Dial) -> Won:
        """Return who answers, of places that a stranger has named, or calls from there.

        Raises:
            LostError: Nobody does, as long as one word of the stranger's counts.
        """
        few = Few(
            self._net,
            partial(self._judge_met, dial),
            leads=leads(self._links.own_key, self._fingerprint(dial)),
        )
        won: list[Won] = []
        errors: list[NetplayError] = []
        async with _first_of(won, lambda each: each[1]), trio.open_nursery() as nursery:

            async def call(place: Address) -> None:
                try:
                    secured, met = await few.answer(place)
                except NetplayError as error:
                    errors.append(error)
                    return
                way = Way.MET if met else Way.DIALLED
                won.append((place.text(), secured, way))
                nursery.cancel_scope.cancel()

            named = [place.text() for place in invitation.places(dial.address)]
            for place in filter(self._net.leads_to, wide(named)):
                nursery.start_soon(few.open_up, place)
                nursery.start_soon(call, place)
            now = trio.current_time()
            await self._wait_for_call(dial, now + limits.INTRODUCED_SECONDS + LATE)
            nursery.cancel_scope.cancel()
        if not won:
            raise LostError(errors or [LocalError(Code.NO_ANSWER)])
        return won[0]

    async def _wait_for_call(self, dial: Dial, until: float) -> None:
        """Wait while the other may call, too; tell the player who waits for that."""
        if dial.key is None and dial not in self._told:
            self._told.add(dial)
            self._together(dial)
        while trio.current_time() < until and dial in self._wanted:  # noqa: ASYNC110 (wishes end without an event)
            await trio.sleep(min(LOOK_SECONDS, max(0.0, until - trio.current_time())))

    def _may_be_found(self, dial: Dial) -> bool:
        """Return whether to wait, though nobody can be met at the places of a line."""
        if dial.key is not None or not self.around.looked_for(dial.address):
            return False
        found = [parse(place) for place in self._places(dial) if not is_via(place)]
        return any(map(self._net.leads_to, found))

    def _spots(self, dial: Dial) -> list[Address]:
        """Return where both sides may meet: numbers of somebody whose key is known.

        Those that others have named no more than a few times a minute.
        """
        if dial.patient or not self._net.meets or not self._fingerprint(dial):
            return []  # whom many call to watch does not call them
        asked = dial.key is None or dial.eager
        known = (to_be_called if asked else wide)(self._places(dial))
        spots, now = list(filter(self._net.leads_to, known)), trio.current_time()
        spots = [each for each in spots if self.hearsay.fresh(each.text(), dial, now)]
        if spots and dial.key is not None:
            if now < self._met.get(dial.key, -inf) + limits.TOGETHER_PAUSE_SECONDS:
                return []
            self._met[dial.key] = now
        return spots

    def _fingerprint(self, dial: Dial) -> str:
        """Return the fingerprint of who is wanted, folded; empty if nobody knows."""
        if dial.key is not None:
            return folded(fingerprint(dial.key))
        if invitation.is_invitation(dial.address):
            return invitation.read(dial.address).fingerprint
        return folded(fingerprint(self._known.pinned(dial.address) or b""))

    async def _judge_met(self, dial: Dial, place: str, secured: Secured) -> None:
        """Refuse and hang up on whoever is not wanted.

        Raises:
            NetplayError: It is another.
        """
        try:
            self._judge(place, secured.key, dial)
        except NetplayError:
            await trio.aclose_forcefully(secured.stream)
            raise

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
        if dial.key:
            known = (
                *known,
                *self.around.heard(dial.key),
                *self._known.places_told(dial.key),
            )
        more = self._more.places if self._more and dial.key and not dial.once else ()
        named = few([place.text() for place in wanted])
        found = places([*more, *named], known)
        through: tuple[str, ...] = ()
        # Who carries would learn whom the player knows.
        if self.around.carried is not None and not dial.once:
            through = self.around.carried.places(self._fingerprint(dial))
        return sorted([*found, *through], key=is_via)

    async def _connect(self, place: str, dial: Dial) -> Secured:
        """Return a stream to the node at an address, if it is the one that is wanted.

        Raises:
            NetplayError: It is not, or there is none.
        """
        if self.around.carried is not None and is_via(place):
            late = not is_via(self._places(dial)[0])
            to = self._fingerprint(dial)
            secured = await self.around.carried.call(place, to, late=late)
        else:
            secured = await self._secured(place, dial)
        try:
            self._judge(place, secured.key, dial)
        except NetplayError as error:
            await trio.aclose_forcefully(secured.stream)
            if error.code is Code.WRONG_KEY and is_via(place):
                raise misled(place) from None
            if error.code is Code.WRONG_KEY and self._is_elsewhere(place, dial):
                # Many homes use the same numbers: it is no reason to stop.
                raise LocalError(Code.NO_ANSWER, error.detail) from None
            if error.code is Code.WRONG_KEY and self._is_hearsay(place, dial):
                raise LocalError(Code.NO_ANSWER, place) from None
            raise
        return secured

    def _is_hearsay(self, place: str, dial: Dial) -> bool:
        """Return whether we know of a place only because its node told us.

        In another network the same number is somebody else's, and nobody's fault.
        """
        if dial.key and self._more is not None and place in self._more.places:
            return True
        return self.hearsay.told(place, dial, self.around.heard(dial.key or b""))

    def _is_elsewhere(self, place: str, dial: Dial) -> bool:
        """Return whether a place of an invitation means another home's network."""
        if dial.key is not None or not invitation.is_invitation(dial.address):
            return False
        far = wide([each for each in self._places(dial) if not is_via(each)])
        more = bool(far) or self.around.looked_for(dial.address)
        return more and parse(place) not in far

    async def _secured(self, place: str, dial: Dial) -> Secured:
        """Return a stream to whoever is at an address, by what gets there first.

        Raises:
            NetplayError: There is nobody, or nobody who proves a key.
        """
        tcp = partial(self._secured_by_tcp, place, dial)
        if not self._net.udp:
            return await tcp()
        udp = partial(self._secured_by_udp, place, dial)
        # A computer of this network says itself that nobody is there.
        refusal = Says.PLACE_REFUSES(place=parse(place).text())
        return await first_to_prove(tcp, udp, None if host_outside(place) else refusal)

    async def _secured_by_udp(self, place: str, dial: Dial) -> Secured:
        """Return a stream over UDP to who is wanted.

        Raises:
            LocalError: NO_ANSWER, as `_call_by_udp`, or it is being called already.
        """
        if dial.patient:
            await trio.sleep(limits.PROVING_SECONDS)
            await self._let_prove(place, dial_plan.patience(dial))
        if place in self._by_udp.places:
            raise LocalError(Code.NO_ANSWER, place)
        with self._by_udp.calling({place}):
            return await self._call_by_udp(place, dial)

    async def _call_by_udp(self, place: str, dial: Dial) -> Secured:
        """Return a stream over UDP to who is wanted.

        Raises:
            LocalError: NO_ANSWER, it is not there; or another is, who may be somebody
                else behind the same router; or the place was called just now.
        """
        await self._let_prove(place, limits.UDP_ANSWERED_SECONDS)
        if not self._by_udp.may(place, trio.current_time()):
            raise LocalError(Code.NO_ANSWER, place)
        try:
            stream = await self._net.connect_udp(parse(place))
            with trio.fail_after(limits.HANDSHAKE_SECONDS):
                secured = await self._net.secure(stream, server_side=False)
            await self._judge_met(dial, place, secured)
        except (NetplayError, trio.TooSlowError):
            raise LocalError(Code.NO_ANSWER, place) from None
        return secured._replace(udp=True)

    async def _secured_by_tcp(self, place: str, dial: Dial) -> Secured:
        """Return a stream to whoever is at an address, and its key.

        A node with a crowd at its door hangs up on somebody, so it is asked again.

        Raises:
            NetplayError: There is nobody, or nobody who proves a key.
        """

        async def turn() -> None:
            await self._let_prove(place, limits.PROVING_SECONDS)
            self._proving[place] = trio.current_time()

        back_off, seconds = BackOff(self._entropy), dial_plan.patience(dial)
        for more in reversed(range(1 if dial.patient else limits.DOOR_TRIES)):
            stream = await self._net.connect(parse(place))
            self._answered[dial] += 1
            try:
                with trio.fail_after(seconds):
                    return await self._net.secure(stream, server_side=False, turn=turn)
            except trio.TooSlowError:
                break
            except LocalError:
                if not more:
                    raise
            finally:
                self._answered[dial] -= 1
                self._proving.pop(place, None)
            await trio.sleep(back_off.next())
        raise LocalError(Code.NO_ANSWER, Says.PLACE_SLOW(place=place))

    async def _let_prove(self, place: str, seconds: float) -> None:
        """Let a handshake at a place go on alone for so long: the line may be thin."""
        with trio.move_on_after(seconds):
            while trio.current_time() < self._proving.get(place, -inf) + seconds:  # noqa: ASYNC110 (many may end)
                await trio.sleep(LOOK_SECONDS / 10)

    def _judge(self, place: str, key: bytes, dial: Dial) -> None:
        """Refuse another key than was wanted, invited or known there, or a blocked one.

        Raises:
            PeerError: WRONG_KEY.
            LocalError: USAGE, the player has blocked it.
        """
        if key in self._known.blocked:
            name = self._known.blocked.all()[key] or fingerprint(key)
            raise LocalError(Code.USAGE, Says.UNBLOCK_FIRST(name=name))
        if key == self._links.own_key and self._fingerprint(dial) not in {
            "",
            folded(fingerprint(key)),
        }:
            raise LocalError(Code.NO_ANSWER, Says.PLACE_IS_OURS(place=place))
        if dial.key is not None:
            if key != dial.key:
                wanted, found = fingerprint(dial.key), fingerprint(key)
                detail = Says.OTHER_KEY_ANSWERED(wanted=wanted, found=found)
                if name := self._known.called(dial.key):
                    detail = Says.SOMEBODY_ELSE_ANSWERED(name=name)
                raise PeerError(Code.WRONG_KEY, detail)
        elif invitation.is_invitation(dial.address):
            if not invitation.read(dial.address).fits(key):
                detail = Says.NOT_THE_INVITER()
                raise PeerError(Code.WRONG_KEY, detail)
        else:
            self._known.check(place, key)


@asynccontextmanager
async def _first_of(
    won: list[T], secured: Callable[[T], Secured]
) -> AsyncGenerator[None]:
    """Hang up on all but the first of those who are won here; on all if it fails."""
    kept = 0
    try:
        yield
        kept = 1
    finally:
        for each in won[kept:]:
            await trio.aclose_forcefully(secured(each).stream)


async def first_to_prove(
    tcp: Callable[[], Awaitable[Secured]],
    udp: Callable[[], Awaitable[Secured]],
    last: Said | None = None,
) -> Secured:
    """Return what proves a key first: a call over TCP, or one over UDP beside it.

    Args:
        tcp: The one.
        udp: The other.
        last: What TCP says where UDP gets there no more.

    Raises:
        NetplayError: Neither does; what TCP says of it.
    """
    won: list[Secured] = []
    errors: list[NetplayError] = []
    failed, began = trio.Event(), trio.current_time()
    async with _first_of(won, lambda each: each), trio.open_nursery() as nursery:

        async def other() -> None:
            with trio.move_on_after(limits.UDP_HEAD_START_SECONDS):
                await failed.wait()
            with suppress(NetplayError):
                won.append(await udp())
                nursery.cancel_scope.cancel()

        nursery.start_soon(other)
        try:
            won.append(await tcp())
            nursery.cancel_scope.cancel()
        except NetplayError as error:
            errors.append(error)
            failed.set()
            nursery.cancel_scope.deadline = began + limits.UDP_AFTER_SECONDS
            if error.detail == last:
                nursery.cancel_scope.cancel()
    if not won:
        raise errors[0]
    return won[0]


def _welcome(_connection: Connection) -> None:
    """Let a peer in whose key has been judged already."""
