"""Putting tiles on the board and taking them off it again."""

from msgspec.structs import replace

from rules import tiles
from rules.lhexicon.letters import BLANK, EMPTY
from rules.lhexicon.state import Placed, State
from rules.tiles import Shown


def upon(state: State, laid: tuple[Placed, ...], shown: tuple[Shown, ...]) -> State:
    """Return the state with these tiles on the board, whatever else holds."""
    letters, numbers = list(state.letters), list(state.numbers)
    blanks = set(state.blanks)
    for each, tile in zip(laid, shown, strict=True):
        letters[each.cell], numbers[each.cell] = each.letter, each.tile
        blanks.discard(each.cell)
        if tile.kind == BLANK:
            blanks.add(each.cell)
    return replace(
        state,
        letters=tuple(letters),
        numbers=tuple(numbers),
        blanks=tuple(sorted(blanks)),
    )


def withdraw(state: State) -> State:
    """Return an announced word's tiles to the rack; everybody has seen them."""
    word = state.announced
    assert word is not None  # asked for only while one is there
    letters, numbers = list(state.letters), list(state.numbers)
    for each in word.laid:
        letters[each.cell] = numbers[each.cell] = EMPTY
    cells = {each.cell for each in word.laid}
    return replace(
        state,
        tiles=tiles.take(state.tiles, state.turn, word.shown),
        letters=tuple(letters),
        numbers=tuple(numbers),
        blanks=tuple(cell for cell in state.blanks if cell not in cells),
        announced=None,
    )
