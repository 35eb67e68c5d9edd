"""Six levels of computer players, from a beginner to the best there is.

A level is a skill, the same in every game; what a game's player makes of it
(`talents` of its `Abilities`) is such that each level wins about seven of ten games
against the one below.  Below the beginner there is a scale on which everybody finds
somebody to beat.  The figures come from `python -m tools.levels`, which has the levels
play each other.

Source document of Numlo, Game play: "The levels are Hard, Medium, and Easy".
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from rules import GAMES

SKILLS: Final[Mapping[str, int]] = {
    "beginner": 25,
    "easy": 40,
    "medium": 55,
    "hard": 70,
    "expert": 85,
    "master": 100,
}
"""The skill, 0-100, that each level stands for."""

_FILE: Final = "levels.txt"


def named(skill: int) -> str:
    """Return the name of the level with a skill, empty if there is none."""
    return next((name for name, own in SKILLS.items() if own == skill), "")


class Measured(NamedTuple):
    """What a level does in a game, as its games against its neighbours told."""

    points: int
    """A game, on average, against the level below (of the lowest: above); 0 in games
    without points, and where nobody has measured."""
    share: float
    """Of its games against the level below, how many it won; 0 for the lowest."""
    error: float
    """The standard error of that."""
    games: int


@cache
def measured(game: str) -> Mapping[str, Measured]:
    """Return what is known of the levels of a game, by their names."""
    text = resources.files("netplay").joinpath(_FILE).read_text("utf-8")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {
        row[1]: Measured(int(row[2]), float(row[3]), float(row[4]), int(row[5]))
        for row in rows
        if row and row[0] == game and game in GAMES
    }
