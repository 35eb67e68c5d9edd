"""The scene of a Numlo match."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from client.app import motion
from client.app.board import Lying, NewGame, QuitGame, SoundOnOff
from client.numlo.input import LayAt, Local, Now, ShowHint, ShowMoves, is_open, mine
from client.ui import typefaces, widgets
from client.ui.hand import cursor
from client.ui.layout import Squares
from client.ui.scene import Align, Colour, Mark, Node, Rect, Role, Shape, mix
from client.ui.texts import _
from client.ui.theme import FLAT_THUMB, Look
from client.ui.widgets import Tone, label
from rules import numlo
from rules.game import Seat
from rules.numlo import OVER, Place
from rules.numlo.grid import column_name

# Tiles that turn over, one after the other along their lines from the tile laid.


STEP: Final = 0.09
"""Seconds from one tile of a line to the next."""

TURN: Final = 0.28
"""Seconds that a tile takes to turn over."""


def order(seen: Now) -> Mapping[int, int]:
    """Return how far each tile that the last move turned is from the tile laid."""
    step = seen.past[-1] if seen.past else None
    if step is None or not isinstance(step.move, Place):
        return {}
    size, square = step.before.options.size, step.move.square
    flipped = numlo.flips(step.before, step.actor, square)
    row, column = divmod(square, size)
    return {at: max(abs(row - at // size), abs(column - at % size)) for at in flipped}


def length(seen: Now) -> float:
    """Return the seconds that all of it takes."""
    far = max(order(seen).values(), default=0)
    return far * STEP + TURN if far else 0.0


def turned(seen: Now, local: Local) -> Mapping[int, tuple[Seat | None, float]]:
    """Return whose colour each moving tile shows, and how wide of 1 it is seen.

    A tile seen from its edge is narrow: first the old colour, then the new one.
    """
    seconds = local.motion.seconds(seen)
    if seconds is None or seconds >= length(seen):
        return {}
    before = numlo.owners(seen.past[-1].before)
    after = numlo.owners(seen.view)
    found: dict[int, tuple[Seat | None, float]] = {}
    for at, far in order(seen).items():
        done = motion.part(seconds, far * STEP, TURN)
        whose = before[at] if done < 0.5 else after[at]
        found[at] = whose, abs(1 - 2 * done)
    return found


def busy(seen: Now, local: Local) -> bool:
    """Tell whether something moves by itself: tiles turn over."""
    return bool(turned(seen, local))


MARKS: Final = (Mark.DOT, Mark.CROSS, Mark.SQUARE, Mark.DIAMOND)
"""A sign for each seat, so that colour is never alone."""

NAMES: Final = ("blue", "red", "green", "yellow")
"""The seats' colours, for scripts."""

_PIECES: Final = (3, 0, 2, 1)
"""Blue, Red, Green (the source's) and Yellow among the theme's pieces."""


class Signs(NamedTuple):
    """Which squares carry which sign."""

    owners: tuple[Seat | None, ...]
    flips: frozenset[int]
    """What laying on the square in question would flip."""
    latest: int
    """The square of the last tile laid, or -1."""
    turning: Mapping[int, tuple[Seat | None, float]]
    """Tiles that turn over: whose colour they show, and how wide they are seen."""


def colour(seat: Seat, look: Look) -> Colour:
    """Return the colour of a seat's tiles."""
    return look.theme.pieces[_PIECES[seat]]


LYING: Final = Lying(1.0, FLAT_THUMB, 400)


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the board, and the buttons below it while the match goes on."""
    foot = look.row + look.gap
    if look.held and _idle(seen) and seen.seat is not None:
        foot = 0  # what stands below it rises
    room = Rect(area.x, area.y, area.w, area.h - foot)
    low = None
    if look.apart:
        room, _upper, low = LYING.cut(area, look)
    board = _board(seen, local, _squares(seen, room, look), look)
    kids = [board]
    if seen.seat is not None and not _idle(seen):
        row = low or Rect(area.x, board.rect.bottom + look.gap, area.w, look.row)
        show, hide = _("SHOW"), _("HIDE")
        text, other = (hide, show) if local.show else (show, hide)
        items: list[widgets.Item] = [
            ("show", text, Tone.PLAIN, True, ShowMoves()),
            ("hint", _("HINT"), Tone.PLAIN, mine(seen), ShowHint()),
            ("game.sound", _("SOUND"), Tone.PLAIN, True, SoundOnOff()),
        ]
        if not seen.trying:  # the page of the analysis board has its own
            items += [
                ("game.new", _("NEW"), Tone.PLAIN, True, NewGame()),
                ("game.quit", _("QUIT"), Tone.PLAIN, True, QuitGame()),
            ]
        kids += widgets.flow(
            row,
            look,
            items,
            align=Align.CENTRE,
            widest={"show": other},
            fill="hint" if look.held else "",
        )
    return widgets.group(area, kids, name="game")


def standing(seen: Now, wide: int, look: Look) -> int:
    """Return how high all is on a phone held upright whose width the board fills."""
    squares = _squares(seen, Rect(0, 0, wide, 10 * wide), look)
    board = squares.rect.h + _margin(look) + 2 * look.px(6)
    return board + look.row + look.gap


def _idle(seen: Now) -> bool:
    """Tell whether there is nothing to press any more: it is over."""
    return seen.view.turn == OVER or seen.ended


def _margin(look: Look) -> int:
    """Return the room at the left and below for the names of rows and columns."""
    return round(look.small * 1.5)


def _squares(seen: Now, area: Rect, look: Look) -> Squares:
    size, pad, side = seen.view.options.size, look.px(6), _margin(look)
    inner = area.inset(pad)
    room = Rect(inner.x + side, inner.y, inner.w - side, inner.h - side)
    return Squares.fitted(room, size, size)


def _board(seen: Now, local: Local, squares: Squares, look: Look) -> Node:
    size, pad, side = seen.view.options.size, look.px(6), _margin(look)
    gap = max(1, squares.side // 24)
    flips = frozenset[int]()
    if seen.seat is not None and mine(seen) and local.at >= 0:
        flips = frozenset(numlo.flips(seen.view, seen.seat, local.at))
    signs = Signs(numlo.owners(seen.view), flips, latest(seen), turned(seen, local))
    kids = [*_names(squares, side, look)]
    for at in range(size * size):
        rect = squares.cell(at % size, at // size, gap)
        kids.append(_square(seen, local, at, rect, look, signs))
    if local.typed and local.at >= 0:
        x, y, wide, high = squares.cell(local.at % size, local.at // size, gap)
        right, low = x + wide - 1, y + high - 1
        corners = ((x, y), (right, y), (right, low), (x, low))
        kids.append(cursor(corners, max(3, wide // 12), look))
    r = squares.rect
    face = Rect(r.x - side - pad, r.y - pad, r.w + side + 2 * pad, r.h + side + 2 * pad)
    return widgets.tray("board", face, kids, look)


def _names(squares: Squares, side: int, look: Look) -> list[Node]:
    """Return the letters below the columns and the numbers beside the rows."""
    found: list[Node] = []
    ink = widgets.ink(look.theme.board, look)
    for i in range(squares.across):
        cell = squares.cell(i, i)
        below = Rect(cell.x, squares.rect.bottom, cell.w, side)
        beside = Rect(squares.x - side, cell.y, side, cell.h)
        for rect, text in ((below, column_name(i)), (beside, str(i + 1))):
            size = min(look.small, max(8, squares.side // 2))
            found.append(
                label(rect, text, look, size=size, align=Align.CENTRE, colour=ink)
            )
    return found


def _square(
    seen: Now, local: Local, at: int, rect: Rect, look: Look, signs: Signs
) -> Node:
    """Return a square: its value, its tile, and what is marked on it."""
    theme, owner, value = look.theme, signs.owners[at], seen.view.values[at]
    turn = mine(seen) and is_open(seen, at)
    hint = at == local.hint
    marked = hint or (local.show and turn)
    bg = mix(theme.cell, theme.accent, 0.3) if marked else theme.cell
    if at == signs.latest:
        bg = mix(theme.cell, theme.latest, 0.45)
    kids: list[Node] = []
    if at in signs.turning:
        shown, wide = signs.turning[at]
        kids += [] if shown is None else [_edgewise(shown, wide, rect, look)]
    elif owner is not None:
        kids += _disc(seen, owner, rect, look, flipped=at in signs.flips)
    if value:
        kids.append(_value(value, owner, rect, bg, look))
    if owner is None and at == local.at and turn:
        kids.append(_preview(seen, at, rect, look))
    if hint:
        # The sign of the hint, in a corner that the value leaves free
        side = max(8, round(rect.w * 0.36))
        spot = Rect(rect.x + 1, rect.y + 1, side, side)
        kids.append(
            Node(Role.LABEL, "hinted", spot, mark=Mark.STAR, fg=look.theme.text)
        )
    name = "" if owner is None else NAMES[owner]
    return Node(
        Role.CELL, f"cell:{at}", rect, kids=tuple(kids), shape=Shape.ROUND,
        value=f"{name} {value}".strip() if value else name,
        radius=max(2, rect.w // 10), bg=bg, fg=widgets.ink(bg, look), live=True,
        means=LayAt(at),
        edge=theme.accent if marked else theme.latest if at == signs.latest else None,
        border=max(2, rect.w // 18) if marked or at == signs.latest else 0,
        selected=marked,
    )  # fmt: skip


def _disc(
    seen: Now, owner: Seat, rect: Rect, look: Look, *, flipped: bool
) -> list[Node]:
    """Return a tile; one that would flip stands in a ring of its new colour."""
    inset = max(2, rect.w // 10)
    kids: list[Node] = []
    if flipped and seen.seat is not None:
        ring = colour(seen.seat, look)
        kids.append(
            Node(
                Role.LABEL, "", rect.inset(1), shape=Shape.CIRCLE, bg=ring,
                edge=look.theme.text, border=max(1, rect.w // 24),
            )
        )  # fmt: skip
        inset = max(4, rect.w // 4)
    face = colour(owner, look)
    kids.append(
        Node(
            Role.LABEL, "", rect.inset(inset), shape=Shape.CIRCLE, bg=face,
            fg=widgets.ink(face, look), mark=MARKS[owner],
            edge=mix(face, (0, 0, 0), 0.35), border=1,
            value="flips" if flipped else "",
        )
    )  # fmt: skip
    return kids


def _edgewise(owner: Seat, wide: float, rect: Rect, look: Look) -> Node:
    """Return a tile that turns over, `wide` of its width to be seen."""
    inner = rect.inset(max(2, rect.w // 10))
    face, w = colour(owner, look), max(2, round(inner.w * wide))
    spot = Rect(inner.centre[0] - w // 2, inner.y, w, inner.h)
    return Node(
        Role.LABEL, "", spot, shape=Shape.ROUND, radius=w // 2, bg=face,
        edge=mix(face, (0, 0, 0), 0.35), border=1, value="turning",
    )  # fmt: skip


def _value(value: int, owner: Seat | None, rect: Rect, bg: Colour, look: Look) -> Node:
    """Return the square's value: in its middle, or in the corner of its tile."""
    size = max(8, round(rect.w * (0.5 if owner is None else 0.32)))
    text = label(
        rect, str(value), look, size=size, bold=True, align=Align.CENTRE,
        colour=widgets.ink(bg, look),
    )  # fmt: skip
    if owner is None:
        return text
    side = max(10, round(rect.w * 0.42))
    spot = Rect(rect.right - side, rect.bottom - side, side, side)
    theme = look.theme
    return replace(
        text, rect=spot, shape=Shape.CIRCLE, bg=theme.panel, fg=theme.text,
        edge=theme.line, border=1,
    )  # fmt: skip


def _preview(seen: Now, at: int, rect: Rect, look: Look) -> Node:
    """Return how many points laying on a square would win."""
    seat = seen.view.turn
    text = f"+{numlo.gain(seen.view, seat, at)}"
    theme = look.theme
    size = max(8, round(rect.w * 0.36))
    size = typefaces.fitting((text,), size, 1, rect.w * 0.78, bold=True)
    return Node(
        Role.LABEL, "preview", rect.inset(max(2, rect.w // 12)), text=text,
        value=text, shape=Shape.CIRCLE, bg=theme.panel, fg=theme.text,
        size=size, bold=True, edge=colour(seat, look), border=max(2, rect.w // 10),
    )  # fmt: skip


def latest(seen: Now) -> int:
    """Return the square of the last tile laid, or -1."""
    for step in reversed(seen.past):
        if isinstance(step.move, Place):
            return step.move.square
    return -1
