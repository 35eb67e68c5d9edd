"""The keyboard on the board of hexagons: the cursor, its arrow, letters, backspace.

The cursor has two states.  Steered, Q W E A S D move it over the six sides of a
hexagon, as they lie on the keyboard.  Typing, an arrow shows where letters go on to,
and with Alt held the same keys turn it.  The arrow keys move the cursor in either
state.  Space goes from one to the other; in the marking phase it marks.
"""

from typing import Final

from msgspec.structs import replace

from client.lhexicon import marking
from client.lhexicon.local import (
    OPEN,
    Doing,
    Local,
    Now,
    face,
    face_of,
    kind,
    letter_at,
    step_to,
)
from client.ui.texts import _
from client.ui.tiles import moved
from rules import hexes
from rules.lhexicon import BLANK, EMPTY, LETTERS, QU, Placed, Swap, cells

# Putting letters on hexagons and taking them back, with the mouse.


def recall(local: Local) -> Local:
    """Take all letters back."""
    cursor = local.laid[0].cell if local.laid else -1
    return replace(
        local, laid=(), swaps=(), marking=False, path=(), trail=(), rest="",
        discards=(), doing=Doing.PLAYING, chosen=-1, typing=False, notice="",
        cursor=cursor,
    )  # fmt: skip


def recall_one(local: Local, tile: int) -> Local:
    """Take one letter back."""
    spots = [each.cell for each in local.laid if each.tile == tile]
    return replace(
        local,
        laid=tuple(each for each in local.laid if each.tile != tile),
        swaps=tuple(each for each in local.swaps if each.tile != tile),
        path=tuple(cell for cell in local.path if cell not in spots),
        trail=tuple(cell for cell in local.trail if cell not in spots),
        doing=Doing.PLAYING,
        chosen=-1,
        cursor=spots[0] if spots and local.typing else local.cursor,
    )


def name_blank(local: Local, letter: int) -> Local:
    """Let the blank laid last stand for a letter."""
    laid = tuple(
        replace(each, letter=letter) if each.letter == OPEN else each
        for each in local.laid
    )
    return replace(local, laid=laid, doing=Doing.PLAYING)


def tile_clicked(local: Local, tile: int, count: int) -> Local:
    """Choose a letter, or take it back with a double click."""
    if count == 2 and tile in local.away:
        return recall_one(local, tile)
    return replace(local, chosen=-1 if local.chosen == tile else tile)


def cell_clicked(seen: Now, local: Local, cell: int) -> Local:
    """Put the chosen letter on a cell, or the arrow; again: turn the arrow."""
    if local.chosen >= 0:
        return put(seen, local, local.chosen, cell)
    if local.cursor == cell and local.typing:
        return replace(local, facing=(local.facing + 1) % 6)
    return replace(local, cursor=cell, typing=True, trail=(), rest="")


def to_rack(local: Local, place: int) -> Local:
    """Move the chosen letter to a place in the rack that was clicked."""
    tile = local.chosen
    if tile < 0:
        return local
    return moved_to(recall_one(local, tile), tile, place)


def moved_to(local: Local, tile: int, place: int) -> Local:
    """Return the local state with a tile at another place of the rack."""
    return replace(local, order=moved(local.order, tile, place))


def put(seen: Now, local: Local, tile: int, cell: int) -> Local:
    """Lay a letter on a cell; a blank asks what it stands for."""
    if kind(seen, tile) < 0:
        words = _("That tile is still on its way")
        return replace(local, notice=words, chosen=-1)
    if seen.view.letters[cell] != EMPTY:
        return _onto(seen, local, tile, cell)
    if local.swaps and not any(each.tile == tile for each in local.swaps):
        text = _("Picking up a blank is a turn of its own")
        return replace(local, notice=text, chosen=-1)
    if any(each.cell == cell and each.tile != tile for each in local.laid):
        text = _("There is a letter on that hexagon already")
        return replace(local, notice=text, chosen=-1)
    before = next((e.letter for e in local.laid if e.tile == tile), OPEN)
    known = kind(seen, tile)
    letter = before if known == BLANK else known
    fresh = recall_one(local, tile)
    laid = (*fresh.laid, Placed(tile, cell, letter))
    doing = Doing.NAMING if letter == OPEN else Doing.PLAYING
    return replace(fresh, laid=laid, doing=doing, cursor=-1, typing=False)


def _onto(seen: Now, local: Local, tile: int, cell: int) -> Local:
    """Put a letter on an earlier one: that picks up a blank, if it is one."""
    local = replace(local, chosen=-1)
    if cell not in seen.view.blanks:
        return replace(local, notice=_("There is a letter on that hexagon already"))
    if kind(seen, tile) != seen.view.letters[cell]:
        return replace(local, notice=_("The blank stands for another letter"))
    if any(each.tile != tile for each in local.laid):
        return replace(local, notice=_("Picking up a blank is a turn of its own"))
    fresh = recall_one(local, tile)
    others = tuple(each for each in fresh.swaps if each.cell != cell)
    return replace(fresh, swaps=(*others, Swap(tile, cell)))


COMPASS: Final = ("d", "e", "w", "q", "a", "s")
"""The key of each of `hexes.STEPS` on a board of flat-topped hexagons."""

_UP, _DOWN = COMPASS.index("w"), COMPASS.index("s")


def named(letter: str) -> int:
    """Return what a key names a blank: a letter, or "2" for QU; -1 for neither."""
    if letter == "2":
        return QU
    wanted = letter.upper()
    return LETTERS.index(wanted) if wanted in LETTERS else -1


def type_letter(seen: Now, local: Local, letter: str) -> Local:
    """Take a typed letter or space."""
    if local.cursor < 0:
        return _shown(seen, local)
    if letter == " ":
        return _spaced(seen, local)
    if local.marking:
        return steer(seen, local, letter.lower())
    if not local.typing:
        if letter.lower() in COMPASS:
            return steer(seen, local, letter.lower())
        local = replace(local, typing=True, trail=(), rest="")
    return _typed(seen, local, letter.upper())


def _shown(seen: Now, local: Local) -> Local:
    """Put the cursor on the board: on the first letter laid, or the centre."""
    start = cells.centre(seen.view.options.side)
    return replace(local, cursor=local.laid[0].cell if local.laid else start)


def _spaced(seen: Now, local: Local) -> Local:
    if local.marking:
        return marking.toggle(seen, local, local.cursor)
    if local.chosen >= 0:
        at = local.cursor
        return replace(put(seen, local, local.chosen, at), cursor=at)
    return replace(local, typing=not local.typing, trail=(), rest="")


def steer(seen: Now, local: Local, key: str) -> Local:
    """Move the cursor to a neighbour; while typing, turn the arrow there."""
    if key not in COMPASS:
        return local
    if local.cursor < 0:
        return _shown(seen, local)
    if local.typing:
        # Turn the arrow; the next letter goes beside the one typed last
        local = replace(local, facing=COMPASS.index(key) % 6)
        if not local.trail:
            return local
        last = local.trail[-1]
        to = step_to(seen, last, local.facing)
        return replace(local, cursor=last if to == hexes.OFF else to)
    return _stepped(seen, local, COMPASS.index(key))


def _stepped(seen: Now, local: Local, facing: int) -> Local:
    """Move the cursor one hexagon, unless the board ends there."""
    to = step_to(seen, local.cursor, facing)
    cursor = local.cursor if to == hexes.OFF else to
    return replace(local, cursor=cursor, facing=facing)


def arrow(seen: Now, local: Local, key: str) -> Local:
    """Take an arrow key: it moves the cursor, and its arrow stays as it points."""
    if local.cursor < 0:
        return _shown(seen, local)
    facing = local.facing
    if local.typing:
        local = replace(local, trail=(), rest="")
    if key in ("up", "down"):
        moved = _stepped(seen, local, _UP if key == "up" else _DOWN)
    else:
        # To the next column, by turns a little up and down
        q, _r = hexes.hexagon(seen.view.options.side)[local.cursor]
        pair = ("d", "e") if key == "right" else ("a", "q")
        ways = map(COMPASS.index, pair if q % 2 == 0 else pair[::-1])
        tried = (_stepped(seen, local, way) for way in ways)
        moved = next((each for each in tried if each.cursor != local.cursor), local)
    return replace(moved, facing=facing if local.typing else moved.facing)


def _typed(seen: Now, local: Local, letter: str) -> Local:
    """Lay a letter at the cursor, or use the one that lies there."""
    if local.rest:
        rest, local = local.rest, replace(local, rest="")
        if letter == rest:
            return local
    if letter == "?":
        return _question(seen, local)
    if letter not in LETTERS:
        return local
    there = letter_at(seen, local, local.cursor)
    if there != EMPTY:
        return _used(seen, local, letter, there)
    # The tile for a typed letter: its own, else a blank, else -1
    tiles = [tile for tile in local.order if tile not in local.away]
    own = [tile for tile in tiles if face_of(seen, tile) == letter]
    blanks = [tile for tile in tiles if kind(seen, tile) == BLANK]
    tile = next(iter((*own, *blanks)), -1)
    if tile < 0:
        text = _("You have no {letter}").format(letter=letter)
        return replace(local, notice=text)
    return _laid(seen, local, Placed(tile, local.cursor, LETTERS.index(letter)))


def _laid(seen: Now, local: Local, placed: Placed) -> Local:
    """Return the state with a letter laid at the cursor, which goes on."""
    if local.swaps:
        return replace(local, notice=_("Picking up a blank is a turn of its own"))
    laid = replace(local, laid=(*local.laid, placed), chosen=-1)
    return _onward(seen, laid)


def _onward(seen: Now, local: Local) -> Local:
    """Move the cursor one hexagon along its arrow and remember where it was."""
    to = step_to(seen, local.cursor, local.facing)
    trail = (*local.trail, local.cursor)
    return replace(local, trail=trail, cursor=local.cursor if to == hexes.OFF else to)


def _used(seen: Now, local: Local, letter: str, there: int) -> Local:
    """Take a letter that lies on the board into the word, if it is the one typed."""
    name = face(there)
    if not name.startswith(letter) or local.cursor in local.trail:
        text = _("There is {letter} on that hexagon already").format(letter=name)
        return replace(local, notice=text)
    return _onward(seen, replace(local, rest=name[1:]))


def _question(seen: Now, local: Local) -> Local:
    """Lay a blank at the cursor and ask what it stands for."""
    free = letter_at(seen, local, local.cursor) == EMPTY
    tiles = [tile for tile in local.order if tile not in local.away]
    blank = next((t for t in tiles if kind(seen, t) == BLANK), -1)
    if not free or blank < 0:
        text = _("You have no {letter}").format(letter=_("blank"))
        return replace(local, notice=text) if free else local
    laid = _laid(seen, local, Placed(blank, local.cursor, OPEN))
    return replace(laid, doing=Doing.NAMING) if laid.laid != local.laid else laid


def back(seen: Now, local: Local) -> Local:
    """Go one step back: a mark, the marking phase, the letter typed or laid last."""
    if local.marking:
        if local.path:
            return replace(local, path=local.path[:-1], guessed=False)
        return replace(local, marking=False)
    if local.swaps:
        return replace(local, swaps=local.swaps[:-1])
    if local.typing and local.trail:
        cell = local.trail[-1]
        laid = tuple(each for each in local.laid if each.cell != cell)
        trail = local.trail[:-1]
        return replace(local, laid=laid, trail=trail, cursor=cell, rest="")
    if not local.laid:
        return local
    last = local.laid[-1]
    return replace(recall_one(local, last.tile), cursor=last.cell)
