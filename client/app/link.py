"""The way to the node: its door, opened again whenever it closes.

The only module of the window that knows of sockets.  Messages come and go as the
structs of `netplay.messages.door`, in the frames of `netplay.wire`.
"""

import time  # noqa: TID251 (when a file was written)
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import trio

from netplay import VERSION, wire
from netplay.door_place import open_door
from netplay.errors import LocalError, NetplayError, PeerError
from netplay.home import NODE_LOG, Home
from netplay.limits import DOOR_FRAME_BYTES, READ_BYTES
from netplay.messages import door
from netplay.named_files import OWN_BYTES, read_named
from netplay.said import Words, spoken
from netplay.sanitize import clean
from netplay.sentences import Says

AGAIN: Final = (0.1, 0.2, 0.4, 0.8, 1.5, 3.0)
"""Seconds before the next try to open the door; the last one repeats."""

PATIENT: Final = 3
"""Tries at which it is not yet said that there is no node: it may be started again."""

STARTING_SECONDS: Final = 8.0
"""How long it is not said at first: the node starts with the window, and on a computer
that has much to do it takes longer than these tries."""

FAILED: Final = "netplay node: "
"""Before what a node says that cannot start."""

FAILED_CHARACTERS: Final = 400

_NONE: Final = (FileNotFoundError, NotADirectoryError, ConnectionRefusedError)
"""What it comes to knock where there is no node, or no home."""


Opener: TypeAlias = Callable[[Path], Awaitable[tuple[trio.abc.Stream, bytes]]]
"""Returns a stream to the node of a home, and the token to show there."""


class Link:
    """A door kept open; `hear` is told what comes, `gone` that it closed and why."""

    def __init__(
        self,
        home: Path,
        hear: Callable[[door.FromNode], None],
        came: Callable[[], None],
        gone: Callable[[Words], None],
        opener: Opener = open_door,
        guest: bytes = b"",
    ) -> None:
        """Prepare a link to the node of a home; `run` opens it.

        Args:
            home: Whose node.
            hear: Told what comes.
            came: Told that the door is open.
            gone: Told that it is closed, and why.
            opener: Opens a stream.
            guest: Shown instead of the owner's token, by who was lent a seat.
        """
        self._guest = guest
        self._home, self._hear, self._came, self._gone = home, hear, came, gone
        self._opener = opener
        self._last: Words = ""
        """What the node has said to no question: why it closes its door."""
        self._began = time.time() - STARTING_SECONDS
        """What a node has said since is of one that was to start for this window: it
        may fail a little sooner than we begin."""
        self._out, self._queue = trio.open_memory_channel[door.Request](1000)

    def ask(self, request: door.Request) -> None:
        """Send a request, now or when the door is open again."""
        try:
            self._out.send_nowait(request)
        except trio.WouldBlock:
            self._gone(Says.NODE_DEAF())

    async def keep_open(self) -> None:
        """Open the door, again and again, until cancelled."""
        tries, told_from = 0, trio.current_time() + STARTING_SECONDS
        while True:
            try:
                stream, token = await self._opener(self._home)
            except (OSError, ValueError, msgspec.DecodeError) as error:
                if tries >= PATIENT and trio.current_time() >= told_from:
                    self._gone(self._no_answer(error))
            else:
                tries, told_from = 0, 0.0
                await self._talk(stream, token)
            await trio.sleep(AGAIN[min(tries, len(AGAIN) - 1)])
            tries += 1

    async def _talk(self, stream: trio.abc.Stream, token: bytes) -> None:
        """Talk through an open door until it closes."""
        why: Words = Says.DOOR_CLOSED()
        self._last = ""
        async with stream:
            try:
                shown = b"" if self._guest else token
                knock = door.Knock(shown, VERSION, True, self._guest)
                await stream.send_all(wire.encode(knock))
                self._came()
                self._began = time.time()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write, stream)
                    reader = wire.FrameReader(DOOR_FRAME_BYTES)
                    while data := await stream.receive_some(READ_BYTES):
                        reader.feed(bytes(data))
                        while (frame := reader.next()) is not None:
                            message = wire.decode_from_node(frame)
                            if isinstance(message, door.Failed) and message.id == 0:
                                self._last = message.error.said
                            self._hear(message)
                    nursery.cancel_scope.cancel()
            except* (trio.BrokenResourceError, trio.ClosedResourceError):
                why = Says.DOOR_BROKE()
            except* PeerError:  # the same version in name, but between two releases
                why = Says.OTHER_PROGRAM()
            except* NetplayError as errors:
                why = spoken(errors.exceptions[0])
        self._gone(self._last or why)

    async def _write(self, stream: trio.abc.Stream) -> None:
        async for request in self._queue:
            await stream.send_all(wire.encode(request))

    def _no_answer(self, error: Exception) -> Words:
        """Return why no node answers, and what may be done about it."""
        if isinstance(error, _NONE):
            failed = "" if self._guest else self._failed()
            return Says.NODE_FAILED(why=failed) if failed else Says.NODE_ENDED()
        return Says.NO_NODE_ANSWERS(why=getattr(error, "strerror", None) or error)

    def _failed(self) -> Words:
        """Return why the node could not start that was to, if that can be told."""
        log = self._home / NODE_LOG
        try:  # where no file can be, it could not even say so
            Home(self._home).prepare()
            log.open("ab").close()
            if log.stat().st_mtime < self._began:
                return ""
            said = read_named(log, OWN_BYTES).decode("utf-8", "replace").splitlines()
        except LocalError as error:
            return error.said
        except OSError as error:
            return Says.AT(place=log, why=error.strerror)
        if not said or not said[-1].startswith(FAILED):
            return ""
        return clean(said[-1].removeprefix(FAILED), FAILED_CHARACTERS)
