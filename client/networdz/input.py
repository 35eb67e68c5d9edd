"""What each intent does to the tiles on the rack and on the board.

And to the arrow on the board: letters that are typed, backspace.
"""

from msgspec.structs import replace

from client.app.board import Recall, not_now, not_yet
from client.networdz import drawing_tiles
from client.networdz.local import (
    ENOUGH,
    OPEN,
    Answer,
    AtCell,
    AtRack,
    AtTile,
    Commit,
    Doing,
    Local,
    Name,
    Now,
    PassTurn,
    RenewRack,
    Shuffle,
    can_discard,
    doubting,
    ending,
    field,
    flight,
    free,
    kind,
    left,
    letters_of,
    made,
    mine,
    quiet,
    rack,
    verdict,
)
from client.ui import tiles as racks
from client.ui.intents import Button, Click, Drop, Hover, Intent, Key, Text
from client.ui.scene import Means
from client.ui.texts import _, told
from rules import networdz, wordlists
from rules.game import IllegalMoveError
from rules.networdz import Accept, Challenge, Laid, Lay, Move, Pass, Renew, Trade
from rules.tiles import Shown


def spelled(seen: Now, text: str) -> str:
    """Return typed text in the letters of the tiles.

    Capitals, without the accents that no tile has: É is E in French, but Ä is a tile
    in German; ß falls apart into SS, as on paper.
    """
    signs = set("".join(field(seen).alphabet))
    return "".join(wordlists.bare(sign, signs) for sign in text.upper())


def letter_of(seen: Now, text: str) -> int:
    """Return the letter that a typed text is, -1 for none a blank may be."""
    ground, wanted = field(seen), spelled(seen, text)
    if wanted not in ground.alphabet:
        return -1
    return ground.counted(ground.alphabet.index(wanted))


def _same(seen: Now, face: str, typed: str) -> bool:
    """Tell whether a tile is the letter typed, or counts as it, as Ё does as Е."""
    alphabet = field(seen).alphabet
    if face == typed or face not in alphabet or typed not in alphabet:
        return face == typed
    one, other = alphabet.index(face), alphabet.index(typed)
    return field(seen).counted(one) == field(seen).counted(other)


def in_rack(seen: Now, local: Local) -> list[int]:
    """Return the tiles that stand in the rack, left to right."""
    return [tile for tile in local.order if tile not in local.away]


def toggle(seen: Now, local: Local, tile: int) -> Local:
    """Put a tile on the discard pile if it may go there, or take it back."""
    if tile in local.discards:
        rest = tuple(each for each in local.discards if each != tile)
        return replace(local, discards=rest)
    if not can_discard(seen, local):
        words = _("The pool has no more tiles to exchange")
        return replace(local, notice=words)
    return replace(local, discards=(*local.discards, tile))


def discard(seen: Now, local: Local, letter: str) -> Local:
    """Discard the first tile with a typed letter; "?" and space mean a blank."""
    tile = _meant(seen, in_rack(seen, local), "" if letter in "? " else letter)
    return toggle(seen, local, tile) if tile >= 0 else local


def _meant(seen: Now, tiles: list[int], typed: str) -> int:
    """Return the tile that a typed letter means, -1 for none; "" means a blank.

    First the tile itself, then one that counts as it, then one of several letters
    that begins so.
    """
    known = [tile for tile in tiles if kind(seen, tile) >= 0]
    faces = {tile: letters_of(seen, tile) for tile in known}
    exact = [tile for tile, face in faces.items() if face == typed]
    like = [tile for tile, face in faces.items() if _same(seen, face, typed)]
    begun = [t for t, face in faces.items() if typed and face.startswith(typed)]
    return next(iter((*exact, *like, *begun)), -1)


def arrow(seen: Now, local: Local, key: str) -> Local:
    """Move the arrow; along its own direction, else it turns first.

    It stands on letters that lie there, too: so they are read by ear, and a word that
    is typed begins with them.
    """
    ground = field(seen)
    if local.cursor < 0:
        return replace(local, cursor=ground.start, down=key in ("up", "down"))
    down = key in ("up", "down")
    if down != local.down:
        return replace(local, down=down, typed="")
    by = (ground.width if down else 1) * (-1 if key in ("left", "up") else 1)
    line = ground.column(local.cursor) if down else ground.row(local.cursor)
    to = local.cursor + by
    while to in line and ground.blocked[to]:
        to += by
    if to not in line:
        return replace(local, typed="")
    over = _onward(seen, local, to).over
    return replace(local, cursor=to, over=over, typed="")


def _onward(seen: Now, local: Local, cell: int) -> Local:
    """Put the arrow on the first free cell from here on, -1 at the edge.

    It remembers the letters that it jumps over: whoever types the whole word types
    them, too.
    """
    ground = field(seen)
    line = ground.column(cell) if local.down else ground.row(cell)
    laid = {each.cell: each.letter + 1 for each in local.laid}
    over = ""
    while cell in line and not free(seen, local, cell):
        letter = laid.get(cell, seen.view.letters[cell])
        over = over + ground.alphabet[letter - 1] if letter > 0 else ""
        cell += line.step
    return replace(local, cursor=cell if cell in line else -1, over=over)


def _pick(seen: Now, local: Local, typed: str) -> tuple[int, int, str]:
    """Return (tile, letter, what it still waits for) of a typed letter.

    First a tile, see `_meant`, then a blank.
    """
    tiles = in_rack(seen, local)
    tile = _meant(seen, tiles, typed) if typed else -1
    if tile >= 0:
        return tile, kind(seen, tile), typed
    letter, blank = letter_of(seen, typed), field(seen).blank
    spare = next((t for t in tiles if kind(seen, t) == blank), -1)
    return (spare, letter, typed) if letter >= 0 else (-1, -1, "")


def _joined(seen: Now, local: Local, typed: str) -> Local | None:
    """Make C and H one tile CH, if they were typed one after the other.

    The tile C laid last gives way to CH from the rack, or to a blank for it; if CH
    itself was laid for the C already, the H is only its rest.
    """
    if not local.typed or not local.laid:
        return None
    last = local.laid[-1]
    pair = local.typed + typed
    if letters_of(seen, last.tile) == pair:
        return replace(local, typed="")
    for tile in in_rack(seen, local):
        if letters_of(seen, tile) == pair:
            fresh = Laid(last.cell, tile, kind(seen, tile))
            return replace(local, laid=(*local.laid[:-1], fresh), typed="")
    letter, blank = letter_of(seen, pair), field(seen).blank
    spare = (last.tile, *in_rack(seen, local))
    tile = next((each for each in spare if kind(seen, each) == blank), -1)
    if letter < 0 or tile < 0:
        return None
    fresh = Laid(last.cell, tile, letter)
    return replace(local, laid=(*local.laid[:-1], fresh), typed="")


def lay(seen: Now, local: Local, text: str) -> Local:
    """Lay the tile of a typed letter where the arrow is; a space turns the arrow."""
    typed = text
    joined = _joined(seen, local, typed)
    if joined is not None:
        return joined
    if local.cursor < 0:
        if any(seen.view.letters) or local.laid or not typed.strip():
            return local
        local = replace(local, cursor=field(seen).start)
    if not typed.strip():
        return replace(local, down=not local.down, typed="")
    if not free(seen, local, local.cursor):
        local = _onward(seen, local, local.cursor)
        if local.cursor < 0:
            return local
    tile, letter, rest = _pick(seen, local, typed)
    if tile < 0:
        words = _("You have no {letter}").format(letter=typed)
        return replace(local, notice=words, typed="")
    laid = (*local.laid, Laid(local.cursor, tile, letter))
    after = replace(local, laid=laid, typed=rest, chosen=-1)
    step = field(seen).width if local.down else 1
    return _onward(seen, after, local.cursor + step)


def back(seen: Now, local: Local) -> Local:
    """Take the tile laid last back, and the arrow with it."""
    if local.discards:
        return replace(local, discards=local.discards[:-1])
    if not local.laid:
        return local
    last = local.laid[-1]
    return replace(local, laid=local.laid[:-1], cursor=last.cell, typed="", chosen=-1)


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
        # What could not be done was so before somebody moved; the lots stay.
        notice=local.notice if local.drawing else "",
        unseen=tuple(tile for tile in local.unseen if tile in held),
    )
    lost = fresh.doing is Doing.DISCARDING and not mine(seen)
    drawn_all = local.drawing and not fresh.unseen
    if moves != local.made or lost or drawn_all:
        # Our own move has been made, also one that took no tile from the rack, or
        # before all tiles were drawn; or the turn was lost, and Enter must not pass
        # the next one.
        doing = Doing.DRAWING if fresh.unseen else Doing.PLAYING
        fresh = replace(
            fresh, doing=doing, discards=(), cursor=-1, notice="", made=moves
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


def handle(  # noqa: C901, PLR0911 (one a kind of intent)
    seen: Now, local: Local, intent: Intent
) -> tuple[Local, Move | None]:
    """Return the local state after an intent, and the move to send if any."""
    if seen.seat is None:
        return local, None
    over = local.over if isinstance(intent, Text) else ""
    stays = local.stays and isinstance(intent, Click)
    if not isinstance(intent, Hover) and (over, stays) != (local.over, local.stays):
        local = replace(local, over=over, stays=stays)
    match intent:
        case _ if local.drawing:
            return drawing_tiles.while_drawing(seen, local, intent), None
        case Click(button=Button.RIGHT):
            return recall(local), None
        case Click(means=Means() as means, count=count):
            return _click(seen, quiet(local), means, count)
        case Drop(name=name, onto=onto) if name.startswith("tile:"):
            return _drop(seen, quiet(local), int(name[5:]), onto)
        case Key(key=key):
            return _key(seen, quiet(local), key)
        case Text(text=","):
            return shuffled(seen, quiet(local)), None
        case Text(text="!") if doubting(seen):
            return _sent(seen, quiet(local), Challenge())
        case Text(text=text):
            return _text(seen, quiet(local), text), None
        case _:
            return local, None


def _text(seen: Now, local: Local, text: str) -> Local:
    """Take typed letters: they name a blank, discard, or are laid."""
    for letter in spelled(seen, text):
        if local.doing is Doing.NAMING:
            found = letter_of(seen, letter)
            local = name_blank(local, found) if found >= 0 else local
        elif local.doing is Doing.DISCARDING:
            local = discard(seen, local, letter)
        elif local.over and _same(seen, local.over[0], letter):
            # What the arrow has just jumped over, and means the tile there; whoever
            # means one from the rack types it once more.
            local = replace(local, over=local.over[1:], typed="")
        else:
            local = lay(seen, replace(local, over=""), letter)
    return local


def _key(seen: Now, local: Local, key: str) -> tuple[Local, Move | None]:
    if local.doing is Doing.NAMING:
        if key == "escape":
            unnamed = (each.tile for each in local.laid if each.letter == OPEN)
            local = recall_one(local, next(unnamed, -1))
        return local, None
    match key:
        case "enter":
            stands = doubting(seen) and ending(seen)
            return _sent(seen, local, Accept()) if stands else _done(seen, local)
        case "escape":
            return recall(local), None
        case "backspace":
            return back(seen, local), None
        case "left" | "right" | "up" | "down":
            return arrow(seen, local, key), None
        case _:
            return local, None


def _click(  # noqa: C901, PLR0911 (one a part of the board)
    seen: Now, local: Local, means: Means, count: int
) -> tuple[Local, Move | None]:
    match means:
        case Commit():
            return _done(seen, local)
        case Answer(move=move):
            return _sent(seen, local, move)
        case PassTurn():
            # A second time goes back to playing.
            passing = (
                replace(local, doing=Doing.PLAYING, discards=())
                if local.doing is Doing.DISCARDING
                else replace(recall(local), doing=Doing.DISCARDING)
            )
            return passing, None
        case RenewRack():
            return _renewed(seen, local)
        case Recall():
            return recall(local), None
        case Shuffle():
            return shuffled(seen, local), None
        case AtTile(tile=tile):
            return _tile_clicked(seen, local, tile, count), None
        case AtCell(cell=cell):
            return _cell_clicked(seen, local, cell)
        case Name(letter=letter):
            return name_blank(local, letter), None
        case AtRack(place=place):
            tile = local.chosen
            to_rack = (
                _moved(recall_one(local, tile), tile, place) if tile >= 0 else local
            )
            return to_rack, None
        case _:
            return local, None


def recall(local: Local) -> Local:
    """Take all tiles back (source document, Playing words: Escape, right button)."""
    return replace(
        local, laid=(), discards=(), doing=Doing.PLAYING, chosen=-1, notice="",
        typed="", cursor=local.laid[0].cell if local.laid else -1,
        stays=bool(local.laid),
    )  # fmt: skip


def recall_one(local: Local, tile: int) -> Local:
    """Take one tile back."""
    laid = tuple(each for each in local.laid if each.tile != tile)
    return replace(local, laid=laid, doing=Doing.PLAYING, chosen=-1)


def name_blank(local: Local, letter: int) -> Local:
    """Let the blank laid last stand for a letter."""
    laid = tuple(
        replace(each, letter=letter) if each.letter == OPEN else each
        for each in local.laid
    )
    return replace(local, laid=laid, doing=Doing.PLAYING)


def _tile_clicked(seen: Now, local: Local, tile: int, count: int) -> Local:
    if local.doing is Doing.DISCARDING:
        return toggle(seen, local, tile) if count == 1 else local
    if count == 2 and any(each.tile == tile for each in local.laid):
        return recall_one(local, tile)
    return replace(local, chosen=-1 if local.chosen == tile else tile)


def _cell_clicked(seen: Now, local: Local, cell: int) -> tuple[Local, Move | None]:
    """Put the chosen tile on a cell, or the arrow: right, down, away.

    On a letter that lies there the arrow jumps behind it: a word begins with it.
    """
    if local.chosen >= 0:
        return _put(seen, local, local.chosen, cell)
    if field(seen).blocked[cell]:
        return local, None
    aimed = replace(_onward(seen, local, cell), typed="", stays=False)
    if local.cursor != aimed.cursor or local.stays:
        return aimed, None
    if not local.down:
        return _onward(seen, replace(local, down=True), cell), None
    return replace(local, cursor=-1, down=False), None


def _drop(seen: Now, local: Local, tile: int, onto: str) -> tuple[Local, Move | None]:
    """Let go of a dragged tile; a drop outside goes back to the rack."""
    head, _colon, tail = onto.partition(":")
    if head == "cell":
        return _put(seen, local, tile, int(tail))
    if head == "pile":
        return (local if tile in local.discards else toggle(seen, local, tile)), None
    local = recall_one(local, tile) if local.doing is Doing.PLAYING else local
    if tile in local.discards:
        local = toggle(seen, local, tile)
    return (_moved(local, tile, int(tail)) if head == "rack" else local), None


def _moved(local: Local, tile: int, place: int) -> Local:
    return replace(local, order=racks.moved(local.order, tile, place))


def _put(seen: Now, local: Local, tile: int, cell: int) -> tuple[Local, Move | None]:
    """Lay a tile on a cell; a blank asks for its letter."""
    if local.doing is not Doing.PLAYING:
        return local, None
    if seen.view.letters[cell]:
        local = replace(local, chosen=-1)
        swaps = any(each == cell for each, _tile in seen.view.blanks)
        if not (swaps and seen.view.options.trade_blanks and mine(seen)):
            return replace(
                local, notice=_("There is a tile on that square already")
            ), None
        move = Trade(cell, (Shown(tile, kind(seen, tile)),))
        return _sent(seen, replace(local, laid=()), move)
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
    enough = left(seen) >= max(ENOUGH, len(rack(seen)))
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
        return replace(local, notice=not_now(seen)), None
    try:
        networdz.play(seen.view, seen.seat, move)
    except IllegalMoveError as error:
        return replace(local, notice=told(error.words)), None
    return local, move


def hinted(local: Local, move: Move) -> Local:
    """Return the local state with a move laid that was hinted at."""
    if not isinstance(move, Lay):
        return local
    return replace(recall(local), laid=move.laid, cursor=-1)


def shuffled(seen: Now, local: Local) -> Local:
    """Return the rack in another order."""
    faces = [letters_of(seen, tile) for tile in local.order]
    order, shuffles = racks.shuffled(local.order, faces, local.shuffles)
    return replace(local, order=order, shuffles=shuffles)
