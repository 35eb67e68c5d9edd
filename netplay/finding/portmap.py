"""Have the router pass our port on, in whatever language it speaks.

Theory of operation.  Only the default gateway is asked.  A harmless question goes to it
in every language at once; of those that answer, the first that maps the port is kept,
and asked again for each renewal.  The lease is renewed while the node runs and given
back when it ends; a router that was restarted forgets it and is asked anew at the next
renewal.  Where the port is not to be mapped, the router may still be asked for its own
address: its owner may have passed the port on by hand.

What is promised is TCP.  The same port of UDP is asked for afterwards, where calls come
that way, too: an extra that a router may refuse, or have at another port, and which
keeps nothing waiting.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_address
from typing import Final, TypeAlias

import trio

from netplay.errors import Code, LocalError
from netplay.finding.reach import SHARED
from netplay.finding.router import (
    NONCE_BYTES,
    Language,
    Lease,
    NatPmp,
    Pcp,
    SilentError,
    UdpRouter,
    find_gateway,
)
from netplay.finding.upnp import Upnp, spoken_here
from netplay.journal import Journal
from netplay.limits import LEASE_LEAST_SECONDS, LEASE_SECONDS
from netplay.peering.address import Address
from netplay.said import Said, Words
from netplay.sentences import Says
from netplay.system.addresses import own_addresses

RETRY_SECONDS: Final = 120.0
"""After a router refused, before it is asked again: it may be another one by then."""

UDP_BEGINS_SECONDS: Final = 5.0
"""After the port was mapped first, until calls over UDP can come if they ever do."""

Find: TypeAlias = Callable[[int], Awaitable[Sequence[Language]]]
"""Returns how to speak to the gateway of the moment, by IPv4 or IPv6."""

Answer: TypeAlias = tuple[Language, str | LocalError]


class PortMapper:
    """A port that the router passes on, as long as it is wanted."""

    def __init__(
        self,
        find: Find,
        version: int,
        changed: Callable[[], None],
        journal: Journal,
        wondering: Callable[[], bool] = lambda: False,
        udp: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare.

        Args:
            find: Returns the languages.
            version: Of the Internet Protocol: 4 or 6.
            changed: Told when `words`, `lease`, `datagrams` or `outside` have changed.
            journal: Where results are noted.
            wondering: Whether the router's own address is of interest anyway.
            udp: Whether calls come to the node over UDP, too.
        """
        self._find: Final = find
        self._version: Final = version
        self._changed: Final = changed
        self._journal: Final = journal
        self._wondering: Final = wondering
        self._udp: Final = udp
        self._poke = trio.Event()
        self._asking: Final = trio.Lock()
        """One thing at a time: nothing is mapped while it is given back, nor does the
        node end before it is."""
        self._awaited = self._udp()
        """UDP has begun, or was given the time to."""
        self._speaks = ""
        """The language in which the lease was promised."""
        self.there = False
        """There is a router that might be asked."""
        self.on = False
        self.lease: Lease | None = None
        self.datagrams: Address | None = None
        """Where the router passes UDP on besides; None if it does not."""
        self._promised: Final[dict[bool, Address]] = {}
        """Where UDP, and what is not, is to be given back: some routers know no end of
        what they have promised, and keep it though they have refused since."""
        self.outside = ""
        """The router's own address, as far as it has told."""
        self.words: Words = ""
        """How it stands, for people; empty while it is off."""

    def switch(self, *, on: bool) -> None:
        """Begin to map the port, or give it back."""
        self.on = on
        self.poke()

    def poke(self) -> None:
        """Look again at what is wanted, or whom to ask: the network has changed."""
        self._poke.set()

    async def run(self, port: int) -> None:
        """Keep the port mapped while it is wanted, until cancelled.

        Args:
            port: Where the node listens.
        """
        while True:
            self._poke = trio.Event()
            wait = await (self._step(port) if self.on else self._stop(port))
            with trio.move_on_after(wait):
                await self._poke.wait()

    async def _step(self, port: int) -> float:
        """Ask for the mapping; return for how long to be content."""
        try:
            async with self._asking, self._languages() as languages:
                language, lease = await self._renew(languages, port)
                self.outside = lease.external.host
                if self.datagrams and self.datagrams.host != self.outside:
                    self.datagrams = None  # of the router of another network
                self._tell(lease, self.datagrams)
                self._tell(lease, await self._also_udp(language, port, lease))
        except LocalError as error:
            self._tell(None, None, error.detail)
            return RETRY_SECONDS
        if not self._awaited:
            self._awaited = True
            if not self._udp():
                return UDP_BEGINS_SECONDS
        return max(LEASE_LEAST_SECONDS, min(lease.seconds, LEASE_SECONDS)) / 2

    async def _stop(self, port: int) -> float:
        """Give the mapping back; return for how long to be content."""
        async with self._asking:
            await self._release(port)
        self._tell(None, None)
        if not self._wondering():
            return float("inf")
        await self._wonder()
        return LEASE_SECONDS / 2

    async def _wonder(self) -> None:
        """Learn the router's own address."""
        found = ""
        async with self._languages() as languages:
            if self.there != bool(languages):
                self.there = bool(languages)
                self._changed()
            async with trio.open_nursery() as nursery:
                answers = _begin(languages, nursery)
                for _ in languages:
                    _language, said = await answers.receive()
                    if isinstance(said, str) and said:
                        found = said
                        break
                nursery.cancel_scope.cancel()
        if found != self.outside:
            self.outside = found
            self._changed()

    async def give_back(self, port: int) -> None:
        """Ask for no mapping any more, and give back what there is.

        A router that is silent keeps it.
        """
        self.on = False
        async with self._asking:
            await self._release(port)

    async def _release(self, port: int) -> None:
        promised = dict(self._promised)
        held = (self.lease.external if self.lease else None, self.datagrams)
        self._promised.clear()
        self.lease = self.datagrams = None
        if not promised:
            return
        async with self._languages() as languages:
            for language in languages:
                if language.name != self._speaks:
                    continue
                for udp, place in promised.items():
                    try:
                        # At another router the port may be somebody else's.
                        known = {"", place.host}
                        if place in held or await language.outside() in known:
                            await language.unmap(port, place.port, udp=udp)
                            self._journal("port.unmapped", udp=udp)
                    except LocalError as error:
                        self._journal("port.failed", why=error.detail, udp=udp)

    def _tell(
        self, lease: Lease | None, datagrams: Address | None, words: Words = ""
    ) -> None:
        """Note how it stands."""
        words = in_words(lease, datagrams) if lease else words
        if (lease, datagrams, words) == (self.lease, self.datagrams, self.words):
            return
        self.lease, self.datagrams, self.words = lease, datagrams, words
        if words:
            by = {"by": self._speaks} if lease else {}
            self._journal("port.mapped" if lease else "port.failed", why=words, **by)
        self._changed()

    @asynccontextmanager
    async def _languages(self) -> AsyncGenerator[Sequence[Language]]:
        """Give the languages of the router of now, none of which asks on afterwards."""
        languages = await self._find(self._version)
        try:
            yield languages
        finally:
            for language in languages:
                language.close()

    async def _renew(
        self, languages: Sequence[Language], port: int
    ) -> tuple[Language, Lease]:
        """Return what the router promises, and in which language.

        Raises:
            LocalError: NO_ANSWER, with the reason.
        """
        if not languages:
            raise LocalError(Code.NO_ANSWER, Says.NO_ROUTER())
        before = [each for each in languages if self._speaks == each.name]
        if self.lease is not None and before:
            with suppress(LocalError):  # another router by now, or it has forgotten
                outside = await before[0].outside()
                return before[0], await self._map(before[0], port, outside)
        return await self._first(languages, port)

    async def _also_udp(
        self, language: Language, port: int, lease: Lease
    ) -> Address | None:
        """Return where the router passes UDP on besides, if it does."""
        if not self._udp():
            return None
        wanted, host = (self.datagrams or lease.external).port, lease.external.host
        try:
            found = (await language.map(port, wanted, host, udp=True)).external
        except LocalError as error:
            self._journal("port.failed", why=error.detail, udp=True)
            return None
        if found.host != host:
            return None  # another router was asked
        self._promised[True] = found
        return found

    async def _first(
        self, languages: Sequence[Language], port: int
    ) -> tuple[Language, Lease]:
        """Return what the router promises in the first language that it knows.

        Raises:
            LocalError: NO_ANSWER, it knows none, or refuses.
        """
        refused: list[LocalError] = []
        found: tuple[Language, Lease] | None = None
        async with trio.open_nursery() as nursery:
            answers = _begin(languages, nursery)
            for _ in languages:
                language, said = await answers.receive()
                try:
                    found = language, await self._map(language, port, said)
                    break
                except LocalError as error:
                    refused.append(error)
            nursery.cancel_scope.cancel()
        if found is None:
            # What is said is a refusal before a silence, which is every language's.
            told = (e for e in refused if not isinstance(e, SilentError))
            silence = Says.ROUTER_SILENT(language="UPnP, NAT-PMP, PCP")
            raise next(told, SilentError(Code.NO_ANSWER, silence))
        return found

    async def _map(
        self, language: Language, port: int, said: str | LocalError
    ) -> Lease:
        """Return what the router promises in a language.

        Raises:
            LocalError: NO_ANSWER, it does not know it, or refuses.
        """
        if isinstance(said, LocalError):
            raise said
        wanted = port if self.lease is None else self.lease.external.port
        lease = await language.map(port, wanted, said)
        self._speaks = language.name
        self._promised[False] = lease.external
        return lease


def _begin(
    languages: Sequence[Language], nursery: trio.Nursery
) -> trio.MemoryReceiveChannel[Answer]:
    """Ask in every language at once; return where the answers come."""
    send, receive = trio.open_memory_channel[Answer](len(languages))

    async def ask(language: Language) -> None:
        try:
            said: str | LocalError = await language.outside()
        except LocalError as error:
            said = error
        await send.send((language, said))

    for language in languages:
        nursery.start_soon(ask, language)
    return receive


def in_words(lease: Lease, datagrams: Address | None) -> Said:
    """Return what a lease means, for people.

    Args:
        lease: It.
        datagrams: Where UDP is passed on besides, if it is.
    """
    where = lease.external.text()
    if ip_address(lease.external.host) in SHARED:
        return Says.MAPPED_SHARED(where=where)
    if not lease.public:
        return Says.MAPPED_BEHIND_ROUTER(where=where)
    if datagrams is None:
        return Says.MAPPED(where=where)
    same = datagrams == lease.external
    return Says.MAPPED_BOTH(where=where, udp="UDP" if same else f"UDP {datagrams.port}")


async def find_languages(version: int, nonce: bytes) -> tuple[Language, ...]:
    """Return how to speak to the default gateway; none where there is none.

    Args:
        version: Of the Internet Protocol: 4 or 6.
        nonce: Names our mappings; `NONCE_BYTES` of it are used.
    """
    gateway = await find_gateway(version)
    if gateway is None:
        return ()
    if version == 6:
        # A pinhole is for the address that asks, so it is asked from that.
        own = next(filter(_is_wide, own_addresses("::")), "")
        router = UdpRouter(gateway, own=own)
        return (Pcp(router, nonce[:NONCE_BYTES]),) if own else ()
    asked: tuple[Language, ...] = (
        NatPmp(UdpRouter(gateway)),
        Pcp(UdpRouter(gateway), nonce[:NONCE_BYTES]),
    )
    return (*asked, Upnp(gateway)) if spoken_here() else asked


def _is_wide(host: str) -> bool:
    return ip_address(host.partition("%")[0]).is_global
