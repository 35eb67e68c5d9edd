"""The keyboard on the board: the arrow, letters, backspace."""

from msgspec.structs import replace

from client.networdz.local import Local, Now, can_discard, field, free, kind, letters_of
from client.ui.texts import _
from rules import wordlists
from rules.networdz import Laid


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
    if face == typed or not face or typed not in alphabet:
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
