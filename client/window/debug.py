"""A port for scripts that test a running window: asks for names instead of pixels.

Off unless asked for, on the loopback address only.  A line of JSON in, a line out:

    {"do": "scene"}                 the whole tree
    {"do": "find", "name": "done"}  one node, in the uppermost dialog first, or null
    {"do": "names"}                 every name with its rectangle
    {"do": "window"}                title, page, focus, size
    {"do": "match"}                 game, seat, view (packed) and the window's own state
"""

from collections.abc import Callable
from socket import socket
from typing import Any, Final

import msgspec
import trio
from msgspec import Struct

from client.app.model import Match
from client.ui.scene import Node, Touch, find, top, walk
from netplay import wire

LONGEST: Final = 4096
"""Bytes of a line."""


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """What a script asks."""

    do: str
    name: str = ""


class Showing(Struct, frozen=True):
    """What the window shows just now."""

    root: Node
    touch: Touch
    page: str
    match: Match | None = None


def answer(line: bytes, showing: Showing) -> bytes:
    """Return the answer to a line of JSON, as a line."""
    try:
        question = msgspec.json.decode(line, type=Question)
    except (ValueError, RecursionError) as error:
        return msgspec.json.encode({"error": str(error)}) + b"\n"
    return msgspec.json.encode(_reply(question, showing)) + b"\n"


def _reply(question: Question, showing: Showing) -> Any:  # noqa: ANN401 (for JSON)
    match question.do:
        case "scene":
            return showing.root
        case "find":
            over = find(top(showing.root), question.name)
            return over or find(showing.root, question.name)
        case "names":
            return {n.name: n.rect for n in walk(showing.root) if n.name}
        case "window":
            return {
                "title": showing.root.value,
                "page": showing.page,
                "focus": showing.touch.focus,
                "size": showing.root.rect[2:],
            }
        case "match":
            match = showing.match
            return match and {
                "game": match.game,
                "seat": match.seat,
                "number": match.number,
                "waits": bool(match.sent),
                "view": b"" if match.covered else wire.pack(match.state),
                "local": None if match.covered else match.local,
            }
        case other:
            return {"error": f"unknown: {other}"}


async def serve(scripts: socket, showing: Callable[[], Showing]) -> None:
    """Answer scripts on a listening socket until cancelled.

    Args:
        scripts: Where they knock.
        showing: Returns what the window shows now.
    """

    async def talk(stream: trio.abc.Stream) -> None:
        rest = b""
        try:
            while data := await stream.receive_some(LONGEST):
                *lines, rest = (rest + bytes(data)).split(b"\n")
                for line in lines:
                    await stream.send_all(answer(line, showing()))
                if len(rest) > LONGEST:
                    return
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return

    listener = trio.SocketListener(trio.socket.from_stdlib_socket(scripts))
    await trio.serve_listeners(talk, [listener])
