"""What a play is worth, or why it is not allowed."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from rules import lexicon
from rules.game import IllegalMoveError, Seat
from rules.lhexicon import cells
from rules.lhexicon.cells import Refusal
from rules.lhexicon.state import (
    BLANK,
    EMPTY,
    POINTS,
    STANDINS,
    Lay,
    PickUp,
    Placed,
    State,
    Swap,
    spelling,
    text,
)
from rules.sentence import sentence
from rules.tiles import Shown, kind_of, put

# Traps: empty cells walled in by letters, and what closing and splitting them earns.
#
# Source document, chapter 2, V "The Trap Bonus" and VI "Trap Splitting Bonus". The
# document shows both by pictures that are lost; the rule below is the one that gives
# every score its text states.


TRAP_POINTS: Final = 3
"""For each empty cell of a trap closed or split (source document, chapter 2, V, VI)."""


class Bonus(Struct, frozen=True, array_like=True):
    """What a play did to the traps: groups of cell numbers, each ascending."""

    closed: tuple[tuple[int, ...], ...] = ()
    """Traps that were no part of a trap before."""

    split: tuple[tuple[int, ...], ...] = ()
    """The parts of every trap that the play cut in two or more."""

    @property
    def points(self) -> int:
        """Return the points, `POINTS` for each empty cell."""
        return TRAP_POINTS * sum(len(group) for group in self.closed + self.split)


def find_traps(empty: int, side: int) -> tuple[int, ...]:
    """Return the traps among the empty cells, by their lowest cell.

    A trap is a connected group of empty cells none of which lies on the edge: "the
    edge of the board is never considered part of a trap".

    Args:
        empty: The set of all empty cells.
        side: Cells along one edge of the board.

    Returns:
        Each trap as a set of cells.
    """
    rim = cells.rim(side)
    return tuple(group for group in cells.groups(empty, side) if not group & rim)


def bonus(empty: int, laid: int, side: int) -> Bonus:
    """Return what laying tiles on these cells closes and splits.

    A trap that is only made smaller, or filled, gives nothing.

    Args:
        empty: The set of all cells empty before the play.
        laid: The set of the cells it fills, all of them empty before.
        side: Cells along one edge of the board.
    """
    before = find_traps(empty, side)
    closed: list[int] = []
    parts: list[list[int]] = [[] for _ in before]
    for trap in find_traps(empty & ~laid, side):
        homes = [part for part, old in zip(parts, before, strict=True) if old & trap]
        (homes[0] if homes else closed).append(trap)
    split = [trap for part in parts if len(part) > 1 for trap in part]
    return Bonus(
        closed=tuple(cells.members(trap) for trap in closed),
        split=tuple(cells.members(trap) for trap in split),
    )


class Verdict(Struct, frozen=True, array_like=True):
    """What a well-placed word earns."""

    points: int
    """All of it: the letters and the bonus."""

    word: tuple[int, ...]
    """The letters as the dictionary spells them: a blank may give two."""

    bonus: Bonus
    """The traps closed and split, cell by cell."""

    @property
    def text(self) -> str:
        """Return the word as players read it."""
        return "".join(text(letter) for letter in self.word)


def judge(
    state: State, seat: Seat, laid: Sequence[Placed], path: Sequence[int]
) -> Verdict | Refusal:
    """Say what laying these tiles and marking this word would earn, or why it may not.

    Whose turn it is does not matter, so that a player can try a word beforehand.

    Args:
        state: The match, or the seat's own view of it.
        seat: Whose tiles they are.
        laid: The new tiles, in any order.
        path: The cells of the word in spelling order.
    """
    return weigh(state, seat, laid, path, show(state, laid))


def judge_lay(state: State, seat: Seat, move: Lay) -> Verdict | Refusal:
    """Say what a move earns, or why it may not be made, believing what it shows."""
    return weigh(state, seat, move.laid, move.path, move.shown)


def weigh(
    state: State,
    seat: Seat,
    laid: Sequence[Placed],
    path: Sequence[int],
    shown: Sequence[Shown],
) -> Verdict | Refusal:
    """Say what `judge` says, taking the tiles for what they are shown to be."""
    fault = _misheld(state, seat, laid, shown)
    if fault:
        return fault
    letters = {each.cell: each.letter for each in laid}
    if len(letters) < len(laid):
        return Refusal("Two tiles lie on one hexagon")
    fault = cells.misplaced(state.letters, letters, path, state.options.side)
    if fault:
        return fault
    word = spelled(state.letters, letters, path)
    if checked(state) and not lexicon.find(state.options.lexicon).has(word):
        name = "".join(text(letter) for letter in word)
        return Refusal(
            sentence("{word} is not in the dictionary", word=name), tuple(path)
        )
    kinds = {each.cell: tile.kind for each, tile in zip(laid, shown, strict=True)}
    extra = bonus(empty(state), cells.mask(letters), state.options.side)
    face = sum(
        POINTS[kinds[cell] if cell in kinds else state.kind(cell)] for cell in path
    )
    return Verdict(face + extra.points, word, extra)


def _misheld(
    state: State, seat: Seat, laid: Sequence[Placed], shown: Sequence[Shown]
) -> Refusal | None:
    """Say what is wrong with the tiles themselves, or nothing."""
    if [each.tile for each in laid] != [each.tile for each in shown]:
        return Refusal("The tiles shown are not the tiles laid")
    try:
        put(state.tiles, seat, shown)
    except IllegalMoveError as error:
        return Refusal(error.words)
    for each, tile in zip(laid, shown, strict=True):
        if each.letter not in (STANDINS if tile.kind == BLANK else (tile.kind,)):
            return Refusal("That tile does not stand for that letter")
    return None


def spelled(
    letters: Sequence[int], laid: Mapping[int, int], path: Sequence[int]
) -> tuple[int, ...]:
    """Return the letters of a path as the dictionary spells them."""
    return tuple(
        letter for cell in path for letter in spelling(laid.get(cell, letters[cell]))
    )


def checked(state: State) -> bool:
    """Say whether the dictionary is asked before a word stands.

    With nobody left to challenge it always is.
    """
    return not state.options.challenge or state.gone.count(False) < 2


def empty(state: State) -> int:
    """Return the set of the empty cells."""
    return cells.mask(n for n, x in enumerate(state.letters) if x == EMPTY)


def traps(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the traps on the board, each as its cells in ascending order."""
    found = find_traps(empty(state), state.options.side)
    return tuple(cells.members(trap) for trap in found)


def touching(state: State, laid: Sequence[Placed]) -> tuple[int, ...]:
    """Return the cells of the earlier letters that these tiles oblige the word to use.

    Args:
        state: The match, or a view of it.
        laid: Tiles on empty cells of the board.
    """
    old = cells.whole(state.options.side) & ~empty(state)
    new = cells.mask(each.cell for each in laid)
    return cells.members(cells.touched(old, new, state.options.side))


def show(state: State, laid: Sequence[Placed | Swap]) -> tuple[Shown, ...]:
    """Return what the tiles of a play are, as far as this state knows."""
    return tuple(Shown(each.tile, kind_of(state.tiles, each.tile)) for each in laid)


def lay(state: State, laid: Sequence[Placed], path: Sequence[int]) -> Lay:
    """Return the move that lays these tiles for this word.

    Args:
        state: The match, or the view of whose tiles they are.
        laid: The new tiles in any order, all of them in the word.
        path: The cells of the word in spelling order.
    """
    by_cell = {each.cell: each for each in laid}
    ordered = tuple(by_cell[cell] for cell in path if cell in by_cell)
    return Lay(ordered, tuple(path), show(state, ordered))


def pick_up(state: State, swaps: Sequence[Swap]) -> PickUp:
    """Return the move that swaps tiles for blanks, given in any order."""
    ordered = tuple(sorted(swaps, key=lambda swap: swap.cell))
    return PickUp(ordered, show(state, ordered))
