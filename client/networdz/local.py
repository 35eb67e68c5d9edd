"""What the window adds to a match: rack order and tiles not yet committed."""

from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app.board import Seen
from client.ui.scene import Means
from rules import networdz
from rules.tiles import bag_size, kind_of

Now: TypeAlias = Seen[networdz.State, networdz.Move]

OPEN: Final = -1
"""In place of a letter: the blank's has not been chosen yet."""

ENOUGH: Final = 7
"""Tiles the pool must hold for an exchange in tournaments and for four of a kind."""


class Doing(Enum):
    """What the player is at."""

    PLAYING = "playing"
    DISCARDING = "discarding"
    NAMING = "naming"
    """Choosing the letter of the blank laid last."""
    LOTS = "lots"
    """Drawing by hand to see who starts."""
    DRAWING = "drawing"
    """Drawing tiles for the rack by hand."""


class Commit(Means, frozen=True):
    """Commit what is laid, or discarded."""


class PassTurn(Means, frozen=True):
    """Begin to pass, or go back to playing."""


class RenewRack(Means, frozen=True):
    """Exchange the whole rack."""


class Answer(Means, frozen=True):
    """Say something to the last play."""

    move: networdz.Accept | networdz.Challenge


class Shuffle(Means, frozen=True):
    """Put the rack in another order."""


class AtTile(Means, frozen=True):
    """Choose an own tile; twice, take it back."""

    tile: int


class AtCell(Means, frozen=True):
    """Put the chosen tile on a square, or the arrow."""

    cell: int


class AtRack(Means, frozen=True):
    """Put the chosen tile at a place of the rack."""

    place: int


class Name(Means, frozen=True):
    """Let the blank stand for a letter."""

    letter: int


class Draw(Means, frozen=True):
    """Draw the tile at a place of the pool."""

    place: int


class Local(Struct, frozen=True):
    """Everything that is the window's own business."""

    order: tuple[int, ...] = ()
    """Tile numbers as they stand in the rack, those laid included."""
    laid: tuple[networdz.Laid, ...] = ()
    """Not yet committed, in the order they were laid."""
    doing: Doing = Doing.PLAYING
    chosen: int = -1
    """The tile clicked, to be put on the cell clicked next."""
    cursor: int = -1
    """The cell typed letters go to."""
    down: bool = False
    """They go on downwards, not to the right."""
    over: str = ""
    """Letters on the board that the arrow has just jumped over, and are not typed."""
    stays: bool = False
    """The arrow came back with the tiles: a first click there does not turn it."""
    discards: tuple[int, ...] = ()
    typed: str = ""
    """The first letter of a tile of several, typed alone."""
    shuffles: int = 0
    notice: str = ""
    """Why the last try was refused."""
    unseen: tuple[int, ...] = ()
    """Tiles that the player has still to draw from the pool by hand."""
    taken: tuple[int, ...] = ()
    """Places in the pool that have been drawn from."""
    last: networdz.Last = networdz.Last()
    """The last turn that `renew` has seen."""
    made: int = 0
    """Moves of this seat that `renew` has seen."""
    flown: float = -1.0
    """When the last move of somebody else began to fly to the board."""

    @property
    def drawing(self) -> bool:
        """Tell whether tiles are to be drawn by hand before anything else."""
        return self.doing in (Doing.LOTS, Doing.DRAWING)

    @property
    def away(self) -> frozenset[int]:
        """Return the tiles that are not in the rack just now."""
        laid = (each.tile for each in self.laid)
        return frozenset(laid).union(self.discards, self.unseen)


def rack(seen: Now) -> tuple[int, ...]:
    """Return the numbers of the tiles held; none for a bystander."""
    return () if seen.seat is None else seen.view.tiles.racks[seen.seat]


def field(seen: Now) -> networdz.Ground:
    """Return board, points and words of the match."""
    return networdz.ground(seen.view.options)


def kind(seen: Now, tile: int) -> int:
    """Return the kind of a tile held, negative while it is not known."""
    return kind_of(seen.view.tiles, tile)


def letters_of(seen: Now, tile: int) -> str:
    """Return what is printed on a tile held; nothing for a blank."""
    ground, known = field(seen), kind(seen, tile)
    return ground.alphabet[known] if 0 <= known < ground.blank else ""


def made(seen: Now) -> int:
    """Return how many moves this seat has made, as far as the window knows them."""
    return sum(step.actor == seen.seat for step in seen.past)


def mine(seen: Now) -> bool:
    """Tell whether the match waits for this seat to play."""
    return seen.seat is not None and seen.seat in networdz.actors(seen.view)


def doubting(seen: Now) -> bool:
    """Tell whether this seat may challenge the last play."""
    return seen.view.pending is not None and mine(seen)


def ending(seen: Now) -> bool:
    """Tell whether the match is over once the last play is accepted."""
    accepted = networdz.accepted(seen.view)
    return seen.view.pending is not None and accepted.phase != networdz.Phase.PLAY


def free(seen: Now, local: Local, cell: int) -> bool:
    """Tell whether a tile can lie on a cell."""
    ground = field(seen)
    taken = any(each.cell == cell for each in local.laid)
    return not (taken or ground.blocked[cell] or seen.view.letters[cell])


def verdict(seen: Now, local: Local) -> networdz.Verdict | None:
    """Return what the tiles laid come to; None if none are or a blank is open.

    In tournaments, and where words may be challenged, the dictionary has no say before
    DONE: the words are counted as if all were good.
    """
    if not local.laid or seen.seat is None:
        return None
    if any(each.letter == OPEN for each in local.laid):
        return None
    return networdz.judge(seen.view, seen.seat, local.laid)


def quiet(local: Local) -> Local:
    """Return the local state without what it last said."""
    return replace(local, notice="") if local.notice else local


def left(seen: Now) -> int:
    """Return what the pool holds once the last play stands, and has its tiles."""
    return bag_size(networdz.accepted(seen.view).tiles)


def can_discard(seen: Now, local: Local) -> bool:
    """Tell whether the pool still holds a tile for one more discard."""
    pool = left(seen)
    if seen.view.options.tournament and pool < ENOUGH:
        return False
    return len(local.discards) < pool


def flight(seen: Now, local: Local) -> float:
    """Return how far the last move has flown to the board: 1 when it is there."""
    if local.flown < 0 or not seen.pace:
        return 1.0
    return min(1.0, max(0.0, (seen.now - local.flown) / seen.pace))
