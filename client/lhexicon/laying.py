"""Putting letters on hexagons and taking them back, with the mouse."""

from msgspec.structs import replace

from client.lhexicon.local import OPEN, Doing, Local, Now, kind
from client.rack import moved
from client.texts import _
from rules.lhexicon import BLANK, EMPTY, Placed, Swap


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
