"""What the window adds to a match: rack order, letters laid, the word being marked."""

from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app.board import Seen
from client.app.motion import Motion
from client.ui.scene import Means
from client.ui.tiles import kept
from rules import hexes, lhexicon
from rules.lhexicon.judging import bonus, empty
from rules.tiles import bag_size, kind_of

Now: TypeAlias = Seen[lhexicon.State, lhexicon.Move]

OPEN: Final = -2
"""In place of a letter: the blank's has not been chosen yet."""


class Doing(Enum):
    """Which dialog is open."""

    PLAYING = "playing"
    """None."""
    NAMING = "naming"
    """Choosing the letter of the blank laid last."""
    DISCARDING = "discarding"
    PASSING = "passing"


class Phase(Enum):
    """Where a turn stands (source document, Operating instructions)."""

    IDLE = "idle"
    MOVING = "moving"
    PROGRESS = "in progress"
    MARKING = "marking"
    SCORING = "scoring"


class GoOn(Means, frozen=True):
    """Go on to the next phase: NEXT, then DONE."""


class BackToLaying(Means, frozen=True):
    """Mark no word any more."""


class Shuffle(Means, frozen=True):
    """Put the letters in the bank in another order."""


class PickUp(Means, frozen=True):
    """Pick up the blanks that letters of one's own can replace."""


class AskDiscard(Means, frozen=True):
    """Ask which letters to discard."""


class AskPass(Means, frozen=True):
    """Ask whether to pass."""


class Shut(Means, frozen=True):
    """Close the dialog."""


class Give(Means, frozen=True):
    """Choose a letter to be discarded, or keep it."""

    tile: int


class GiveAll(Means, frozen=True):
    """Choose as many letters as may go."""


class Exchange(Means, frozen=True):
    """Discard what is chosen."""


class Send(Means, frozen=True):
    """Make a move that needs no more to be chosen."""

    move: (
        lhexicon.Pass
        | lhexicon.Accept
        | lhexicon.Challenge
        | lhexicon.Withdraw
        | lhexicon.Insist
    )


class Name(Means, frozen=True):
    """Let the blank stand for a letter."""

    letter: int


class AtTile(Means, frozen=True):
    """Choose an own letter, or mark it."""

    tile: int


class AtCell(Means, frozen=True):
    """Put the chosen letter on a cell, or mark what lies there."""

    cell: int


class AtRack(Means, frozen=True):
    """Put the chosen letter at a place of the bank."""

    place: int


class Local(Struct, frozen=True):
    """Everything that is the window's own business."""

    order: tuple[int, ...] = ()
    """Tile numbers as they stand in the rack, those laid included."""
    laid: tuple[lhexicon.Placed, ...] = ()
    """Not yet committed, in the order they were laid."""
    swaps: tuple[lhexicon.Swap, ...] = ()
    """Letters put on blanks that are to be picked up, not yet committed."""
    marking: bool = False
    path: tuple[int, ...] = ()
    """The cells marked, in spelling order."""
    guessed: bool = False
    """They were marked by the program; the first mark of one's own begins anew."""
    scoring: bool = False
    """The word was handed in."""
    doing: Doing = Doing.PLAYING
    chosen: int = -1
    """The tile clicked, to be put on the cell clicked next."""
    lifted: bool = False
    """A tile hangs on the pointer."""
    cursor: int = -1
    """The cell that keys are about."""
    facing: int = 0
    """Where typed letters go on to, an index into `hexes.STEPS`."""
    typing: bool = False
    """Letters are laid at the cursor; else Q W E A S D move it."""
    trail: tuple[int, ...] = ()
    """The cells of the letters typed so far."""
    rest: str = ""
    """What is still to come of a letter of two, typed half."""
    discards: tuple[int, ...] = ()
    shuffles: int = 0
    notice: str = ""
    """Why the last try was refused."""
    wrong: tuple[int, ...] = ()
    """The cells the refusal is about."""
    motion: Motion = Motion()

    @property
    def away(self) -> frozenset[int]:
        """Return the tiles that are not in the rack just now."""
        laid = (each.tile for each in self.laid)
        return frozenset(laid).union(each.tile for each in self.swaps)


def rack(seen: Now) -> tuple[int, ...]:
    """Return the numbers of the tiles held; none for a bystander."""
    return () if seen.seat is None else seen.view.tiles.racks[seen.seat]


def kind(seen: Now, tile: int) -> int:
    """Return the kind of a tile held, negative while it is not known."""
    return kind_of(seen.view.tiles, tile)


def face(letter: int) -> str:
    """Return a letter as it is written on a tile; "?" while it is not chosen."""
    return "?" if letter == OPEN else lhexicon.text(letter)


def valued(seen: Now, tile: int) -> bool:
    """Tell whether a tile held is known to have a value: it is no blank."""
    return 0 <= kind(seen, tile) < lhexicon.BLANK


def face_of(seen: Now, tile: int) -> str:
    """Return what is printed on a tile held; nothing on a blank."""
    return lhexicon.text(kind(seen, tile)) if valued(seen, tile) else ""


def points_of(seen: Now, tile: int) -> str:
    """Return the value printed on a tile held; nothing on a blank."""
    return str(lhexicon.POINTS[kind(seen, tile)]) if valued(seen, tile) else ""


def refusal(local: Local) -> str:
    """Return why the last try was refused, unless a dialog of the board says it."""
    asked = local.doing in (Doing.DISCARDING, Doing.PASSING)
    return "" if asked else local.notice


def fits(seen: Now, local: Local) -> Local:
    """Return the local state without what does not go with this view.

    While one looks back, or after somebody's move, a cell may be taken or a tile not
    yet drawn.
    """
    held, letters = rack(seen), seen.view.letters
    laid = tuple(
        each
        for each in local.laid
        if each.tile in held and letters[each.cell] == lhexicon.EMPTY
    )
    swaps = tuple(
        each
        for each in local.swaps
        if each.tile in held and each.cell in seen.view.blanks
    )
    filled = {each.cell for each in laid}
    path = tuple(c for c in local.path if c in filled or letters[c] != lhexicon.EMPTY)
    trail = tuple(c for c in local.trail if c in filled or letters[c] != lhexicon.EMPTY)
    return replace(
        local,
        order=kept(local.order, held),
        laid=laid,
        swaps=swaps,
        path=path,
        trail=trail,
        marking=local.marking and bool(laid),
        chosen=local.chosen if local.chosen in held else -1,
    )


def mine(seen: Now) -> bool:
    """Tell whether the match waits for this seat to lay a word."""
    waited = seen.seat is not None and seen.seat in lhexicon.actors(seen.view)
    return waited and seen.view.announced is None


def asked(seen: Now) -> bool:
    """Tell whether this seat is to accept or challenge a word."""
    word = seen.view.announced
    if word is None or seen.seat is None or word.challenger is not None:
        return False
    return seen.seat in word.answers


def doubted(seen: Now) -> bool:
    """Tell whether this seat is to withdraw its challenged word, or to stand by it."""
    word = seen.view.announced
    challenged = word is not None and word.challenger is not None
    return challenged and seen.seat == seen.view.turn


def swappable(seen: Now) -> tuple[lhexicon.Swap, ...]:
    """Return the letters held that may take the place of blanks on the board."""
    held, found = list(rack(seen)), list[lhexicon.Swap]()
    for cell in seen.view.blanks:
        letter = seen.view.letters[cell]
        tile = next((each for each in held if kind(seen, each) == letter), None)
        if tile is not None:
            held.remove(tile)
            found.append(lhexicon.Swap(tile, cell))
    return tuple(found)


def phase(seen: Now, local: Local) -> Phase:
    """Return where the turn stands."""
    if local.scoring and not seen.live:
        return Phase.SCORING
    if local.lifted or local.chosen >= 0:
        return Phase.MOVING
    if local.marking:
        return Phase.MARKING
    return Phase.PROGRESS if local.laid or local.swaps else Phase.IDLE


def idle(seen: Now, local: Local) -> bool:
    """Tell whether letters may be discarded: nothing has been put in play."""
    return mine(seen) and not (local.laid or local.swaps)


def can_discard(seen: Now) -> int:
    """Return how many letters may be discarded at most."""
    return min(len(rack(seen)), bag_size(seen.view.tiles))


def letter_at(seen: Now, local: Local, cell: int) -> int:
    """Return the letter on a cell, laid now or before, `EMPTY` for none."""
    found = next((e.letter for e in local.laid if e.cell == cell), None)
    return seen.view.letters[cell] if found is None else found


def written(seen: Now, local: Local) -> str:
    """Return the word as far as it is marked."""
    return "".join(face(letter_at(seen, local, cell)) for cell in local.path)


def unnamed(local: Local) -> int:
    """Return the blank laid whose letter is not chosen, or -1."""
    return next((each.tile for each in local.laid if each.letter == OPEN), -1)


def verdict(seen: Now, local: Local) -> lhexicon.Verdict | lhexicon.Refusal | None:
    """Return what the marked word comes to; None while there is nothing to judge."""
    if not (local.marking and local.path) or seen.seat is None or unnamed(local) >= 0:
        return None
    return lhexicon.judge(seen.view, seen.seat, local.laid, local.path)


def must(seen: Now, local: Local) -> frozenset[int]:
    """Return the earlier letters that the word has to use."""
    return frozenset(lhexicon.touching(seen.view, local.laid) if local.laid else ())


def trapped(seen: Now, local: Local) -> lhexicon.Bonus:
    """Return what the letters laid do to the traps."""
    if not local.laid:
        return lhexicon.Bonus()
    new = lhexicon.cells.mask(each.cell for each in local.laid)
    return bonus(empty(seen.view), new, seen.view.options.side)


def step_to(seen: Now, cell: int, facing: int) -> int:
    """Return the neighbour in a direction, `hexes.OFF` beyond the edge."""
    return hexes.steps(seen.view.options.side)[cell][facing]


def quiet(local: Local) -> Local:
    """Return the local state without what it last said."""
    if not (local.notice or local.wrong or local.lifted):
        return local
    return replace(local, notice="", wrong=(), lifted=False)
