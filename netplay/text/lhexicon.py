"""Lhexicon as text: the board row by row, racks and scores; a move in one line.

Typed moves of Lhexicon: a word, where it begins, and which way it goes.

`CODED G10 ddde` begins at the hexagon G10 and goes on by the keys that steer in the
window: w up, s down, q and a to the left, e and d to the right, the upper one up.  A
small letter is a blank, `qu` in brackets a blank for QU.  A hexagon may be typed by
its q and r, too: `-2,0`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final, assert_never

from netplay.language import _, ngettext, phrase
from netplay.said import Saying, Words, worded
from netplay.sentences import Says
from netplay.text.phrases import Held, called, holder, pick, seat_lines
from rules import hexes, lexicon, lhexicon
from rules.game import Actor, IllegalMoveError, Resign, Seat
from rules.lhexicon import (
    BLANK,
    EMPTY,
    LETTERS,
    POINTS,
    QU,
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
    Placed,
    Refusal,
    Reveal,
    State,
    Swap,
    Withdraw,
    cells,
    judge_lay,
    text,
    traps,
)
from rules.tiles import bag_size, on_rack, unseen

HIDDEN: Final = "▯"
"""A tile on a rack that this view does not know."""

_BARE: Final[Mapping[type, Saying]] = {
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
        letter = view.letters[number]
        if letter != EMPTY:
            face = text(letter).lower() if number in view.blanks else text(letter)
        elif (q, r) == hexes.CENTRE:
            face = "+"
        else:
            face = "*" if number in trapped else "·"
        rows[high] = f"{row.ljust(2 * (q + side + 1))}{face}"
        columns[q] = f"{cells.column_name(side, q):2}"
    held = [" ".join(map(_printed, kinds)) for kinds in view.tiles.kinds]
    gone = {seat for seat, resigned in enumerate(view.gone) if resigned}
    players = seat_lines(names, view.scores, held, view.turn, gone)
    bank = _("Letters left in the pool: {n}").format(n=bag_size(view.tiles))
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
            return ngettext(
                "{name} discards {n} letter", "{name} discards {n} letters", len(tiles)
            ).format(name=names[actor], n=len(tiles))
        case PickUp(swaps):
            return ngettext(
                "{name} picks up {n} blank", "{name} picks up {n} blanks", len(swaps)
            ).format(name=names[actor], n=len(swaps))
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
            return f"{written(view, seat, move)} = {verdict.points}"
        case Discard(tiles):
            letters = " ".join(_printed(held[tile]) for tile in tiles)
            return Says.HINT_EXCHANGE(letters=letters)
        case PickUp(shown=shown):
            letters = " ".join(_printed(each.kind) for each in shown)
            return Says.HINT_PICK_UP(letters=letters)
        case _:
            bare = _BARE.get(type(move))
            return "" if bare is None else bare()


def position(view: State) -> dict[str, Any]:
    """Return what a program is told; see `Writer.position`."""
    side = view.options.side
    laid = {n: letter for n, letter in enumerate(view.letters) if letter != EMPTY}
    players = [
        {
            "seat": seat + 1,
            "points": points,
            "rack": [_printed(kind) if kind >= 0 else None for kind in kinds],
            "lost_turns": view.debts[seat],
            "resigned": view.gone[seat],
        }
        for seat, (points, kinds) in enumerate(
            zip(view.scores, view.tiles.kinds, strict=True)
        )
    ]
    return {
        "side": side,
        "centre": cells.cell_name(side, cells.centre(side)),
        "tiles": {
            cells.cell_name(side, n): face(letter, blank=n in view.blanks)
            for n, letter in laid.items()
        },
        "traps": [[cells.cell_name(side, n) for n in group] for group in traps(view)],
        "values": {_printed(kind): points for kind, points in enumerate(POINTS)},
        "players": players,
        "bank": bag_size(view.tiles),
        "unseen": {
            _printed(kind): n
            for kind, n in enumerate(unseen(view.tiles))
            if n and view.options.unseen
        },
        "challenge": view.options.challenge,
        "announced": _told_word(view),
    }


def _told_word(view: State) -> dict[str, Any] | None:
    """Return the word that waits for answers, as a program is told of it."""
    word, side = view.announced, view.options.side
    if word is None:
        return None
    doubted = word.challenger
    return {
        "seat": view.turn + 1,
        "word": "".join(map(text, word.word)),
        "points": word.points,
        "laid": [cells.cell_name(side, placed.cell) for placed in word.laid],
        "waits_for": [seat + 1 for seat in word.answers] if doubted is None else [],
        "challenger": None if doubted is None else doubted + 1,
    }


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


STEPS: Final = "dewqas"
"""The keys of the six directions, in the order of `rules.hexes.STEPS`."""

_CELL: Final = r"\(?-?\d{1,3}\s*,\s*-?\d{1,3}\)?|[A-Za-z]{1,2}\d{1,3}"
"""A hexagon by q and r, or by letter and number as along the board in the window."""

_WORD: Final = re.compile(
    rf"(?P<word>(?:[A-Za-z]|\(qu\))+)\s+(?P<start>{_CELL})"
    r"\s+(?P<way>[dewqasDEWQAS]+)"
)
_LETTER: Final = re.compile(r"\(qu\)|[A-Za-z]")
_PICKED: Final = re.compile(rf"([A-Za-z])\s*({_CELL})")
_AT_ONCE: Final[Mapping[str, Move]] = {
    "pass": Pass(),
    "accept": Accept(),
    "challenge": Challenge(),
    "withdraw": Withdraw(),
    "insist": Insist(),
}


def read(view: State, seat: Seat, words: str) -> Move:
    """Return the move that is meant; see `Typed.read`."""
    head, _space, rest = words.partition(" ")
    if head.lower() in _AT_ONCE and not rest:
        return _AT_ONCE[head.lower()]
    if head.lower() in {"discard", "exchange"} and rest:
        # The move that exchanges letters; ? is a blank
        faces = rest.replace(" ", "")
        held = list(on_rack(view.tiles, seat).items())
        kinds = [BLANK if face == "?" else _kind(face) for face in faces.upper()]
        return Discard(tuple(sorted(_take(held, kind) for kind in kinds)))
    if head.lower() == "pickup" and rest:
        held = list(on_rack(view.tiles, seat).items())
        numbers = hexes.numbers(view.options.side)
        swaps: list[Swap] = []
        for face, name in _PICKED.findall(rest):
            cell = numbers.get(_started(view, name))
            if cell is None:
                raise IllegalMoveError("{place} is not on the board", place=name)
            swaps.append(Swap(_take(held, _kind(face.upper())), cell))
        if not swaps:
            raise IllegalMoveError("Type a letter and a hexagon, as in pickup E J8")
        return lhexicon.pick_up(view, swaps)
    found = _WORD.fullmatch(words)
    if found is None:
        raise IllegalMoveError(
            "{words} is no move: type it as in CODED G10 ddde", words=words
        )
    start = _started(view, found["start"])
    return _read_word(view, seat, found["word"], start, found["way"].lower())


def written(view: State, seat: Seat, move: Move) -> str:
    """Return a move as `read` takes it, hexagons as the window calls them."""
    held, side = on_rack(view.tiles, seat), view.options.side
    match move:
        case Lay():
            return _written_word(view, held, move)
        case Discard(tiles):
            kinds = sorted(held[tile] for tile in tiles)
            return (
                f"discard {''.join('?' if k == BLANK else LETTERS[k] for k in kinds)}"
            )
        case PickUp(swaps):
            each = (
                f"{LETTERS[held[s.tile]]} {cells.cell_name(side, s.cell)}"
                for s in swaps
            )
            return f"pickup {' '.join(each)}"
        case _:
            return next(words for words, known in _AT_ONCE.items() if known == move)


def face(letter: int, *, blank: bool) -> str:
    """Return a tile that lies on the board as `read` takes it."""
    shown = "(qu)" if letter == QU else text(letter)
    return shown.lower() if blank else shown


def _written_word(view: State, held: Mapping[int, int], move: Lay) -> str:
    """Return a word, where it begins, and its way."""
    laid = {placed.cell: placed for placed in move.laid}
    faces: list[str] = []
    for cell in move.path:
        placed = laid.get(cell)
        letter = view.letters[cell] if placed is None else placed.letter
        blank = placed is not None and held[placed.tile] == BLANK
        faces.append(face(letter, blank=blank))
    at = [hexes.hexagon(view.options.side)[cell] for cell in move.path]
    way = "".join(
        STEPS[hexes.STEPS.index((q - before_q, r - before_r))]
        for (before_q, before_r), (q, r) in pairwise(at)
    )
    return f"{''.join(faces)} {cells.cell_name(view.options.side, move.path[0])} {way}"


def _started(view: State, name: str) -> hexes.Hex:
    """Return q and r of a hexagon by either of its names.

    Raises:
        IllegalMoveError: There is none of such letter and number.
    """
    numbers = re.findall(r"-?\d+", name)
    if len(numbers) == 2:
        return int(numbers[0]), int(numbers[1])
    cell = cells.cells(view.options.side).get(name.upper())
    if cell is None:
        raise IllegalMoveError("{place} is not on the board", place=name)
    return hexes.hexagon(view.options.side)[cell]


def _read_word(view: State, seat: Seat, word: str, start: hexes.Hex, way: str) -> Lay:
    """Return the move that lays a word along a path."""
    faces = _LETTER.findall(word)
    if len(faces) != len(way) + 1:
        raise IllegalMoveError(
            "The way of {word} has {n} steps", word=word, n=len(faces) - 1
        )
    numbers = hexes.numbers(view.options.side)
    q, r = start
    held, laid, path = (
        list(on_rack(view.tiles, seat).items()),
        list[Placed](),
        list[int](),
    )
    for face, step in zip(faces, [None, *way], strict=True):
        if step is not None:
            dq, dr = hexes.STEPS[STEPS.index(step)]
            q, r = q + dq, r + dr
        cell = numbers.get((q, r))
        if cell is None:
            raise IllegalMoveError("{word} does not fit on the board there", word=word)
        path.append(cell)
        if face == "(qu)":
            letter, kind = QU, BLANK
        else:
            letter = LETTERS.index(face.upper())
            kind = BLANK if face.islower() else letter
        there = view.letters[cell]
        if there == EMPTY:
            laid.append(Placed(_take(held, kind), cell, letter))
        elif there != letter:
            raise IllegalMoveError(
                "At {place} there is {letter} already",
                place=cells.cell_name(view.options.side, cell),
                letter=text(there),
            )
    return lhexicon.lay(view, laid, path)


def _take(held: list[Held], kind: int) -> int:
    """Take a tile of a kind from what is left of the rack; return its number."""
    return pick(held, kind, "?" if kind == BLANK else LETTERS[kind])


def _kind(face: str) -> int:
    if face not in LETTERS:
        raise IllegalMoveError("There is no tile for {letter}", letter=face)
    return LETTERS.index(face)


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield the words of turns that are none of laying."""
    if view.announced is None:
        yield from ("pass", "discard ", "pickup ")
    elif view.announced.challenger is None:
        yield from ("accept", "challenge")
    else:
        yield from ("withdraw", "insist")


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        (
            "CODED G10 ddde",
            _(
                "lay a word: its first hexagon and the way on, by w up, s down, "
                "q up left, a down left, e up right, d down right; small letters "
                "are blanks, (qu) a blank for QU"
            ),
        ),
        ("discard ABC?", _("discard these letters for others; ? is a blank")),
        ("pickup E J8", _("put your E in place of the blank there")),
        ("pass", _("do nothing")),
        ("accept, challenge", _("answer to a word that is announced")),
        ("withdraw, insist", _("answer to a challenge of your word")),
    )
