"""The local socket through which windows and commands reach their node.

A Unix socket in the home, open to its owner alone, whose uid is checked again where
the system tells it.  Where there is none, or its path would be too long for the
system, a port on the loopback with a random token in a file that only the owner reads.
"""

import hmac
import os
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final, Protocol, TypeAlias

import trio
from typing_extensions import override

from netplay import VERSION, limits
from netplay.door_place import LOOPBACK, file_text
from netplay.errors import Code, LocalError, PeerError
from netplay.home import Home, write_whole
from netplay.messages.door import (
    Done,
    Failed,
    FromNode,
    Knock,
    Notice,
    Request,
    Seated,
    ToNode,
    failed,
)
from netplay.named_files import PRIVATE_FILE
from netplay.peering.pipe import Pipe
from netplay.rate import Bucket
from netplay.sentences import Says
from netplay.system.sockets import has_unix, peer_user
from netplay.wire import FrameReader, decode_to_node, encode

PATH_BYTES: Final = 100
"""Of a Unix socket's path; systems allow 104 or 108."""

TOKEN_BYTES: Final = 32

QUEUE_BYTES: Final = 4 * limits.DOOR_FRAME_BYTES
"""Waiting for a window before it counts as hung."""


class Host(Protocol):
    """Whoever answers at the door: the node."""

    def guest(self, window: int, shown: bytes) -> Seated | None:
        """Let a guest in by what it shows; None if that opens nothing."""

    def shown_to_guest(self, window: int, message: FromNode) -> FromNode | None:
        """Return what a guest is shown of what windows are told."""

    def window_up(self, window: int) -> None:
        """Note a window that wants pushes."""

    def window_down(self, window: int) -> None:
        """Note that a window has gone."""

    def answer(self, window: int, request: Request, reply: "Reply") -> None:
        """Answer a request, now or later."""

    def mistake(self, error: Exception, what: str) -> None:
        """Take a mistake of the program's, by which a window is gone."""


Reply: TypeAlias = Callable[[Done | Failed], None]


def _nothing(_message: FromNode) -> None:
    """Show nothing."""


class Window:
    """A window or command that has come in."""

    def __init__(self, number: int, stream: trio.abc.Stream, guests: set[int]) -> None:
        """Take over a stream; its number joins those of guests if it is one's."""
        self.number = number
        self._guests = guests
        self.pushes = False
        self.reads = True
        """Whether the player sees what is said."""
        self.inside = False
        """Whether it has shown the token."""
        self.shown: Callable[[FromNode], FromNode | None] = _nothing
        """Returns what a guest is shown of a message."""
        self._stream = stream
        self.pipe: Final = Pipe(stream, limits.DOOR_QUEUE, QUEUE_BYTES)
        """Where its frames go."""
        self._reader = FrameReader()  # as little as for strangers, before the token
        self._scope = trio.CancelScope()
        self._serving = trio.CancelScope()

    def turn_away(self) -> None:
        """Wait no longer for the token, or for a window that takes no frames."""
        self._scope.cancel()

    def leave(self) -> None:
        """Listen no longer; what waits is still written."""
        self._serving.cancel()

    def send(self, data: bytes) -> None:
        """Send a frame; a window that does not take them is shown the door."""
        if not self.pipe.send(data):
            self._scope.cancel()

    async def serve(self, token: bytes, host: Host) -> None:
        """Serve the window until it goes."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    # In a task of its own: it wakes at every request, through all
                    # that awaits it.
                    nursery.start_soon(self._serve, token, host)
                    try:
                        await self.pipe.write()
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        self._scope.cancel()
        finally:
            if self.pushes:
                host.window_down(self.number)
            self.pipe.detach()
            await trio.aclose_forcefully(self._stream)

    async def _serve(self, token: bytes, host: Host) -> None:
        """Greet, then answer requests one after the other; let the rest be written."""
        with self._serving, suppress(trio.BrokenResourceError):
            try:
                knock = None
                with trio.move_on_after(limits.KNOCK_SECONDS):
                    knock = await self._next()
                if self._admit(knock, token, host):
                    if self.pushes:
                        host.window_up(self.number)
                    while isinstance(request := await self._next(), Request):
                        host.answer(self.number, request, self._reply)
            except PeerError as error:
                self.send(encode(failed(0, error)))
        self.pipe.close()
        self._scope.deadline = trio.current_time() + limits.KNOCK_SECONDS

    def _reply(self, message: Done | Failed) -> None:
        """Send the answer to a request; of one that is too large, that it is."""
        try:
            data = encode(message)
        except LocalError as error:
            why = LocalError(Code.USAGE, Says.ANSWER_TOO_LARGE(why=error.detail))
            data = encode(failed(message.id, why))
        self.send(data)

    def _admit(self, knock: ToNode | None, token: bytes, host: Host) -> bool:
        """Return whether a window may come in; if not, it is told why."""
        if not isinstance(knock, Knock):
            return False
        if knock.guest:
            return self._seat(knock, host)
        if not hmac.compare_digest(knock.token, token):
            return False
        self.pushes = knock.pushes and knock.version == VERSION
        self.reads = knock.reads
        if knock.version == VERSION:
            self.inside = True
            self._reader.limit = limits.DOOR_FRAME_BYTES
            return True
        reason = Says.OTHER_VERSION(node=VERSION, program=knock.version)
        self.send(encode(Failed(0, Code.VERSION.number, reason)))
        return False

    def _seat(self, knock: Knock, host: Host) -> bool:
        """Return whether a guest may come in; it stays as bounded as a stranger."""
        seated = None
        if knock.version == VERSION:
            try:
                seated = host.guest(self.number, knock.guest)
            except LocalError as error:
                self.send(encode(failed(0, error)))
                return False
        if seated is None:
            no = LocalError(Code.USAGE, Says.SEAT_LENT_NO_MORE())
            self.send(encode(failed(0, no)))
            return False
        self._guests.add(self.number)
        self.inside = self.pushes = True
        self.shown = partial(host.shown_to_guest, self.number)
        self._reader.limit = limits.FRAME_BYTES
        self.send(encode(seated))
        return True

    async def _next(self) -> ToNode | None:
        """Return the next message, None when the window has gone."""
        reader = self._reader
        while (frame := reader.next() if reader.buffer else None) is None:
            data = await self.pipe.read()
            if not data:
                return None
            reader.feed(data)
        return decode_to_node(frame)


class Door:
    """All windows and commands that are in."""

    def __init__(self, token: bytes) -> None:
        """Prepare a door that opens to a token; to none, where a socket is enough."""
        self._token = token
        self._windows: dict[int, Window] = {}
        self._guests: set[int] = set()
        """The windows of guests: most nodes never have any."""
        self._numbers = count()
        self._gone = trio.Event()
        self._too_large: set[tuple[int, type]] = set()
        """Windows, and of what kinds something was too large for each the last time."""

    async def serve(self, stream: trio.abc.Stream, host: Host) -> None:
        """Serve one window; the shell calls this for every connection."""
        inside = {one.number for one in self._windows.values() if one.inside}
        if len(inside - self._guests) >= limits.DOOR_CLIENTS:
            await trio.aclose_forcefully(stream)
            return
        knocking = [one for one in self._windows.values() if not one.inside]
        if len(knocking) >= limits.DOOR_KNOCKING:
            oldest = self._windows.pop(knocking[0].number)
            oldest.turn_away()  # whoever else is on this computer locks nobody out
        window = Window(next(self._numbers), stream, self._guests)
        self._windows[window.number] = window
        try:
            await window.serve(self._token, host)
        except Exception as error:  # noqa: BLE001 (it ends this window alone)
            host.mistake(error, "window")
        finally:
            self._windows.pop(window.number, None)
            self._guests.discard(window.number)
            self._too_large = {
                one for one in self._too_large if one[0] in self._windows
            }
            gone, self._gone = self._gone, trio.Event()
            gone.set()

    def turn_out(self, numbers: Iterable[int]) -> None:
        """Close the door to some who are in."""
        for number in list(numbers):
            if number in self._windows:
                self._windows[number].leave()

    async def close(self) -> None:
        """Close the door to everybody who is in, and wait until they have gone."""
        for window in self._windows.values():
            window.leave()
        while self._windows:
            await self._gone.wait()

    async def deserted(self) -> None:
        """Wait until no window is there; commands do not count."""
        while self.watched:
            await self._gone.wait()

    def push(self, message: FromNode, number: int | None = None) -> None:
        """Send a message to one window, or to all that want pushes."""
        if number is None:
            found = [one for one in self._windows.values() if one.pushes]
        elif number in self._windows and self._windows[number].pushes:
            found = [self._windows[number]]
        else:
            return
        if self._guests and not (found := self._without_guests(found, message)):
            return
        try:
            data = encode(message)
        except LocalError as error:
            # What can grow is sent in parts; this is for what somebody has forgotten.
            what = type(message)
            told = Says.NOT_SHOWN(what=what.__name__, why=error.detail)
            for window in found:
                if (window.number, what) not in self._too_large:
                    self._too_large.add((window.number, what))
                    window.send(encode(Notice("error", told, 0)))
            return
        for window in found:
            self._too_large.discard((window.number, type(message)))
            if not window.pipe.send(data):
                window.turn_away()

    def _without_guests(
        self, windows: Iterable[Window], message: FromNode
    ) -> list[Window]:
        """Return the owner's windows; guests are sent what they are shown of it."""
        owners: list[Window] = []
        for window in windows:
            if window.number not in self._guests:
                owners.append(window)
            elif (shown := window.shown(message)) is not None:
                window.send(encode(shown))
        return owners

    def watching(self) -> list[int]:
        """Return the numbers of those that want pushes: the windows."""
        return [one.number for one in self._windows.values() if one.pushes]

    def reads(self, window: int) -> bool:
        """Tell whether the player sees in a window what is said."""
        one = self._windows.get(window)
        return one is None or one.reads

    @property
    def watched(self) -> int:
        """How many want pushes: the windows."""
        return sum(window.pushes for window in self._windows.values())


class Paced(trio.abc.Listener[trio.SocketStream]):
    """A listener that takes so many connections in the time and no more."""

    def __init__(self, listener: trio.abc.Listener[trio.SocketStream]) -> None:
        """Take over a listener."""
        self._listener: Final = listener
        now = trio.current_time()
        self._comers: Final = Bucket(
            limits.DOOR_COMERS_A_SECOND, limits.DOOR_COMERS_AT_ONCE, now
        )

    @override
    async def accept(self) -> trio.SocketStream:
        """Wait for a connection, and before it for its turn."""
        while not self._comers.take(now := trio.current_time()):  # noqa: ASYNC110 (a bucket knows no events)
            await trio.sleep(self._comers.wait(now))
        return await self._listener.accept()

    @override
    async def aclose(self) -> None:
        """Close the listener."""
        await self._listener.aclose()


Listener: TypeAlias = trio.abc.Listener[trio.SocketStream]


async def serve_door(
    home: Home,
    token: bytes,
    host: Host,
    *,
    task_status: trio.TaskStatus[Door] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Keep the door of a home open until cancelled; report it when it is.

    Args:
        home: Whose; the caller holds its lock.
        token: `TOKEN_BYTES` random bytes, used where there is no Unix socket.
        host: Who answers.
        task_status: Told of the door.

    Raises:
        LocalError: DISK, no door can be made there.
    """
    listener, local = await _listener(home, token)
    door = Door(b"" if local else token)

    async def serve(stream: trio.SocketStream) -> None:
        uid = peer_user(stream.socket) if local else None
        # Whether the other end is this user, as far as can be told
        if uid is None or uid == os.getuid():
            await door.serve(stream, host)

    try:
        task_status.started(door)
        await trio.serve_listeners(serve, [listener])
    finally:
        for path in (home.door, home.token):
            with suppress(OSError):  # the home may have become read-only: it closes
                path.unlink(missing_ok=True)


async def _listener(home: Home, token: bytes) -> tuple[Listener, bool]:
    """Return a listener, and whether it is a Unix socket."""
    path = str(home.door)
    try:
        home.door.unlink(missing_ok=True)
        home.token.unlink(missing_ok=True)
        if has_unix() and len(os.fsencode(path)) <= PATH_BYTES:
            return _unix_listener(path), True
        (listener,) = await trio.open_tcp_listeners(0, host=LOOPBACK)
        port: int = listener.socket.getsockname()[1]
    except OSError as error:
        raise LocalError(Code.DISK, Says.AT(place=path, why=error.strerror)) from None
    write_whole(home.token, file_text(port, token))
    return Paced(listener), False


def _unix_listener(path: str) -> trio.SocketListener:
    """Return a listener on a socket of ours alone."""
    sock = socket.socket(socket.AF_UNIX)
    try:
        # Nobody else may reach it from the first moment: the home may be open to all.
        before = os.umask(0o777 & ~PRIVATE_FILE)
        try:
            sock.bind(path)
        finally:
            os.umask(before)
        sock.listen(limits.DOOR_CLIENTS)
    except OSError:
        sock.close()
        raise
    return trio.SocketListener(trio.socket.from_stdlib_socket(sock))
