"""Networdz as text: squares, racks, scores and word lists; a move in one line."""

from collections.abc import Sequence
from typing import Final, assert_never

from netplay.language import _, ngettext, phrase
from netplay.said import Words, worded
from netplay.sentences import Says
from netplay.text.phrases import holder, labels, resigned
from netplay.text.typed import networdz as typed
from rules.game import Actor, Resign, Seat
from rules.networdz import (
    PENALTY,
    Draw,
    Expire,
    Ground,
    Lay,
    Line,
    Move,
    Overtime,
    Pass,
    Renew,
    State,
    Trade,
    ground,
    judge_lay,
)
from rules.networdz.judging import column_name, square_name
from rules.tiles import Reveal, Show, bag_size, on_rack

TYPED: Final = typed
"""Its moves as a player types them."""

SYMBOLS: Final = {
    ".": "·",
    "L2": "'",
    "L3": '"',
    "L4": "^",
    "W2": "-",
    "W3": "=",
    "W4": "~",
    "##": "#",
}
"""Squares as other word-game programs write them."""

HIDDEN: Final = "▯"
"""A tile on a rack that this view does not know."""


def board(view: State, names: Sequence[str] = (), below: Seat | None = None) -> str:
    """Return the board, racks, scores, word lists and the pool."""
    del below  # the board has no sides
    field = ground(view.options)
    wide = max(map(len, field.alphabet)) + 1
    heading = "".join(f"{column_name(x):>{wide}}" for x in range(field.width))
    rows = [
        f"{number:2} "
        + "".join(f"{_square(field, view, cell):>{wide}}" for cell in row)
        for number, row in enumerate(field.rows, start=1)
    ]
    shown = labels(len(view.scores), names)
    players = [_player(field, view, seat, label) for seat, label in enumerate(shown)]
    pool = _("Tiles left in the pool: {n}").format(n=bag_size(view.tiles))
    return "\n".join([f"   {heading}", *rows, _legend(), "", *players, pool])


def _legend() -> str:
    return _("' \" ^ letter x2 x3 x4   - = ~ word x2 x3 x4   # blocked   small: blank")


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line."""
    match move:
        case Lay() | Pass() | Renew() | Trade() | Resign():
            return _played(before, names[actor], move)
        case Draw() | Reveal() | Show():
            return _turned_up(before, move, names)
        case Expire():
            text = _("{name} loses the turn: the time is over")
            return text.format(name=names[before.turn])
        case Overtime(seat):
            text = _("{name} is over time: -{points}")
            return text.format(name=names[seat], points=PENALTY)
        case _:
            assert_never(move)


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make; a word as it is typed, with its points."""
    field, held = ground(view.options), on_rack(view.tiles, seat)
    match move:
        case Lay():
            return _lay(field, view, move)
        case Pass(discards) if discards:
            letters = " ".join(_letters(field, held[tile]) for tile in discards)
            return Says.HINT_EXCHANGE(letters=letters)
        case Pass():
            return Says.HINT_PASS()
        case Renew(shown):
            return Says.HINT_FOUR(letters=_letters(field, shown[0].kind))
        case Trade(cell, shown):
            where = square_name(field, cell, down=False)
            return Says.HINT_TRADE(letters=_letters(field, shown[0].kind), where=where)
        case _:
            return ""


def _played(  # noqa: PLR0911 (one line for each kind of move)
    before: State, name: str, move: Lay | Pass | Renew | Trade | Resign
) -> str:
    field = ground(before.options)
    match move:
        case Lay():
            judged = judge_lay(before, move)
            if judged.error:
                text, why = _("{name} loses the turn: {why}"), worded(judged.error)
                return text.format(name=name, why=phrase(why))
            text = _("{name} lays {play}")
            return text.format(name=name, play=_lay(field, before, move))
        case Pass(discards) if discards:
            count = len(discards)
            text = ngettext(
                "{name} exchanges {n} tile", "{name} exchanges {n} tiles", count
            )
            return text.format(name=name, n=count)
        case Pass():
            return _("{name} passes").format(name=name)
        case Renew(shown):
            text = _("{name} shows four {letters} and exchanges the whole rack")
            return text.format(name=name, letters=_letters(field, shown[0].kind))
        case Trade(cell, shown):
            text = _("{name} trades {letters} for the blank at {where}")
            where = square_name(field, cell, down=False)
            letters = _letters(field, shown[0].kind)
            return text.format(name=name, letters=letters, where=where)
        case Resign():
            return _("{name} resigns").format(name=name)
        case _:
            assert_never(move)


def _turned_up(before: State, move: Draw | Reveal | Show, names: Sequence[str]) -> str:
    field = ground(before.options)
    letters = _letters(field, move.kind)
    match move:
        case Draw(seat):
            text, who = _("{name} draws {letters} for the start"), names[seat]
        case Reveal(tile):
            text, who = _("{name} draws {letters}"), holder(before.tiles, tile, names)
        case Show(tile):
            text, who = _("{name} shows {letters}"), holder(before.tiles, tile, names)
        case _:
            assert_never(move)
    return text.format(name=who, letters=letters)


def _square(field: Ground, view: State, cell: int) -> str:
    if not view.letters[cell]:
        row, column = divmod(cell, field.width)
        return SYMBOLS[field.edition.board[row][column]]
    letters = field.alphabet[view.letters[cell] - 1]
    return letters.lower() if view.kinds[cell] - 1 == field.blank else letters


def _player(field: Ground, view: State, seat: Seat, label: str) -> str:
    """Return a player's score, rack and word list."""
    mark = ">" if view.turn == seat else " "
    rack = " ".join(_letters(field, kind) for kind in view.tiles.kinds[seat])
    words = ", ".join(map(_line, view.lists[seat]))
    gone = f"  {resigned()}" if seat in view.resigned else ""
    head = f"{mark} {label} {view.scores[seat]:4}   {rack}{gone}"
    return f"{head.rstrip()}\n      {words}" if words else head.rstrip()


def _lay(field: Ground, before: State, move: Lay) -> str:
    """Return where a word that is good is laid, and what it brings.

    A blank is a small letter, as it is typed.
    """
    verdict = judge_lay(before, move)
    first, second = verdict.cells[:2]
    where = square_name(field, first, down=second - first == field.width)
    laid = {one.cell: one.letter for one in move.laid}
    pairs = zip(move.laid, move.shown, strict=True)
    blanks = {one.cell for one, shown in pairs if shown.kind == field.blank}
    letters = (laid.get(cell, before.letters[cell] - 1) for cell in verdict.cells)
    names = [field.alphabet[letter] for letter in letters]
    word = "".join(
        name.lower() if cell in blanks else name
        for cell, name in zip(verdict.cells, names, strict=True)
    )
    main, *more = verdict.lines
    told = [f"{word} {main.points}", *map(_line, more)]
    return f"{where} {', '.join(told)} = {verdict.points}"


def _letters(field: Ground, kind: int) -> str:
    return field.edition.kinds[kind].letters if kind >= 0 else HIDDEN


def _line(entry: Line) -> str:
    return f"{entry.word} {entry.points}"
