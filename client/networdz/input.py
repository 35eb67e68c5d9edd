"""What each intent does to the tiles on the rack and on the board."""

from msgspec.structs import replace

from client.app.board import not_yet
from client.networdz import drawing_tiles, keyboard
from client.networdz.local import (
    ENOUGH,
    OPEN,
    Doing,
    Local,
    Now,
    field,
    flight,
    free,
    kind,
    letters_of,
    made,
    mine,
    quiet,
    rack,
    verdict,
)
from client.ui import tiles as racks
from client.ui.intents import Button, Click, Drop, Intent, Key, Text
from client.ui.texts import _, told
from rules import networdz
from rules.game import IllegalMoveError
from rules.networdz import Laid, Move, Pass, Renew, Trade
from rules.tiles import Shown, bag_size


def begin(seen: Now) -> Local:
    """Return the local state of a match seen for the first time."""
    local = Local(order=rack(seen), last=seen.view.last, made=made(seen))
    return (
        drawing_tiles.due(seen, local, local.order)
        if drawing_tiles.fresh(seen)
        else local
    )


def renew(seen: Now, local: Local) -> Local:
    """Return the local state after somebody's move; the rack keeps its order.

    Tiles laid stay where they are unless the cell was taken or the tile is gone.
    """
    held = rack(seen)
    drawn = tuple(tile for tile in held if tile not in local.order)
    laid = tuple(
        each
        for each in local.laid
        if each.tile in held and not seen.view.letters[each.cell]
    )
    moves = made(seen)
    fresh = replace(
        local,
        order=racks.kept(local.order, held),
        laid=laid,
        discards=tuple(tile for tile in local.discards if tile in held),
        chosen=local.chosen if local.chosen in held else -1,
        typed="",
    )
    lost = fresh.doing is Doing.DISCARDING and not mine(seen)
    if moves != local.made or lost:
        # Our own move has been made, also one that took no tile from the rack; or
        # the turn was lost, and Enter must not pass the next one.
        fresh = replace(
            fresh, doing=Doing.PLAYING, discards=(), cursor=-1, notice="", made=moves
        )
    last = seen.view.last
    if moves != local.made and last.seat == seen.seat and last.error:
        fresh = replace(fresh, laid=())  # the word was none; it was not played
    if last != local.last and last.seat != seen.seat:
        fresh = replace(fresh, flown=seen.now)
    fresh = replace(fresh, last=last)
    fresh = drawing_tiles.due(seen, fresh, drawn)
    if fresh.doing is Doing.NAMING and not any(
        each.letter == OPEN for each in fresh.laid
    ):
        fresh = replace(fresh, doing=Doing.PLAYING)
    return fresh


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: somebody's tiles fly to the board."""
    return flight(seen, local) < 1


def handle(  # noqa: PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    if seen.seat is None:
        return local, None
    match intent:
        case Click(button=Button.RIGHT):
            return recall(local), None
        case _ if local.drawing:
            return drawing_tiles.handle(seen, local, intent), None
        case Click(name=name, count=count) if name:
            return _click(seen, quiet(local), name, count)
        case Drop(name=name, onto=onto) if name.startswith("tile:"):
            return _drop(seen, quiet(local), int(name[5:]), onto)
        case Key(key=key):
            return _key(seen, quiet(local), key)
        case Text(text=text):
            return _text(seen, quiet(local), text), None
        case _:
            return local, None


def _text(seen: Now, local: Local, text: str) -> Local:
    """Take typed letters: they name a blank, discard, or are laid."""
    for letter in keyboard.spelled(seen, text):
        if local.doing is Doing.NAMING:
            found = keyboard.letter_of(seen, letter)
            local = name_blank(local, found) if found >= 0 else local
        elif local.doing is Doing.DISCARDING:
            local = keyboard.discard(seen, local, letter)
        else:
            local = keyboard.lay(seen, local, letter)
    return local


def _key(seen: Now, local: Local, key: str) -> tuple[Local, Move | None]:
    if local.doing is Doing.NAMING:
        return (recall_one(local, _open(local)) if key == "escape" else local), None
    match key:
        case "enter":
            return _done(seen, local)
        case "escape":
            return recall(local), None
        case "backspace":
            return keyboard.back(seen, local), None
        case "left" | "right" | "up" | "down":
            return keyboard.arrow(seen, local, key), None
        case _:
            return local, None


def _click(  # noqa: PLR0911 (one a part of the board)
    seen: Now, local: Local, name: str, count: int
) -> tuple[Local, Move | None]:
    head, _colon, tail = name.partition(":")
    match head:
        case "done":
            return _done(seen, local)
        case "pass":
            return _passing(local), None
        case "renew":
            return _renewed(seen, local)
        case "recall":
            return recall(local), None
        case "shuffle":
            return shuffled(seen, local), None
        case "tile":
            return _tile_clicked(seen, local, int(tail), count), None
        case "cell":
            return _cell_clicked(seen, local, int(tail))
        case "letter":
            return name_blank(local, int(tail)), None
        case "rack":
            return _to_rack(local, int(tail)), None
        case _:
            return local, None


def recall(local: Local) -> Local:
    """Take all tiles back (source document, Playing words: Escape, right button)."""
    return replace(
        local, laid=(), discards=(), doing=Doing.PLAYING, chosen=-1, notice="",
        typed="", cursor=local.laid[0].cell if local.laid else -1,
    )  # fmt: skip


def recall_one(local: Local, tile: int) -> Local:
    """Take one tile back."""
    laid = tuple(each for each in local.laid if each.tile != tile)
    return replace(local, laid=laid, doing=Doing.PLAYING, chosen=-1)


def _open(local: Local) -> int:
    return next((each.tile for each in local.laid if each.letter == OPEN), -1)


def name_blank(local: Local, letter: int) -> Local:
    """Let the blank laid last stand for a letter."""
    laid = tuple(
        replace(each, letter=letter) if each.letter == OPEN else each
        for each in local.laid
    )
    return replace(local, laid=laid, doing=Doing.PLAYING)


def _tile_clicked(seen: Now, local: Local, tile: int, count: int) -> Local:
    if local.doing is Doing.DISCARDING:
        return keyboard.toggle(seen, local, tile) if count == 1 else local
    if count == 2 and any(each.tile == tile for each in local.laid):
        return recall_one(local, tile)
    return replace(local, chosen=-1 if local.chosen == tile else tile)


def _cell_clicked(seen: Now, local: Local, cell: int) -> tuple[Local, Move | None]:
    """Put the chosen tile on a cell, or the arrow: right, down, away."""
    if local.chosen >= 0:
        return _put(seen, local, local.chosen, cell)
    if not free(seen, local, cell):
        return local, None
    if local.cursor != cell:
        return replace(local, cursor=cell, typed=""), None
    if not local.down:
        return replace(local, down=True), None
    return replace(local, cursor=-1, down=False), None


def _drop(seen: Now, local: Local, tile: int, onto: str) -> tuple[Local, Move | None]:
    """Let go of a dragged tile; a drop outside goes back to the rack."""
    head, _colon, tail = onto.partition(":")
    if head == "cell":
        return _put(seen, local, tile, int(tail))
    if head == "pile":
        return (
            local if tile in local.discards else keyboard.toggle(seen, local, tile)
        ), None
    local = recall_one(local, tile) if local.doing is Doing.PLAYING else local
    if tile in local.discards:
        local = keyboard.toggle(seen, local, tile)
    return (_moved(local, tile, int(tail)) if head == "rack" else local), None


def _to_rack(local: Local, place: int) -> Local:
    tile = local.chosen
    return _moved(recall_one(local, tile), tile, place) if tile >= 0 else local


def _moved(local: Local, tile: int, place: int) -> Local:
    return replace(local, order=racks.moved(local.order, tile, place))


def _put(seen: Now, local: Local, tile: int, cell: int) -> tuple[Local, Move | None]:
    """Lay a tile on a cell; a blank asks for its letter."""
    if local.doing is not Doing.PLAYING:
        return local, None
    if seen.view.letters[cell]:
        return _traded(seen, local, tile, cell)
    before = next((e for e in local.laid if e.tile == tile), None)
    local = recall_one(local, tile)
    if not free(seen, local, cell):
        return (replace(local, laid=(*local.laid, before)) if before else local), None
    known, blank = kind(seen, tile), field(seen).blank
    if known < 0:
        return replace(local, notice=_("That tile is still on its way")), None
    letter = known if known != blank else (before.letter if before else OPEN)
    local = replace(local, laid=(*local.laid, Laid(cell, tile, letter)))
    if letter == OPEN:
        local = replace(local, doing=Doing.NAMING)
    return replace(local, chosen=-1, cursor=-1), None


def _traded(seen: Now, local: Local, tile: int, cell: int) -> tuple[Local, Move | None]:
    """Trade a tile for the blank it was put on, if the rules allow it."""
    local = replace(local, chosen=-1)
    blank = any(each == cell for each, _tile in seen.view.blanks)
    if not (blank and seen.view.options.trade_blanks and mine(seen)):
        return replace(local, notice=_("There is a tile on that square already")), None
    move = Trade(cell, (Shown(tile, kind(seen, tile)),))
    return _sent(seen, replace(local, laid=()), move)


def _passing(local: Local) -> Local:
    """Begin to pass: ask for discards; a second time goes back to playing."""
    if local.doing is Doing.DISCARDING:
        return replace(local, doing=Doing.PLAYING, discards=())
    return replace(recall(local), doing=Doing.DISCARDING)


def _renewed(seen: Now, local: Local) -> tuple[Local, Move | None]:
    """Exchange the whole rack for four of a kind."""
    four = alike(seen)
    shown = tuple(Shown(tile, kind(seen, tile)) for tile in sorted(four))
    return _sent(seen, recall(local), Renew(shown))


def alike(seen: Now) -> tuple[int, ...]:
    """Return four tiles of one letter, if the rack has them."""
    held = [tile for tile in rack(seen) if letters_of(seen, tile)]
    for tile in held:
        same = [other for other in held if kind(seen, other) == kind(seen, tile)]
        if len(same) >= 4:
            return tuple(same[:4])
    return ()


def renews(seen: Now) -> bool:
    """Tell whether the whole rack may go without losing the turn (four of a kind)."""
    enough = bag_size(seen.view.tiles) >= max(ENOUGH, len(rack(seen)))
    return seen.view.options.four_of_a_kind and enough and bool(alike(seen))


def _done(seen: Now, local: Local) -> tuple[Local, Move | None]:
    """Commit what has been laid or discarded, or say why not."""
    if not mine(seen) or seen.seat is None:
        return replace(local, notice=not_yet(seen, networdz.actors(seen.view))), None
    if local.doing is Doing.DISCARDING:
        if renews(seen) and len(local.discards) == len(rack(seen)):
            return _renewed(seen, local)
        return _sent(seen, local, Pass(tuple(sorted(local.discards))))
    found = verdict(seen, local)
    if found is None:
        return replace(local, notice=_("No tiles played")), None
    if found.error and not seen.view.options.tournament:
        return replace(local, notice=told(found.error)), None
    return _sent(seen, local, networdz.lay(seen.view, seen.seat, local.laid))


def _sent(seen: Now, local: Local, move: Move) -> tuple[Local, Move | None]:
    """Return the move if the rules take it, else their words."""
    if not seen.live or seen.seat is None:
        return replace(local, notice=_("The table is not ready for a move")), None
    try:
        networdz.play(seen.view, seen.seat, move)
    except IllegalMoveError as error:
        return replace(local, notice=told(error.words)), None
    return local, move


def shuffled(seen: Now, local: Local) -> Local:
    """Return the rack in another order."""
    faces = [letters_of(seen, tile) for tile in local.order]
    order, shuffles = racks.shuffled(local.order, faces, local.shuffles)
    return replace(local, order=order, shuffles=shuffles)
