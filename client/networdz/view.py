"""The scene of a Networdz match: board, rack, buttons, discard pile, blank chooser."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from client.app import edition_changes
from client.app.board import Lying, Recall
from client.networdz import drawing_tiles
from client.networdz.input import renews
from client.networdz.local import (
    OPEN,
    Answer,
    AtCell,
    AtRack,
    AtTile,
    Commit,
    Doing,
    Local,
    Name,
    Now,
    PassTurn,
    RenewRack,
    Shuffle,
    can_discard,
    doubting,
    ending,
    field,
    flight,
    free,
    kind,
    letters_of,
    mine,
    rack,
    verdict,
)
from client.networdz.text import pool, value
from client.ui import typefaces, widgets
from client.ui.layout import Squares, centred, grid, rows
from client.ui.scene import Align, Colour, Mark, Node, Rect, Role, Shape, mix
from client.ui.texts import _, ngettext
from client.ui.theme import Look
from client.ui.widgets import Tone, label, piece
from rules import networdz
from rules.networdz import Accept, Challenge, Ground
from rules.networdz.judging import column_name


class Span(NamedTuple):
    """How far buttons may reach up and down."""

    top: int
    low: int


LYING: Final = Lying(1.0, 230)
"""The count of tiles, the rack and two rows of buttons."""

WORDY: Final = 34
"""Pixels of a cell from which on premiums are written out."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return everything between the bar and the side panels."""
    look = edition_changes.tinted(look, field(seen).edition)
    strips = (_apart if look.apart else _strips)(seen, area, look)
    board, shelf, buttons, count = strips
    kids = [_board(seen, local, board, look)]
    if seen.seat is not None:
        kids.append(_rack(seen, local, shelf, look))
        if _idle(seen):
            pass
        elif local.doing is Doing.DISCARDING:
            floor = area.bottom if count.y < board.bottom else count.y
            top = shelf.y if buttons.y < shelf.bottom else buttons.y  # off the rack
            kids += _discarding(seen, local, buttons, Span(top, floor), look)
        else:
            kids += _buttons(seen, local, buttons, look, area.x)
    kids.append(
        label(
            count, pool(seen), look, name="pool", size=look.small, tone=Tone.DIM,
            align=Align.RIGHT,
        )
    )  # fmt: skip
    if local.drawing:
        kids.append(drawing_tiles.pool(seen, local, board, look))
    if local.doing is Doing.NAMING:
        low = Rect(area.x, shelf.y, area.w, area.bottom - shelf.y)
        if look.apart:
            low = Rect(shelf.x, area.y, shelf.w, area.h)
        ground = field(seen)
        found = [
            (letter, ground.alphabet[letter], Name(letter)) for letter in ground.free
        ]
        kids.append(widgets.letters(low, found, _("Letter of the blank"), look))
    return widgets.group(area, kids, name="game")


def _idle(seen: Now) -> bool:
    """Tell whether there is nothing to press any more: it is over."""
    return not networdz.actors(seen.view) or seen.ended


def _apart(seen: Now, area: Rect, look: Look) -> tuple[Rect, Rect, Rect, Rect]:
    """Return the rectangles of board, rack, buttons and pool count on a lying phone."""
    board, _upper, low = LYING.cut(area, look)
    parts = [round(look.small * 1.5), 1, 2 * look.row + look.px(6)]
    count, shelf, buttons = rows(low, parts, look.px(6))
    return board, shelf, buttons, count


def _strips(seen: Now, area: Rect, look: Look) -> tuple[Rect, Rect, Rect, Rect]:
    """Return the rectangles of board, rack, buttons and pool count.

    Buttons stand beside the rack where there is room, else below it; the pool count
    stands at the lower right, beside the board if that leaves it free.
    """
    gap, size = look.gap, field(seen).edition.rack
    side = _tile(seen, area, look)
    high, wide = side + look.px(10), size * (side + look.px(3)) + look.px(16)
    texts = [_("Shuffle"), _("Recall"), _("PASS"), _("DONE")]
    if seen.view.options.challenge != "none":
        texts[0] = max(texts[0], _("Challenge"), key=lambda text: look.width(text, 20))
    needed = sum(widgets.button_width(text, look) + gap for text in texts)
    over = not networdz.actors(seen.view)  # there is nothing to press
    bare = look.held and _idle(seen)  # what stands below it rises
    beside = wide + gap + (0 if over else needed) <= area.w
    foot, note = round(look.small * 1.5), look.width(pool(seen), look.small) + gap
    below = high + gap + (0 if beside or bare else look.row + gap)
    if seen.seat is None:
        below = 0  # a bystander has no tiles, and nothing to press
    ground = field(seen)
    free_w = area.w - (area.h - below) * ground.width // ground.height
    apart = free_w >= 2 * note
    rest = area.h - below - (0 if apart else foot)
    board = Rect(area.x, area.y, area.w, rest)
    y = board.bottom + gap
    x = area.x + (area.w - wide) // 2
    if beside and not over:  # they begin where the board does
        x = min(_fitted(seen, board, look)[1].x, area.right - wide - gap - needed)
    shelf = Rect(max(area.x, x), y, min(wide, area.w), high)
    top = y + (high - look.row) // 2 if beside else shelf.bottom + gap
    left = shelf.right + gap if beside else area.x
    buttons = Rect(left, top, area.right - left, look.row)
    low = board.bottom - foot if apart else area.bottom - foot
    return board, shelf, buttons, Rect(area.right - note, low, note, foot)


def _tile(seen: Now, area: Rect, look: Look) -> int:
    """Return how large a tile of the rack is: never smaller than on the board."""
    if not look.held:
        return max(look.px(36), area.h // 14)
    each = (area.w - look.px(16)) // field(seen).edition.rack - look.px(3)
    high = area.h + (look.row + look.gap if _idle(seen) else 0)
    return min(each, max(look.px(36), high // 10))


def standing(seen: Now, wide: int, look: Look) -> int:
    """Return how high all is on a phone held upright whose width the board fills."""
    area = Rect(0, 0, wide, 10 * wide)
    board = _fitted(seen, area, look)[1]
    low = _tile(seen, area, look) + look.px(10) + look.row + 2 * look.gap
    own = low if seen.seat is not None else 0
    return board.h + look.px(6) + own + round(look.small * 1.5)


def _fitted(seen: Now, area: Rect, look: Look) -> tuple[Squares, Rect]:
    """Return the squares of the board in a room, and the board around them."""
    ground = field(seen)
    pad, rim = look.px(6), round(look.small * 1.4)
    inner = area.inset(pad)
    room = Rect(inner.x + rim, inner.y + rim, inner.w - rim - pad, inner.h - rim)
    squares = Squares.fitted(room, ground.width, ground.height)
    r = squares.rect
    around = Rect(r.x - rim - pad, r.y - rim, r.w + rim + 2 * pad, r.h + rim + pad)
    return squares, around


def _board(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    ground, rim = field(seen), round(look.small * 1.4)
    squares, around = _fitted(seen, area, look)
    gap = max(1, squares.side // 20)
    kids = _coordinates(squares, rim, look)
    kids += [
        _cell(seen, local, cell, squares.cell(*_at(ground, cell), gap), look)
        for cell in range(ground.size)
    ]
    for each in local.laid:  # laid but not committed
        blank = kind(seen, each.tile) == ground.blank
        letter = "?" if each.letter == OPEN else ground.alphabet[each.letter]
        points = "" if blank else str(ground.points[each.letter])
        face = piece(
            f"tile:{each.tile}", squares.cell(*_at(ground, each.cell), gap), letter,
            points, look, blank=blank, fresh=True, drag=True,
            selected=local.chosen == each.tile,
        )  # fmt: skip
        kids.append(replace(face, value=letter, means=AtTile(each.tile)))
    kids += _cursor(seen, local, squares, look)
    kids += _flying(seen, local, squares, gap, look)
    kids += _score(seen, local, squares, look)
    return widgets.tray("board", around, kids, look)


def _coordinates(squares: Squares, rim: int, look: Look) -> list[Node]:
    """Return the letters above the columns and the numbers beside the rows."""
    ink, size = widgets.ink(look.theme.board, look), min(look.small, squares.side // 2)
    ink = mix(ink, look.theme.board, 0.25)
    r, pitch = squares.rect, squares.side
    above = [
        (Rect(r.x + i * pitch, r.y - rim, pitch, rim), column_name(i))
        for i in range(squares.across)
    ]
    beside = [
        (Rect(r.x - rim, r.y + i * pitch, rim, pitch), str(i + 1))
        for i in range(squares.down)
    ]
    return [
        label(rect, text, look, size=max(8, size), align=Align.CENTRE, colour=ink)
        for rect, text in (*above, *beside)
    ]


def _at(ground: Ground, cell: int) -> tuple[int, int]:
    return cell % ground.width, cell // ground.width


def _cell(
    seen: Now, local: Local, cell: int, rect: Rect, look: Look
) -> Node:  # fmt: skip
    """Return one cell: a tile that lies there for good, or the bare square."""
    aloft = flight(seen, local) < 1 and cell in seen.view.last.cells
    if seen.view.letters[cell] and not aloft:
        return _fixed(seen, cell, rect, look)
    ground = field(seen)
    row, column = divmod(cell, ground.width)
    square = ground.edition.board[row][column]
    blocked = ground.blocked[cell]
    bg = edition_changes.square(square, look)
    open_ = free(seen, local, cell)
    plain = square in (".", "##")
    ink = widgets.ink(bg, look)
    start = cell == ground.start
    face = Node(
        Role.CELL, f"cell:{cell}", rect, value="" if plain else square,
        shape=Shape.ROUND, radius=max(2, rect.w // 10), bg=bg, fg=ink,
        mark=Mark.STAR if start else Mark.NONE, live=not blocked, drop=open_,
        means=AtCell(cell),
    )  # fmt: skip
    if plain or start:
        return face
    return replace(face, kids=_premium(square, rect, ink, look))


def _premium(square: str, rect: Rect, ink: Colour, look: Look) -> tuple[Node, ...]:
    """Return the writing on a premium square; short where any has no room."""
    word, score = square[0] == "W", int(square[1])
    written = {
        True: _("{n}X|WORD|SCORE").format(n=score).split("|"),
        False: _("{n}X|LETTER|SCORE").format(n=score).split("|"),
    }
    lines, every = written[word], [*written[True], *written[False]]
    size = typefaces.fitting(every, rect.w // 4, 4, rect.w - 4, bold=True)
    if rect.w < WORDY or size < 8:
        size = max(8, round(rect.w * 0.38))
        what = _("WORD") if word else _("LETTER")
        lines = [f"{score}{what[0]}"]
    pitch = round(size * 1.15)
    top = rect.y + (rect.h - pitch * len(lines)) // 2
    return tuple(
        label(
            Rect(rect.x + 1, top + i * pitch, rect.w - 2, pitch), text, look,
            size=size, bold=True, align=Align.CENTRE, colour=ink,
        )
        for i, text in enumerate(lines)
    )  # fmt: skip


def _fixed(seen: Now, cell: int, rect: Rect, look: Look) -> Node:
    """Return a tile that was committed; a blank's letter is grey."""
    ground, view = field(seen), seen.view
    letter, lying = view.letters[cell] - 1, view.kinds[cell] - 1
    blank = lying == ground.blank
    face = piece(
        f"cell:{cell}", rect, ground.alphabet[letter],
        "" if blank else str(ground.points[lying]), look,
        blank=blank, latest=cell in view.last.cells,
    )  # fmt: skip
    trade = blank and view.options.trade_blanks
    means = AtCell(cell)
    said = ground.alphabet[letter]
    return replace(face, value=said, live=True, drop=trade, means=means)


def _flying(
    seen: Now, local: Local, squares: Squares, gap: int, look: Look
) -> list[Node]:
    """Return the tiles of somebody's move on their way from the board's right edge.

    Source document, Preferences: Animation.
    """
    done = flight(seen, local)
    if done >= 1:
        return []
    ground, part = field(seen), 1 - (1 - done) ** 3
    made: list[Node] = []
    for cell in seen.view.last.cells:
        rect = squares.cell(*_at(ground, cell), gap)
        start = squares.rect.right - rect.w
        x = round(start + (rect.x - start) * part)
        y = round(squares.rect.y + (rect.y - squares.rect.y) * part)
        face = _fixed(seen, cell, Rect(x, y, rect.w, rect.h), look)
        made.append(replace(face, name="", live=False, drop=False))
    return made


def _cursor(seen: Now, local: Local, squares: Squares, look: Look) -> list[Node]:
    """Return the arrow that shows where typed letters go."""
    if local.cursor < 0 or local.doing is not Doing.PLAYING:
        return []
    cell = squares.cell(*_at(field(seen), local.cursor))
    side = max(10, cell.w // 2)
    spot = centred(cell, side, side)
    theme = look.theme
    empty = free(seen, local, local.cursor)  # else the letter there is to be seen
    ground = mix(theme.cell, theme.focus, 0.15) if empty else None
    ring = Node(
        Role.LABEL, "cursor", cell, value="down" if local.down else "right",
        shape=Shape.ROUND, radius=max(2, cell.w // 8), edge=theme.focus,
        border=max(2, cell.w // 14), bg=ground,
        kids=(
            Node(
                Role.LABEL, "", spot, fg=theme.focus,
                mark=Mark.DOWN if local.down else Mark.RIGHT,
            ),
        ) if empty else (),
    )  # fmt: skip
    return [ring]


def _score(seen: Now, local: Local, squares: Squares, look: Look) -> list[Node]:
    """Return the tentative score beside the last tile laid, off all tiles."""
    found = verdict(seen, local)
    if found is None or found.error:
        return []
    ground, text = field(seen), str(found.points)
    size = max(10, squares.side // 3)
    wide = look.width(text, size, bold=True) + look.px(10)
    high = round(size * 1.5)
    last = max(each.cell for each in local.laid)
    cell = squares.cell(*_at(ground, last))
    x = min(cell.right - wide // 2, squares.rect.right - wide)
    y = min(cell.bottom - high // 3, squares.rect.bottom - high)
    return [widgets.badge("tentative", Rect(x, y, wide, high), text, size, look)]


def _rack(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the rack: slots that take a drop, and the tiles that stand in them."""
    ground = field(seen)
    slots = max(ground.edition.rack, len(local.order))
    inner = area.inset(look.px(8), look.px(5))
    side = min(inner.h, inner.w // max(1, slots) - look.px(3))
    step = side + look.px(3)
    left = inner.x + (inner.w - step * slots) // 2
    top = inner.y + (inner.h - side) // 2
    kids: list[Node] = []
    theme = look.theme
    for i in range(slots):
        spot = Rect(left + i * step, top, side, side)
        kids.append(
            Node(
                Role.CELL, f"rack:{i}", spot, shape=Shape.ROUND, radius=side // 8,
                bg=mix(theme.board, theme.ground, 0.25), live=local.chosen >= 0,
                drop=True, means=AtRack(i),
            )
        )  # fmt: skip
    for i, tile in enumerate(local.order):
        if tile not in local.away:
            spot = Rect(left + i * step, top, side, side)
            kids.append(_held(seen, local, tile, spot, look))
    return widgets.tray("rack", area, kids, look)


def _held(seen: Now, local: Local, tile: int, rect: Rect, look: Look) -> Node:
    ground, known = field(seen), kind(seen, tile)
    plain = 0 <= known < ground.blank
    face = piece(
        f"tile:{tile}", rect, letters_of(seen, tile),
        str(ground.points[known]) if plain else "", look, drag=True,
        selected=local.chosen == tile,
    )  # fmt: skip
    face = replace(face, focusable=True, means=AtTile(tile))
    if known < 0:
        return widgets.on_its_way(face, look)
    return replace(face, value=value(seen, tile))


def _ready(points: int) -> str:
    """Return what the button says that commits, once the tiles laid are a play."""
    done = _("DONE")
    return f"{done} · {points}"


def _buttons(
    seen: Now, local: Local, area: Rect, look: Look, left: int
) -> tuple[Node, ...]:
    turn, found = mine(seen) and seen.live, verdict(seen, local)
    play = None if found is None or found.error else found
    commit = _("DONE") if play is None else _ready(play.points)
    ready = turn and play is not None
    done, tone = turn and bool(local.laid), Tone.MAIN if ready else Tone.PLAIN
    items: list[widgets.Item] = [
        ("shuffle", _("Shuffle"), Tone.PLAIN, len(rack(seen)) > 1, Shuffle()),
        ("recall", _("Recall"), Tone.PLAIN, bool(local.laid), Recall()),
        ("pass", _("PASS"), Tone.PLAIN, turn, PassTurn()),
        ("done", commit, tone, done, Commit()),
    ]
    if doubting(seen):
        doubt = Answer(Challenge())
        del items[0]
        items.insert(2, ("challenge", _("Challenge"), Tone.DANGER, seen.live, doubt))
    if doubting(seen) and ending(seen):
        stands = Answer(Accept())
        items = [items[2], ("accept", _("Accept"), Tone.MAIN, seen.live, stands)]
        done = False
    align = Align.LEFT if area.x > left else Align.CENTRE
    large = "done" if look.held else ""
    made = widgets.flow(
        area, look, items, align=align, widest={"done": _ready(88)}, fill=large
    )
    if look.apart:
        made = widgets.keys(area, look, items)
    if not done or ready:
        return made
    # It looks as if it could not be pressed; who does so is told why.
    pale = replace(widgets.inert(made[-1], look), live=True, focusable=True)
    return *made[:-1], replace(pale, enabled=True)


def _discarding(
    seen: Now, local: Local, area: Rect, span: Span, look: Look
) -> tuple[Node, ...]:
    """Return the discard pile and its buttons where the others were, off the board.

    In one row, or the buttons below the pile where that has more room.
    """
    turn, gap, n = mine(seen) and seen.live, look.gap, len(local.discards)
    slots, plain = field(seen).edition.rack, _("DONE")
    wide = slots * (look.row - look.px(3)) + look.px(9)
    both = 2 * look.row + look.px(2)
    top = area.y if look.apart else min(span.top, span.low - both)
    apart = span.top - top <= gap
    names = ngettext("EXCHANGE {n} TILE", "EXCHANGE {n} TILES", n).format(n=n)
    named = names if n else plain
    items: list[widgets.Item] = [
        ("pass", _("Back"), Tone.PLAIN, True, PassTurn()),  # at any time
        ("done", named, Tone.MAIN if turn else Tone.PLAIN, turn, Commit()),
    ]
    if renews(seen):
        items.insert(0, ("renew", _("Exchange all"), Tone.PLAIN, turn, RenewRack()))
    widest = {"done": names}
    room = area.w - sum(
        widgets.button_width(widest.get(name, text), look) + gap
        for name, text, *_rest in items
    )
    if room < wide and not apart:  # the tiles need the room more
        more = widgets.button_width(names, look) - widgets.button_width(plain, look)
        room, widest = room + more, {}
        items[-1] = ("done", plain, *items[-1][2:])
    if look.apart or (room < wide and apart):
        pile = Rect(area.x, top, min(wide, area.w), look.row)
        below = Rect(area.x, top + look.row + look.px(2), area.w, look.row)
        buttons = widgets.flow(below, look, items, widest=widest)
        return _pile(seen, local, pile, look), *buttons
    wide = min(wide, room)
    x = area.x + (room - wide) // 2
    pile = Rect(x, area.y, wide, area.h)
    beside = Rect(pile.right + gap, area.y, area.right - pile.right - gap, area.h)
    buttons = widgets.flow(beside, look, items, widest=widest)
    return _pile(seen, local, pile, look), *buttons


def _pile(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the discard pile: a second tray, with a word in it while it is empty."""
    slots = field(seen).edition.rack
    inner = area.inset(look.px(6), look.px(3))
    kids: list[Node] = []
    if not local.discards:
        title = _("Discard pile")
        if not can_discard(seen, local):
            title = _("Discard pile: the pool has no tiles to exchange")
        ink = widgets.ink(look.theme.board, look)
        face = widgets.note(inner, title, look, size=look.small)
        kids.append(replace(face, fg=ink, align=Align.CENTRE))
    spots = grid(inner, slots, 1, look.px(3))
    for tile, spot in zip(local.discards, spots, strict=False):
        side = min(spot.w, spot.h)
        kids.append(_held(seen, local, tile, centred(spot, side, side), look))
    return replace(
        widgets.tray("pile", area, kids, look), drop=can_discard(seen, local)
    )
