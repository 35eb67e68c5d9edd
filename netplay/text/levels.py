"""Levels of computer players in words, for the terminal, the window and the book."""

from netplay import levels
from netplay.language import _
from rules import GAMES


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


def shown(game: str, name: str) -> str:
    """Return a level as one chooses it: what it is called, and what it scores."""
    title, known = titles()[name], levels.measured(game).get(name)
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
    known = levels.measured(game).get(name)
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
        "beginner": _("looks ahead least, and misjudges most"),
        "easy": _("looks ahead a little, and misjudges"),
        "medium": _("looks ahead further"),
        "hard": _("looks ahead well"),
        "expert": _("looks ahead far"),
        "master": _("looks ahead as far as the time allows"),
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
