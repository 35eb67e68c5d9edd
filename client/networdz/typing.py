"""The keyboard on the board: the arrow, letters, backspace."""

from msgspec.structs import replace

from client.networdz.local import Local, Now, can_discard, field, free, kind, letters_of
from client.texts import _
from rules.networdz import Laid


def letter_of(seen: Now, text: str) -> int:
    """Return the letter that a typed text is, -1 for none a blank may be."""
    ground = field(seen)
    wanted = text.upper()
    return next((i for i in ground.free if ground.alphabet[i] == wanted), -1)


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
    wanted = "" if letter in "? " else letter.upper()
    for tile in in_rack(seen, local):
        if letters_of(seen, tile) == wanted:
            return toggle(seen, local, tile)
    return local


def arrow(seen: Now, local: Local, key: str) -> Local:
    """Move the arrow; along its own direction, else it turns first."""
    ground = field(seen)
    if local.cursor < 0:
        return replace(local, cursor=ground.start, down=key in ("up", "down"))
    down = key in ("up", "down")
    if down != local.down:
        return replace(local, down=down, typed="")
    by = (ground.width if down else 1) * (-1 if key in ("left", "up") else 1)
    line = ground.column(local.cursor) if down else ground.row(local.cursor)
    to = local.cursor + by
    while to in line and not free(seen, local, to):
        to += by
    return replace(local, cursor=to if to in line else local.cursor, typed="")


def _next(seen: Now, local: Local, cell: int) -> int:
    """Return the next free cell in the arrow's direction, -1 at the edge."""
    ground = field(seen)
    line = ground.column(cell) if local.down else ground.row(cell)
    by = ground.width if local.down else 1
    cell += by
    while cell in line and not free(seen, local, cell):
        cell += by
    return cell if cell in line else -1


def _pick(seen: Now, local: Local, typed: str) -> tuple[int, int, str]:
    """Return (tile, letter, what it still waits for) of a typed letter.

    First the tile itself, then one of several letters that begins so, then a blank.
    """
    ground = field(seen)
    tiles = in_rack(seen, local)
    faces = {tile: letters_of(seen, tile) for tile in tiles}
    for tile in tiles:
        if faces[tile] == typed:
            return tile, kind(seen, tile), typed
    for tile in tiles:
        if faces[tile].startswith(typed) and typed:
            return tile, kind(seen, tile), typed
    letter = letter_of(seen, typed)
    blank = next((t for t in tiles if kind(seen, t) == ground.blank), -1)
    return (blank, letter, typed) if letter >= 0 else (-1, -1, "")


def _joined(seen: Now, local: Local, typed: str) -> Local | None:
    """Make C and H one tile CH, if they were typed one after the other.

    The tile C laid last gives way to CH from the rack; if CH itself was laid for the
    C already, the H is only its rest.
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
    return None


def lay(seen: Now, local: Local, text: str) -> Local:
    """Lay the tile of a typed letter where the arrow is; a space turns the arrow."""
    typed = text.upper()
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
        return local
    tile, letter, rest = _pick(seen, local, typed)
    if tile < 0:
        words = _("You have no {letter}").format(letter=typed)
        return replace(local, notice=words, typed="")
    laid = (*local.laid, Laid(local.cursor, tile, letter))
    after = replace(local, laid=laid, typed=rest, chosen=-1)
    return replace(after, cursor=_next(seen, after, local.cursor))


def back(seen: Now, local: Local) -> Local:
    """Take the tile laid last back, and the arrow with it."""
    if local.discards:
        return replace(local, discards=local.discards[:-1])
    if not local.laid:
        return local
    last = local.laid[-1]
    return replace(local, laid=local.laid[:-1], cursor=last.cell, typed="", chosen=-1)
