"""Puzzles: positions with one best move, found and checked by the computer players.

A puzzle is the beginning of a match - options and moves, as a log has them - and what
is to be found from there.  Its position comes about by the rules each time it is shown.
`python -m tools.puzzles` makes the files, one puzzle a line.
"""

from netplay.puzzles.puzzle import (
    Entry,
    Judged,
    Kind,
    Puzzle,
    Stand,
    answered,
    count,
    find,
    judged,
    line,
    pieces,
    played,
    position,
    today,
)

__all__ = [
    "Entry",
    "Judged",
    "Kind",
    "Puzzle",
    "Stand",
    "answered",
    "count",
    "find",
    "judged",
    "line",
    "pieces",
    "played",
    "position",
    "today",
]
