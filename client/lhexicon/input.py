"""What each intent does to the letters in the bank and on the board."""

from msgspec.structs import replace

from client.app.board import Recall, not_now, not_yet
from client.app.motion import begun
from client.lhexicon import keyboard, marking
from client.lhexicon.local import (
    AskDiscard,
    AskPass,
    AtCell,
    AtRack,
    AtTile,
    BackToLaying,
    Doing,
    Exchange,
    Give,
    GiveAll,
    GoOn,
    Local,
    Name,
    Now,
    PickUp,
    Send,
    Shuffle,
    Shut,
    asked,
    can_discard,
    doubted,
    face_of,
    fits,
    idle,
    kind,
    mine,
    quiet,
    rack,
    swappable,
    unnamed,
)
from client.ui.intents import Button, Click, Drop, Hover, Intent, Key, Lift, Text
from client.ui.scene import Means
from client.ui.texts import _, told
from client.ui.tiles import shuffled
from rules import lhexicon
from rules.game import IllegalMoveError
from rules.lhexicon import Accept, Discard, Insist, Lay, Move, Pass, Withdraw


def begin(seen: Now) -> Local:
    """Return the local state of a match seen for the first time."""
    return Local(order=rack(seen), motion=begun(seen))


def renew(seen: Now, local: Local) -> Local:
    """Return the local state after somebody's move; the rack keeps its order.

    Letters laid stay where they are unless the cell was taken or the tile is gone.
    """
    held = rack(seen)
    done = any(tile not in held for tile in local.order)  # our own move was made
    moving = local.motion.renewed(seen)
    fresh = replace(fits(seen, quiet(local)), rest="", motion=moving)
    discards = tuple(tile for tile in local.discards if tile in held)
    fresh = replace(fresh, discards=discards, scoring=False, lifted=False)
    if done:
        return Local(
            order=fresh.order, shuffles=local.shuffles, facing=local.facing,
            motion=moving,
        )  # fmt: skip
    if fresh.doing is Doing.NAMING and unnamed(fresh) < 0:
        fresh = replace(fresh, doing=Doing.PLAYING)
    if fresh.doing in (Doing.DISCARDING, Doing.PASSING) and not idle(seen, fresh):
        fresh = replace(fresh, doing=Doing.PLAYING, discards=())
    return fresh


def handle(  # noqa: C901, PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    if isinstance(intent, Click | Key):
        local = replace(local, motion=local.motion.ended())
    if seen.seat is None:
        return local, None
    # Enter and space go to the tile as long as Tab has left the keyboard there; a
    # click by mouse would say how wide the tile is
    match intent:
        case Click(button=Button.RIGHT):
            open_ = local.doing is not Doing.PLAYING
            return (local, None) if open_ else _advance(seen, quiet(local))
        case Click(means=AtTile(tile=tile), w=0) if (
            local.cursor >= 0 and local.chosen == tile >= 0
        ):
            put = keyboard.put(seen, quiet(local), local.chosen, local.cursor)
            return replace(put, cursor=local.cursor), None
        case Click(means=Means() as means, count=count):
            return _click(seen, quiet(local), means, count)
        case Lift(name=name):
            return replace(quiet(local), lifted=name.startswith("tile:")), None
        case Hover() if local.lifted:  # the drag was called off
            return replace(local, lifted=False), None
        case Drop(name=name, onto=onto) if name.startswith("tile:"):
            return _drop(seen, quiet(local), int(name[5:]), onto), None
        case Key(key="escape"):
            return _stepped_back(quiet(local)), None
        case Key(key=key, ctrl=ctrl, alt=alt):
            return _key(seen, quiet(local), key, steer=ctrl or alt)
        case Text(text=text):
            return _text(seen, quiet(local), text), None
        case _:
            return local, None


def _text(seen: Now, local: Local, text: str) -> Local:
    """Take typed letters: they name a blank, discard, steer or are laid."""
    for letter in text:
        if letter == ",":
            local = _click(seen, local, Shuffle(), 1)[0]
        elif local.doing is Doing.NAMING:
            found = keyboard.named(letter)
            local = keyboard.name_blank(local, found) if found >= 0 else local
        elif local.doing is Doing.DISCARDING:
            local = _discard_typed(seen, local, letter)
        elif local.doing is Doing.PLAYING:
            local = keyboard.type_letter(seen, local, letter)
    return local


def _discard_typed(seen: Now, local: Local, letter: str) -> Local:
    """Mark the first tile of a typed letter; "?" and space mean a blank."""
    wanted = "" if letter in "? " else letter.upper()
    known = [tile for tile in local.order if kind(seen, tile) >= 0]
    fitting = [tile for tile in known if face_of(seen, tile) == wanted]
    spare = [tile for tile in fitting if tile not in local.discards]
    if not fitting:
        return local
    return _toggled(seen, local, spare[0] if spare else fitting[0])


def _toggled(seen: Now, local: Local, tile: int) -> Local:
    if tile in local.discards:
        rest = tuple(each for each in local.discards if each != tile)
        return replace(local, discards=rest)
    if len(local.discards) >= can_discard(seen):
        text = _("The pool has no more letters to exchange")
        return replace(local, notice=text)
    return replace(local, discards=(*local.discards, tile))


def _key(  # noqa: PLR0911 (one a key)
    seen: Now, local: Local, key: str, *, steer: bool
) -> tuple[Local, Move | None]:
    """Take a key that is no text, or a letter held with Alt."""
    if local.doing is not Doing.PLAYING:
        return _key_in_dialog(seen, local, key)
    match key:
        case "enter":
            return _advance(seen, local)
        case "delete" if doubted(seen) and not local.away:
            return _sent(seen, local, Withdraw())
        case "delete":
            return keyboard.recall(local), None
        case "backspace":
            return keyboard.back(seen, local), None
        case "left" | "right" | "up" | "down":
            return keyboard.arrow(seen, local, key), None
        case _ if steer:
            return keyboard.steer(seen, local, key), None
        case _:
            return local, None


def _key_in_dialog(seen: Now, local: Local, key: str) -> tuple[Local, Move | None]:
    """Take a key while a dialog is open: Enter agrees."""
    if key == "enter" and local.doing is Doing.DISCARDING:
        return _discard(seen, local)
    if key == "enter" and local.doing is Doing.PASSING:
        return _sent(seen, local, Pass())
    if key == "backspace" and local.doing is Doing.DISCARDING:
        return replace(local, discards=local.discards[:-1]), None
    return local, None


def _stepped_back(local: Local) -> Local:
    """Undo what was begun last: a dialog, the marking, then all letters laid."""
    if local.doing is not Doing.PLAYING:
        return _closed(local)
    if local.marking:
        return replace(local, marking=False, path=())
    if local.away or local.chosen >= 0 or local.cursor >= 0:
        return replace(keyboard.recall(local), cursor=-1)
    return local


def hinted(local: Local, move: Move) -> Local:
    """Return the local state with a word laid and marked that was hinted at."""
    if not isinstance(move, Lay):
        return local
    laid = keyboard.recall(local)
    return replace(laid, laid=move.laid, marking=True, path=move.path)


def _closed(local: Local) -> Local:
    """Return the local state without its dialog; an unnamed blank goes back."""
    if local.doing is Doing.NAMING:
        return keyboard.recall_one(local, unnamed(local))
    return replace(local, doing=Doing.PLAYING, discards=())


def _click(  # noqa: C901, PLR0911, PLR0912 (one a part of the board)
    seen: Now, local: Local, means: Means, count: int
) -> tuple[Local, Move | None]:
    match means:
        case GoOn():
            return _advance(seen, local)
        case BackToLaying():
            return replace(local, marking=False, path=()), None
        case Recall():
            return keyboard.recall(local), None
        case Shuffle():
            faces = [face_of(seen, tile) for tile in local.order]
            order, count = shuffled(local.order, faces, local.shuffles)
            return replace(local, order=order, shuffles=count), None
        case PickUp() if idle(seen, local):
            return replace(keyboard.recall(local), swaps=swappable(seen)), None
        case AskDiscard() if idle(seen, local):
            return replace(keyboard.recall(local), doing=Doing.DISCARDING), None
        case AskPass() if idle(seen, local) and seen.trying:
            return keyboard.recall(local), Pass()
        case AskPass() if idle(seen, local):
            return replace(keyboard.recall(local), doing=Doing.PASSING), None
        case Shut():
            return _closed(local), None
        case Give(tile=tile):
            return _toggled(seen, local, tile), None
        case GiveAll():
            return replace(local, discards=local.order[: can_discard(seen)]), None
        case Exchange():
            return _discard(seen, local)
        case Send(move=move):
            return _sent(seen, local, move)
        case Name(letter=letter):
            return keyboard.name_blank(local, letter), None
        case AtRack(place=place):
            return keyboard.to_rack(local, place), None
        case AtCell(cell=cell) if local.marking:
            return marking.toggle(seen, local, cell), None
        case AtCell(cell=cell):
            return keyboard.cell_clicked(seen, local, cell), None
        case AtTile(tile=tile):
            spot = next((each.cell for each in local.laid if each.tile == tile), -1)
            if local.marking and spot >= 0:
                return marking.toggle(seen, local, spot), None
            return keyboard.tile_clicked(local, tile, count), None
        case _:
            return local, None


def _drop(seen: Now, local: Local, tile: int, onto: str) -> Local:
    """Let go of a dragged tile; a drop outside goes back to the rack."""
    if local.marking or local.doing is not Doing.PLAYING:
        return local
    head, _colon, tail = onto.partition(":")
    if head == "cell":
        return keyboard.put(seen, local, tile, int(tail))
    local = keyboard.recall_one(local, tile)
    return keyboard.moved_to(local, tile, int(tail)) if head == "rack" else local


def _advance(seen: Now, local: Local) -> tuple[Local, Move | None]:
    """Go on to the next phase: the right button, NEXT, DONE or Enter."""
    if asked(seen):
        return _sent(seen, local, Accept())
    if doubted(seen):
        return _sent(seen, local, Insist())
    local = replace(local, chosen=-1)
    if local.swaps:
        return _sent(seen, local, lhexicon.pick_up(seen.view, local.swaps))
    if not local.marking:
        return _marked(seen, local), None
    refused = marking.fault(seen, local)
    if refused is not None:
        return refused, None
    move = lhexicon.lay(seen.view, local.laid, local.path)
    return _sent(seen, local, move)


def _marked(seen: Now, local: Local) -> Local:
    if not local.laid and not mine(seen):
        return replace(local, notice=not_yet(seen, lhexicon.actors(seen.view)))
    if not local.laid:
        return replace(local, notice=_("Put letters on the board first"))
    return marking.begin_marking(seen, local)


def _discard(seen: Now, local: Local) -> tuple[Local, Move | None]:
    if not local.discards:
        return replace(local, notice=_("Choose the letters to discard")), None
    return _sent(seen, local, Discard(tuple(sorted(local.discards))))


def _sent(seen: Now, local: Local, move: Move) -> tuple[Local, Move | None]:
    """Return the move if the rules take it, else their words."""
    if seen.seat is None or not (mine(seen) or asked(seen) or doubted(seen)):
        return replace(local, notice=not_yet(seen, lhexicon.actors(seen.view))), None
    if not seen.live:
        return replace(local, notice=not_now(seen)), None
    try:
        lhexicon.play(seen.view, seen.seat, move)
    except IllegalMoveError as error:
        return replace(local, notice=told(error.words)), None
    done = replace(local, doing=Doing.PLAYING, discards=(), scoring=True)
    return done, move
