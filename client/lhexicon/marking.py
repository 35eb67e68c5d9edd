"""Marking the word in spelling order, and why it may not be."""

import re
from typing import Final

from msgspec.structs import replace

from client.lhexicon.local import Local, Now, letter_at, unnamed, verdict
from client.texts import _, ngettext
from rules.lhexicon import EMPTY, Refusal

_LEFT_OUT: Final = re.compile(r"(\w+) touches (.+), which (?:is|are) not in the word")
_UNUSED: Final = re.compile(r"(.+), which (?:is|are) not in the word")
_APART: Final = re.compile(r"(\w+) and (\w+) are not on neighbouring hexagons")
_UNKNOWN: Final = re.compile(r"(\w+) is not in the dictionary")


def begin(local: Local) -> Local:
    """Go on to marking; a word that was typed in its order is marked already."""
    typed = {each.cell for each in local.laid} <= set(local.trail)
    path = local.trail if typed and len(set(local.trail)) == len(local.trail) else ()
    cursor = local.trail[0] if typed and local.trail else local.cursor
    return replace(local, marking=True, path=path, typing=False, cursor=cursor)


def toggle(seen: Now, local: Local, cell: int) -> Local:
    """Mark the letter on a cell, or take its mark away."""
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
    return replace(local, notice=translated(found.reason), wrong=found.cells)


def translated(reason: str) -> str:
    """Return a refusal of the rules in the user's language; letters stay."""
    if found := _LEFT_OUT.fullmatch(reason):
        letter, others = found[1], _listed(found[2])
        text = ngettext(
            "{letter} touches {others}, which is not in the word",
            "{letter} touches {others}, which are not in the word",
            others.count(",") + 1,
        )
        return text.format(letter=letter, others=others)
    if found := _UNUSED.fullmatch(reason):
        others = _listed(found[1])
        text = ngettext(
            "{others} was laid but is not in the word",
            "{others} were laid but are not in the word",
            others.count(",") + 1,
        )
        return text.format(others=others)
    if found := _APART.fullmatch(reason):
        text = _("{one} and {other} are not on neighbouring hexagons")
        return text.format(one=found[1], other=found[2])
    if found := _UNKNOWN.fullmatch(reason):
        return _("{word} is not in the dictionary").format(word=found[1])
    return _(reason)


def _listed(names: str) -> str:
    """Return "A, B, C" for the rules' "A, B and C"."""
    return names.replace(" and ", ", ")
