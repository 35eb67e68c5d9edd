"""Lhexicon as text: the board row by row, racks and scores; a move in one line."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final, assert_never

from netplay.language import _, ngettext, phrase
from netplay.said import Words, worded
from netplay.sentences import Says
from netplay.text.phrases import called, holder, labels, resigned
from netplay.text.typed import lhexicon as typed
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
    cells,
    judge_lay,
    text,
    traps,
)
from rules.tiles import bag_size, on_rack

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


def board(view: State, names: Sequence[str] = (), below: Seat | None = None) -> str:
    """Return the board as the window has it, the racks, the scores and the bank.

    A line is half a cell high, for every other column stands half a cell higher; two
    lines are a row and have its number.
    """
    del below  # the board has no sides
    trapped = {cell for group in traps(view) for cell in group}
    side = view.options.side
    rows: dict[int, str] = {}
    columns: dict[int, str] = {}
    for number, (q, r) in sorted(enumerate(hexes.hexagon(side)), key=itemgetter(1)):
        high = cells.halves(side, q, r)
        row = rows.get(high) or f"{cells.row_number(side, q, r):2}  "
        face = _face(view, number, trapped=number in trapped)
        rows[high] = f"{row.ljust(2 * (q + side + 1))}{face}"
        columns[q] = f"{cells.column_name(side, q):2}"
    shown = labels(len(view.scores), names)
    players = [_player(view, seat, label) for seat, label in enumerate(shown)]
    bank = _("Letters left in the bank: {n}").format(n=bag_size(view.tiles))
    legend = _("+ centre   * trap   small: blank")
    waits = _waiting(view, names)
    lines = [rows[high] for high in sorted(rows, reverse=True)]
    letters = f"    {''.join(columns.values())}".rstrip()
    return "\n".join([*lines, letters, legend, "", *players, bank, *waits])


def line(  # noqa: C901, PLR0911 (one line for each kind of move)
    before: State, actor: Actor, move: Move, names: Sequence[str]
) -> str:
    """Return a move in one line."""
    match move:
        case Lay():
            return _word(before, actor, move, names[actor])
        case Discard(tiles):
            return _many_letters(len(tiles)).format(name=names[actor], n=len(tiles))
        case PickUp(swaps):
            return _many_blanks(len(swaps)).format(name=names[actor], n=len(swaps))
        case Pass():
            return _("{name} passes").format(name=names[actor])
        case Accept():
            return _("{name} accepts the word").format(name=names[actor])
        case Challenge():
            return _("{name} challenges the word").format(name=names[actor])
        case Withdraw():
            return _("{name} withdraws the word").format(name=names[actor])
        case Insist():
            told = _("{name} stands by the word").format(name=names[actor])
            return f"{told}: {_verified(before, names)}"
        case Resign():
            return _("{name} resigns").format(name=names[actor])
        case Expire():
            return _expired(before, names)
        case Reveal(tile, kind):
            who = holder(before.tiles, tile, names)
            return _("{name} draws {letters}").format(name=who, letters=_printed(kind))
        case _:  # pragma: no cover (there is no other kind; the type checkers agree)
            assert_never(move)


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make; a word as it is typed, with its points."""
    held = on_rack(view.tiles, seat)
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
    gone = f"  {resigned()}" if view.gone[seat] else ""
    return f"{mark} {label} {view.scores[seat]:4}   {rack}{gone}".rstrip()


def _waiting(view: State, names: Sequence[str]) -> tuple[str, ...]:
    word = view.announced
    if word is None:
        return ()
    letters = "".join(map(text, word.word))
    who = [called(seat, names) for seat in range(len(view.scores))]
    if word.challenger is None:
        said = _("{word} is announced for {n}: {names} may accept or challenge it")
        asked = ", ".join(who[seat] for seat in word.answers)
        return (said.format(word=letters, n=word.points, names=asked),)
    said = _(
        "{word} is announced for {n}, and challenged by {other}: {name} may withdraw "
        "it or stand by it"
    )
    other, name = who[word.challenger], who[view.turn]
    return (said.format(word=letters, n=word.points, other=other, name=name),)


def _many_letters(count: int) -> str:
    return ngettext("{name} discards {n} letter", "{name} discards {n} letters", count)


def _many_blanks(count: int) -> str:
    return ngettext("{name} picks up {n} blank", "{name} picks up {n} blanks", count)


def _word(before: State, actor: Actor, move: Lay, name: str) -> str:
    verdict = judge_lay(before, actor, move)
    if isinstance(verdict, Refusal):
        why = phrase(worded(verdict.reason))
        return _("{name} tries a word: {why}").format(name=name, why=why)
    text, where = (
        _("{name} lays {word} from {where} = {n}"),
        cells.cell_name(before.options.side, move.path[0]),
    )
    laid = text.format(name=name, word=verdict.text, where=where, n=verdict.points)
    return f"{laid}{_bonus(verdict.bonus)}"


def _bonus(bonus: Bonus) -> str:
    closed, split = len(bonus.closed), len(bonus.split)
    told: list[str] = []
    if closed:
        text = ngettext(
            "closes {n} trap of {size}", "closes {n} traps of {size}", closed
        )
        told.append(text.format(n=closed, size=sum(map(len, bonus.closed))))
    if split:
        text = ngettext(
            "splits off {n} trap of {size}", "splits off {n} traps of {size}", split
        )
        told.append(text.format(n=split, size=sum(map(len, bonus.split))))
    return f" ({', '.join(told)})" if told else ""


def _expired(before: State, names: Sequence[str]) -> str:
    name = names[before.turn]
    if before.announced is None:
        return _("{name} loses the turn: the time is over").format(name=name)
    if before.announced.challenger is None:
        return _("Nobody challenges the word in time")
    told = _("{name} does not withdraw the word in time").format(name=name)
    return f"{told}: {_verified(before, names)}"


def _verified(before: State, names: Sequence[str]) -> str:
    """Return what the dictionary says to a challenged word, and who pays for it."""
    word = before.announced
    assert word is not None  # only a challenged word is verified
    assert word.challenger is not None
    if lexicon.find(before.options.lexicon).has(word.word):
        text, who = _("it is right, {name} loses a turn"), names[word.challenger]
    else:
        text, who = _("it is wrong, {name} takes it back"), names[before.turn]
    return text.format(name=who)


def _printed(kind: int) -> str:
    if kind == BLANK:
        return "?"
    return LETTERS[kind] if kind >= 0 else HIDDEN
