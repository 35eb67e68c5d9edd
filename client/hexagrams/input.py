"""What the hand does on a Hexagrams board: pick a stone, put it elsewhere."""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.app.board import Seen, not_now, not_yet
from client.app.motion import Motion, begun
from client.hexagrams.geometry import COMPASS, Place, neighbour
from client.ui import tiles
from client.ui.intents import Button, Click, Drop, Hover, Intent, Key, Lift, Text
from client.ui.scene import Means
from client.ui.texts import _, told
from rules import hexagrams
from rules.game import IllegalMoveError
from rules.hexagrams import BLACK, HEXAGONS, Hexad, Move, State, Triad
from rules.hexagrams.board import WAYS, bits, cell_name, page_name

Now: TypeAlias = Seen[State, Move]

NOWHERE: Final[Place] = ("", -1)


class Choose(Means, frozen=True):
    """Pick the stone on a cell, or put the picked one there."""

    place: Place


class Local(Struct, frozen=True):
    """What this window knows beyond the match."""

    picked: Place = NOWHERE
    """Where the stone stands that is to move."""
    at: Place = NOWHERE
    """The cell of the keyboard's cursor."""
    over: Place = NOWHERE
    """The cell under the pointer."""
    notice: str = ""
    """Why the last try was refused."""
    motion: Motion = Motion()


def begin(seen: Now) -> Local:
    """Return the state for a match seen for the first time."""
    return Local(motion=begun(seen))


def renew(seen: Now, local: Local) -> Local:
    """Return the state after a move; a stone that was taken is picked no more."""
    kept = local.picked if owner(seen.view, local.picked) == seen.seat else NOWHERE
    moving = local.motion.renewed(seen)
    return replace(local, picked=kept, notice="", motion=moving)


def mine(seen: Now) -> bool:
    """Tell whether this seat is to move."""
    return seen.seat is not None and seen.view.turn == seen.seat


def below(seen: Now) -> int:
    """Return whose side of the board is the lower one."""
    seat = seen.seat if seen.below is None else seen.below
    return BLACK if seat is None or seat < 0 else seat


def owner(view: State, place: Place) -> int | None:
    """Return whose stone stands on a cell."""
    sort, number = place
    sets = {"h": view.hexads, "t": view.triads}.get(sort, (0, 0))
    return next(
        (seat for seat in (0, 1) if number >= 0 and sets[seat] >> number & 1), None
    )


def name_of(place: Place) -> str:
    """Return what a cell is called: C5, or T(4,1) as the game's page has it."""
    return (page_name if tiles.as_on_page() else cell_name)(*place)


def cell_of(name: str) -> Place:
    """Return the cell that the name of a node is about."""
    head, _colon, tail = name.partition(":")
    if head not in ("cell", "tile") or tail[:1] not in ("h", "t"):
        return NOWHERE
    return tail[0], int(tail[1:])


def ends(move: Move) -> tuple[Place, Place]:
    """Return where a stone goes from and to."""
    sort = "h" if isinstance(move, Hexad) else "t"
    assert isinstance(move, Hexad | Triad)  # callers never pass a resignation
    return (sort, move.origin), (sort, move.target)


def targets(seen: Now, place: Place) -> frozenset[Place]:
    """Return where the own stone on a cell may go now."""
    if not mine(seen):
        return frozenset()
    found = (ends(move) for move in hexagrams.moves(seen.view, seen.view.turn))
    return frozenset(target for origin, target in found if origin == place)


def barring(seen: Now, place: Place) -> frozenset[Place]:
    """Return the triads that keep the own hexad on a cell from hexagons beside it."""
    view, (sort, number) = seen.view, place
    if sort != "h" or not mine(seen) or owner(view, place) != seen.seat:
        return frozenset()
    if hexagrams.forced(view):
        return frozenset()  # it is the captures that keep it
    standing = view.triads[0] | view.triads[1]
    own = view.hexads[view.turn]
    ways = (between for target, between in WAYS[number] if not own >> target & 1)
    return frozenset(("t", each) for way in ways for each in bits(way & standing))


def handle(  # noqa: PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    if isinstance(intent, Click | Key):
        local = replace(local, motion=local.motion.ended())
    match intent:
        case Hover(name=name):
            return replace(local, over=cell_of(name)), None
        case _ if seen.seat is None:
            return local, None
        case Click(button=Button.RIGHT):
            return replace(local, picked=NOWHERE, notice=""), None
        case Click(means=Choose(place=place)):
            return _chosen(seen, replace(local, notice="", at=NOWHERE), place)
        case Lift(name=name):
            return _picked(
                seen, replace(local, notice="", at=NOWHERE), cell_of(name)
            ), None
        case Drop(name=name, onto=onto):
            return _dropped(
                seen, replace(local, notice=""), cell_of(name), cell_of(onto)
            )
        case Key(key=key):
            return _key(seen, replace(local, notice=""), key)
        case Text(text=text):
            return _key(seen, replace(local, notice=""), text.lower())
        case _:
            return local, None


def _key(seen: Now, local: Local, key: str) -> tuple[Local, Move | None]:
    """Move the cursor, pick or put with Enter or space, let go with Escape."""
    if key in COMPASS:
        if local.at != NOWHERE:
            return replace(local, at=neighbour(local.at, key, below(seen))), None
        # At first it comes to a stone that can move.
        move = next(iter(hexagrams.moves(seen.view, seen.view.turn)), None)
        start = ("h", len(HEXAGONS) // 2) if move is None else ends(move)[0]
        start = local.picked if local.picked != NOWHERE else start
        return replace(local, at=start), None
    if key in ("enter", " ") and local.at != NOWHERE:
        return _chosen(seen, local, local.at)
    if key == "escape":
        at = local.at if local.picked != NOWHERE else NOWHERE
        return replace(local, picked=NOWHERE, at=at), None
    return local, None


def _chosen(seen: Now, local: Local, place: Place) -> tuple[Local, Move | None]:
    """Take a cell that was clicked: an own stone is picked, else the picked moves."""
    if place == local.picked:
        return replace(local, picked=NOWHERE), None
    if local.picked == NOWHERE or owner(seen.view, place) == seen.seat:
        return _picked(seen, local, place), None
    return _put(seen, local, place)


def _picked(seen: Now, local: Local, place: Place) -> Local:
    """Pick the stone on a cell, and say if it cannot move."""
    holder = owner(seen.view, place)
    if holder is None:
        return local
    if holder != seen.seat:
        return replace(local, notice=_("That stone is not yours"))
    local = replace(local, picked=place)
    if mine(seen) and not targets(seen, place):
        return replace(local, notice=why_not(seen, place))
    return local


def why_not(seen: Now, place: Place) -> str:
    """Return why no move of a stone is legal now."""
    if hexagrams.forced(seen.view):
        return _("A triad can capture, so one must.")
    if place[0] == "h":
        return _("Triads stand in this hexad's way.")
    return _("This triad cannot go forward.")


def hinted(local: Local, move: Move) -> Local:
    """Return the state with a stone picked, and the cursor where it should go."""
    if not isinstance(move, Hexad | Triad):
        return local
    origin, target = ends(move)
    return replace(local, picked=origin, at=target, notice="")


def _dropped(
    seen: Now, local: Local, origin: Place, target: Place
) -> tuple[Local, Move | None]:
    """Let go of a dragged stone; outside it goes back."""
    if origin == NOWHERE or target in (NOWHERE, origin):
        return replace(local, picked=NOWHERE), None
    return _put(seen, replace(local, picked=origin), target)


def _put(seen: Now, local: Local, target: Place) -> tuple[Local, Move | None]:
    """Return the move that puts the picked stone on a cell, or why it cannot be."""
    if not mine(seen) or seen.seat is None:
        return replace(local, notice=not_yet(seen, hexagrams.actors(seen.view))), None
    if not seen.live:
        return replace(local, notice=not_now(seen)), None
    sort, origin = local.picked
    if sort != target[0]:
        words = _("Triads stay on triangles.")
        if sort == "h":
            words = _("Hexads stay on hexagons.")
        return replace(local, notice=words), None
    move = Triad(origin, target[1]) if sort == "t" else Hexad(origin, target[1])
    try:
        hexagrams.play(seen.view, seen.seat, move)
    except IllegalMoveError as error:
        return replace(local, notice=told(error.words)), None
    return replace(local, picked=NOWHERE), move
