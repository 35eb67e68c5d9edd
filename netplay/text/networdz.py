"""Networdz as text: squares, racks, scores and word lists; a move in one line.

Typed moves of Networdz: `8D WORD` across, `D8 WORD` down, and the other turns.

A small letter is a blank that stands for it, as in the records of other programs; a
tile of several letters stands in brackets where it could be read otherwise, as [CH].
Letters that lie on the board already are part of the word.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, assert_never

from msgspec.structs import asdict

from netplay.language import _, ngettext, phrase
from netplay.said import Saying, Words, worded
from netplay.sentences import Says
from netplay.text.phrases import Held, called, holder, pick, seat_lines
from rules import networdz
from rules.game import Actor, IllegalMoveError, Resign, Seat
from rules.networdz import (
    BONUS,
    NOBODY,
    PENALTY,
    Accept,
    Challenge,
    Draw,
    Expire,
    Ground,
    Laid,
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
    wrong,
)
from rules.networdz.judging import column_name, square_name
from rules.networdz.playing import ALIKE
from rules.tiles import Reveal, Show, Shown, bag_size, on_rack, unseen

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

_BARE: Final[Mapping[type, Saying]] = {
    Pass: Says.HINT_PASS,
    Accept: Says.HINT_ACCEPT,
    Challenge: Says.HINT_CHALLENGE,
}
"""Moves that are all said by their name."""

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
    held = [
        " ".join(_letters(field, kind) for kind in kinds) for kinds in view.tiles.kinds
    ]
    players = seat_lines(names, view.scores, held, view.turn, view.resigned)
    for seat, listed in enumerate(view.lists):
        if listed:
            players[seat] += f"\n      {', '.join(map(_line, listed))}"
    pool = _("Tiles left in the pool: {n}").format(n=bag_size(view.tiles))
    waits: list[str] = []
    if view.pending is not None:
        said = _("{name} may challenge what {other} has laid")
        other = called(view.pending.seat, names)
        waits.append(said.format(name=called(view.turn, names), other=other))
    legend = _(
        "' \" ^ letter x2 x3 x4   - = ~ word x2 x3 x4   # blocked   small: blank"
    )
    return "\n".join([f"   {heading}", *rows, legend, "", *players, pool, *waits])


def line(before: State, actor: Actor, move: Move, names: Sequence[str]) -> str:
    """Return a move in one line."""
    match move:
        case Lay() | Pass() | Renew() | Trade() | Resign():
            return _played(before, names[actor], move)
        case Accept():
            return _("{name} accepts the word").format(name=names[actor])
        case Challenge():
            told = _("{name} challenges the word").format(name=names[actor])
            return f"{told}: {verified(before, names)}"
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


def verified(before: State, names: Sequence[str]) -> str:
    """Return what the dictionary says to a challenged word, and who pays for it."""
    assert before.pending is not None  # else there is nothing to challenge
    owner, why = names[before.pending.seat], wrong(before)
    if why:
        text = _("{why}, {name} takes it back")
        return text.format(why=phrase(worded(why)), name=owner)
    loser = networdz.forfeited(before, Challenge())
    if loser is not None:
        return _("it is right, {name} loses a turn").format(name=names[loser])
    if before.options.challenge == "five":
        text = _("it is right, {name} gets {n} points")
        return text.format(name=owner, n=BONUS)
    return _("it is right")


def hint(view: State, seat: Seat, move: Move) -> Words:
    """Return a move that a seat might make; a word as it is typed, with its points."""
    field, held = ground(view.options), on_rack(view.tiles, seat)
    match move:
        case Lay():
            return _lay(field, view, move)
        case Pass(discards) if discards:
            letters = " ".join(_letters(field, held[tile]) for tile in discards)
            return Says.HINT_EXCHANGE(letters=letters)
        case Pass() | Accept() | Challenge():
            return _BARE[type(move)]()
        case Renew(shown):
            return Says.HINT_FOUR(letters=_letters(field, shown[0].kind))
        case Trade(cell, shown):
            where = square_name(field, cell, down=False)
            return Says.HINT_TRADE(letters=_letters(field, shown[0].kind), where=where)
        case _:
            return ""


def position(view: State) -> dict[str, Any]:
    """Return what a program is told; see `Writer.position`."""
    field, options, last = ground(view.options), view.options, view.last
    squares = [square for row in field.edition.board for square in row]
    kinds = field.edition.kinds
    players = [
        {
            "seat": seat + 1,
            "points": points,
            "rack": [kinds[kind].letters if kind >= 0 else None for kind in rack],
            "resigned": seat in view.resigned,
        }
        for seat, (points, rack) in enumerate(
            zip(view.scores, view.tiles.kinds, strict=True)
        )
    ]
    return {
        "width": field.width,
        "height": field.height,
        "start": _name(field, field.start),
        "squares": {
            _name(field, n): kind for n, kind in enumerate(squares) if kind != "."
        },
        "tiles": {
            _name(field, n): face(field, letter - 1, view.kinds[n] - 1)
            for n, letter in enumerate(view.letters)
            if letter
        },
        "values": {kind.letters: kind.points for kind in kinds},
        "players": players,
        "pool": bag_size(view.tiles),
        "unseen": {
            kinds[kind].letters: n
            for kind, n in enumerate(unseen(view.tiles))
            if n and view.options.counted
        },
        "passes": view.passes,
        "last": None
        if last.seat == NOBODY
        else {
            "seat": last.seat + 1,
            "laid": [_name(field, cell) for cell in last.cells],
            "points": last.points,
            "exchanged": last.discards,
        },
        "pending": None
        if view.pending is None
        else {
            "seat": view.pending.seat + 1,
            "laid": [_name(field, each.cell) for each in view.pending.laid],
            "points": view.pending.points,
        },
        "options": {
            name: value
            for name, value in asdict(options).items()
            if name not in {"edition", "lexicon"}
        },
    }


def _name(field: Ground, cell: int) -> str:
    """Return what a square is called where no word goes on from it."""
    return square_name(field, cell, down=False)


def _played(  # noqa: PLR0911 (one line for each kind of move)
    before: State, name: str, move: Lay | Pass | Renew | Trade | Resign
) -> str:
    field = ground(before.options)
    match move:
        case Lay():
            judged = judge_lay(before, move)
            if judged.error and not networdz.unchecked(before):
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


def _lay(field: Ground, before: State, move: Lay) -> str:
    """Return where a word is laid, and what it brings.

    A blank is a small letter, as it is typed.
    """
    verdict = judge_lay(before, move)
    main, *more = verdict.lines
    word = written_word(field, before, move)
    told = [f"{word} {main.points}", *map(_line, more)]
    return f"{', '.join(told)} = {verdict.points}"


def _letters(field: Ground, kind: int) -> str:
    return field.edition.kinds[kind].letters if kind >= 0 else HIDDEN


def _line(entry: Line) -> str:
    word = _("challenged in vain") if entry.word == "+!" else entry.word
    return f"{word} {entry.points}"


_AT_ONCE: Final[Mapping[str, Move]] = {
    "pass": Pass(),
    "accept": Accept(),
    "challenge": Challenge(),
}
"""Moves that are all said by their name."""


def read(view: State, seat: Seat, words: str) -> Move:
    """Return the move that is meant; see `Typed.read`."""
    field, (head, *rest) = ground(view.options), words.split() or [""]
    text = "".join(rest)
    match head.lower():
        case "pass" | "accept" | "challenge" as name if not text:
            return _AT_ONCE[name]
        case "exchange" | "discard" if text:
            return Pass(tuple(sorted(_held(view, seat, _tiles(field, text)))))
        case "renew" if text:
            numbers = sorted(_held(view, seat, _tiles(field, text) * ALIKE))
            return Renew(tuple(_shown(view, seat, numbers)))
        case "trade" if len(rest) == 2:
            cell, _step = _read_square(field, rest[1])
            numbers = _held(view, seat, _tiles(field, rest[0]))
            return Trade(cell, tuple(_shown(view, seat, numbers)))
        case _ if text:
            return _word(view, seat, field, head, text)
        case _:
            raise IllegalMoveError(
                "{words} is no move: type it as in 8D WORD", words=words
            )


def written(view: State, seat: Seat, move: Move) -> str:
    """Return a move as `read` takes it."""
    field, held = ground(view.options), on_rack(view.tiles, seat)
    match move:
        case Lay():
            return written_word(field, view, move)
        case Pass(discards) if discards:
            kinds = sorted(held[tile] for tile in discards)
            return f"exchange {_spelled(field, kinds)}"
        case Renew(shown):
            return f"renew {_spelled(field, [shown[0].kind])}"
        case Trade(cell, shown):
            name = square_name(field, cell, down=False)
            return f"trade {_spelled(field, [shown[0].kind])} {name}"
        case _:
            return next(name for name, bare in _AT_ONCE.items() if bare == move)


def written_word(field: Ground, view: State, move: Lay) -> str:
    """Return where a word begins, and its tiles; a blank is small."""
    cells = judge_lay(view, move).cells
    where = square_name(field, cells[0], down=cells[1] - cells[0] == field.width)
    laid = {
        one.cell: (one.letter, shown.kind)
        for one, shown in zip(move.laid, move.shown, strict=True)
    }
    faces = [
        face(field, *laid[n]) if n in laid else field.alphabet[view.letters[n] - 1]
        for n in cells
    ]
    return f"{where} {_joined(field, faces)}"


def face(field: Ground, letter: int, kind: int) -> str:
    """Return a tile of the board: what is printed on it, a blank's letter small."""
    if kind == field.blank:
        return field.alphabet[letter].lower()
    return field.alphabet[kind]


def _spelled(field: Ground, kinds: Sequence[int]) -> str:
    """Return tiles one after the other, as `_tiles` reads them; ? is a blank."""
    faces = ["?" if kind == field.blank else field.alphabet[kind] for kind in kinds]
    return _joined(field, faces)


def _joined(field: Ground, faces: Sequence[str]) -> str:
    """Return tiles as one word, in brackets where it would be read otherwise."""
    word = "".join(faces)
    with suppress(IllegalMoveError):
        if list(_parts(field, word, blank="?")) == list(faces):
            return word
    return "".join(f"[{each}]" for each in faces)


def _word(view: State, seat: Seat, field: Ground, place: str, text: str) -> Lay:
    """Return the move that lays a word from a square on."""
    start, step = _read_square(field, place)
    held = list(on_rack(view.tiles, seat).items())
    laid: list[Laid] = []
    cell, row = start, start // field.width
    for part in _parts(field, text):
        letter = field.alphabet.index(part.upper())
        kind = field.blank if part.islower() else letter
        if cell >= field.size or (step == 1 and cell // field.width != row):
            raise IllegalMoveError("{word} does not fit on the board there", word=text)
        there = view.letters[cell]
        if there:
            if there - 1 != letter:
                name = square_name(field, cell, down=False)
                lies = field.alphabet[there - 1]
                raise IllegalMoveError(
                    "At {place} there is {letter} already", place=name, letter=lies
                )
        else:
            tile = _take(field, held, kind)
            laid.append(Laid(cell, tile, letter))
        cell += step
    return networdz.lay(view, seat, laid)


def _read_square(field: Ground, place: str) -> tuple[int, int]:
    """Return the cell that a word begins at, and the step to the next one."""
    for cell in range(field.size):
        for down in (False, True):
            if square_name(field, cell, down=down) == place.upper():
                return cell, field.width if down else 1
    raise IllegalMoveError("{place} is no square: type it as in 8D or D8", place=place)


def _parts(field: Ground, text: str, *, blank: str = "") -> Iterator[str]:
    """Yield what is written for each tile, that in brackets as one.

    Elsewhere the longest is meant: CH, not C and H.

    Args:
        field: The edition's.
        text: All of them.
        blank: What stands for a blank, where one may be named.
    """
    by_length = sorted((*field.alphabet, *blank), key=len, reverse=True)
    at = 0
    while at < len(text):
        inside = re.match(r"\[([^][]+)\]", text[at:])
        rest = inside[1] if inside else text[at:]
        meant = (f for f in by_length if rest.upper().startswith(f))
        found = next((f for f in meant if not inside or f == rest.upper()), None)
        if found is None:
            raise IllegalMoveError("There is no tile for {letter}", letter=rest[0])
        yield rest[: len(found)]
        at += len(inside[0]) if inside else len(found)


def _tiles(field: Ground, text: str) -> list[int]:
    """Return the kinds of tiles written one after the other; ? is a blank."""
    parts = _parts(field, text.upper(), blank="?")
    return [field.blank if p == "?" else field.alphabet.index(p) for p in parts]


def _take(field: Ground, held: list[Held], kind: int) -> int:
    """Take a tile of a kind from what is left of the rack; return its number."""
    return pick(held, kind, "?" if kind == field.blank else field.alphabet[kind])


def _held(view: State, seat: Seat, kinds: Sequence[int]) -> list[int]:
    """Return the numbers of tiles of these kinds on the rack."""
    held, field = list(on_rack(view.tiles, seat).items()), ground(view.options)
    return [_take(field, held, kind) for kind in kinds]


def _shown(view: State, seat: Seat, numbers: Sequence[int]) -> Iterator[Shown]:
    """Yield tiles of the rack as they are shown to all."""
    kinds = on_rack(view.tiles, seat)
    return (Shown(number, kinds[number]) for number in numbers)


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield the words of turns that are none of laying: plays are for the player."""
    if view.pending is not None:
        yield from ("challenge", "accept")
    yield from ("pass", "exchange ", "trade ", "renew ")


def ways() -> tuple[tuple[str, str], ...]:
    """Return what may be typed."""
    return (
        (
            "8D WORD",
            _("lay a word across from row 8, column D; small letters are blanks"),
        ),
        ("D8 WORD", _("lay it downwards")),
        ("pass", _("lay nothing")),
        ("exchange ABC?", _("pass, and discard these tiles for others; ? is a blank")),
        ("trade X 8H", _("put your X in place of the blank there that stands for it")),
        ("renew E", _("exchange the whole rack, which holds four of these")),
        ("challenge", _("doubt the last word; any other move accepts it")),
        ("accept", _("let the last word stand, and then take your turn")),
    )
