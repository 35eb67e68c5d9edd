"""The server of a home's pages: `python -m client.browser`, from `netplay web`."""

import argparse
import gc
import socket
import ssl
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import trio

from client.app import settings
from client.app.link import Link
from client.browser.access import ADDRESSES, Access
from client.browser.pages import Pages
from client.browser.server import Server, files, turn
from client.ui import texts
from client.ui.texts import _
from netplay import ending, limits
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.journal import failure, to_file
from netplay.messages import door
from netplay.messages.node_questions import CodeWithdrawn
from netplay.rate import Bucket, Buckets, network
from netplay.sentences import Says
from netplay.system.addresses import own_addresses
from netplay.web_devices import Devices, certificate, names, shown
from netplay.web_place import Place, Served, ports_before

LOOPBACK = "127.0.0.1"
PORT = 7947
"""Where a browser finds the pages, unless another program is there."""

FAILED_SECONDS = 0.01
"""After a connection could not be taken, until the next is."""

REFUSED: Final = 0.2
"""What it costs to take a connection and hang up, of what one costs that is served."""

ADDRESS_SECONDS = 5.0
"""Between looks whether this computer has other addresses."""


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the command line as named values."""
    parser = argparse.ArgumentParser("client.browser")
    parser.add_argument("--home", required=True, type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--lan", action="store_true", help="let guests in from there")
    parser.add_argument("--own", action="store_true", help="own devices, too")
    parser.add_argument("--certificate", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument(ending.LEASH, action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Serve until a signal, or the end of whoever started it; return the exit code."""
    if words is None:
        gc.freeze()  # what is loaded stays: none is to look through it, also at the end
    given = arguments(sys.argv[1:] if words is None else words)
    with ending.noted() as told:
        own, _damaged = settings.load(given.home)
        texts.speak(own.language)
        return trio.run(partial(_run, given, told))


async def _run(given: argparse.Namespace, told: Sequence[int]) -> int:
    gates = _Gates(given)
    try:
        await gates.open()
    except _ShutError as error:
        print(f"netplay: {error}", file=sys.stderr)  # noqa: T201 (a command)
        return 1
    place = Place(given.home, gates.found())
    async with trio.open_nursery() as nursery:
        access = Access(
            Devices(given.home), lambda: nursery.start_soon(_tell_wrong, given.home)
        )
        pages = Pages(given.home, access, nursery)
        note = to_file(Home(given.home).journal)
        server = Server(
            files(), pages.welcome, lambda error: note("web.fault", **failure(error))
        )
        apart = Server(files(), pages.welcome, server.mistake, tls=True)
        nursery.start_soon(_obey, nursery.cancel_scope, told)
        gates.serve(nursery, server, apart)
        if given.leash:
            nursery.start_soon(_follow, nursery.cancel_scope, gates)
        nursery.start_soon(pages.watch)
        link = place.served.link_here(access.invite(trio.current_time()))
        text = _("Netplay in your browser, with a link that is good once: {link}")
        print(text.format(link=link), flush=True)  # noqa: T201 (a command)
        if given.open:
            nursery.start_soon(_open, link)
        with place:
            await tell_where(place, gates.found, server, apart, gates.rest)
    return 0


class _ShutError(Exception):
    """Pages cannot be served there."""


class _Gates:
    """The ports at which pages are: more of them once the owner has said yes to more.

    Who has come by one stays: nobody who plays is to notice that others may come.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        """Open none yet."""
        self._given: Final = given
        self._lan: bool = given.lan
        self._plain: list[trio.SocketListener] = []
        self._secure: list[trio.SocketListener] = []
        self._port = 0
        self._seal: _Seal | None = None
        self._opened = trio.Event()

    async def open(self) -> None:
        """Open those that are asked for at first.

        Raises:
            _ShutError: One cannot be.
        """
        given = self._given
        try:
            before, _own = ports_before(given.home)
            host = "" if given.lan else LOOPBACK
            self._plain = await _listeners(given.port, (before, PORT), host)
        except OSError as error:
            text = _("port {port} cannot be used: {why}")
            said = text.format(port=given.port, why=error.strerror or error)
            raise _ShutError(said) from error
        self._port = self._plain[0].socket.getsockname()[1]
        if given.own:
            await self._open_own()

    async def _open_own(self) -> None:
        try:
            self._seal = _Seal(self._given)
            _plain, before = ports_before(self._given.home)
            self._secure = (await _listeners(None, (before,), ""))[:1]
        except LocalError as error:
            raise _ShutError(texts.phrase(error.said)) from error
        except OSError as error:
            raise _ShutError(texts.phrase(error.strerror)) from error

    def serve(self, nursery: trio.Nursery, server: Server, apart: Server) -> None:
        """Serve who comes: plain pages by one server, those over TLS by the other."""
        self._nursery, self._servers = nursery, (server, apart)
        self._serve_plain()
        self._serve_own()

    def _serve_plain(self) -> None:
        for listener in self._plain:
            self._nursery.start_soon(serve, self._servers[0], listener)

    def _serve_own(self) -> None:
        for listener in self._secure:
            context = self._seal.context if self._seal else None
            self._nursery.start_soon(serve, self._servers[1], listener, context)

    def widen(self, word: bytes) -> None:
        """Open for others, too; where that fails, end: who has started us begins anew.

        Args:
            word: "lan" or "own".
        """
        self._nursery.start_soon(self._widen, word)

    async def _widen(self, word: bytes) -> None:
        try:
            if word == b"lan" and not self._lan:
                self._lan = True
                for listener in self._plain:  # no two may listen at one port
                    await listener.aclose()
                self._plain = await _listeners(self._port, (), "")
                self._serve_plain()
            elif word == b"own" and self._seal is None:
                await self._open_own()
                self._serve_own()
        except (OSError, _ShutError):
            self._nursery.cancel_scope.cancel()
        self._opened.set()

    async def rest(self) -> None:
        """Wait a while, or until there are more."""
        self._opened = trio.Event()
        with trio.move_on_after(ADDRESS_SECONDS):
            await self._opened.wait()

    def found(self) -> Served:
        """Return where pages are served just now."""
        seal, port = self._seal, self._port
        hosts = addresses() if self._lan or seal else ()
        near = hosts if self._lan else ()
        if seal is None or not self._secure:
            return Served(port, near)
        seal.reload()
        own_port = self._secure[0].socket.getsockname()[1]
        # By the name that a certificate is for no browser warns.
        return Served(port, near, own_port, (*seal.names, *hosts), seal.fingerprint)


async def tell_where(
    place: Place,
    find: Callable[[], Served],
    server: Server,
    apart: Server,
    rest: Callable[[], Awaitable[None]],
) -> None:
    """Go on telling where pages are: this computer's addresses change.

    Args:
        place: Where it is told.
        find: Returns where they are now.
        server: Of plain pages.
        apart: Of those over TLS.
        rest: Waits until it is time to look again.
    """
    while True:
        now = place.served
        for one, port, hosts, usual in (
            (server, now.port, now.hosts, 80),
            (apart, now.own_port, now.own_hosts, 443),
        ):
            ending = "" if port == usual else f":{port}"  # as browsers say it
            named = (LOOPBACK, "localhost", *hosts)
            one.names = frozenset(f"{host}{ending}".lower() for host in named)
        await rest()
        found = find()
        if found != place.served or not place.is_told():
            place.moved_to(found)


class _Seal:
    """The certificate for the owner's devices, anew where its file is another one."""

    def __init__(self, given: argparse.Namespace) -> None:
        """Read it.

        Raises:
            LocalError: FILE, certificate or key cannot be read, or do not fit each
                other; DISK, no certificate can be made.
        """
        self._chain: Final[Path] = given.certificate or certificate(given.home)
        self._key: Final[Path | None] = given.key
        self.context: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        try:
            self._read = self._changed()
            self._load()
        except (ssl.SSLError, ValueError):  # they name no file
            found = {"path": str(self._chain), "key": str(self._key or self._chain)}
            raise LocalError(Code.FILE, Says.NO_CERTIFICATE(**found)) from None
        except OSError as error:
            raise LocalError(
                Code.FILE, Says.AT(place=str(error.filename), why=error.strerror or "")
            ) from None

    def _load(self) -> None:
        # What does not fit its key would be kept, and nobody let in by it.
        for one in (ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), self.context):
            # Asked for a passphrase nobody might be there, and all would wait.
            one.load_cert_chain(self._chain, self._key, password="")
        self.fingerprint = shown(self._chain)
        self.names = names(self._chain)

    def _changed(self) -> tuple[int, ...]:
        files = filter(None, (self._chain, self._key))
        return tuple(file.stat().st_mtime_ns for file in files)

    def reload(self) -> None:
        """Take a certificate that has been renewed; half of one is left for later."""
        with suppress(OSError, ValueError, LocalError):
            if (now := self._changed()) != self._read:
                self._load()
                self._read = now


def addresses() -> tuple[str, ...]:
    """Return by which addresses other computers reach this one, and its name.

    The first stands in links.
    """
    # What needs the interface's name to be reached stands in no link.
    found = [each for each in own_addresses() if "%" not in each]
    name = socket.gethostname()
    hosts = (f"[{each}]" if ":" in each else each for each in found)
    return (*hosts, name, f"{name}.local")


async def _tell_wrong(home: Path) -> None:
    """Tell the owner on the terminal, and in all windows, that a code is withdrawn."""
    text = _(
        "Too many wrong codes, so that code no longer works. For a new one: {command}"
    )
    print(text.format(command="netplay web --pair"), flush=True)  # noqa: T201 (a command)
    with trio.move_on_after(limits.KNOCK_SECONDS) as scope:

        def heard(message: door.FromNode) -> None:
            if isinstance(message, door.Done | door.Failed):
                scope.cancel()

        link = Link(home, heard, lambda: None, lambda _why: None)
        link.ask(door.Request(1, CodeWithdrawn()))
        await link.keep_open()


async def _open(link: str) -> None:
    """Open the browser; where there is none the link is on the terminal."""
    with suppress(webbrowser.Error, OSError):
        await trio.to_thread.run_sync(webbrowser.open, link, abandon_on_cancel=True)


async def _listeners(
    port: int | None, usual: Sequence[int], host: str
) -> list[trio.SocketListener]:
    """Return listeners on the loopback, or on all that this computer has.

    Args:
        port: The one that was asked for; None for any.
        usual: What is tried first then, 0 for none.
        host: The address; empty for all.

    Raises:
        OSError: The port that was asked for cannot be had.
    """
    if port is None:
        for each in filter(None, usual):
            with suppress(OSError):
                return await trio.open_tcp_listeners(each, host=host or None)
    if port or host:
        return await trio.open_tcp_listeners(port or 0, host=host or None)
    return (await trio.open_tcp_listeners(0, host="0.0.0.0"))[:1]  # noqa: S104 (asked for)


async def serve(
    server: Server, listener: trio.SocketListener, context: ssl.SSLContext | None = None
) -> None:
    """Serve who comes, no faster than leaves time for who plays."""
    now = trio.current_time()
    pace = Bucket(limits.WEB_CONNECTIONS_A_SECOND, limits.WEB_CONNECTIONS_TOGETHER, now)
    each: Buckets[str] = Buckets(
        limits.WEB_COMES_A_SECOND, limits.WEB_COMES_AT_ONCE, ADDRESSES
    )
    async with trio.open_nursery() as nursery:
        while True:
            await turn(pace, REFUSED)
            if listener.socket.fileno() < 0:
                return  # it was closed meanwhile
            try:
                raw, (address, *_port) = await listener.socket.accept()
            except trio.ClosedResourceError:
                return  # those who came by it stay
            except OSError:  # it went before it came, or there are too many files
                await trio.sleep(FAILED_SECONDS)
                continue
            # Hung up, and not left waiting: all others would wait behind it.
            may = each.take(network(address), trio.current_time())
            if not may or not server.takes(address):
                raw.close()
                continue
            await turn(pace, 1 - REFUSED)
            stream: trio.abc.Stream = trio.SocketStream(raw)
            if context is not None:
                stream = trio.SSLStream(
                    stream, context, server_side=True, https_compatible=True
                )
            nursery.start_soon(server.serve, stream, address)


async def _obey(scope: trio.CancelScope, told: Sequence[int]) -> None:
    with trio.open_signal_receiver(*ending.signals()) as signals:
        if not told:
            await anext(signals)
        scope.cancel()


async def _follow(scope: trio.CancelScope, gates: _Gates) -> None:
    await ending.slipped(heard=gates.widen)
    scope.cancel()


if __name__ == "__main__":
    sys.exit(main())
