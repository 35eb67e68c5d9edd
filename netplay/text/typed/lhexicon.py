"""Typed moves of Lhexicon: a word, where it begins, and which way it goes.

`CODED G10 ddde` begins at the hexagon G10 and goes on by the keys that steer in the
window: w up, s down, q and a to the left, e and d to the right, the upper one up.  A
small letter is a blank, `qu` in brackets a blank for QU.  A hexagon may be typed by
its q and r, too: `-2,0`.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from netplay.language import _
from netplay.text.typed.racks import Held, take
from rules import hexes, lhexicon
from rules.game import IllegalMoveError, Seat
from rules.lhexicon import (
    BLANK,
    EMPTY,
    LETTERS,
    QU,
    Accept,
    Challenge,
    Discard,
    Insist,
    Lay,
    Move,
    Pass,
    PickUp,
    Placed,
    State,
    Swap,
    Withdraw,
    text,
)
from rules.lhexicon.cells import cell_name, cells
from rules.tiles import on_rack

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
_BARE: Final[Mapping[str, Move]] = {
    "pass": Pass(),
    "accept": Accept(),
    "challenge": Challenge(),
    "withdraw": Withdraw(),
    "insist": Insist(),
}


def read(view: State, seat: Seat, words: str) -> Move:
    """Return the move that is meant; see `Typed.read`."""
    head, _space, rest = words.partition(" ")
    if head.lower() in _BARE and not rest:
        return _BARE[head.lower()]
    if head.lower() in {"discard", "exchange"} and rest:
        return _discard(view, seat, rest.replace(" ", ""))
    if head.lower() == "pickup" and rest:
        return _picked_up(view, seat, rest)
    found = _WORD.fullmatch(words)
    if found is None:
        raise IllegalMoveError(
            "{words} is no move: type it as in CODED G10 ddde", words=words
        )
    start = _started(view, found["start"])
    return _word(view, seat, found["word"], start, found["way"].lower())


def written(view: State, seat: Seat, move: Lay) -> str:
    """Return a word as `read` takes it, its first hexagon as the window calls it."""
    held = on_rack(view.tiles, seat)
    laid = {placed.cell: placed for placed in move.laid}
    faces: list[str] = []
    for cell in move.path:
        placed = laid.get(cell)
        letter = view.letters[cell] if placed is None else placed.letter
        face = "(qu)" if letter == QU else text(letter)
        blank = placed is not None and held[placed.tile] == BLANK
        faces.append(face.lower() if blank else face)
    at = [hexes.hexagon(view.options.side)[cell] for cell in move.path]
    way = "".join(
        STEPS[hexes.STEPS.index((q - before_q, r - before_r))]
        for (before_q, before_r), (q, r) in pairwise(at)
    )
    return f"{''.join(faces)} {cell_name(view.options.side, move.path[0])} {way}"


def _started(view: State, name: str) -> hexes.Hex:
    """Return q and r of a hexagon by either of its names.

    Raises:
        IllegalMoveError: There is none of such letter and number.
    """
    numbers = re.findall(r"-?\d+", name)
    if len(numbers) == 2:
        return int(numbers[0]), int(numbers[1])
    cell = cells(view.options.side).get(name.upper())
    if cell is None:
        raise IllegalMoveError("{place} is not on the board", place=name)
    return hexes.hexagon(view.options.side)[cell]


def _word(view: State, seat: Seat, word: str, start: hexes.Hex, way: str) -> Lay:
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
        letter, kind = _meant(face)
        there = view.letters[cell]
        if there == EMPTY:
            laid.append(Placed(_take(held, kind), cell, letter))
        elif there != letter:
            raise IllegalMoveError(
                "At {place} there is {letter} already",
                place=cell_name(view.options.side, cell),
                letter=text(there),
            )
    return lhexicon.lay(view, laid, path)


def _meant(face: str) -> tuple[int, int]:
    """Return letter and kind of a tile as it is typed."""
    if face == "(qu)":
        return QU, BLANK
    letter = LETTERS.index(face.upper())
    return letter, BLANK if face.islower() else letter


def _take(held: list[Held], kind: int) -> int:
    """Take a tile of a kind from what is left of the rack; return its number."""
    return take(held, kind, "?" if kind == BLANK else LETTERS[kind])


def _discard(view: State, seat: Seat, faces: str) -> Discard:
    """Return the move that exchanges letters; ? is a blank."""
    held = list(on_rack(view.tiles, seat).items())
    kinds = [BLANK if face == "?" else _kind(face) for face in faces.upper()]
    return Discard(tuple(sorted(_take(held, kind) for kind in kinds)))


def _kind(face: str) -> int:
    if face not in LETTERS:
        raise IllegalMoveError("There is no tile for {letter}", letter=face)
    return LETTERS.index(face)


def _picked_up(view: State, seat: Seat, rest: str) -> PickUp:
    """Return the move that takes blanks off the board for their letters."""
    held, numbers = (
        list(on_rack(view.tiles, seat).items()),
        hexes.numbers(view.options.side),
    )
    swaps: list[Swap] = []
    for face, name in _PICKED.findall(rest):
        cell = numbers.get(_started(view, name))
        if cell is None:
            raise IllegalMoveError("{place} is not on the board", place=name)
        swaps.append(Swap(_take(held, _kind(face.upper())), cell))
    if not swaps:
        raise IllegalMoveError("Type a letter and a hexagon, as in pickup E J8")
    return lhexicon.pick_up(view, swaps)


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
