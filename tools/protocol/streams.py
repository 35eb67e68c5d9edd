"""Vectors of the framing: a stream of bytes, and the frames that are in it."""

from typing import Any, Final

from netplay.errors import Code

SMALL: Final = 1024
LARGE: Final = 65536
PING: Final = "00000003" + "03" + "9101"


def frames() -> list[dict[str, Any]]:
    """Return the vectors."""
    ping = {"type": 3, "payload": ["9101"]}
    full = {"byte": "00", "times": SMALL - 1}
    huge = {"byte": "00", "times": LARGE - 1}
    return [
        _good("nothing", SMALL, [""], []),
        _good("a ping", SMALL, [PING], [{"type": 3, "payload": ["9101"]}]),
        _good("two pings", SMALL, [PING + PING], [ping, ping]),
        _good("a type and nothing more", SMALL, ["0000000163"], [_frame(99, [])]),
        _good("half a header", SMALL, [PING + "0000"], [ping], 2),
        _good("a header alone", SMALL, ["00000003"], [], 4),
        _good("a frame half come", SMALL, [PING[:-2]], [], 6),
        _good("the largest before", SMALL, ["0000040063", full], [_frame(99, [full])]),
        _good("the largest after", LARGE, ["0001000063", huge], [_frame(99, [huge])]),
        _bad("an empty frame", SMALL, "00000000", [], Code.BAD_FRAME),
        _bad("empty behind a ping", SMALL, PING + "00000000", [ping], Code.BAD_FRAME),
        _bad("a byte too many before", SMALL, "00000401", [], Code.TOO_LARGE),
        _bad("a byte too many after", LARGE, "00010001", [], Code.TOO_LARGE),
        _bad("four gigabytes", LARGE, "ffffffff", [], Code.TOO_LARGE),
        _bad("TLS in the clear", SMALL, "160301020001", [], Code.TOO_LARGE),
        _bad("a web browser", SMALL, "474554202f20", [], Code.TOO_LARGE),
        _refused("an unknown even type", "000000020690", Code.UNEXPECTED),
        _refused("type 0", "000000020090", Code.UNEXPECTED),
        _refused("a message for a door", "000000026490", Code.UNEXPECTED),
    ]


def _frame(kind: int, payload: list[Any]) -> dict[str, Any]:
    """Return a frame."""
    return {"type": kind, "payload": payload}


def _good(
    name: str, limit: int, stream: list[Any], found: list[Any], waiting: int = 0
) -> dict[str, Any]:
    """Return a stream that is well so far.

    Args:
        name: What it is.
        limit: Of a frame.
        stream: Its parts.
        found: The frames in it.
        waiting: Bytes left of one that has not come whole.
    """
    return {
        "name": name,
        "limit": limit,
        "stream": stream,
        "frames": found,
        "waiting": waiting,
        "error": None,
    }


def _bad(
    name: str, limit: int, stream: str, found: list[Any], code: Code
) -> dict[str, Any]:
    """Return a stream that must be given up."""
    return {**_good(name, limit, [stream], found), "error": code.name}


def _refused(name: str, stream: str, code: Code) -> dict[str, Any]:
    """Return a stream whose one frame is cut well, and refused when it is read."""
    kind, payload = int(stream[8:10], 16), stream[10:]
    found = [_frame(kind, [payload])]
    return {**_good(name, SMALL, [stream], found), "refused": code.name}
