"""The puzzles that come with the program: a file a game, a puzzle a line."""

from base64 import b85decode, b85encode
from datetime import date
from functools import cache
from importlib.resources import files
from zlib import compress, decompress

from netplay import wire
from netplay.puzzles.puzzle import Puzzle


@cache
def _lines(game: str) -> tuple[str, ...]:
    """Return the puzzles of a game as they are packed; none of a game without."""
    place = files("netplay.puzzles") / f"{game}.txt"
    if not place.is_file():
        return ()
    lines = place.read_text("ascii").splitlines()
    return tuple(line for line in lines if line and not line.startswith("# "))


def count(game: str) -> int:
    """Return how many puzzles there are of a game."""
    return len(_lines(game))


@cache
def find(game: str, number: int) -> Puzzle:
    """Return a puzzle of a game, from 0."""
    packed = decompress(b85decode(_lines(game)[number]))
    found: Puzzle = wire.unpack(packed, Puzzle)
    return found


def line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of such a file."""
    return b85encode(compress(wire.pack(puzzle), 9)).decode("ascii")


def today(game: str, day: date) -> int:
    """Return the puzzle of a day: the same for everybody, another one each day."""
    return day.toordinal() % count(game)
