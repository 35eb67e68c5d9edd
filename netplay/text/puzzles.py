"""Puzzles in words, for the terminal and the window."""

from netplay import puzzles
from netplay.language import _, ngettext
from netplay.puzzles import Puzzle


def wish(puzzle: Puzzle) -> str:
    """Return what is to be found."""
    match puzzle.kind:
        case "points":
            return _("Find the play that scores most.")
        case "best":
            return _("Find the move that brings most at the end.")
        case "win":
            own = sum(actor == puzzle.seat for actor, _move in puzzle.line)
            text = ngettext("Win by force: find {n} move.",
                            "Win by force: find {n} moves.", own)  # fmt: skip
            return text.format(n=own)
        case "target":
            own = puzzles.pieces(puzzle)
            text = ngettext("Reach {points} points with {n} piece.",
                            "Reach {points} points with {n} pieces.", own)  # fmt: skip
            return text.format(points=puzzle.worth, n=own)
