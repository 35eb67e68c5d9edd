"""The server of a home's pages: `python -m client.browser`, from `netplay web`."""

import argparse
import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import trio

from client import settings, texts
from client.browser.access import Access
from client.browser.files import files
from client.browser.pages import Pages
from client.browser.server import Server
from client.texts import _
from netplay import ending
from netplay.home import Home
from netplay.journal import failure, to_file

LOOPBACK = "127.0.0.1"
PORT = 7947
"""Where a browser finds the pages, unless another program is there."""


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """Return the command line as named values."""
    parser = argparse.ArgumentParser("client.browser")
    parser.add_argument("--home", required=True, type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument(ending.LEASH, action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Serve until a signal, or the end of whoever started it; return the exit code."""
    given = arguments(sys.argv[1:] if words is None else words)
    with ending.noted() as told:
        own, _damaged = settings.load(given.home)
        texts.speak(own.language)
        return trio.run(partial(_run, given, told))


async def _run(given: argparse.Namespace, told: Sequence[int]) -> int:
    try:
        listener = await _listener(given.port)
    except OSError as error:
        text = _("port {port} cannot be used: {why}")
        said = text.format(port=given.port, why=error.strerror or error)
        print(f"netplay: {said}", file=sys.stderr)  # noqa: T201 (a command)
        return 1
    port: int = listener.socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        access = Access()
        pages = Pages(given.home, access, nursery)
        note = to_file(Home(given.home).journal)
        server = Server(
            files(), pages.welcome, lambda error: note("web.fault", **failure(error))
        )
        server.names = frozenset({f"{LOOPBACK}:{port}", f"localhost:{port}"})
        nursery.start_soon(_obey, nursery.cancel_scope, told)
        if given.leash:
            nursery.start_soon(_follow, nursery.cancel_scope)
        nursery.start_soon(_serve, server, listener)
        link = f"http://{LOOPBACK}:{port}/#{access.invite(trio.current_time())}"
        _tell(link)
        if given.open:
            nursery.start_soon(_open, link)
    return 0


def _tell(link: str) -> None:
    text = _("Netplay in your browser, with a link that is good once: {link}")
    print(text.format(link=link), flush=True)  # noqa: T201 (a command)


async def _open(link: str) -> None:
    """Open the browser; where there is none the link is on the terminal."""
    with suppress(webbrowser.Error, OSError):
        await trio.to_thread.run_sync(webbrowser.open, link, abandon_on_cancel=True)


async def _listener(port: int | None) -> trio.SocketListener:
    """Return a listener on the loopback.

    Raises:
        OSError: The port that was asked for cannot be had.
    """
    if port is None:
        with suppress(OSError):
            return (await trio.open_tcp_listeners(PORT, host=LOOPBACK))[0]
    return (await trio.open_tcp_listeners(port or 0, host=LOOPBACK))[0]


async def _serve(server: Server, listener: trio.SocketListener) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        try:
            address: str = stream.socket.getpeername()[0]
        except OSError:  # gone before it came
            address = ""
        await server.serve(stream, address)

    await trio.serve_listeners(serve, [listener])


async def _obey(scope: trio.CancelScope, told: Sequence[int]) -> None:
    with trio.open_signal_receiver(*ending.signals()) as signals:
        if not told:
            await anext(signals)
        scope.cancel()


async def _follow(scope: trio.CancelScope) -> None:
    await ending.slipped()
    scope.cancel()


if __name__ == "__main__":
    sys.exit(main())
