"""The scene of a Numlo match."""

from typing import Final

from msgspec.structs import replace

from client import widgets
from client.layout import Squares
from client.numlo.acting import Local, Now, mine
from client.scene import Align, Colour, Mark, Node, Rect, Role, Shape, mix
from client.texts import _
from client.theme import Look
from client.widgets import Tone
from rules import numlo
from rules.game import Seat
from rules.numlo import Place

MARKS: Final = (Mark.DOT, Mark.CROSS, Mark.SQUARE, Mark.DIAMOND)
"""A sign for each seat, so that colour is never alone."""

_PIECES: Final = (3, 0, 2, 1)
"""Blue, Red, Green (the source's) and Yellow among the theme's pieces."""


def colour(seat: Seat, look: Look) -> Colour:
    """Return the colour of a seat's tiles."""
    return look.theme.pieces[_PIECES[seat]]


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the board, and the buttons below it."""
    foot = look.row + look.gap
    board = Rect(area.x, area.y, area.w, area.h - foot)
    buttons = Rect(area.x, board.bottom + look.gap, area.w, look.row)
    kids = [_board(seen, local, board, look)]
    if seen.seat is not None:
        text = _("Hide moves") if local.show else _("SHOW")
        items = [
            ("show", text, Tone.PLAIN, True),
            ("hint", _("HINT"), Tone.PLAIN, mine(seen)),
        ]
        kids += widgets.flow(buttons, look, items, align=Align.CENTRE)
    return widgets.group(area, kids, name="game")


def _board(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the board with all that lies on it."""
    size = seen.view.options.size
    pad = look.px(6)
    squares = Squares.fitted(area.inset(pad), size, size)
    gap = max(1, squares.side // 24)
    owners = numlo.owners(seen.view)
    flips = _flips(seen, local)
    kids = [
        _square(
            seen,
            local,
            at,
            squares.cell(at % size, at // size, gap),
            look,
            owners[at],
            at in flips,
        )
        for at in range(size * size)
    ]
    return Node(
        Role.PANEL, "board", squares.rect.inset(-pad), kids=tuple(kids),
        shape=Shape.ROUND, radius=look.px(8), bg=look.theme.board,
    )  # fmt: skip


def _flips(seen: Now, local: Local) -> frozenset[int]:
    """Return what laying on the square in question would flip."""
    if seen.seat is None or local.at < 0:
        return frozenset()
    return frozenset(numlo.flips(seen.view, seen.seat, local.at))


def _square(
    seen: Now, local: Local, at: int, rect: Rect, look: Look, owner: Seat | None,
    flipped: bool,
) -> Node:  # fmt: skip
    """Return a square: its value, its tile, and what is marked on it."""
    theme = look.theme
    value = seen.view.values[at]
    open_ = bool(seen.view.open[at >> 3] >> (at & 7) & 1)
    marked = at == local.hint or (local.show and open_ and mine(seen))
    cursor = local.typed and at == local.at
    bg = mix(theme.cell, theme.accent, 0.3) if marked else theme.cell
    latest = at == _latest(seen)
    edge = theme.focus if cursor else theme.latest if latest else None
    kids = [_disc(owner, rect, look, flipped)] if owner is not None else []
    if value:
        kids.append(_value(value, owner, rect, look))
    if owner is None and at == local.at and seen.seat is not None and open_:
        kids.append(_preview(seen, at, rect, look))
    name = _name(owner)
    text = f"{name} {value}".strip() if value else name
    mark = Mark.STAR if at == local.hint else Mark.NONE
    return Node(
        Role.CELL, f"cell:{at}", rect, value=text, kids=tuple(kids),
        shape=Shape.ROUND, radius=max(2, rect.w // 10), bg=bg, edge=edge,
        border=max(2, rect.w // 14) if edge else 0, live=True,
        fg=widgets.ink(bg, look), mark=mark if not value else Mark.NONE,
        selected=marked,
    )  # fmt: skip


def _disc(owner: Seat, rect: Rect, look: Look, flipped: bool) -> Node:
    """Return a tile; one that would flip has a broad rim."""
    face = colour(owner, look)
    inset = max(2, rect.w // 10)
    return Node(
        Role.TILE, "", rect.inset(inset), shape=Shape.CIRCLE, bg=face,
        fg=widgets.ink(face, look), mark=MARKS[owner],
        edge=look.theme.focus if flipped else mix(face, (0, 0, 0), 0.35),
        border=max(3, rect.w // 9) if flipped else 1,
    )  # fmt: skip


def _value(value: int, owner: Seat | None, rect: Rect, look: Look) -> Node:
    """Return the square's value: in its middle, or in the corner of its tile."""
    size = max(8, round(rect.w * (0.5 if owner is None else 0.32)))
    text = widgets.label(
        rect, str(value), look, size=size, bold=True, align=Align.CENTRE,
        colour=look.theme.cell_text,
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
    seat = seen.seat
    assert seat is not None  # only players see previews
    text = f"+{numlo.gain(seen.view, seat, at)}"
    face = colour(seat, look)
    return Node(
        Role.LABEL, "preview", rect.inset(max(2, rect.w // 10)), text=text,
        value=text, shape=Shape.CIRCLE, bg=mix(face, look.theme.cell, 0.25),
        fg=widgets.ink(face, look), size=max(8, rect.w // 3), bold=True,
    )  # fmt: skip


def _latest(seen: Now) -> int:
    """Return the square of the last tile laid, or -1."""
    for step in reversed(seen.past):
        if isinstance(step.move, Place):
            return step.move.square
    return -1


def _name(owner: Seat | None) -> str:
    """Return the colour's name for scripts."""
    return "" if owner is None else ("blue", "red", "green", "yellow")[owner]
