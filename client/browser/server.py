"""The server of pages: files of the program, and one WebSocket a page.

h11 and wsproto alone: what Hypercorn would add - HTTP/2, proxies, workers - no page
here needs, and the limits on connections must be ours.

Everything that is served is the program's own and the same for everybody; who a page
belongs to is told in the first message of its WebSocket, so there are no cookies that
another page could make a browser send.
"""

import hashlib
import io
import math
import wave
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Final, NamedTuple, Protocol, TypeAlias

import h11
import msgspec
import trio
from wsproto import ConnectionType, WSConnection
from wsproto.events import (
    AcceptConnection,
    CloseConnection,
    Ping,
    Pong,
    Request,
    TextMessage,
)
from wsproto.utilities import LocalProtocolError, RemoteProtocolError

from client.browser import talk
from client.browser.access import ADDRESSES
from client.ui import typefaces
from client.ui.sound import RATE, Sound, samples
from netplay import limits
from netplay.rate import Bucket, Buckets, network

PAGE: Final = "/page"
"""Where the WebSocket is."""

TOO_LARGE, WRONG, TRY_LATER = 1009, 1008, 1013
"""Why a WebSocket is closed."""

Headers: TypeAlias = list[tuple[bytes, bytes]]


class RefusedError(Exception):
    """A page may not do that."""

    def __init__(self, code: int, why: str) -> None:
        """Say why, in a word for the page."""
        super().__init__(why)
        self.code, self.why = code, why


# What is served: the page, fonts, sounds and icons.

KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".otf": "font/otf",
    ".ttf": "font/ttf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webmanifest": "application/manifest+json",
}


class File(NamedTuple):
    """A file to be served."""

    kind: str
    data: bytes
    tag: bytes
    """Changes with what is in it."""


def _file(name: str, data: bytes) -> File:
    kind = KINDS[name[name.rindex(".") :]]
    return File(
        kind, data, b'"' + hashlib.sha256(data).hexdigest()[:20].encode() + b'"'
    )


@cache
def files() -> dict[str, File]:
    """Return path -> file, of all there are."""
    found: dict[str, File] = {}
    for each in sorted(
        resources.files("client.browser").joinpath("page").iterdir(), key=str
    ):
        found[f"/{each.name}"] = _file(each.name, each.read_bytes())
    found["/"] = found.pop("/index.html")
    fonts = {f"{cut.value}": path for cut, path in typefaces.FONTS.items()}
    for number, path in (*fonts.items(), ("3", typefaces.MORE)):
        name = f"font-{number}{path.suffix}"
        found[f"/{name}"] = _file(name, path.read_bytes())
    for sound in Sound:
        name = f"sound-{sound.name}.wav"
        made = io.BytesIO()
        with wave.open(made, "wb") as out:
            out.setnchannels(2)
            out.setsampwidth(2)
            out.setframerate(RATE)
            out.writeframes(samples(sound))
        found[f"/{name}"] = _file(name, made.getvalue())
    return found


@cache
def made() -> str:
    """Return what is another where any file is: a page of an older Netplay sees it."""
    tags = b"".join(file.tag for _path, file in sorted(files().items()))
    return hashlib.sha256(tags).hexdigest()[:20]


# To whom.


class Guest(Protocol):
    """Who is behind a page that has been let in."""

    def said(self, message: talk.FromPage) -> None:
        """Take what the page says."""

    def left(self) -> None:
        """Learn that the page has gone."""


class Page:
    """A page that is connected: what is sent to it waits in a queue of its own."""

    def __init__(self, address: str, *, tls: bool = False) -> None:
        """Begin with nothing to send.

        Args:
            address: Where it comes from.
            tls: Whether nobody on the way can read or change what is said.
        """
        self.address, self.tls = address, tls
        self.scope = trio.CancelScope()
        """Of the talk with it."""
        self.socket = WSConnection(ConnectionType.SERVER)
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._more = trio.Event()
        self._closing = self._gone = False
        self._heard: list[tuple[str, bool]] = []
        self._pieces: list[str] = []
        self._length = 0
        """Of the pieces: counted as they come, or many small ones take a while."""
        self._idle = Bucket(
            limits.WEB_MESSAGES_A_SECOND / 10,
            limits.WEB_MESSAGES_AT_ONCE / 10,
            trio.current_time(),
        )
        """For frames that say nothing: a browser sends a few a minute."""

    def send(self, data: bytes) -> None:
        """Send a text; a page that takes none is gone."""
        if not self._closing:
            with suppress(LocalProtocolError):  # it has said goodbye just now
                self.put(self.socket.send(TextMessage(data.decode())))

    def put(self, frame: bytes) -> None:
        """Send what is a frame already; a page that takes none is gone."""
        self._waiting.append(frame)
        self._bytes += len(frame)
        self._more.set()
        if self._bytes > limits.WEB_QUEUE_BYTES:
            self.close(TRY_LATER, "hung")

    def close(self, code: int, why: str) -> None:
        """Close it, once what waits is sent."""
        if not self._closing:
            self._closing = True
            # One that takes nothing does not stay for that.
            self.scope.deadline = trio.current_time() + limits.WEB_HEAD_SECONDS
            with suppress(LocalProtocolError):  # it has said goodbye itself
                self.put(self.socket.send(CloseConnection(code, why)))
            self._more.set()

    async def hear(self, stream: trio.abc.Stream) -> str | None:
        """Return the next text; None once the page has gone, or is silent.

        Raises:
            RefusedError: It says too much at once, or something that is no text.
        """
        while True:
            if self._heard:
                text, finished = self._heard.pop(0)
                self._pieces.append(text)
                self._length += len(text)
                if self._length > limits.WEB_MESSAGE_BYTES:
                    raise RefusedError(TOO_LARGE, "too large")
                if finished:
                    whole, self._pieces, self._length = "".join(self._pieces), [], 0
                    return whole
                continue
            came = b""
            if not self._gone:
                with trio.move_on_after(limits.WEB_SILENCE_SECONDS):
                    came = bytes(await stream.receive_some(limits.READ_BYTES))
            if not came:
                return None
            self.on_bytes(came)

    def on_bytes(self, came: bytes) -> None:
        """Make texts of bytes; answer what only asks whether we are there."""
        self.socket.receive_data(came)
        for event in self.socket.events():
            says = isinstance(event, TextMessage) and (
                event.data or event.message_finished
            )
            if not says and not self._idle.take(trio.current_time()):
                raise RefusedError(WRONG, "flood")
            match event:
                case TextMessage(data=data, message_finished=finished):
                    self._heard.append((data, finished))
                case Ping():
                    self.put(self.socket.send(event.response()))
                case CloseConnection():
                    self._gone = True
                    with suppress(LocalProtocolError):
                        self.put(self.socket.send(event.response()))
                case Pong():
                    pass
                case _:
                    raise RefusedError(WRONG, "binary")

    async def write(self, stream: trio.abc.Stream) -> None:
        """Write what waits until it is closed, or gone."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._write(stream)

    async def _write(self, stream: trio.abc.Stream) -> None:
        while True:
            found, self._waiting, self._bytes = self._waiting, [], 0
            if found:
                await stream.send_all(b"".join(found))
            elif self._closing:
                return
            else:
                self._more = trio.Event()
                await self._more.wait()


Welcome: TypeAlias = Callable[[talk.Hello, Page], Awaitable[Guest]]
"""Lets a page in, or raises `RefusedError`."""


class Server:
    """Serves files and pages to those who come by a name that is ours."""

    def __init__(
        self,
        files: Mapping[str, File],
        welcome: Welcome,
        mistake: Callable[[Exception], None],
        *,
        tls: bool = False,
    ) -> None:
        """Prepare.

        Args:
            files: Path -> what is there.
            welcome: Lets pages in.
            mistake: Takes mistakes of the program's own.
            tls: Whether streams are encrypted.
        """
        self._files, self._welcome, self._tls = files, welcome, tls
        self.mistake = mistake
        self.names: frozenset[str] = frozenset()
        """What a browser may call this server, with the port."""
        self._rates: Buckets[str] = Buckets(
            limits.WEB_REQUESTS_A_SECOND, limits.WEB_REQUESTS_AT_ONCE, ADDRESSES
        )
        self._open: Counter[str] = Counter()
        self._places: dict[trio.CancelScope, str] = {}
        """Every connection, and from where it came."""
        self._strangers: dict[trio.CancelScope, None] = {}
        """Those on which nobody was let in, the first that came first."""
        self._idle: dict[trio.CancelScope, None] = {}
        """Those that were answered and may ask again, the longest idle first."""

    async def serve(self, stream: trio.abc.Stream, address: str) -> None:
        """Serve one connection, whatever comes on it."""
        if not self.takes(address) or not self._has_room():
            await trio.aclose_forcefully(stream)
            return
        place = network(address)
        self._open[place] += 1
        scope = trio.CancelScope()
        self._places[scope], self._strangers[scope] = place, None
        try:
            with (
                scope,
                suppress(
                    trio.BrokenResourceError, trio.ClosedResourceError,
                    h11.RemoteProtocolError, h11.LocalProtocolError,
                ),
            ):  # fmt: skip
                await self._requests(stream, address, scope)
        except Exception as error:  # noqa: BLE001 (it ends this connection alone)
            self.mistake(error)
        finally:
            self._forget(scope)
            await trio.aclose_forcefully(stream)

    def _forget(self, scope: trio.CancelScope) -> None:
        """Count a connection no more: it has ended, or makes room for another."""
        self._strangers.pop(scope, None)
        self._idle.pop(scope, None)
        place = self._places.pop(scope, None)
        if place is not None:
            self._open[place] -= 1
            self._open += Counter()  # drops those that have none

    def is_called(self, host: str) -> bool:
        """Tell whether a name is ours: a certificate may be for all below another."""
        _first, dot, rest = host.partition(".")
        return host in self.names or f"*{dot}{rest}" in self.names

    def takes(self, address: str) -> bool:
        """Tell whether an address may have one more; an idle one of its own goes.

        Each browser keeps some that it needs no more, and a household has several.
        """
        place = network(address)
        if self._open[place] < limits.WEB_CONNECTIONS_OF_ONE:
            return True
        idle = (scope for scope in self._idle if self._places[scope] == place)
        gone = next(idle, None)
        if gone is not None:
            self._forget(gone)
            gone.cancel()
        return gone is not None

    def _has_room(self) -> bool:
        """Tell whether one more may come; a stranger of the many at a place goes."""
        if self._open.total() < limits.WEB_CONNECTIONS:
            return True
        if not self._strangers:
            return False
        gone = max(self._strangers, key=lambda one: self._open[self._places[one]])
        self._forget(gone)
        gone.cancel()
        return True

    async def _requests(
        self, stream: trio.abc.Stream, address: str, scope: trio.CancelScope
    ) -> None:
        """Answer requests, one after the other."""
        while True:
            # Before anything is read: whoever floods pays with its own time, and not
            # with ours for handshakes and heads.
            await turn(self._rates.of(network(address), trio.current_time()))
            scope.deadline = trio.current_time() + limits.WEB_ANSWER_SECONDS
            http = h11.Connection(
                h11.SERVER, max_incomplete_event_size=limits.WEB_HEAD_BYTES
            )
            request = None
            with trio.move_on_after(limits.WEB_HEAD_SECONDS):
                request = await _request(http, stream)
            self._idle.pop(scope, None)
            if request is None:
                return
            asked = Asked(request)
            if not self.is_called(asked.host):  # a name that somebody has pointed here
                await _answer(http, stream, 421, b"Not called by that name.\n")
            elif asked.path == PAGE and asked.upgrade:
                if asked.origin != f"{'https' if self._tls else 'http'}://{asked.host}":
                    await _answer(http, stream, 403, b"Not from that page.\n")
                    return
                page = Page(address, tls=self._tls)
                if self._accepts(page, request, http.trailing_data[0]):
                    scope.deadline = math.inf
                    with page.scope:
                        async with trio.open_nursery() as nursery:
                            nursery.start_soon(_ping, page)
                            nursery.start_soon(self._listen, stream, page, scope)
                            await page.write(stream)
                            nursery.cancel_scope.cancel()
                return
            else:
                await self._file(http, stream, asked)
            if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
                return
            if http.trailing_data[0]:  # no browser sends before it has an answer
                return
            self._idle[scope] = None

    async def _file(
        self, http: h11.Connection, stream: trio.abc.Stream, asked: "Asked"
    ) -> None:
        file = self._files.get(asked.path)
        if asked.method not in (b"GET", b"HEAD"):
            await _answer(http, stream, 405, b"Only GET.\n")
        elif file is None:
            await _answer(http, stream, 404, b"Nothing here.\n")
        else:
            # These keep other pages, and what is in them, away.
            socket = f"{'wss' if self._tls else 'ws'}://{asked.host}"
            policy = (
                "default-src 'none'; script-src 'self'; style-src 'self'; "
                "font-src 'self'; img-src 'self'; media-src 'self'; "
                f"connect-src 'self' {socket}; manifest-src 'self'; "
                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            )
            headers = [
                (b"content-type", file.kind.encode()), (b"etag", file.tag),
                (b"cache-control", b"no-cache"),
                (b"content-security-policy", policy.encode("latin-1")), *GUARDS,
            ]  # fmt: skip
            # Elsewhere it comes to nothing, and browsers say so to whoever looks.
            if self._tls or asked.host.startswith(("127.", "localhost")):
                headers.append(APART)
            fresh = asked.known != file.tag
            status, head = 200 if fresh else 304, asked.method == b"HEAD"
            await _answer(http, stream, status, file.data, headers, head=head)

    def _accepts(self, page: Page, request: h11.Request, rest: bytes) -> bool:
        """Tell whether a request opens a WebSocket, and take what came with it."""
        try:
            page.socket.initiate_upgrade_connection(
                list(request.headers), request.target.decode("ascii")
            )
            events = list(page.socket.events())
            if len(events) != 1 or not isinstance(events[0], Request):
                return False
            page.put(page.socket.send(AcceptConnection()))
            if rest:
                page.on_bytes(rest)
        except (
            RemoteProtocolError, LocalProtocolError, RefusedError,
            UnicodeError,  # wsproto reads some headers as ASCII
        ):  # fmt: skip
            return False
        return True

    async def _listen(
        self, stream: trio.abc.Stream, page: Page, scope: trio.CancelScope
    ) -> None:
        """Give on what a page says; whatever is wrong with it closes the page alone."""
        try:
            await self._talk(stream, page, scope)
        except RefusedError as refusal:
            page.close(refusal.code, refusal.why)
        except (RemoteProtocolError, LocalProtocolError, UnicodeError):
            page.close(WRONG, "protocol")
        except (msgspec.MsgspecError, RecursionError):  # lists in lists in lists
            page.close(WRONG, "message")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        page.close(1000, "")

    async def _talk(
        self, stream: trio.abc.Stream, page: Page, scope: trio.CancelScope
    ) -> None:
        guest: Guest | None = None
        began = trio.current_time()
        rate = Bucket(limits.WEB_MESSAGES_A_SECOND, limits.WEB_MESSAGES_AT_ONCE, began)
        work = Bucket(limits.WEB_WORK, limits.WEB_WORK_AT_ONCE, began)
        try:
            text = None
            with trio.move_on_after(limits.WEB_HEAD_SECONDS):
                text = await page.hear(stream)
            while text is not None:
                message = DECODER.decode(text)
                await turn(rate)
                if guest is not None:
                    began = trio.current_time()
                    guest.said(message)
                    spent = trio.current_time() - began
                    await turn(work, min(spent, limits.WEB_WORK_AT_ONCE))
                elif isinstance(message, talk.Hello):
                    guest = await self._welcome(message, page)
                    self._strangers.pop(scope, None)
                else:
                    raise RefusedError(WRONG, "hello")
                text = await page.hear(stream)
        finally:
            if guest is not None:
                guest.left()


GUARDS: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

APART: Final = b"cross-origin-opener-policy", b"same-origin"

DECODER: Final = msgspec.json.Decoder(talk.FromPage)


class Asked:
    """What a request asks for."""

    def __init__(self, request: h11.Request) -> None:
        """Read what matters of it."""
        headers = {name: value.decode("latin-1") for name, value in request.headers}
        self.method = request.method
        self.path = request.target.decode("latin-1")
        self.host = headers.get(b"host", "").lower()
        self.origin = headers.get(b"origin", "").lower()
        self.upgrade = headers.get(b"upgrade", "").lower() == "websocket"
        self.known = headers.get(b"if-none-match", "").encode("latin-1")


async def turn(bucket: Bucket, tokens: float = 1) -> None:
    """Let others have their turn, and wait until there are as many tokens."""
    await trio.lowlevel.checkpoint()
    while not bucket.take(now := trio.current_time(), tokens):  # noqa: ASYNC110 (a bucket knows no events)
        await trio.sleep(bucket.wait(now, tokens))


async def _request(http: h11.Connection, stream: trio.abc.Stream) -> h11.Request | None:
    """Return the next request, None if none comes; one with a body is none."""
    request = None
    while True:
        event = http.next_event()
        if event is h11.NEED_DATA:
            http.receive_data(bytes(await stream.receive_some(limits.READ_BYTES)))
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.EndOfMessage):
            return request
        else:
            return None


async def _answer(
    http: h11.Connection,
    stream: trio.abc.Stream,
    status: int,
    body: bytes = b"",
    headers: Headers | None = None,
    *,
    head: bool = False,
) -> None:
    length = [] if status == 304 else [(b"content-length", b"%d" % len(body))]
    found = [(b"content-type", b"text/plain"), *GUARDS] if headers is None else headers
    answer = http.send(h11.Response(status_code=status, headers=[*found, *length]))
    bare = head or status == 304
    data = http.send(h11.Data(data=body)) if body and not bare else b""
    end = http.send(h11.EndOfMessage())
    await stream.send_all(b"".join(filter(None, (answer, data, end))))


async def _ping(page: Page) -> None:
    """Ask again and again whether the page is there."""
    while True:
        await trio.sleep(limits.WEB_SILENCE_SECONDS / 3)
        with suppress(LocalProtocolError):
            page.put(page.socket.send(Ping()))
