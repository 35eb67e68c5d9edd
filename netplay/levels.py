"""Six levels of computer players, from a beginner to the best there is.

A level is a skill, the same in every game; what a game's player makes of it
(`talents` of its `Abilities`) is such that each level wins about seven of ten games
against the one below.  Below the beginner there is a scale on which everybody finds
somebody to beat; 100 is the best there is, which hints and reviews ask.  The figures
come from `python -m tools.levels`, which has the levels play each other.

Source document of Numlo, Game play: "The levels are Hard, Medium, and Easy".
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from netplay.language import _
from rules import GAMES

SKILLS: Final[Mapping[str, int]] = {
    "beginner": 25,
    "easy": 40,
    "medium": 55,
    "hard": 70,
    "expert": 85,
    "master": 95,
}
"""The skill, 0-100, that each level stands for."""

_FILE: Final = "levels.txt"


def name_of(skill: int) -> str:
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


# In words, for the terminal, the window and the book.


def titles() -> dict[str, str]:
    """Return what each level is called."""
    return {
        "beginner": _("Beginner"),
        "easy": _("Easy"),
        "medium": _("Medium"),
        "hard": _("Hard"),
        "expert": _("Expert"),
        "master": _("Master"),
    }


def label(game: str, name: str) -> str:
    """Return a level as one chooses it: what it is called, and what it scores."""
    title, known = titles()[name], measured(game).get(name)
    if known is None or not known.points:
        return title
    text = _("{level}: about {points} points")
    return text.format(level=title, points=known.points)


def about(game: str, name: str) -> str:
    """Return in a few words how a level plays."""
    can = GAMES[game].ABOUT
    words = "lexicon" in can.resources
    texts = _of_words() if words else _in_wells() if can.hz else _on_boards()
    return texts[name]


def scores(game: str, name: str) -> str:
    """Return what the points of a level are, empty where they are not known."""
    known = measured(game).get(name)
    if known is None or not known.points:
        return ""
    text = _("scores about {points} points a game against the next level")
    return text.format(points=known.points)


def _of_words() -> dict[str, str]:
    return {
        "beginner": _("lays what is easily seen, and always finds a word"),
        "easy": _("knows everyday words, and overlooks many plays"),
        "medium": _("knows more words, and thinks of what it keeps"),
        "hard": _("sees most plays, and exchanges bad tiles"),
        "expert": _("knows nearly every word, and overlooks little"),
        "master": _("knows every word, and looks ahead"),
    }


def _on_boards() -> dict[str, str]:
    return {
        "beginner": _("looks ahead least, and makes most mistakes"),
        "easy": _("looks ahead a little, and makes many mistakes"),
        "medium": _("looks ahead further"),
        "hard": _("looks ahead well"),
        "expert": _("looks ahead far"),
        "master": _("looks ahead furthest"),
    }


def _in_wells() -> dict[str, str]:
    return {
        "beginner": _("is slow, and often lays pieces where they do no good"),
        "easy": _("is slow, and misplaces many pieces"),
        "medium": _("misplaces some pieces"),
        "hard": _("misplaces few pieces"),
        "expert": _("is quick, and looks at the next piece"),
        "master": _("is quick, and lays every piece where it does most good"),
    }
