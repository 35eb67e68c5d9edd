"""Hexcolumns as text: the wells side by side, two a row; a move in one line.

A hex is its colour's letter and its motif's sign; the falling piece is in capitals.
Each line is half a hex high, so neighbouring columns take turns.

Typed moves of Hexcolumns: for programs and puzzles, as a player's pieces fall.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, assert_never

from netplay.language import _, ngettext
from netplay.text.phrases import called, colour
from rules import hexcolumns
from rules import hexcolumns as game
from rules.game import Actor, IllegalMoveError, Resign, Seat

SIGNS: Final = {
    game.Motif.PLAIN: " ",
    game.Motif.SQUARE: "#",
    game.Motif.PLUS: "+",
    game.Motif.MINUS: "-",
    game.Motif.STAR: "*",
    game.Motif.BOMB: "@",
}
"""What stands for each motif behind the colour's letter."""

_ABREAST: Final = 2
_GAP: Final = 4


def board(
    view: game.State, names: Sequence[str] = (), below: Seat | None = None
) -> str:
    """Return all wells, each with its score, level, time and next piece."""
    del below  # the board has no sides
    seats = range(len(view.wells))
    wells = [_well(view, seat, called(seat, names)) for seat in seats]
    rows = list[str]()
    for first in range(0, len(wells), _ABREAST):
        row = wells[first : first + _ABREAST]
        width = max(len(line) for well in row for line in well) + _GAP
        lines = (
            "".join(part.ljust(width) for part in line).rstrip()
            for line in zip_longest(*row, fillvalue="")
        )
        rows.append("\n".join(lines))
    return "\n\n".join([*rows, legend()])


def line(
    before: game.State, actor: Actor, move: game.Move, names: Sequence[str]
) -> str:
    """Return a move in one line, with what came of it."""
    match move:
        case game.Gem(cell):
            colour, motif = game.COLOURS[game.colour(cell)], game.motif(cell)
            named = " ".join((_(colour), _(motif.name.lower())))
            return _("chance draws {hex}").format(hex=named)
        case game.Tick(seat):
            ticks = _("{name}'s clock ticks").format(name=names[seat])
            return f"{ticks}{_outcome(before, actor, move, seat)}"
        case Resign():
            return _("{name} resigns").format(name=names[actor])
        case game.Rise(rows):
            text = ngettext(
                "{n} row from the others in {name}'s well",
                "{n} rows from the others in {name}'s well",
                rows,
            )
            over = game.play(before, actor, move).wells[actor].over
            rise = [text.format(n=rows, name=names[actor])]
            return "; ".join([*rise, _("the well is full")] if over else rise)
        case _:
            done = _deed(move).format(name=names[actor])
            return f"{done}{_outcome(before, actor, move, actor)}"


def hint(view: game.State, seat: Seat, move: game.Move) -> str:
    """Return nothing: a piece has fallen before advice is read."""
    del view, seat, move
    return ""


def position(view: game.State) -> dict[str, Any]:
    """Return what a program is told; see `Writer.position`."""
    return {
        "size": view.size,
        "attacks": view.attacks,
        "wells": [_told_well(view, seat) for seat in range(len(view.wells))],
    }


def _told_well(view: game.State, seat: Seat) -> dict[str, Any]:
    """Return a seat's well, its columns from the left, each from the bottom."""
    well, size = view.wells[seat], view.size
    columns = {
        str(column): [
            _printed(cell)
            for height in range(game.depth(size, column))
            if (cell := well.cells[game.index(size, column, height)])
        ]
        for column in range(1 - size, size)
    }
    piece = {
        "column": well.column,
        "height": well.height,
        "hexes": list(map(_printed, well.piece)),
    }
    return {
        "seat": seat + 1,
        "points": well.score,
        "level": well.level,
        "seconds": -(-well.clock // game.HZ),
        "pieces": well.pieces,
        "columns": columns,
        "piece": piece if well.piece else None,
        "next": list(map(_printed, game.next_piece(view, seat))),
        "coming": game.owed(view, seat),
        "radar": well.radar,
        "paused": well.paused,
        "over": well.over,
        "resigned": well.resigned,
    }


def _printed(cell: int) -> str:
    """Return a hex in words that are the same in every language: `red star`."""
    motif = game.motif(cell)
    name = game.COLOURS[game.colour(cell)]
    return name if motif is game.Motif.PLAIN else f"{name} {motif.name.lower()}"


def written(view: game.State, seat: Seat, move: game.Input) -> str:
    """Return a move as it is typed."""
    del view, seat
    return next(words for words, known in MOVES.items() if known == move)


def legend() -> str:
    """Return what letters and signs mean."""
    colours = " ".join(map(colour, game.COLOURS))
    return f"{colours}   " + _("# square   @ bomb   + - *   capitals: falling")


def _deed(move: game.Input) -> str:  # noqa: C901 (one line for each input)
    """Return what a player has done; the name is to be put in."""
    match move:
        case game.Shift(by):
            deed = _("{name} moves left") if by < 0 else _("{name} moves right")
        case game.Slant(by) if by < 0:
            deed = _("{name} moves down to the left")
        case game.Slant():
            deed = _("{name} moves down to the right")
        case game.Rotate():
            deed = _("{name} rotates the piece")
        case game.Lower():
            deed = _("{name} lowers the piece")
        case game.Drop():
            deed = _("{name} drops the piece")
        case game.Radar(on) if on:
            deed = _("{name} switches the radar on")
        case game.Radar():
            deed = _("{name} switches the radar off")
        case game.Faster():
            deed = _("{name} goes up a level")
        case game.Pause():
            deed = _("{name} pauses")
        case game.Resume():
            deed = _("{name} resumes")
        case _:
            assert_never(move)
    return deed


def _outcome(before: game.State, actor: Actor, move: game.Move, seat: Seat) -> str:
    """Return what came of a piece that landed; nothing if it did not."""
    was, well = before.wells[seat], game.play(before, actor, move).wells[seat]
    if well.piece and well.pieces == was.pieces:
        return ""
    names = {
        game.Cause.STAR: _("a star"),
        game.Cause.BOMB: _("a bomb"),
        game.Cause.SQUARE: _("squares"),
        game.Cause.PLUS: _("all +"),
        game.Cause.LINE: _("alignments"),
    }
    went = ", ".join(names[cause] for cause in sorted({g.cause for g in well.gone}))
    hexes = sum(len(gone.cells) for gone in well.gone)
    points = f"+{well.gained}"
    if hexes:
        text = ngettext("for {n} hex ({what})", "for {n} hexes ({what})", hexes)
        points += f" {text.format(n=hexes, what=went)}"
    told = [points]
    if sent := well.sent - was.sent:
        text = ngettext("{n} row for the others", "{n} rows for the others", sent)
        told.append(text.format(n=sent))
    if well.over:
        told.append(_("the well is full"))
    return f": {'; '.join(told)}"


def _hex(cell: int, *, falling: bool = False) -> str:
    letter = game.COLOURS[game.colour(cell)][0]
    return (letter.upper() if falling else letter) + SIGNS[game.motif(cell)]


def _well(view: game.State, seat: Seat, name: str) -> list[str]:
    """Return a seat's well from the top, below what is to be known of it."""
    well, size = view.wells[seat], view.size
    seconds = -(-well.clock // game.HZ)
    following = " ".join(map(_hex, reversed(game.next_piece(view, seat)))).strip()
    if well.over:
        state = _("resigned") if well.resigned else _("full")
    else:
        piece = _("piece {n}").format(n=well.pieces)
        state = _("paused") if well.paused else piece
        if rows := game.owed(view, seat):
            coming = ngettext("{n} row is coming", "{n} rows are coming", rows)
            state = f"{state}  {coming.format(n=rows)}"
    level = _("level {n}").format(n=well.level)
    parts = [f"{level}  {seconds // 60}:{seconds % 60:02}"]
    if following:
        parts.append(_("next {piece}").format(piece=following))
    elif well.radar:
        parts.append(_("radar"))
    heads = [f"{name}: {well.score}", "  ".join(parts), state]
    # Twice the height above the lowest corner: 2 * (height + |column| / 2).
    return heads + [_half_row(well, size, y) for y in range(4 * size - 4, -1, -1)]


def _half_row(well: game.Well, size: int, y: int) -> str:
    """Return the cells whose centres are at the same height on the screen."""
    text = ""
    for column in range(1 - size, size):
        height, between = divmod(y - abs(column), 2)
        if between or not 0 <= height < game.depth(size, column):
            text += "  "
        elif column == well.column and 0 <= height - well.height < len(well.piece):
            text += _hex(well.piece[height - well.height], falling=True)
        else:
            cell = well.cells[game.index(size, column, height)]
            text += _hex(cell) if cell else "· "
    return text.rstrip()


MOVES: Final[Mapping[str, hexcolumns.Input]] = {
    "left": hexcolumns.Shift(-1),
    "right": hexcolumns.Shift(1),
    "down left": hexcolumns.Slant(-1),
    "down right": hexcolumns.Slant(1),
    "rotate": hexcolumns.Rotate(),
    "lower": hexcolumns.Lower(),
    "drop": hexcolumns.Drop(),
    "radar on": hexcolumns.Radar(on=True),
    "radar off": hexcolumns.Radar(on=False),
    "faster": hexcolumns.Faster(),
    "pause": hexcolumns.Pause(),
    "resume": hexcolumns.Resume(),
}
"""All that a player may do, but for giving up."""


def read(view: hexcolumns.State, seat: Seat, words: str) -> hexcolumns.Input:
    """Return the move that is meant; see `Typed.read`."""
    move = MOVES.get(" ".join(words.lower().split()))
    if move is None:
        others = ", ".join(MOVES)
        raise IllegalMoveError(
            "{words} is no move: type one of {others}", words=words, others=others
        )
    return move


def offers(view: hexcolumns.State, seat: Seat) -> Iterator[str]:
    """Yield every legal move."""
    legal = list(hexcolumns.moves(view, seat))
    return (words for words, move in MOVES.items() if move in legal)


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        ("left, right", _("move the piece to the next column, as high as it is")),
        ("down left, down right", _("move it to the next column and down")),
        ("rotate", _("rotate the piece: its lowest hex comes to the top")),
        ("lower, drop", _("lower it by a hex; let it fall")),
        ("radar on, radar off", _("show the next piece, or no more")),
        ("faster", _("go up a level")),
        ("pause, resume", _("stop the piece; go on")),
    )
