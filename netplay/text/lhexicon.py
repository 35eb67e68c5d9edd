"""Lhexicon as text: the board row by row, racks and scores; a move in one line."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from netplay.said import Words
from netplay.sentences import Says
from netplay.text.naming import called, counted, holder, labels
from netplay.text.typed import lhexicon as typed
from netplay.text.typed.racks import rack
from rules import hexes, lexicon
from rules.game import Actor, Resign, Seat
from rules.lhexicon import (
    BLANK,
    EMPTY,
    LETTERS,
    Accept,
    Bonus,
    Challenge,
    Discard,
    Expire,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Refusal,
    Reveal,
    State,
    Withdraw,
    judge_lay,
    text,
    traps,
)
from rules.tiles import bag_size

TYPED: Final = typed
"""Its moves as a player types them."""

HIDDEN: Final = "▯"
"""A tile on a rack that this view does not know."""

_BARE: Final[Mapping[type, Says]] = {
    Pass: Says.HINT_PASS,
    Accept: Says.HINT_ACCEPT,
    Challenge: Says.HINT_CHALLENGE,
    Withdraw: Says.HINT_WITHDRAW,
    Insist: Says.HINT_INSIST,
}
"""Moves that are all said by their name."""

LEGEND: Final = "+ centre   * trap   small: blank"


def board(view: State, names: Sequence[str] = ()) -> str:
    """Return the board, the racks, the scores and what the bank holds.

    Before each row stand q and r of its first hexagon; q grows to the right.
    """
    trapped = {cell for group in traps(view) for cell in group}
    cells = hexes.hexagon(view.options.side)
    rows: dict[int, str] = {}
    for number, (q, r) in enumerate(cells):
        # Two columns a cell, and half a cell further right from row to row.
        column = 2 * q + r + 2 * (view.options.side - 1)
        face = _face(view, number, trapped=number in trapped)
        rows[r] = f"{rows.get(r, '').ljust(column)}{face}"
    shown = labels(len(view.scores), names)
    players = [_player(view, seat, label) for seat, label in enumerate(shown)]
    bank = f"Letters left in the bank: {bag_size(view.tiles)}"
    waits = _waiting(view, names)
    first = {r: q for q, r in reversed(cells)}
    lines = [f"{first[r]:3},{r:<3} {row}" for r, row in rows.items()]
    return "\n".join([*lines, LEGEND, "", *players, bank, *waits])


def line(  # noqa: C901, PLR0911 (one line for each kind of move)
    before: State, actor: Actor, move: Move, names: Sequence[str]
) -> str:
    """Return a move in one line."""
    match move:
        case Lay():
            return f"{names[actor]} {_word(before, actor, move)}"
        case Discard(tiles):
            return f"{names[actor]} discards {counted(len(tiles), 'letter')}"
        case PickUp(swaps):
            return f"{names[actor]} picks up {counted(len(swaps), 'blank')}"
        case Pass():
            return f"{names[actor]} passes"
        case Accept():
            return f"{names[actor]} accepts the word"
        case Challenge():
            return f"{names[actor]} challenges the word"
        case Withdraw():
            return f"{names[actor]} withdraws the word"
        case Insist():
            return f"{names[actor]} stands by the word{_verified(before, names)}"
        case Resign():
            return f"{names[actor]} resigns"
        case Expire():
            return _expired(before, names)
        case Reveal(tile, kind):
            return f"{holder(before.tiles, tile, names)} draws {_printed(kind)}"
        case _:  # pragma: no cover (there is no other kind; the type checkers agree)
            assert_never(move)


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make; a word as it is typed, with its points."""
    held = dict(rack(view.tiles, seat))
    match move:
        case Lay():
            verdict = judge_lay(view, seat, move)
            if isinstance(verdict, Refusal):
                return ""
            return f"{typed.written(view, seat, move)} = {verdict.points}"
        case Discard(tiles):
            letters = " ".join(_printed(held[tile]) for tile in tiles)
            return Says.HINT_EXCHANGE(letters=letters)
        case PickUp(shown=shown):
            letters = " ".join(_printed(each.kind) for each in shown)
            return Says.HINT_PICK_UP(letters=letters)
        case _:
            bare = _BARE.get(type(move))
            return "" if bare is None else bare()


def _place(view: State, cell: int) -> str:
    q, r = hexes.hexagon(view.options.side)[cell]
    return f"({q}, {r})"


def _face(view: State, cell: int, *, trapped: bool) -> str:
    """Return what a cell shows: its letter, or what is special about it."""
    letter = view.letters[cell]
    if letter != EMPTY:
        return text(letter).lower() if cell in view.blanks else text(letter)
    if hexes.hexagon(view.options.side)[cell] == hexes.CENTRE:
        return "+"
    return "*" if trapped else "·"


def _player(view: State, seat: Seat, label: str) -> str:
    mark = ">" if view.turn == seat else " "
    rack = " ".join(map(_printed, view.tiles.kinds[seat]))
    gone = "  (resigned)" if view.gone[seat] else ""
    return f"{mark} {label} {view.scores[seat]:4}   {rack}{gone}".rstrip()


def _waiting(view: State, names: Sequence[str]) -> tuple[str, ...]:
    word = view.announced
    if word is None:
        return ()
    letters = "".join(map(text, word.word))
    said = f"{letters} is announced for {word.points}"
    who = [called(seat, names) for seat in range(len(view.scores))]
    if word.challenger is None:
        asked = ", ".join(who[seat] for seat in word.answers)
        return (f"{said}: {asked} may accept or challenge it",)
    said = f"{said}, and challenged by {who[word.challenger]}"
    return (f"{said}: {who[view.turn]} may withdraw it or stand by it",)


def _word(before: State, actor: Actor, move: Lay) -> str:
    verdict = judge_lay(before, actor, move)
    if isinstance(verdict, Refusal):
        return f"tries a word: {verdict.reason}"
    where = _place(before, move.path[0])
    scored = f"{verdict.text} from {where} = {verdict.points}"
    return f"lays {scored}{_bonus(verdict.bonus)}"


def _bonus(bonus: Bonus) -> str:
    told = [
        f"{verb} {counted(len(groups), 'trap')} of {sum(map(len, groups))}"
        for verb, groups in (("closes", bonus.closed), ("splits off", bonus.split))
        if groups
    ]
    return f" ({', '.join(told)})" if told else ""


def _expired(before: State, names: Sequence[str]) -> str:
    name = names[before.turn]
    if before.announced is None:
        return f"{name} loses the turn: the time is over"
    if before.announced.challenger is None:
        return "Nobody challenges the word in time"
    return f"{name} does not withdraw the word in time{_verified(before, names)}"


def _verified(before: State, names: Sequence[str]) -> str:
    """Return what the dictionary says to a challenged word, and who pays for it."""
    word = before.announced
    assert word is not None  # only a challenged word is verified
    assert word.challenger is not None
    if lexicon.find(before.options.lexicon).has(word.word):
        return f": it is right, {names[word.challenger]} loses a turn"
    return f": it is wrong, {names[before.turn]} takes it back"


def _printed(kind: int) -> str:
    if kind == BLANK:
        return "?"
    return LETTERS[kind] if kind >= 0 else HIDDEN
