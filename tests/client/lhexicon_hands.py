"""Positions and intents for the tests of the Lhexicon board."""

from typing import Any

from client import lhexicon as shown
from client.app.board import Seen, Step
from client.lhexicon.keyboard import COMPASS
from client.lhexicon.local import Local
from client.ui.intents import Key, Text
from client.ui.scene import Node, Rect, find
from client.ui.theme import Look
from rules import hexes, lhexicon
from tests.client import games
from tests.client.clicking import handle
from tests.client.worlds import NAMES
from tests.rules.lhexicon import matches, worked

AREA = Rect(0, 0, 900, 740)
LOOK = Look()
ENTER, ESCAPE, BACK = Key("enter"), Key("escape"), Key("backspace")
DELETE = Key("delete")


def seen_of(
    state: Any, seat: int | None, past: Any = (), *, live: bool = True
) -> Seen[Any, Any]:
    """Return what a seat knows of a match."""
    steps = tuple(
        Step(lhexicon.view(b, seat), a, lhexicon.mask(b, a, m, seat))
        for b, a, m in past
    )
    names = NAMES[: len(state.scores)]
    return Seen(lhexicon.view(state, seat), seat, names, steps, live)


def leveled(seat: int = 1) -> Seen[Any, Any]:
    """Return the document's match after LEVELED, as a seat sees it."""
    state, past = games.leveled()
    return seen_of(state, seat, past)


def coded(rack: str = "CODEDXZ") -> Seen[Any, Any]:
    """Return the first turn of a match for two, with letters of one's own choice."""
    return seen_of(matches.begin(rack, "RUEL?AT"), 0)


def after(seen: Seen[Any, Any], *intents: Any, local: Local | None = None) -> Local:
    """Return the local state after intents that send no move but the last."""
    state = shown.begin(seen) if local is None else local
    for intent in intents:
        state, _move = handle(shown, seen, state, intent)
    return state


def move_of(seen: Seen[Any, Any], local: Local, intent: Any) -> Any:
    """Return the move that an intent sends."""
    return handle(shown, seen, local, intent)[1]


def scene(seen: Seen[Any, Any], local: Local) -> Node:
    return shown.scene(seen, local, AREA, LOOK)


def node(seen: Seen[Any, Any], local: Local, name: str) -> Node:
    found = find(scene(seen, local), name)
    assert found is not None, name
    return found


def said(seen: Seen[Any, Any], local: Local) -> str:
    return shown.status(seen, local)


def tile(seen: Seen[Any, Any], letter: str) -> str:
    """Return the name of a tile with a letter in the own rack."""
    assert seen.seat is not None
    return f"tile:{matches.tile(seen.view, seen.seat, letter)}"


def keys_for(word: str) -> list[Text | Key]:
    """Return the keys that type a word of the document, turning where it turns."""
    steps = [hexes.hexagon(9)[n] for n in worked.path(word)]
    letters = [lhexicon.LETTERS[n] for n, _cell, _new in worked.steps(word)]
    keys: list[Text | Key] = []
    for i, letter in enumerate(letters):
        if i:
            step = tuple(b - a for a, b in zip(steps[i - 1], steps[i], strict=True))
            keys.append(Key(COMPASS[hexes.STEPS.index(step)], alt=True))
        keys.append(Text(letter.lower()))
    return keys
