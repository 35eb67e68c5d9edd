"""UPnP (IGD 1 and 2), as far as a node needs it: for routers that know nothing else.

The question who is there goes to the gateway, and to the group that devices listen to;
an answer counts only from the gateway, and only if it names a page of the gateway's.
miniupnpc reads that page, which is XML from a stranger: in a process of its own, so
that whatever becomes of it becomes of that process.  Without miniupnpc no router is
asked so.
"""

import importlib
import importlib.util
import re
import socket
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import anyio.to_process
import trio
from typing_extensions import override

from netplay.errors import Code, LocalError
from netplay.finding.router import Language, Lease, SilentError, senseless, usable
from netplay.limits import LEASE_SECONDS, ROUTER_PAGE_SECONDS
from netplay.said import Words
from netplay.sentences import Says

GROUP: Final = ("239.255.255.250", 1900)
"""Where devices listen to who asks for them."""

KINDS: Final = (
    "urn:schemas-upnp-org:device:InternetGatewayDevice:2",
    "urn:schemas-upnp-org:device:InternetGatewayDevice:1",
)

SEARCH_SECONDS: Final = 1.0
"""Before the question is asked again: it is a datagram, too."""

SEARCHES: Final = 3

LETTERS: Final = 64
"""Datagrams that are looked at: a network may have many devices."""

LETTER_BYTES: Final = 2048

PORTS: Final = 8
"""Tried, one after the other, where others have taken those before."""

WHAT: Final = "Netplay"
"""What the router's own page calls the mapping."""


def spoken_here() -> bool:
    """Return whether miniupnpc is installed."""
    return importlib.util.find_spec("miniupnpc") is not None


class Upnp(Language):
    """See `router.Language`."""

    name = "UPnP"

    def __init__(self, gateway: str) -> None:
        self._gateway: Final = gateway
        self._page = ""

    @override
    async def outside(self) -> str:
        self._page = await find_page(self._gateway)
        host, _port = await self._do("outside", 0, 0)
        return host

    @override
    async def map(
        self, port: int, wanted: int, outside: str, *, udp: bool = False
    ) -> Lease:
        host, external = await self._do("map", port, wanted, udp=udp)
        return Lease(usable(host or outside, external))

    @override
    async def unmap(self, port: int, external: int, *, udp: bool = False) -> None:
        await self._do("unmap", port, external, udp=udp)

    @override
    def close(self) -> None:
        """See `Language`."""

    async def _do(
        self, verb: str, port: int, external: int, *, udp: bool = False
    ) -> tuple[str, int]:
        """Have a process ask; return the router's address and port.

        Raises:
            LocalError: NO_ANSWER.
        """
        if not self._page:
            self._page = await find_page(self._gateway)
        words: tuple[str, int, Words] | None = None
        with trio.move_on_after(ROUTER_PAGE_SECONDS):
            try:
                words = await anyio.to_process.run_sync(
                    request, self._page, verb, port, external, "UDP" if udp else "TCP",
                    cancellable=True,
                )  # fmt: skip
            except Exception:  # noqa: BLE001 (whatever becomes of a worker, the node goes on)
                raise senseless() from None
        if words is None:
            raise silent()
        host, found, why = words
        if why:
            raise LocalError(Code.NO_ANSWER, why)
        return host, found


def silent() -> SilentError:
    """Return what to raise where nobody answers."""
    return SilentError(Code.NO_ANSWER, Says.ROUTER_SILENT(language=Upnp.name))


# Who is there.


async def find_page(gateway: str) -> str:
    """Return the address of the page on which the gateway describes itself.

    Raises:
        SilentError: NO_ANSWER, it does not say.
    """
    with (
        suppress(OSError),
        trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear,
    ):
        for _ in range(SEARCHES):
            for kind in KINDS:
                with suppress(OSError):
                    await ear.sendto(search(kind), (gateway, GROUP[1]))
                with suppress(OSError):
                    await ear.sendto(search(kind), GROUP)
            with trio.move_on_after(SEARCH_SECONDS):
                for _number in range(LETTERS):
                    data, where = await ear.recvfrom(LETTER_BYTES)
                    page = page_in(data, gateway) if where[0] == gateway else ""
                    if page:
                        return page
    raise silent()


def search(kind: str) -> bytes:
    """Return the question whether there is a router."""
    return (
        "M-SEARCH * HTTP/1.1\r\n"
        f"HOST: {GROUP[0]}:{GROUP[1]}\r\n"
        'MAN: "ssdp:discover"\r\n'
        "MX: 1\r\n"
        f"ST: {kind}\r\n\r\n"
    ).encode("ascii")


def page_in(data: bytes, gateway: str) -> str:
    """Return the page that an answer names, if it is one of the gateway's own."""
    text = data.decode("ascii", "replace")
    kind = re.search(r"^st:\s*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    found = re.search(r"^location:\s*(\S+)", text, re.IGNORECASE | re.MULTILINE)
    if not text.startswith("HTTP/1.1 200") or kind is None or found is None:
        return ""
    page = found[1]
    return page if kind[1] in KINDS and is_its_own(page, gateway) else ""


def is_its_own(page: str, gateway: str) -> bool:
    """Return whether an address is of a page of the gateway."""
    with suppress(ValueError):
        parts = urlsplit(page)
        return parts.scheme == "http" and parts.hostname == gateway
    return False


# In a process of its own.


def request(
    page: str, verb: str, port: int, external: int, kind: str
) -> tuple[str, int, Words]:
    """Return the router's address and port, and why not if it refuses.

    Args:
        page: Where it describes itself.
        verb: `outside`, `map` or `unmap`.
        port: Where the node listens.
        external: The router's port, or the one that is wanted.
        kind: Of the port: TCP or UDP.
    """
    library: Any = importlib.import_module("miniupnpc")  # not installed everywhere
    router: Any = library.UPnP()
    host = ""
    try:
        control = router.selectigd(page)
        if not is_its_own(str(control), str(urlsplit(page).hostname)):
            return "", 0, Says.ROUTER_BABBLES()
        if verb == "unmap":
            router.deleteportmapping(external, kind)
            return "", 0, ""
        with suppress(Exception):  # it says so of every failure
            host = str(router.externalipaddress() or "")
        found = _mapped(router, port, external, kind) if verb == "map" else 0
    except Exception as error:  # noqa: BLE001 (the library raises nothing else)
        why = plain(str(error)) if host else Says.ROUTER_OFFLINE()
        return "", 0, Says.ROUTER_REFUSED(why=why)
    if not host:
        return "", 0, Says.ROUTER_REFUSED(why=Says.ROUTER_OFFLINE())
    return host, found, ""


def _mapped(
    router: Any,  # noqa: ANN401 (has no types)
    port: int,
    wanted: int,
    kind: str,
) -> int:
    """Return the port that the router passes on.

    Raises:
        Exception: It passes none on.
    """
    tries = [wanted + n if wanted + n < 65536 else wanted - n for n in range(PORTS)]
    for each in tries:
        try:
            _add(router, port, each, kind)
        except Exception as error:
            if "Conflict" not in str(error) or each == tries[-1]:
                raise
        else:
            return each
    return 0  # not reached: the last failure is raised


def _add(
    router: Any,  # noqa: ANN401 (has no types)
    port: int,
    external: int,
    kind: str,
) -> None:
    """Add a mapping; for ever where the router knows nothing else: we take it back."""
    add, own = router.addportmapping, router.lanaddr
    try:
        add(external, kind, own, port, WHAT, "", LEASE_SECONDS)
    except Exception as error:
        if "OnlyPermanentLeasesSupported" not in str(error):
            raise
        add(external, kind, own, port, WHAT, "", 0)


def plain(why: str) -> Words:
    """Return what a router says in words, if it is one of the usual answers."""
    known = {
        "notauthorized": Says.ROUTER_OFF(),
        "action not authorized": Says.ROUTER_OFF(),
        "conflict": Says.ROUTER_FULL(),
    }
    said = why.casefold()
    return next((words for word, words in known.items() if word in said), "UPnP")
