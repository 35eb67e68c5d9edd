"""Positions and intents for the tests of the Hexagrams board."""

from typing import Any

from client import hexagrams as shown
from client.app.board import Seen
from client.hexagrams.input import Local
from client.ui.intents import Key
from client.ui.scene import Node, Rect, find, walk
from client.ui.theme import Look
from rules import hexagrams
from rules.hexagrams import BLACK, WHITE, Options, State, hexagon, triangle
from tests.client.clicking import handle
from tests.client.worlds import NAMES

AREA = Rect(0, 0, 900, 740)
LOOK = Look()
ENTER, ESCAPE = Key("enter"), Key("escape")


def seen_of(
    state: State, seat: int | None = None, past: tuple[Any, ...] = ()
) -> Seen[Any, Any]:
    return Seen(state, seat, NAMES[:2], past)


def start(seat: int | None = WHITE) -> Seen[Any, Any]:
    return seen_of(hexagrams.start(2, Options()), seat)


def position(
    turn: int, hexads: tuple[str, str], triads: tuple[str, str], **changes: Any
) -> State:
    """Return a position; cells are written as "3,0 4,1", White's first."""

    def numbered(text: str, number: Any) -> int:
        pairs = (map(int, each.split(",")) for each in text.split())
        return sum(1 << number(*pair) for pair in pairs)

    return State(
        turn=turn,
        hexads=(numbered(hexads[0], hexagon), numbered(hexads[1], hexagon)),
        triads=(numbered(triads[0], triangle), numbered(triads[1], triangle)),
        **changes,
    )


def example() -> State:
    """Return the source document's second picture, Black to move."""
    return position(BLACK, ("1,0", "1,6 2,3"), ("3,0 3,2 4,1", "5,-1 5,3 7,2 8,1"))


def t(row: int, x: int) -> str:
    return f"t{triangle(row, x)}"


def h(row: int, x: int) -> str:
    return f"h{hexagon(row, x)}"


def after(seen: Seen[Any, Any], *intents: Any, local: Local | None = None) -> Local:
    state = shown.begin(seen) if local is None else local
    for intent in intents:
        state, _move = handle(shown, seen, state, intent)
    return state


def scene(seen: Seen[Any, Any], local: Local, look: Look = LOOK) -> Node:
    return shown.scene(seen, local, AREA, look)


def node(seen: Seen[Any, Any], local: Local, name: str) -> Node:
    found = find(scene(seen, local), name)
    assert found is not None, name
    return found


def marked(seen: Seen[Any, Any], local: Local) -> set[str]:
    """Return the cells marked as targets."""
    names = (n.name for n in walk(scene(seen, local)))
    return {n.removeprefix("target:") for n in names if n.startswith("target:")}
