"""Typed moves of Networdz: `8D WORD` across, `D8 WORD` down, and the other turns.

A small letter is a blank that stands for it, as in the records of other programs; a
tile of several letters stands in brackets where it could be read otherwise, as [CH].
Letters that lie on the board already are part of the word.
"""

import re
from collections.abc import Iterator, Sequence

from netplay.language import _
from netplay.text.typed.racks import Held, take
from rules import networdz
from rules.game import IllegalMoveError, Seat
from rules.networdz import Ground, Laid, Lay, Move, Pass, Renew, State, Trade, ground
from rules.networdz.judging import square_name
from rules.networdz.playing import ALIKE
from rules.tiles import Shown, on_rack


def read(view: State, seat: Seat, words: str) -> Move:
    """Return the move that is meant; see `Typed.read`."""
    field, (head, *rest) = ground(view.options), words.split() or [""]
    text = "".join(rest)
    match head.lower():
        case "pass" if not text:
            return Pass()
        case "exchange" | "discard" if text:
            return Pass(tuple(sorted(_held(view, seat, _tiles(field, text)))))
        case "renew" if text:
            numbers = sorted(_held(view, seat, _tiles(field, text) * ALIKE))
            return Renew(tuple(_shown(view, seat, numbers)))
        case "trade" if len(rest) == 2:
            return _trade(view, seat, field, *rest)
        case _ if text:
            return _word(view, seat, field, head, text)
        case _:
            raise IllegalMoveError(
                "{words} is no move: type it as in 8D WORD", words=words
            )


def _word(view: State, seat: Seat, field: Ground, place: str, text: str) -> Lay:
    """Return the move that lays a word from a square on."""
    start, step = _square(field, place)
    held = list(on_rack(view.tiles, seat).items())
    laid: list[Laid] = []
    cell, row = start, start // field.width
    for kind, letter in _letters(field, text):
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


def _square(field: Ground, place: str) -> tuple[int, int]:
    """Return the cell that a word begins at, and the step to the next one."""
    for cell in range(field.size):
        for down in (False, True):
            if square_name(field, cell, down=down) == place.upper():
                return cell, field.width if down else 1
    raise IllegalMoveError("{place} is no square: type it as in 8D or D8", place=place)


def _letters(field: Ground, text: str) -> Iterator[tuple[int, int]]:
    """Yield kind and letter of each tile of a word: the blank's kind for small ones."""
    bare = text.replace("[", "").replace("]", "")
    by_length = sorted(field.alphabet, key=len, reverse=True)
    at = 0
    while at < len(bare):
        rest = bare[at:]
        found = next((f for f in by_length if rest.upper().startswith(f)), None)
        if found is None:
            raise IllegalMoveError("There is no tile for {letter}", letter=rest[0])
        letter = field.alphabet.index(found)
        small = rest[: len(found)].islower()
        yield (field.blank if small else letter), letter
        at += len(found)


def _tiles(field: Ground, text: str) -> list[int]:
    """Return the kinds of tiles written one after the other; ? is a blank."""
    kinds: list[int] = []
    for part in re.split(r"(\?)", text):
        if part == "?":
            kinds.append(field.blank)
        elif part:
            kinds += [letter for _kind, letter in _letters(field, part.upper())]
    return kinds


def _take(field: Ground, held: list[Held], kind: int) -> int:
    """Take a tile of a kind from what is left of the rack; return its number."""
    return take(held, kind, "?" if kind == field.blank else field.alphabet[kind])


def _held(view: State, seat: Seat, kinds: Sequence[int]) -> list[int]:
    """Return the numbers of tiles of these kinds on the rack."""
    held, field = list(on_rack(view.tiles, seat).items()), ground(view.options)
    return [_take(field, held, kind) for kind in kinds]


def _shown(view: State, seat: Seat, numbers: Sequence[int]) -> Iterator[Shown]:
    """Yield tiles of the rack as they are shown to all."""
    kinds = on_rack(view.tiles, seat)
    return (Shown(number, kinds[number]) for number in numbers)


def _trade(view: State, seat: Seat, field: Ground, letter: str, place: str) -> Trade:
    """Return the move that puts a tile in place of a blank."""
    cell, _step = _square(field, place)
    numbers = _held(view, seat, _tiles(field, letter))
    return Trade(cell, tuple(_shown(view, seat, numbers)))


def offers(view: State, seat: Seat) -> Iterator[str]:
    """Yield the words of turns that are none of laying: plays are for the player."""
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
    )
