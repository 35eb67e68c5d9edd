"""Hexagrams in words: instructions, captured stones, the move list, the keys.

For the ear: the cell where the keyboard is, and its neighbours.
"""

from collections.abc import Mapping
from typing import Final

from client.app import board
from client.app.board import Chosen, Entry, Made, Sheet, Step
from client.hexagrams.geometry import Place, neighbour
from client.hexagrams.input import (
    NOWHERE,
    Local,
    Now,
    below,
    ends,
    mine,
    name_of,
    owner,
    targets,
)
from client.hexagrams.view import lost
from client.ui.sound import Sound
from client.ui.texts import _, ngettext
from rules import hexagrams
from rules.game import Resign, Seat
from rules.hexagrams import NOBODY, OVER, PATIENCE, Move, State
from rules.hexagrams.board import ply_name

WARNING: Final = 30
"""Plies without capture or triad move from which on the count of triads is told."""


def side_name(seat: Seat) -> str:
    """Return the name of a side."""
    return (_("White"), _("Black"))[seat]


def status(seen: Now, local: Local) -> str:
    """Return the text of the instructions box."""
    if local.notice:
        return local.notice
    if seen.view.turn == OVER:
        return result(seen)
    step = seen.past[-1] if seen.past else None
    last = "" if step is None or step.actor == seen.seat else tell(step, seen.names)
    parts = (last, _turn(seen, local), _patience(seen))
    return "\n".join(filter(None, parts))


def _turn(seen: Now, local: Local) -> str:
    view = seen.view
    if not mine(seen):
        text = _("{name} ({side}) is to move.")
        return text.format(name=seen.names[view.turn], side=side_name(view.turn))
    if local.picked != NOWHERE:
        names = ", ".join(sorted(name_of(each) for each in targets(seen, local.picked)))
        text = _("{stone} can go to {places}.")
        return text.format(stone=name_of(local.picked), places=names)
    if hexagrams.forced(view):
        text = _("It is your turn ({side}). You must capture with a marked triad.")
    else:
        text = _("It is your turn ({side}). Move a triad forward, or a hexad.")
    return text.format(side=side_name(view.turn))


def _patience(seen: Now) -> str:
    """Return when the triads will be counted, once it comes near."""
    quiet = seen.view.quiet
    if quiet < WARNING:
        return ""
    text = ngettext(
        "{n} more move without a capture or a triad's move: then more triads win "
        "({white} to {black}).",
        "{n} more moves without a capture or a triad's move: then more triads win "
        "({white} to {black}).",
        PATIENCE - quiet,
    )
    white, black = (side.bit_count() for side in seen.view.triads)
    return text.format(n=PATIENCE - quiet, white=white, black=black)


def result(seen: Now) -> str:
    """Return how the match ended, and why."""
    view = seen.view
    if view.winner == NOBODY:
        return _("A draw: both sides have as many triads left.")
    name, side = seen.names[view.winner], side_name(view.winner)
    other = side_name(1 - view.winner)
    texts = {
        "hexads": _("{name} ({side}) wins: all hexads of {other} are captured."),
        "blocked": _("{name} ({side}) wins: the hexads of {other} are blocked."),
        "stuck": _("{name} ({side}) wins: {other} has no legal move."),
        "count": _("{name} ({side}) wins with more triads left."),
        "resigned": _("{name} ({side}) wins: {other} resigned."),
    }
    if 1 - view.winner in seen.late:
        texts["resigned"] = _("{name} ({side}) wins: {other} is out of time.")
    return texts[view.ending].format(name=name, side=side, other=other)


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return side and captured stones of each seat."""
    return tuple(
        Sheet(
            "",
            side_name(seat),
            _prisoners(seen, 1 - seat),
            seen.view.ending == "resigned" and seen.view.winner == 1 - seat,
        )
        for seat in (0, 1)
    )


def _prisoners(seen: Now, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Return the stones that a side has lost: how many of which shape.

    The words are too long for a player's panel in half of the side column.
    """
    hexads, triads = lost(seen, seat)
    found = [f"{n} {sign}" for n, sign in ((hexads, "⬡"), (triads, "△")) if n]
    if not found:
        return ()
    return ((_("took {stones}").format(stones=" ".join(found)), ""),)


def tell(step: Step[State, Move], names: tuple[str, ...]) -> str:
    """Return one line on a move: "Anna: C5xC7"."""
    if isinstance(step.move, Resign):
        return _("{name} resigns.").format(name=names[step.actor])
    return f"{names[step.actor]}: {_ply(step)}"


def _ply(step: Step[State, Move]) -> str:
    origin, target = map(name_of, ends(step.move))
    return ply_name(origin, target, captures=_captures(step))


def _captures(step: Step[State, Move]) -> bool:
    return owner(step.before, ends(step.move)[1]) is not None


def entered(step: Step[State, Move]) -> Entry | None:
    """Return a ply by the cells it goes from and to."""
    if isinstance(step.move, Resign):
        return None
    return Entry(_ply(step), "", _("captures") if _captures(step) else "")


def heard(step: Step[State, Move], after: State) -> Sound | None:
    """Return the sound of a capture."""
    resigns = isinstance(step.move, Resign)
    return Sound.CAPTURE if not resigns and _captures(step) else None


def option_notes() -> dict[str, str]:
    """Return what each option means."""
    return {
        "first": _("Which side moves first. The first seat plays White either way.")
    }


def option_words() -> dict[str, str]:
    """Return the words for the options, and for their values."""
    return {"first": _("First to move"), "white": _("white"), "black": _("black")}


def agreed(values: Mapping[str, str]) -> list[str]:
    """Return what the options come to, in parts of a sentence."""
    white = values.get("first") == "white"
    return [_("White moves first") if white else _("Black moves first")]


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return the keys of the board."""
    return (
        (_("arrow keys, Q W E A S D"), _("move the cursor")),
        (_("Enter, space"), _("pick a stone; put it on the cursor's cell")),
        (_("Escape, right click"), _("let go of the stone")),
    )


def tip() -> str:
    """Return what is new to somebody who plays for the first time."""
    return _(
        "New here? A stone edged in red must capture: click it, then a marked cell."
    )


# Hexagrams looked back at: how it ended, and how the stones went.


def why(seen: Now) -> str:
    """Return why the match ended; who has won is said above it."""
    view = seen.view
    if view.winner == NOBODY:
        return _("Both sides have as many triads left.")
    texts = {
        "hexads": _("All hexads of {name} are captured."),
        "blocked": _("The hexads of {name} are blocked."),
        "stuck": _("{name} has no legal move."),
        "count": _("The triads left were counted."),
        "resigned": _("{names} resigned."),
    }
    name = seen.names[1 - view.winner]
    return texts[view.ending].format(name=name, names=name)


def plays(seen: Now) -> tuple[Made, ...]:
    """Return nothing: no move scores."""
    return ()


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return how many moves were made, and what each side captured."""
    moves = sum(not isinstance(step.move, Resign) for step in seen.past)
    if not (moves or any(map(sum, (lost(seen, seat) for seat in (0, 1))))):
        return ()
    told = [(_("Moves"), str(moves))]
    for seat in (0, 1):
        hexads, triads = lost(seen, 1 - seat)
        text = _("{name} captured").format(name=seen.names[seat])
        told.append((text, f"{hexads} ⬡ {triads} △"))
    return tuple(told)


def standing(view: State) -> tuple[int, ...]:
    """Return how many stones each side has."""
    pairs = zip(view.hexads, view.triads, strict=True)
    return tuple(one.bit_count() + other.bit_count() for one, other in pairs)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Stones left")


_KEYS: Final = (
    ("w", board.ABOVE),
    ("e", board.ABOVE_RIGHT),
    ("d", board.BELOW_RIGHT),
    ("s", board.BELOW),
    ("a", board.BELOW_LEFT),
    ("q", board.ABOVE_LEFT),
)


def aloud(seen: Now, local: Local) -> tuple[str, ...]:
    """Return what is said of the board; see `Traits.aloud`."""
    found: list[str] = []
    if local.picked != NOWHERE:
        text = _("{place} is picked up; it may go to {places}")
        found.append(_going(seen, local.picked, text))
    if local.at != NOWHERE:
        sides = [(way, neighbour(local.at, key, below(seen))) for key, way in _KEYS]
        near = [
            (way, f"{name_of(place)} {_stone(seen, place)}")
            for way, place in sides
            if place != local.at
        ]
        may = _going(seen, local.at, _("may go to {places}"))
        kind = _("hexagon") if local.at[0] == "h" else _("triangle")
        there = (kind, _stone(seen, local.at), may)
        found.append(board.around(name_of(local.at), there, near))
    return tuple(found)


def _going(seen: Now, place: Place, text: str) -> str:
    """Return where the own stone on a cell may go; nothing if nowhere."""
    names = sorted(map(name_of, targets(seen, place)))
    return text.format(place=name_of(place), places=", ".join(names)) if names else ""


def _stone(seen: Now, place: Place) -> str:
    """Return whose stone stands on a cell."""
    holder = owner(seen.view, place)
    return _("empty") if holder is None else side_name(holder)
