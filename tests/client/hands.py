"""What hands do in a window of each game: a chosen move, by mouse or by keys.

Every function gets the table at which it sits and performs one move as a person
would; none of them speaks to the node.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, Protocol

from client.hexagrams.geometry import COMPASS as AROUND
from client.hexagrams.geometry import Place, neighbour
from client.hexagrams.input import ends
from client.hexcolumns.bindings import table
from client.hexcolumns.input import INPUTS
from client.lhexicon.keyboard import COMPASS
from rules import hexes, lhexicon, networdz
from rules.lhexicon import BLANK, QU, text
from tests.patience import PATIENCE

NAMES: Final = {
    "enter": "Return", "left": "Left", "right": "Right", "up": "Up", "down": "Down",
    "kp+": "KP_Add", " ": "space", "?": "question", "escape": "Escape",
    "delete": "Delete",
}  # fmt: skip
"""Keys as the X server calls them."""

LOOK: Final = 30.0
"""Seconds after which a person looks where the cursor is."""


class Sitting(Protocol):
    """A window with a match, as the hands need it."""

    def click(self, name: str) -> None:
        """Click on a part."""

    def drag(self, name: str, onto: str) -> None:
        """Drag a part onto another."""

    def keys(self, *names: str) -> None:
        """Press keys one after the other."""

    def type_text(self, text: str) -> None:
        """Type text in any alphabet."""

    def local(self) -> dict[str, Any]:
        """Return the game's own state of the window."""

    def reach(self, name: str) -> None:
        """Give the keyboard to a button with Tab."""

    def shown(self, name: str) -> bool:
        """Tell whether a part is to be seen."""

    def until(self, true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
        """Wait for a question to be answered with anything true."""


def numlo(at: Sitting, view: Any, move: Any, *, mouse: bool) -> None:
    """Lay a tile."""
    if mouse:
        at.click(f"cell:{move.square}")
        return
    if at.local()["at"] < 0:
        at.keys("left")
        at.until(lambda: at.local()["at"] >= 0)
    size = view.options.size

    def towards(here: int) -> list[str]:
        (y, x), (row, column) = divmod(here, size), divmod(move.square, size)
        across = ["right" if column > x else "left"] * abs(column - x)
        return [*across, *["down" if row > y else "up"] * abs(row - y)]

    _steer(at, move.square, lambda: at.local()["at"], towards)
    at.keys("enter")


def _steer(
    at: Sitting, goal: Any, here: Callable[[], Any], keys: Callable[[Any], list[str]]
) -> None:
    """Bring a cursor somewhere, and look whether it came there.

    A busy window may be late for a key; a person would see that, and steer back.
    """
    for _ in range(5):
        at.keys(*keys(here()))
        with suppress(AssertionError):
            at.until(lambda: here() == goal, LOOK)
            return
    raise AssertionError(f"the cursor does not come to {goal}, but to {here()}")


def way(start: Place, goal: Place, below: int) -> list[str]:
    """Return the keys that steer the cursor of Hexagrams from one cell to another."""
    seen: dict[Place, list[str]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return seen[here]
        for key in AROUND:
            there = neighbour(here, key, below)
            if there not in seen:
                seen[there] = [*seen[here], key]
                queue.append(there)
    raise AssertionError(f"no keys lead from {start} to {goal}")


def hexagrams(at: Sitting, view: Any, move: Any, *, mouse: bool) -> None:
    """Move a stone: drag it, or pick it and put it."""
    origin, target = ends(move)
    if mouse:
        start, goal = (f"{sort}{number}" for sort, number in (origin, target))
        at.drag(f"tile:{start}", f"cell:{goal}")
        return
    if at.local()["at"][1] < 0:
        at.keys("up")
        at.until(lambda: at.local()["at"][1] >= 0)
    for cell in (origin, target):
        here = partial(_cursor_of, at)
        _steer(at, cell, here, partial(way, goal=cell, below=view.turn))
        at.keys("enter")


def _cursor_of(at: Sitting) -> Place:
    """Return the cell of Hexagrams where the cursor is."""
    sort, number = at.local()["at"]
    return sort, number


def hexcolumns(at: Sitting, view: Any, move: Any, *, mouse: bool) -> None:
    """Press what an input of one's own well stands for."""
    name = next(name for name, known in INPUTS.items() if known == move)
    if mouse:
        at.click(f"press:{name}")
    else:
        at.keys(next(key for key, stands in table(()).items() if stands == name))


def _steps(side: int, start: int, goal: int) -> list[str]:
    """Return the keys of the compass that lead from one hexagon to another."""
    seen: dict[int, list[str]] = {start: []}
    queue = deque([start])
    while goal not in seen:
        here = queue.popleft()
        for facing, there in enumerate(hexes.steps(side)[here]):
            if there != hexes.OFF and there not in seen:
                seen[there] = [*seen[here], COMPASS[facing]]
                queue.append(there)
    return seen[goal]


def _spell(at: Sitting, view: Any, move: lhexicon.Lay) -> None:
    """Type a word along its path, the arrow turned at each bend."""
    side, laid = view.options.side, {each.cell: each for each in move.laid}
    kinds = {shown.tile: shown.kind for shown in move.shown}
    if at.local()["cursor"] >= 0 or at.local()["laid"]:
        at.keys("delete")
    at.until(lambda: at.local()["cursor"] < 0 and not at.local()["laid"])
    at.keys("up")
    at.until(lambda: at.local()["cursor"] >= 0)
    at.keys(*_steps(side, at.local()["cursor"], move.path[0]), " ")
    at.until(lambda: at.local()["typing"] and at.local()["cursor"] == move.path[0])
    for here, there in zip(move.path, (*move.path[1:], None), strict=True):
        placed = laid.get(here)
        if placed is None:
            at.keys(*text(view.letters[here]).lower())
        elif kinds[placed.tile] == BLANK:
            at.keys("?", "2" if placed.letter == QU else text(placed.letter).lower())
        else:
            at.keys(text(placed.letter).lower())
        if there is not None:
            facing = hexes.steps(side)[here].index(there)
            at.keys(f"alt+{COMPASS[facing]}")
    at.keys("enter")
    at.until(lambda: at.local()["marking"])
    at.keys("enter")


def _lay(at: Sitting, move: lhexicon.Lay) -> None:
    """Drag a word's letters to the board and mark the word."""
    kinds = {shown.tile: shown.kind for shown in move.shown}
    laid = {each.cell: each.tile for each in move.laid}
    for each in move.laid:
        at.drag(f"tile:{each.tile}", f"cell:{each.cell}")
        if kinds[each.tile] == BLANK:
            at.click(f"letter:{each.letter}")
        at.until(partial(_lies, at, each.tile))
    at.click("next")
    at.until(lambda: at.local()["marking"])
    for cell in move.path:
        at.click(f"tile:{laid[cell]}" if cell in laid else f"cell:{cell}")
        at.until(partial(_in, at, "path", cell))
    at.click("done" if at.shown("done") else "next")


def _lies(at: Sitting, tile: int) -> bool:
    """Tell whether a tile of Lhexicon lies on the board, its letter chosen."""
    return any(laid[0] == tile and laid[2] >= 0 for laid in at.local()["laid"])


def _in(at: Sitting, field: str, number: int) -> bool:
    """Tell whether one of the window's own lists has a cell or tile."""
    return number in at.local()[field]


def _covered(at: Sitting, cell: int) -> bool:
    """Tell whether a tile of Networdz has been laid on a cell."""
    return any(laid[0] == cell for laid in at.local()["laid"])


def _moved(at: Sitting, before: dict[str, Any]) -> bool:
    """Tell whether anything of the window's own is other than before."""
    return at.local() != before


def _press(at: Sitting, name: str, *, mouse: bool) -> None:
    """Press a button."""
    if mouse:
        at.click(name)
    else:
        at.reach(name)
        at.keys("enter")


def lhexicon_(at: Sitting, view: Any, move: Any, *, mouse: bool) -> None:
    """Take a turn, or answer to a word or a challenge."""
    match move:
        case lhexicon.Lay() if mouse:
            _lay(at, move)
        case lhexicon.Lay():
            _spell(at, view, move)
        case lhexicon.Discard():
            _press(at, "discard", mouse=mouse)
            for tile in move.tiles:
                at.until(partial(at.shown, f"give:{tile}"))
                _press(at, f"give:{tile}", mouse=mouse)
                at.until(partial(_in, at, "discards", tile))
            _press(at, "exchange", mouse=mouse)
        case lhexicon.Pass():
            _press(at, "pass", mouse=mouse)
            _press(at, "yes", mouse=mouse)
        case lhexicon.PickUp():
            _press(at, "pickup", mouse=mouse)
            at.until(lambda: at.local()["swaps"])
            _press(at, "done", mouse=mouse)
        case lhexicon.Challenge():
            _press(at, "challenge", mouse=mouse)
        case lhexicon.Insist():
            _press(at, "insist", mouse=mouse)
        case lhexicon.Withdraw():
            _press(at, "withdraw", mouse=mouse)
        case _:
            _press(at, "accept", mouse=mouse)


def networdz_(at: Sitting, view: Any, move: Any, *, mouse: bool) -> None:
    """Lay a word, pass and exchange tiles, or answer to a word."""
    ground = networdz.ground(view.options)
    if isinstance(move, networdz.Accept | networdz.Challenge):
        doubts = isinstance(move, networdz.Challenge)
        _press(at, "challenge" if doubts else "accept", mouse=mouse)
        return
    if isinstance(move, networdz.Pass):
        _press(at, "pass", mouse=mouse)
        at.until(lambda: at.shown("pile"))
        for tile in move.discards:
            _press(at, f"tile:{tile}", mouse=mouse)
            at.until(partial(_in, at, "discards", tile))
        _press(at, "done", mouse=mouse)
        return
    kinds = {shown.tile: shown.kind for shown in move.shown}
    if not mouse:
        _type(at, view, move, kinds)
        return
    for each in move.laid:
        at.drag(f"tile:{each.tile}", f"cell:{each.cell}")
        if kinds[each.tile] == ground.blank:
            at.click(f"letter:{each.letter}")
        at.until(partial(_lies_at, at, each.tile))
    at.click("done")


def _lies_at(at: Sitting, tile: int) -> bool:
    """Tell whether a tile of Networdz lies on the board, its letter chosen."""
    return any(laid[1] == tile and laid[2] >= 0 for laid in at.local()["laid"])


def _type(at: Sitting, view: Any, move: networdz.Lay, kinds: dict[int, int]) -> None:
    """Bring the arrow to the first cell and type the letters that are missing."""
    ground = networdz.ground(view.options)
    if at.local()["cursor"] >= 0 or at.local()["laid"]:
        at.keys("escape")  # with nothing to take back it leads to the games
        at.until(lambda: at.local()["cursor"] < 0)
    first = move.laid[0].cell
    for each in move.laid:
        cell = each.cell
        down = len(move.laid) > 1 and (move.laid[1].cell - first) % ground.width == 0
        _aim(at, view, cell, down=down)
        word = at.local()["over"] + ground.alphabet[each.letter]
        at.type_text(word.lower())
        at.until(partial(_covered, at, cell))
    at.keys("enter")


def _aim(at: Sitting, view: Any, cell: int, *, down: bool) -> None:
    """Bring the arrow to a cell, around what lies in the way, and turn it."""
    local = at.local()
    if local["cursor"] < 0:
        at.keys("right")
        at.until(lambda: at.local()["cursor"] >= 0)
    for _ in range(60):
        local = at.local()
        if local["cursor"] == cell and local["down"] == down:
            return
        key = " " if local["cursor"] == cell else _onward(view, local, cell)
        at.keys(key)
        at.until(partial(_moved, at, local))
    raise AssertionError(f"the arrow does not come to {cell}")


def _onward(view: Any, local: dict[str, Any], cell: int) -> str:
    """Return the arrow key that is the first of a way to a cell."""
    ground = networdz.ground(view.options)
    laid = {each[0] for each in local["laid"]}
    first: dict[int, str] = {local["cursor"]: ""}
    queue = deque([local["cursor"]])
    while cell not in first:
        here = queue.popleft()
        for key, by in (("left", -1), ("right", 1), ("up", -1), ("down", 1)):
            upright = key in ("up", "down")
            line = ground.column(here) if upright else ground.row(here)
            step = by * (ground.width if upright else 1)
            to = here + step
            while to in line and (view.letters[to] or ground.blocked[to] or to in laid):
                to += step
            if to in line and to not in first:
                first[to] = first[here] or key
                queue.append(to)
    return first[cell]


HANDS: Final[dict[str, Callable[..., None]]] = {
    "numlo": numlo, "hexagrams": hexagrams, "hexcolumns": hexcolumns,
    "lhexicon": lhexicon_, "networdz": networdz_,
}  # fmt: skip
