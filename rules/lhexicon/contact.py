"""Where a word may lie: one path over neighbouring cells that keeps the contact rule.

Source document, chapter 2, I and IV.  Nothing here knows a dictionary.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from rules import hexes
from rules.lhexicon import cells
from rules.lhexicon.letters import EMPTY, text
from rules.sentence import sentence


class Refusal(Struct, frozen=True, array_like=True):
    """Why a play is not allowed, and which cells show it."""

    reason: str
    """A sentence for the player."""

    cells: tuple[int, ...] = ()
    """The cells the sentence is about, for a window to mark."""


def touched(old: int, laid: int, side: int) -> int:
    """Return the earlier tiles that the word must use: those that touch a new one.

    "All previously played letters touching newly placed letters are to be used in the
    word" (source document, chapter 2, IV).

    Args:
        old: The set of cells that were filled before.
        laid: The set of cells filled now.
        side: Cells along one edge of the board.
    """
    return cells.spread(laid, side) & old


def misplaced(
    letters: Sequence[int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Refusal | None:
    """Say what is wrong with where a word lies, or nothing.

    Args:
        letters: The letter on each cell before the play, `EMPTY` for none.
        laid: Cell -> letter for the tiles laid now.
        path: The cells of the marked word in spelling order.
        side: Cells along one edge of the board.

    Returns:
        The first rule broken, in the order in which a player sets about a word.
    """
    return next(_faults(letters, laid, path, side), None)


def _faults(
    letters: Sequence[int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Iterator[Refusal]:
    # Only the first is ever asked for, so each line may lean on those before it.
    yield from _faults_of_tiles(letters, laid)
    after = {**{n: x for n, x in enumerate(letters) if x != EMPTY}, **laid}
    yield from _faults_of_path(after, path, side)
    left = tuple(sorted(set(laid) - set(path)))
    if left:
        names, one = _listed(after, left), len(left) == 1
        laid_apart = (
            sentence("{others} was laid but is not in the word", others=names)
            if one
            else sentence("{others} were laid but are not in the word", others=names)
        )
        yield Refusal(laid_apart, left)
    if len(path) < 2:
        yield Refusal("A word has at least two letters", tuple(path))
    yield from _faults_of_contact(after, laid, path, side)


def _faults_of_tiles(
    letters: Sequence[int], laid: Mapping[int, int]
) -> Iterator[Refusal]:
    if not laid:
        yield Refusal("No tiles played")
    if any(not 0 <= cell < len(letters) for cell in laid):
        yield Refusal("There is no such hexagon")
    taken = tuple(cell for cell in laid if letters[cell] != EMPTY)
    if taken:
        yield Refusal("There is a letter on that hexagon already", taken)


def _faults_of_path(
    after: Mapping[int, int], path: Sequence[int], side: int
) -> Iterator[Refusal]:
    if len(set(path)) < len(path):
        yield Refusal("A letter may be used only once in the word", tuple(path))
    if any(cell not in after for cell in path):
        yield Refusal("The word runs over an empty hexagon")
    near = hexes.adjacent(side)
    for a, b in pairwise(path):
        if b not in near[a]:
            apart = sentence(
                "{one} and {other} are not on neighbouring hexagons",
                one=text(after[a]),
                other=text(after[b]),
            )
            yield Refusal(apart, (a, b))


def _faults_of_contact(
    after: Mapping[int, int], laid: Mapping[int, int], path: Sequence[int], side: int
) -> Iterator[Refusal]:
    old = cells.mask(after.keys() - laid.keys())
    word = cells.mask(path)
    if not old and not word & 1 << cells.centre(side):
        yield Refusal("The first word must cover the centre", (cells.centre(side),))
    for cell in sorted(laid):
        missed = cells.members(touched(old, 1 << cell, side) & ~word)
        if missed:
            template = "{letter} touches {others}, which are not in the word"
            if len(missed) == 1:
                template = "{letter} touches {others}, which is not in the word"
            names = _listed(after, missed)
            touching = sentence(template, letter=text(after[cell]), others=names)
            yield Refusal(touching, missed)
    if old and not word & old:
        yield Refusal("The word must use a letter already on the board")


def _listed(after: Mapping[int, int], which: Sequence[int]) -> str:
    return ", ".join(text(after[cell]) for cell in which)
