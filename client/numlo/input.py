"""What the hand does on a Numlo board."""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app.board import Seen, not_now, not_yet
from client.app.motion import Motion, begun
from client.ui.intents import Button, Click, Hover, Intent, Key, Text
from client.ui.scene import Means
from client.ui.texts import told
from rules import numlo
from rules.game import IllegalMoveError
from rules.numlo import Move, Place, State

Now: TypeAlias = Seen[State, Move]

_ARROWS: Final = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


class LayAt(Means, frozen=True):
    """Lay a tile on a square."""

    at: int


class ShowMoves(Means, frozen=True):
    """Mark all squares where one may lay, or no more."""


class ShowHint(Means, frozen=True):
    """Mark the square that wins most points now."""


class Local(Struct, frozen=True):
    """What this window knows beyond the match."""

    at: int = -1
    """The square under the pointer or the keyboard's cursor."""
    typed: bool = False
    """The cursor was moved by keys, so it is drawn."""
    show: bool = False
    """All squares where one may lay are marked."""
    hint: int = -1
    """The square that wins most points now, once asked for."""
    notice: str = ""
    """Why the last try was refused."""
    motion: Motion = Motion()


def begin(seen: Now) -> Local:
    """Return the state for a match seen for the first time.

    Alone against computers the moves are marked until one says otherwise.
    """
    seats = set(range(len(seen.names)))
    alone = bool(seen.computers) and seats - seen.computers == {seen.seat}
    return Local(show=alone, motion=begun(seen))


def renew(seen: Now, local: Local) -> Local:
    """Forget what was about the position before."""
    return replace(local, hint=-1, notice="", motion=local.motion.renewed(seen))


def mine(seen: Now) -> bool:
    """Tell whether this seat is to lay."""
    return seen.seat is not None and seen.view.turn == seen.seat


def is_open(seen: Now, at: int) -> bool:
    """Tell whether the seat on turn may lay on a square."""
    return bool(seen.view.open[at >> 3] >> (at & 7) & 1)


def handle(  # noqa: PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    if isinstance(intent, Click | Key):
        local = replace(local, motion=local.motion.ended())
    match intent:
        case Hover(name=name):
            at = int(name[5:]) if name.startswith("cell:") else -1
            return replace(local, at=at, typed=False, notice=""), None
        case Click(means=LayAt(at=at), button=Button.LEFT):
            return _lay(seen, replace(local, at=at))
        case Click(means=ShowMoves()):
            return replace(local, show=not local.show), None
        case Click(means=ShowHint()):
            return _hint(seen, local), None
        case Key(key=key):
            return _key(seen, local, key)
        case Text(text=text):
            return _text(seen, local, text)
        case _:
            return local, None


def _key(seen: Now, local: Local, key: str) -> tuple[Local, Move | None]:
    if key in _ARROWS:
        size = seen.view.options.size
        row, column = divmod(local.at if local.at >= 0 else size * size // 2, size)
        down, right = _ARROWS[key]
        row = min(max(row + down, 0), size - 1)
        column = min(max(column + right, 0), size - 1)
        return replace(local, at=row * size + column, typed=True, notice=""), None
    if key == "enter" and local.at >= 0:
        return _lay(seen, local)
    if key == "escape":
        return replace(local, at=-1, typed=False, hint=-1, notice=""), None
    return local, None


def _text(seen: Now, local: Local, text: str) -> tuple[Local, Move | None]:
    """Take the keys that are letters: S for SHOW, H for HINT, space to lay."""
    if text in {"s", "S"}:
        return replace(local, show=not local.show), None
    if text in {"h", "H"}:
        return _hint(seen, local), None
    if text == " " and local.at >= 0:
        return _lay(seen, local)
    return local, None


def _hint(seen: Now, local: Local) -> Local:
    """Return the state with the square that wins most points marked."""
    if not mine(seen):
        return local
    found = numlo.hint(seen.view)
    if found is None:
        return replace(local, notice="")
    return replace(local, hint=found, at=found, notice="")


def _lay(seen: Now, local: Local) -> tuple[Local, Move | None]:
    """Return the move that lays on the cursor's square, or why it cannot be."""
    if seen.seat is None:
        return local, None
    actors = numlo.actors(seen.view)
    if actors and not mine(seen):
        return replace(local, notice=not_yet(seen, actors)), None
    if actors and not seen.live:
        return replace(local, notice=not_now(seen)), None
    move = Place(local.at)
    try:
        numlo.play(seen.view, seen.seat, move)
    except IllegalMoveError as error:
        return replace(local, notice=told(error.words)), None
    return replace(local, notice="", hint=-1), move
