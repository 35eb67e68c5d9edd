"""Pages as texts that somebody has read: what stands on each, and what a click does.

    python -m tests.client.reviewing_pages

writes them anew into tests/client/reviewed, one file a kind of page.  Read what git
shows as changed: each line is a control or a text, in the order in which it is drawn,
and behind a control what pressing it asks of the node and changes in the window.  Of a
page that is much like an earlier one only what differs is told.  Where things lie is
not told: other tests look at that.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from collections.abc import Callable, Iterator, Mapping
from difflib import ndiff
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

from client import update as real
from client.app import follow
from client.app.model import Ask, Model
from client.pages import screen
from client.ui.intents import Click
from client.ui.scene import Node, Role, top
from tests.client import (
    before,
    crowded,
    crowded_matches,
    during,
    games,
    listed,
    past,
    sayings,
    seconds,
    worlds,
)
from tests.spelled import changes, short

PLACE: Final = Path(__file__).with_name("reviewed")

BOARDS: Final = frozenset({"board", "rack"})
"""Of these what stands on their tiles is told, in a line."""

LOUD: Final = ("good", "bad", "latest")
"""Colours of texts that say something themselves."""

KINDS: Final[dict[str, Callable[[Model], Iterator[tuple[str, Model]]]]] = {
    "seconds": seconds.pages,
    "before": before.pages,
    "during": during.pages,
    "pages": worlds.pages,
    "games": listed.pages,
    "finished": past.pages,
    "full": crowded.pages,
    "dialogs": lambda model: crowded_matches.dialogs(crowded.busy(model)),
    "moments": lambda model: crowded_matches.moments(
        crowded_matches.at_networdz(crowded.busy(model)), "networdz"
    ),
    "work": lambda model: crowded_matches.at_work(crowded.busy(model)),
    "boards": games.pages,
    "ends": lambda model: crowded_matches.ends(
        crowded_matches.at_networdz(crowded.busy(model)), "networdz"
    ),
}
"""Kinds of pages by the names of their files."""


SAID: Final = "sayings"
"""What is no page: what games say of positions and moves, and what is said aloud."""


@cache
def built(kind: str) -> tuple[tuple[str, Model], ...]:
    """Return the pages of a kind, by name: built once, however many tests look."""
    pages = KINDS[kind](worlds.base())
    return tuple((name, follow.ended(model)) for name, model in pages)


def told(kind: str) -> str:
    """Return the pages of a kind as text."""
    if kind == SAID:
        said = sayings.lines()
        return "\n\n".join("\n".join((f"== {name}", *text)) for name, text in said)
    earlier: dict[str, list[str]] = {}
    found: list[str] = []
    for name, model in built(kind):
        lines = list(_page(model))
        found += ["", *_beside(name, lines, earlier)]
        earlier[name] = lines
    return "\n".join(found[1:])


def _page(model: Model) -> Iterator[str]:
    """Yield what a page shows, or what lies on top of it."""
    lines = (_line(model, node) for node in _walk(top(screen.scene(model))))
    for line, alike in groupby(line for line in lines if line):
        count = sum(1 for _each in alike)
        yield line if count == 1 else f"{line} ({count} times)"


def _beside(
    name: str, lines: list[str], earlier: Mapping[str, list[str]]
) -> Iterator[str]:
    """Yield a page, by what differs from an earlier one where that is less."""
    apart = {
        other: [each for each in ndiff(was, lines) if each[0] in "-+"]
        for other, was in earlier.items()
        if len({*was} & {*lines}) > len(lines) // 2
    }
    other = min(apart, key=lambda each: len(apart[each]), default="")
    if other and 2 * len(apart[other]) < len(lines):
        yield f"== {name}, as {other} but for"
        yield from apart[other]
    else:
        yield f"== {name}"
        yield from lines


def _walk(node: Node) -> Iterator[Node]:
    """Yield a node and those on it, but of boards nothing that lies on them."""
    yield node
    if node.name not in BOARDS:
        for kid in node.kids:
            yield from _walk(kid)


def _line(model: Model, node: Node) -> str:
    """Return what a node is to somebody who looks at it; empty for mere decoration."""
    if node.name in BOARDS:
        tiles = (each.text + each.corner for each in node.kids if each.name)
        return f"{node.name} {' '.join(filter(None, tiles))}"
    signed = node.live or node.mark.value or node.value
    if not (node.text or (node.name and signed)):
        return ""
    if node.role is Role.TILE and not node.name:
        return ""
    theme = model.look.theme
    signs = [
        node.role.name.lower(),
        node.name,
        repr(node.text) if node.text else "",
        f"value {node.value!r}" if node.value and node.value != node.text else "",
        "" if not node.mark.value else f"sign {node.mark.name.lower()}",
        "chosen" if node.selected else "",
        "" if node.enabled else "off",
        next((name for name in LOUD if node.fg == getattr(theme, name)), ""),
    ]
    line = " ".join(filter(None, signs))
    if node.live and node.enabled and node.means is not None:
        line += f" -> {_done(model, node)}"
    return line


def _done(model: Model, node: Node) -> str:
    """Return what a click on a node does."""
    click = Click(node.name, w=node.rect.w, means=node.means)
    after, effects = real.update(model, click)
    found = [
        f"asks {short(each.request.ask)}" if isinstance(each, Ask) else short(each)
        for each in effects
    ]
    found += changes(model, after, QUIET)
    return "; ".join(found) or "nothing"


QUIET: Final = frozenset({"asked", "next_id", "now", "told", "touched", "focus"})
"""Fields of the window's model of which nothing is told."""


def main() -> None:
    """Write all kinds of pages anew."""
    for kind in (*KINDS, SAID):
        (PLACE / f"{kind}.txt").write_text(f"{told(kind)}\n", "utf-8")


if __name__ == "__main__":
    main()
