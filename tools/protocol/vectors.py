"""Write the test vectors of protocol.md.

    python -m tools.protocol.vectors            # rewrite tests/vectors/*.json

What must be refused, and with which code, is said by the kind of fault; what is
derived (digests, signatures) is what the code gives, and the tests derive it again
from the formulas of protocol.md.
"""

import json
import sys
from collections.abc import Callable
from itertools import groupby
from typing import Any, Final

from netplay import wire
from tools.protocol import excluding, tables
from tools.protocol.bags import bags
from tools.protocol.beacons import beacons
from tools.protocol.chances import chance
from tools.protocol.examples import BODIES, MESSAGES, STRUCTS
from tools.protocol.faults import faults
from tools.protocol.games import games
from tools.protocol.logs import matches
from tools.protocol.plain import plain
from tools.protocol.positions import positions
from tools.protocol.posted import letters
from tools.protocol.signing import signatures
from tools.protocol.streams import frames
from tools.protocol.transcript import transcript

FOLDER: Final = tables.ROOT / "tests" / "vectors"
RUN: Final = 48
"""So many equal bytes are written as a run."""


MOST_EXACT: Final = 2**53
"""What every reader of JSON holds exactly."""


def messages() -> list[dict[str, Any]]:
    """Return the vectors of the messages between nodes."""
    return [
        {
            "message": kind.__name__,
            "type": tables.number(kind.__name__),
            "valid": [
                {"frame": wire.encode(each).hex(), "fields": plain(each)}
                for each in examples
            ],
            "invalid": _invalid(examples[0]),
        }
        for kind, examples in MESSAGES.items()
    ]


def bodies() -> list[dict[str, Any]]:
    """Return the vectors of bodies and structs."""
    return [
        {
            "struct": kind.__name__,
            "valid": [
                {"bytes": wire.pack(each).hex(), "fields": plain(each)}
                for each in examples
            ],
            "invalid": _invalid(examples[0]),
        }
        for kind, examples in {**BODIES, **STRUCTS}.items()
    ]


def _invalid(good: Any) -> list[dict[str, Any]]:  # noqa: ANN401 (any struct)
    """Return what must be refused in place of an example."""
    return [
        {"name": fault.name, "payload": runs(fault.payload), "error": fault.code.name}
        for fault in faults(good)
    ]


def runs(data: bytes) -> list[Any]:
    """Return bytes as parts: hexadecimal digits, and runs of one byte."""
    parts: list[Any] = []
    for byte, group in groupby(data):
        times = len(list(group))
        if times >= RUN:
            parts.append({"byte": f"{byte:02x}", "times": times})
        elif parts and isinstance(parts[-1], str):
            parts[-1] += f"{byte:02x}" * times
        else:
            parts.append(f"{byte:02x}" * times)
    return parts


def exact(value: Any) -> Any:  # noqa: ANN401 (any tree)
    """Return a tree whose numbers over 2^53 are strings: many readers round them."""
    match value:
        case dict():
            return {name: exact(each) for name, each in value.items()}
        case list() | tuple():
            return [exact(each) for each in value]
        case int() if abs(value) > MOST_EXACT:
            return str(value)
        case _:
            return value


def terms() -> list[dict[str, Any]]:
    """Return the vectors of terms whose options exclude each other, or do not."""
    return list(excluding.refused())


FILES: Final[dict[str, Callable[[], Any]]] = {
    "frames": frames,
    "messages": messages,
    "bodies": bodies,
    "signatures": signatures,
    "beacons": beacons,
    "letters": letters,
    "bag": bags,
    "chance": chance,
    "matches": matches,
    "positions": positions,
    "games": games,
    "terms": terms,
    "transcript": transcript,
}
"""Name of a file -> what is in it."""


def text(name: str) -> str:
    """Return what a file of vectors must hold."""
    return json.dumps(exact(FILES[name]()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for each in sys.argv[1:] or FILES:
        (FOLDER / f"{each}.json").write_text(text(each), "utf-8")
