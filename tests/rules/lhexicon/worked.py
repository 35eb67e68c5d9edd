"""The worked examples of games/lhexicon.md: words as (letter, (q, r), new)."""

import re
from collections.abc import Iterable, Mapping

from rules import hexes
from rules.lhexicon.state import EMPTY, LETTERS

CODED = "C(-2,0)* O(-1,0)* D(0,0)* E(1,0)* D(2,-1)*"
CRUEL = "C(-2,0) R(-3,0)* U(-4,1)* E(-4,0)* L(-3,-1)*"
CRUEL_DIAGRAM_4 = "C(-2,0) R(-3,1)* U(-4,2)* E(-3,2)* L(-2,1)*"
LEVELED = "L(-3,-1) E(-2,-2)* V(-1,-2)* E(0,-2)* L(1,-2)* E(2,-2)* D(2,-1)"
CODDLE = "C(-1,1)* O(-1,0) D(0,0) D(0,-1)* L(1,-2) E(0,-2)"
PLEADED = "P(2,-3)* L(1,-2) E(2,-2) A(1,-1)* D(0,0) E(1,0) D(2,-1)"

Step = tuple[int, int, bool]
"""Letter, cell number, whether it is newly laid."""


def parse(text: str) -> list[tuple[int, hexes.Hex, bool]]:
    """Return the steps of a word written as above: letter, cell, whether it is new."""
    return [
        (LETTERS.index(letter), (int(q), int(r)), star == "*")
        for letter, q, r, star in re.findall(r"(\w)\((-?\d+),(-?\d+)\)(\*?)", text)
    ]


def steps(text: str, side: int = 9) -> list[Step]:
    """Return the steps of a word with the cells' numbers."""
    number = hexes.numbers(side)
    return [(letter, number[cell], new) for letter, cell, new in parse(text)]


def laid(text: str, side: int = 9) -> dict[int, int]:
    """Return cell -> letter of the new tiles."""
    return {cell: letter for letter, cell, new in steps(text, side) if new}


def path(text: str, side: int = 9) -> tuple[int, ...]:
    """Return the word's cells in spelling order."""
    return tuple(cell for _, cell, _ in steps(text, side))


def group(text: str, side: int = 9) -> tuple[int, ...]:
    """Return cells written as (q,r)(q,r), ascending."""
    number = hexes.numbers(side)
    found = re.findall(r"\((-?\d+),(-?\d+)\)", text)
    return tuple(sorted(number[int(q), int(r)] for q, r in found))


def board(words: Iterable[str], side: int = 9) -> tuple[int, ...]:
    """Return the letters on the cells after some words."""
    letters: Mapping[int, int] = {}
    for word in words:
        letters = {**letters, **laid(word, side)}
    return tuple(letters.get(cell, EMPTY) for cell in range(len(hexes.hexagon(side))))
