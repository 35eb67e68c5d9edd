"""From the tiles a seat lays to a move, and back to what it comes to."""

from collections.abc import Iterable, Sequence

from rules.game import IllegalMoveError, Seat
from rules.networdz.ground import Ground, ground
from rules.networdz.judging import Placed, Verdict, judge_placed
from rules.networdz.values import Laid, Lay, State
from rules.tiles import Shown, kind_of, owner


def lay(state: State, seat: Seat, laid: Iterable[Laid]) -> Lay:
    """Return the move that lays tiles of a seat's rack, given in any order.

    Args:
        state: One that knows the rack: the full state or the seat's own view.
        seat: Whose rack.
        laid: The letter matters for a blank only.

    Raises:
        IllegalMoveError: A tile is not on the rack.
    """
    blank = ground(state.options).blank
    ordered: list[Laid] = []
    shown: list[Shown] = []
    for each in sorted(laid, key=lambda laid: laid.cell):
        kind = kind_of(state.tiles, each.tile)
        if owner(state.tiles, each.tile) != seat or kind < 0:
            raise IllegalMoveError("That tile is not on the rack")
        letter = each.letter if kind == blank else kind
        ordered.append(Laid(each.cell, each.tile, letter))
        shown.append(Shown(each.tile, kind))
    return Lay(tuple(ordered), tuple(shown))


def judge(state: State, seat: Seat, laid: Iterable[Laid]) -> Verdict:
    """Return the words and points that tiles would make, or why they may not be laid.

    For windows: the tentative score, before anything is played.

    Args:
        state: One that knows the rack: the full state or the seat's own view.
        seat: Whose rack.
        laid: In any order; the letter matters for a blank only.
    """
    try:
        return judge_lay(state, lay(state, seat, laid))
    except IllegalMoveError as error:
        return Verdict(error=error.words)


def judge_lay(state: State, move: Lay) -> Verdict:
    """Return what a move comes to; that the seat holds the tiles is checked elsewhere.

    Raises:
        IllegalMoveError: The tiles cannot lie so at all.
    """
    field = ground(state.options)
    return judge_placed(field, state.letters, state.kinds, placed(field, state, move))


def placed(field: Ground, state: State, move: Lay) -> Sequence[Placed]:
    """Return the tiles of a move on their squares.

    Raises:
        IllegalMoveError: A square is none, blocked or taken; a letter is not the
            tile's; or the move is not written in the one allowed order.
    """
    if [each.tile for each in move.laid] != [each.tile for each in move.shown]:
        raise IllegalMoveError("The tiles shown are not the tiles laid")
    found: list[Placed] = []
    before = -1
    for each, shown in zip(move.laid, move.shown, strict=True):
        if not before < each.cell < field.size:
            raise IllegalMoveError("Tiles are laid on squares of the board, in order")
        before = each.cell
        if field.blocked[each.cell]:
            raise IllegalMoveError("You cannot play tiles on the blocked squares")
        if state.letters[each.cell]:
            raise IllegalMoveError("There is a tile on that square already")
        if shown.kind == field.blank:
            if each.letter not in field.free:
                raise IllegalMoveError("The blank needs a letter")
        elif each.letter != shown.kind:
            raise IllegalMoveError("That tile has another letter")
        found.append(Placed(each.cell, shown.kind, each.letter))
    return found
