"""Numlo in words: instructions, scores, the move list, the keys.

For the ear: the square where the keyboard is, and the squares around it.
"""

from collections.abc import Mapping
from operator import itemgetter
from typing import Final

from client.app import board, results
from client.app.board import Chosen, Entry, Made, Sheet, Step
from client.numlo.input import Local, Now, is_open, mine
from client.ui.sound import Sound
from client.ui.texts import _, ngettext
from rules import numlo
from rules.game import CHANCE, Resign, Seat
from rules.numlo import OVER, Move, Place, State
from rules.numlo.grid import square_name


def colour_name(seat: Seat) -> str:
    """Return the name of a seat's colour."""
    return (_("Blue"), _("Red"), _("Green"), _("Yellow"))[seat]


def status(seen: Now, local: Local) -> str:
    """Return the text of the instructions box."""
    view = seen.view
    if local.notice:
        return local.notice
    if view.turn == OVER:
        return results.told(seen.names, numlo.places(view), numlo.scores(view))
    if view.turn == CHANCE:
        return _("The board is being set up.")
    # Who had no move and so lost the turn, since this seat's own last move.
    passed = list(view.passed)
    for step in reversed(seen.past):
        if step.actor in (seen.seat, CHANCE):
            break
        passed += step.before.passed
    told, names = "", ", ".join(seen.names[seat] for seat in dict.fromkeys(passed))
    if names:
        told = _("{names} could not move and passed.").format(names=names)
    return "\n".join(filter(None, (told, _turn(seen, local))))


def _turn(seen: Now, local: Local) -> str:
    view = seen.view
    if not mine(seen):
        text = _("{name} ({colour}) is to lay a tile.")
        return text.format(name=seen.names[view.turn], colour=colour_name(view.turn))
    if local.at >= 0:
        flips = numlo.flips(view, view.turn, local.at)
        if flips:
            points = numlo.gain(view, view.turn, local.at)
            text = ngettext("Flips {n} tile", "Flips {n} tiles", len(flips))
            more = ngettext("for {n} point.", "for {n} points.", points)
            return f"{text.format(n=len(flips))} {more.format(n=points)}"
    text = _("It is your turn: lay a {colour} tile so that it flips others.")
    return text.format(colour=colour_name(view.turn))


def sheets(seen: Now) -> tuple[Sheet, ...]:
    """Return score and squares of each seat."""
    held, found = numlo.owners(seen.view), list[Sheet]()
    for seat, score in enumerate(numlo.scores(seen.view)):
        n = held.count(seat)
        text = ngettext("{colour}, {n} square", "{colour}, {n} squares", n)
        text = text.format(colour=colour_name(seat), n=n)
        found.append(Sheet(str(score), text, out=seat in seen.view.gone))
    return tuple(found)


def tell(step: Step[State, Move], names: tuple[str, ...]) -> str:
    """Return one line on a move for the list."""
    match step.move:
        case Place(square):
            where = square_name(step.before.options.size, square)
            points = numlo.gain(step.before, step.actor, square)
            laid = f"{names[step.actor]}  {where}  +{points}"
            # Without names the move is told alone, or it would be said of its player.
            who = ", ".join(names[seat] for seat in step.before.passed if names[seat])
            if not who:
                return laid
            return _("{names} had no move; {move}").format(names=who, move=laid)
        case Resign():
            return _("{name} resigns.").format(name=names[step.actor])
        case _:
            return ""


def entered(step: Step[State, Move]) -> Entry | None:
    """Return the square of a tile, what it flipped, and the points."""
    if not isinstance(step.move, Place) or step.before.passed:
        return None
    square = step.move.square
    count = len(numlo.flips(step.before, step.actor, square))
    text = ngettext("flips {n}", "flips {n}", count).format(n=count)
    where = square_name(step.before.options.size, square)
    return Entry(where, "", text, numlo.gain(step.before, step.actor, square))


def heard(step: Step[State, Move], after: State) -> Sound | None:
    """Return the sound of tiles that turn over."""
    return Sound.FLIP if isinstance(step.move, Place) else None


def option_notes() -> dict[str, str]:
    """Return what each option means."""
    return {
        "size": _("Squares along an edge of the board."),
        "start": _(
            "Latin: a full square of tiles in the middle. Scatter: twelve "
            "tiles of each colour anywhere. Othello: four tiles, for two "
            "players."
        ),
        "values": _("Some squares are worth one to six points more."),
    }


def option_words() -> dict[str, str]:
    """Return the words for the options, and for their values."""
    return {
        "size": _("Size"),
        "start": _("First tiles"),
        "values": _("Values"),
        "latin": _("latin"),
        "scatter": _("scatter"),
        "othello": _("othello"),
    }


def agreed(values: Mapping[str, str]) -> list[str]:
    """Return what the options come to, in parts of a sentence."""
    starts = {
        "latin": _("a full square of tiles to begin with"),
        "othello": _("four tiles to begin with"),
        "scatter": _("tiles scattered to begin with"),
    }
    size, worth = values.get("size", ""), values.get("values") == "on"
    return [
        _("{n} by {n} squares").format(n=size),
        starts.get(values.get("start", ""), ""),
        _("some squares worth more") if worth else _("all squares worth the same"),
    ]


def keys(chosen: Chosen) -> tuple[tuple[str, str], ...]:
    """Return the keys of the board."""
    return (
        (_("arrow keys"), _("choose a square")),
        (_("Enter, space"), _("lay a tile there")),
        ("S", _("show all valid squares")),
        ("H", _("hint: the square that wins most points now")),
        (_("Escape"), _("put the cursor away")),
    )


def tip() -> str:
    """Return what is new to somebody who plays for the first time."""
    return _(
        "New here? Lay on a marked square. HINT finds the one that wins most points "
        "now."
    )


# Numlo looked back at: how it ended, and what was best in it.


def why(seen: Now) -> str:
    """Return why the match ended."""
    view = seen.view
    if len(view.gone) >= len(view.tiles) - 1:
        names = ", ".join(seen.names[seat] for seat in view.gone)
        return _("{names} resigned.").format(names=names)
    if None not in numlo.owners(view):
        return _("The board is full.")
    return _("Nobody can flip a tile any more.")


def plays(seen: Now) -> tuple[Made, ...]:
    """Return the tiles laid, by their squares."""
    return tuple(
        Made(
            place,
            step.actor,
            square_name(step.before.options.size, step.move.square),
            numlo.gain(step.before, step.actor, step.move.square),
        )
        for place, step in enumerate(seen.past)
        if isinstance(step.move, Place)
    )


def facts(seen: Now, local: Local) -> tuple[tuple[str, str], ...]:
    """Return the move that flipped most tiles."""
    flips = [
        (len(numlo.flips(step.before, step.actor, step.move.square)), step.actor)
        for step in seen.past
        if isinstance(step.move, Place)
    ]
    if not flips:
        return ()
    most, actor = max(flips, key=itemgetter(0))
    text = ngettext("{n} tile", "{n} tiles", most).format(n=most)
    return ((_("Most flipped at once"), f"{text}, {seen.names[actor]}"),)


def standing(view: State) -> tuple[int, ...]:
    """Return the points of each seat."""
    return numlo.scores(view)


def measure() -> str:
    """Return what `standing` counts."""
    return _("Points")


_WAYS: Final = (
    (board.ABOVE, -1, 0),
    (board.ABOVE_RIGHT, -1, 1),
    (board.RIGHT, 0, 1),
    (board.BELOW_RIGHT, 1, 1),
    (board.BELOW, 1, 0),
    (board.BELOW_LEFT, 1, -1),
    (board.LEFT, 0, -1),
    (board.ABOVE_LEFT, -1, -1),
)


def aloud(seen: Now, local: Local) -> tuple[str, ...]:
    """Return what is said of the board; see `Traits.aloud`."""
    size, view = seen.view.options.size, seen.view
    found: list[str] = []
    if local.at >= 0 and (local.typed or local.hint == local.at):
        found.append(_square(seen, local.at))
    if local.show and mine(seen):
        names = [square_name(size, n) for n in range(size * size) if is_open(seen, n)]
        words = _("You may lay at {places}").format(places=", ".join(names))
        found.append(words if names and view.turn == seen.seat else "")
    return tuple(filter(None, found))


def _square(seen: Now, at: int) -> str:
    """Return what lies on a square, and the tiles in line from it on each way."""
    size, held = seen.view.options.size, numlo.owners(seen.view)
    row, column = divmod(at, size)
    worth = _("worth {n}").format(n=seen.view.values[at] + 1)
    owner = held[at]
    there = _("empty") if owner is None else colour_name(owner)
    near: list[tuple[str, str]] = []
    for way, down, right in _WAYS:
        tiles: list[str] = []
        r, c = row + down, column + right
        while 0 <= r < size and 0 <= c < size:
            seat = held[r * size + c]
            if seat is None:
                break
            tiles.append(colour_name(seat))
            r, c = r + down, c + right
        edge = not (0 <= row + down < size and 0 <= column + right < size)
        straight = not (down and right)
        near.append((way, _("the edge") if edge and straight else _counted(tiles)))
    return board.around(square_name(size, at), (there, worth), near)


def _counted(tiles: list[str]) -> str:
    """Return tiles one after the other, those of one colour as a number of them."""
    found: list[tuple[int, str]] = []
    for tile in tiles:
        count = found.pop()[0] if found and found[-1][1] == tile else 0
        found.append((count + 1, tile))
    return ", ".join(f"{n} {tile}" if n > 1 else tile for n, tile in found)
