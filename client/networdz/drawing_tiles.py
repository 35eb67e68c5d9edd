"""Drawing tiles by hand: the pool face down, one tile after the other.

What a tile is was fixed before it is drawn (the bag is committed), so it makes no
difference which of the backs is picked; source document, Drawing new tiles.
"""

from typing import Final

from msgspec.structs import replace

from client.networdz.local import Doing, Draw, Local, Now
from client.ui import widgets
from client.ui.intents import Click, Drop, Intent, Key
from client.ui.layout import centred, grid
from client.ui.scene import Node, Rect, Role, Shape, mix
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import label
from rules.game import CHANCE
from rules.networdz import ground
from rules.tiles import bag_size

ACROSS: Final = 10
MOST: Final = 40
"""Backs shown; a pool of a hundred would only be smaller, not fairer."""


def fresh(seen: Now) -> bool:
    """Tell whether nobody has moved yet."""
    return all(step.actor == CHANCE for step in seen.past)


def while_drawing(seen: Now, local: Local, intent: Intent) -> Local:
    """Return the local state after an intent while the pool is shown.

    A tile is dragged to the rack or clicked (source document: or double clicked).
    """
    match intent:
        case Click(means=Draw(place=place)):
            return pick(seen, local, place)
        case Drop(name=name, onto=onto) if name.startswith("pool:"):
            return pick(seen, local, int(name[5:])) if onto[:4] == "rack" else local
        case Key(key="enter"):
            return pick(seen, local)
        case _:
            return local


def due(seen: Now, local: Local, drawn: tuple[int, ...]) -> Local:
    """Return the local state after tiles were drawn for this seat."""
    if not (seen.by_hand and drawn):
        return local
    unseen = tuple(t for t in (*local.unseen, *drawn) if t in local.order)
    first = fresh(seen) and bool(seen.view.draws) and not local.unseen
    clocked = bool(seen.view.options.timed) or seen.view.options.tournament
    if first and clocked:  # whoever starts is losing time already
        local = replace(local, notice=lots(seen))
        first = False
    start = local.doing is Doing.LOTS or first
    doing = Doing.LOTS if start else Doing.DRAWING
    return replace(local, unseen=unseen, doing=doing, taken=(), laid=())


def shown(seen: Now, local: Local) -> int:
    """Return how many backs lie there, those taken included."""
    waiting = len(local.unseen) + len(local.taken)
    return min(MOST, max(waiting, bag_size(seen.view.tiles) + waiting))


def pick(seen: Now, local: Local, place: int = -1) -> Local:
    """Draw the tile at a place in the pool; any place, by the keyboard."""
    if local.doing is Doing.LOTS:
        return replace(local, doing=Doing.DRAWING, notice=lots(seen))
    if not local.unseen or place in local.taken:
        return local
    if place < 0:
        place = next(i for i in range(MOST) if i not in local.taken)
    rest = local.unseen[1:]
    doing = Doing.DRAWING if rest else Doing.PLAYING
    taken = (*local.taken, place) if rest else ()
    return replace(local, unseen=rest, doing=doing, taken=taken)


def lots(seen: Now) -> str:
    """Return what everybody drew to see who starts."""
    alphabet = (*ground(seen.view.options).alphabet, _("a blank"))
    drawn = ", ".join(
        f"{seen.names[each.seat]}: {alphabet[each.kind]}" for each in seen.view.draws
    )
    if seen.view.turn < 0:
        return drawn
    starts = _("{name} starts.").format(name=seen.names[seen.view.turn])
    return f"{drawn}. {starts}"


def instruction(seen: Now, local: Local) -> str:
    """Return what to do with the pool."""
    if local.doing is Doing.LOTS:
        return _("Draw a tile to see who starts: the lowest does, blanks are lowest.")
    text = _("Drag {n} tiles from the pool to your rack, or click them.")
    return text.format(n=len(local.unseen))


def pool(seen: Now, local: Local, board: Rect, look: Look) -> Node:
    """Return the pool, face down, over the board."""
    count = shown(seen, local)
    down = -(-count // ACROSS)
    side = min(look.px(46), (board.w - look.px(60)) // ACROSS)
    head = round(look.body * 1.5)
    wide = side * ACROSS + look.px(32)
    rect = centred(board, wide, head + down * side + look.px(36))
    inner = rect.inset(look.px(16), look.px(12))
    top = Rect(inner.x, inner.y, inner.w, head)
    title = _("The pool") if local.doing is Doing.DRAWING else _("Who starts?")
    area = Rect(inner.x, top.bottom + look.px(6), side * ACROSS, side * down)
    kids = [label(top, title, look, bold=True)]
    for i, spot in enumerate(grid(area, ACROSS, down, look.px(4))[:count]):
        if i not in local.taken:
            theme, short = look.theme, min(spot.w, spot.h)
            kids.append(Node(
                Role.TILE, f"pool:{i}", spot, shape=Shape.ROUND,
                radius=max(2, short // 8), depth=max(1, short // 14),
                bg=mix(theme.tile, theme.tile_edge, 0.5), edge=theme.tile_edge,
                border=max(1, look.px(1)), live=True, drag=True, means=Draw(i),
                fg=theme.tile_text,
            ))  # fmt: skip
    face = widgets.panel(rect, look, kids, name="pool.box")
    return replace(face, depth=look.px(2), border=look.px(2))
