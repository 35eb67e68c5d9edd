"""Marking the word in spelling order, and why it may not be."""

from msgspec.structs import replace

from client.lhexicon import guessing
from client.lhexicon.local import Local, Now, letter_at, unnamed, verdict
from client.ui.texts import _, told
from rules.lhexicon import EMPTY, Refusal


def begin(seen: Now, local: Local) -> Local:
    """Go on to marking; a word typed in its order, or the only one, is marked."""
    typed = {each.cell for each in local.laid} <= set(local.trail)
    path = local.trail if typed and len(set(local.trail)) == len(local.trail) else ()
    alone = guessing.only(seen, local) if not path else None
    path = path if alone is None else alone.path
    cursor = local.trail[0] if typed and local.trail else local.cursor
    marked = replace(local, marking=True, path=path, typing=False, cursor=cursor)
    return replace(marked, guessed=alone is not None)


def toggle(seen: Now, local: Local, cell: int) -> Local:
    """Mark the letter on a cell, or take its mark away."""
    if local.guessed:
        local = replace(local, path=(), guessed=False)
    if letter_at(seen, local, cell) == EMPTY:
        return replace(local, cursor=cell if local.cursor >= 0 else -1)
    if cell in local.path:
        path = tuple(each for each in local.path if each != cell)
    else:
        path = (*local.path, cell)
    return replace(local, path=path, cursor=cell if local.cursor >= 0 else -1)


def fault(seen: Now, local: Local) -> Local | None:
    """Return the state that says why the word cannot be scored, or None if it can."""
    if unnamed(local) >= 0:
        return replace(local, notice=_("Which letter does the blank stand for?"))
    if not local.path:
        return replace(local, notice=_("Mark the letters of your word first"))
    found = verdict(seen, local)
    if not isinstance(found, Refusal):
        return None
    return replace(local, notice=told(found.reason), wrong=found.cells)
