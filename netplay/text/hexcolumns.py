"""Hexcolumns as text: the wells side by side, two a row; a move in one line.

A hex is its colour's letter and its motif's sign; the falling piece is in capitals.
Each line is half a hex high, so neighbouring columns take turns.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final, assert_never

from netplay.text.naming import called, counted
from rules import hexcolumns as game
from rules.game import Actor, Resign, Seat

TYPED: Final = None
"""Nobody types as fast as the pieces fall."""

SIGNS: Final = {
    game.Motif.PLAIN: " ",
    game.Motif.SQUARE: "#",
    game.Motif.PLUS: "+",
    game.Motif.MINUS: "-",
    game.Motif.STAR: "*",
    game.Motif.BOMB: "@",
}
"""What stands for each motif behind the colour's letter."""

LEGEND: Final = (
    " ".join(game.COLOURS) + "   # square   @ bomb   + - *   capitals: falling"
)

_ABREAST: Final = 2
_GAP: Final = 4

_WENT: Final = {
    game.Cause.STAR: "a star",
    game.Cause.BOMB: "a bomb",
    game.Cause.SQUARE: "squares",
    game.Cause.PLUS: "all +",
    game.Cause.LINE: "alignments",
}


def board(view: game.State, names: Sequence[str] = ()) -> str:
    """Return all wells, each with its score, level, time and next piece."""
    seats = range(len(view.wells))
    wells = [_well(view, seat, called(seat, names)) for seat in seats]
    rows = [wells[i : i + _ABREAST] for i in range(0, len(wells), _ABREAST)]
    return "\n\n".join(["\n".join(_abreast(row)) for row in rows] + [LEGEND])


def line(
    before: game.State, actor: Actor, move: game.Move, names: Sequence[str]
) -> str:
    """Return a move in one line, with what came of it."""
    match move:
        case game.Gem(cell):
            return f"chance draws {_name(cell)}"
        case game.Tick(seat):
            return f"{names[seat]}'s clock ticks{_outcome(before, actor, move, seat)}"
        case Resign():
            return f"{names[actor]} gives up"
        case game.Rise(rows):
            over = game.play(before, actor, move).wells[actor].over
            end = "; the well is full" if over else ""
            come = counted(rows, "row")
            return f"{come} from the others in {names[actor]}'s well{end}"
        case _:
            done = _deed(move)
            return f"{names[actor]} {done}{_outcome(before, actor, move, actor)}"


def hint(view: game.State, seat: Seat, move: game.Move) -> str:
    """Return nothing: a piece has fallen before advice is read."""
    del view, seat, move
    return ""


def _deed(move: game.Input) -> str:
    match move:
        case game.Shift(by):
            deed = f"moves {_side(by)}"
        case game.Slant(by):
            deed = f"moves down to the {_side(by)}"
        case game.Rotate():
            deed = "rotates the piece"
        case game.Lower():
            deed = "lowers the piece"
        case game.Drop():
            deed = "drops the piece"
        case game.Radar(on):
            deed = f"switches the radar {'on' if on else 'off'}"
        case game.Faster():
            deed = "goes up a level"
        case game.Pause():
            deed = "pauses"
        case game.Resume():
            deed = "resumes"
        case _:
            assert_never(move)
    return deed


def _side(by: int) -> str:
    return "left" if by < 0 else "right"


def _outcome(before: game.State, actor: Actor, move: game.Move, seat: Seat) -> str:
    """Return what came of a piece that landed; nothing if it did not."""
    was, well = before.wells[seat], game.play(before, actor, move).wells[seat]
    if well.piece and well.pieces == was.pieces:
        return ""
    went = ", ".join(_WENT[cause] for cause in sorted({g.cause for g in well.gone}))
    hexes = sum(len(gone.cells) for gone in well.gone)
    what = f" for {hexes} hexes ({went})" if hexes else ""
    sent = well.sent - was.sent
    to = f"; {counted(sent, 'row')} for the others" if sent else ""
    end = "; the well is full" if well.over else ""
    return f": +{well.gained}{what}{to}{end}"


def _name(cell: int) -> str:
    motif = game.motif(cell)
    return f"{game.COLOURS[game.colour(cell)]} {motif.name.lower()}"


def _hex(cell: int, *, falling: bool = False) -> str:
    letter = game.COLOURS[game.colour(cell)][0]
    return (letter.upper() if falling else letter) + SIGNS[game.motif(cell)]


def _abreast(wells: Sequence[Sequence[str]]) -> list[str]:
    """Put texts side by side."""
    width = max(len(row) for well in wells for row in well) + _GAP
    rows = zip_longest(*wells, fillvalue="")
    return ["".join(part.ljust(width) for part in row).rstrip() for row in rows]


def _well(view: game.State, seat: Seat, name: str) -> list[str]:
    """Return a seat's well from the top, below what is to be known of it."""
    well, size = view.wells[seat], view.size
    seconds = -(-well.clock // game.HZ)
    following = " ".join(map(_hex, reversed(game.next_piece(view, seat)))).strip()
    state = "given up" if well.resigned else "full" if well.over else ""
    playing = "paused" if well.paused else f"piece {well.pieces}"
    rows = game.owed(view, seat)
    coming = f"  {counted(rows, 'row')} coming" if rows else ""
    heads = [
        f"{name}: {well.score}",
        f"level {well.level}  {seconds // 60}:{seconds % 60:02}"
        + (f"  next {following}" if following else "")
        + ("  radar" if well.radar and not following else ""),
        state or playing + coming,
    ]
    # Twice the height above the lowest corner: 2 * (height + |column| / 2).
    return heads + [_half_row(well, size, y) for y in range(4 * size - 4, -1, -1)]


def _half_row(well: game.Well, size: int, y: int) -> str:
    """Return the cells whose centres are at the same height on the screen."""
    text = ""
    for column in range(1 - size, size):
        height, between = divmod(y - abs(column), 2)
        if between or not 0 <= height < game.depth(size, column):
            text += "  "
        else:
            text += _cell(well, size, column, height)
    return text.rstrip()


def _cell(well: game.Well, size: int, column: int, height: int) -> str:
    up = height - well.height
    if column == well.column and 0 <= up < len(well.piece):
        return _hex(well.piece[up], falling=True)
    cell = well.cells[game.index(size, column, height)]
    return _hex(cell) if cell else "· "
