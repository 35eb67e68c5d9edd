"""The players' panels beside a match: name, connection, score, clock, word list.

Where there is room each has a card, two across, with the list of its words.  Else
they stand below each other in two lines each, and a tab beside the chat has the lists.
"""

from typing import Final

from msgspec.structs import replace

from client import board, metrics, widgets
from client.board import Sheet
from client.layout import columns, rows
from client.model import Model, seen
from client.pages import person, setup
from client.scene import Align, Colour, Mark, Node, Rect, Role
from client.theme import Look
from client.widgets import Tone, label
from netplay.messages import door
from rules import GAMES

LOW_CLOCK: Final = 60_000
"""Milliseconds from which a clock is shown as running low."""

NARROW: Final = 300
"""Pixels of width at 100 % below which no two cards stand beside each other."""

LISTED: Final = 2
"""Words that must be seen at once, else the list has no room in a card."""

SHOW: Final = "words.of:"
"""Begins the name of a player's two lines, which a click asks for the words."""


def sheets(model: Model) -> tuple[Sheet, ...]:
    """Return what the game has to say of each seat."""
    match, count = model.match, len(model.table.seats) if model.table else 0
    if match is None:
        return (Sheet(""),) * count
    found = board.find(match.game).sheets(seen(model, match))
    return (*found, *(Sheet(""),) * (count - len(found)))[:count]


def scene(model: Model, area: Rect, across: int) -> Node:
    """Return the players' panels.

    Args:
        model: As it is.
        area: Their room.
        across: Cards beside each other, or `LINED`.
    """
    look, table, told = model.look, model.table, sheets(model)
    count = -(-len(told) // max(1, across))
    apart = look.gap if across else look.px(2)
    bands = rows(area, [1.0] * max(1, count), apart)
    made = _player if across else _lined
    across = max(1, across)
    cards: list[Node] = []
    for i, sheet in enumerate(told):
        spot = columns(bands[i // across], [1.0] * across, look.gap)[i % across]
        if table is not None:
            cards.append(made(model, table, i, sheet, spot))
    return widgets.group(area, cards, name="players")


LINED: Final = 0
"""No cards beside each other, but two lines a player."""


def across(model: Model, wide: int, room: int) -> int:
    """Return how many cards stand beside each other in a room; `LINED` if none fit."""
    count = len(sheets(model))
    tried = (1,) if count == 1 or wide < model.look.px(NARROW) else (2, 1)
    fits = (each for each in tried if height(model, wide, each) <= room)
    return next(fits, LINED)


def height(model: Model, wide: int, across: int) -> int:
    """Return how high the panels must be at least in a column of this width."""
    look, told = model.look, sheets(model)
    if across == LINED:
        return len(told) * (_line_height(look) + look.px(2))
    room = (wide - look.gap * (across - 1)) // across - 2 * look.px(10)
    needed = (_needed(model, i, sheet, room) for i, sheet in enumerate(told))
    return -(-len(told) // across) * (max(needed, default=0) + look.gap)


def listed(model: Model) -> bool:
    """Tell whether players have word lists."""
    match = model.match
    return match is not None and "lexicon" in GAMES[match.game].ABOUT.resources


def _needed(model: Model, i: int, sheet: Sheet, wide: int) -> int:
    """Return how high a card must be inside for what stands in it."""
    look, table = model.look, model.table
    assert table is not None  # there are no sheets else
    pitch = _pitch(look)
    lines = LISTED * pitch + look.px(4) if listed(model) else 0
    head = _head(model, table, i, sheet, wide)[1]
    note = _note_lines(_note(model, table.seats[i], sheet), look, wide) * pitch
    return head + note + lines + 2 * look.px(8)


def _pitch(look: Look) -> int:
    return round(look.small * metrics.LINE)


def _line_height(look: Look) -> int:
    """Return how high a player is who has but two lines."""
    return round(look.body * metrics.LINE) + _pitch(look) + look.px(4)


def _big(look: Look) -> int:
    return look.px(22)


def _score_width(sheet: Sheet, look: Look, size: int) -> int:
    return look.width(sheet.score, size, bold=True) + look.px(4) if sheet.score else 0


def _head(
    model: Model, table: door.TableStatus, i: int, sheet: Sheet, wide: int
) -> tuple[int, int]:
    """Return how many lines a name takes, and how high it is with the connection.

    A name that has no room beside the score stands above it, on up to three lines.
    """
    look, seat = model.look, table.seats[i]
    beside = wide - _taken(table, i, look)
    name, high = seat.name or "–", round(_big(look) * 1.2)
    alone = beside - _score_width(sheet, look, _big(look))
    if metrics.fit(name, look.body, alone, bold=True)[0] == name:
        return 1, high + _pitch(look)
    size = _name_size(name, look, beside)
    lines = len(metrics.wrap(name, size, beside, bold=True))
    return lines + 1, lines * round(size * metrics.LINE) + high


def _name_size(name: str, look: Look, wide: int) -> int:
    """Return the height of a name on several lines: so that no word is broken."""
    size = look.body
    while size > look.px(10) and any(
        look.width(word, size, bold=True) > wide for word in name.split()
    ):
        size -= 1
    return size


def _taken(table: door.TableStatus, i: int, look: Look) -> int:
    """Return how much of a name's line its star and button take."""
    more = look.px(28) if person.elsewhere(table.seats[i]) else 0
    return more + (look.px(18) if won_by(table, i) else 0)


def _player(
    model: Model, table: door.TableStatus, i: int, sheet: Sheet, rect: Rect
) -> Node:
    """Return one player's card: name, connection, score, tiles left, word list."""
    look, seat = model.look, table.seats[i]
    inner = rect.inset(look.px(10), look.px(8))
    lines, high = _head(model, table, i, sheet, inner.w)
    big, pitch = _big(look), _pitch(look)
    colour = _colour(seat, look)
    wide = _score_width(sheet, look, big)
    top = Rect(inner.x, inner.y, inner.w, round(big * 1.2))
    kids = _name(model, table, i, top, wide if lines == 1 else 0, lines)
    if lines == 1:
        score, state = top, Rect(inner.x, top.bottom, inner.w, pitch)
    else:
        low = inner.y + high - top.h
        score = Rect(inner.x, low, inner.w, top.h)
        state = Rect(inner.x, low, inner.w - wide, top.h)
    if sheet.score:
        spot = Rect(score.right - wide, score.y, wide, score.h)
        kids.append(_score(sheet, i, spot, big, look))
    kids.append(setup.sign(model, seat, state, f"seat{i}.state"))
    y = inner.y + high
    note = _note(model, seat, sheet)
    if note:
        count = _note_lines(note, look, inner.w)
        spot = Rect(inner.x, y, inner.w, count * pitch)
        kids.append(_told(model, seat, i, note, spot))
        y = spot.bottom
    room = Rect(inner.x, y + look.px(4), inner.w, inner.bottom - y - look.px(4))
    room = Rect(room.x, room.y, room.w, room.h // pitch * pitch)
    if sheet.lines and room.h >= pitch:
        kids.append(_words(model, i, sheet, room, pitch, colour))
    return _framed(table, i, widgets.panel(rect, look, kids), look)


def _lined(
    model: Model, table: door.TableStatus, i: int, sheet: Sheet, rect: Rect
) -> Node:
    """Return one player in two lines: name and score, connection and tiles left."""
    look, seat = model.look, table.seats[i]
    inner = rect.inset(look.px(10), look.px(2))
    size = look.body
    wide = _score_width(sheet, look, size)
    upper, lower = rows(inner, [1, _pitch(look)])
    kids = _name(model, table, i, upper, wide, 1)
    if sheet.score:
        spot = Rect(upper.right - wide, upper.y, wide, upper.h)
        kids.append(_score(sheet, i, spot, size, look))
    note = _note(model, seat, sheet)
    taken = look.width(note, look.small) + look.px(6)
    state, spot = columns(lower, [1, max(2, taken)])
    kids.append(setup.sign(model, seat, state, f"seat{i}.state"))
    if note:
        kids.append(_told(model, seat, i, note, spot))
    face = _framed(table, i, widgets.panel(rect, look, kids), look)
    if not sheet.lines:
        return face
    return replace(face, name=f"{SHOW}{i}", live=True, focusable=True)


def _name(
    model: Model, table: door.TableStatus, i: int, top: Rect, apart: int, lines: int
) -> list[Node]:
    """Return a name with its star and the button that tells more of the player.

    Args:
        model: As it is.
        table: The table.
        i: The seat.
        top: The first line of the panel.
        apart: How much of it the score takes.
        lines: The lines that the name takes with the score, 1 if both share one.
    """
    look, seat = model.look, table.seats[i]
    left = look.px(18) if won_by(table, i) else 0
    wide = top.w - apart - _taken(table, i, look)
    size = look.body if lines == 1 else _name_size(seat.name, look, wide)
    high = top.h if lines == 1 else (lines - 1) * round(size * metrics.LINE)
    spot = Rect(top.x + left, top.y, max(0, wide), high)
    kids = [
        label(
            spot, seat.name or "–", look, name=f"player{i}", bold=True, size=size,
            colour=_colour(seat, look), wrap=lines > 1,
        )
    ]  # fmt: skip
    if person.elsewhere(seat):
        x = spot.right + look.px(4)
        more = Rect(x, top.y, look.px(24), min(high, look.px(26)))
        kids.append(person.button(model, f"who{i}", more, seat.doubt))
    if left:
        kids.append(_star(i, top, look))
    return kids


def _colour(seat: door.SeatStatus, look: Look) -> Colour:
    """Return the colour of a name (source document: blue, and red once connected)."""
    linked = seat.state in ("here", "connected")
    return look.theme.linked if linked else look.theme.unlinked


def _score(sheet: Sheet, i: int, rect: Rect, size: int, look: Look) -> Node:
    return label(
        rect, sheet.score, look, name=f"score{i}", size=size, bold=True,
        align=Align.RIGHT,
    )  # fmt: skip


def _note(model: Model, seat: door.SeatStatus, sheet: Sheet) -> str:
    """Return what stands below a name: tiles left and clock."""
    return "  ".join(filter(None, (sheet.note, _clock(model, seat))))


def _note_lines(note: str, look: Look, wide: int) -> int:
    if not note or metrics.fit(note, look.small, wide)[0] == note:
        return min(1, len(note))
    return len(metrics.wrap(note, look.small, wide))


def _told(
    model: Model, seat: door.SeatStatus, i: int, note: str, rect: Rect
) -> Node:  # fmt: skip
    """Return tiles left and clock, conspicuous where time is short."""
    low = 0 <= left(model, seat) < LOW_CLOCK and seat.ticking
    tone, look = Tone.DANGER if low else Tone.DIM, model.look
    return widgets.note(rect, note, look, name=f"note{i}", size=look.small, tone=tone)


def _framed(table: door.TableStatus, i: int, face: Node, look: Look) -> Node:
    """Return a panel with its name, in a frame if it is its turn or it has won."""
    face = replace(face, name=f"player{i}.card", clip=True)
    won = won_by(table, i)
    if not (won or i in table.turn):
        return face
    value = "winner" if won else "turn"
    return replace(face, edge=look.theme.accent, border=look.px(2), value=value)


def won_by(table: door.TableStatus, i: int) -> bool:
    """Tell whether a seat has won, alone or with others, over somebody."""
    if table.phase != "over" or i >= len(table.places):
        return False
    return table.places[i] == 1 and len(set(table.places)) > 1


def _star(i: int, top: Rect, look: Look) -> Node:
    side = look.px(14)
    spot = Rect(top.x, top.y + (top.h - side) // 2, side, side)
    return Node(
        Role.LABEL, f"winner{i}", spot, mark=Mark.STAR, fg=look.theme.text,
        value="winner",
    )  # fmt: skip


def left(model: Model, seat: door.SeatStatus) -> int:
    """Return the milliseconds left on a seat's clock now, -1 if it has none."""
    if seat.clock < 0 or not seat.ticking:
        return seat.clock
    return max(0, seat.clock - round((model.now - model.told) * 1000))


def _clock(model: Model, seat: door.SeatStatus) -> str:
    """Return a seat's clock as minutes and seconds."""
    if seat.clock < 0:
        return ""
    minutes, seconds = divmod(-(-left(model, seat) // 1000), 60)
    return f"{minutes}:{seconds:02d}"


def _row(text: str, points: str, colour: Colour, look: Look) -> widgets.Row:
    def make(rect: Rect) -> Node:
        wide = look.width(points, look.small) + look.px(8)
        words, right = columns(rect, [1, max(2, wide)])
        kids = [
            label(words, text, look, size=look.small, colour=colour),
            label(
                right, points, look, size=look.small, align=Align.RIGHT, colour=colour
            ),
        ]
        return Node(Role.ITEM, "", rect, value=f"{text} {points}", kids=tuple(kids))

    return make


def _words(
    model: Model, i: int, sheet: Sheet, room: Rect, pitch: int, colour: Colour
) -> Node:
    """Return a player's list of words and scores, in the colour of the name.

    Source document, Network play: name and word list in blue, and red once connected.
    """
    look, name = model.look, f"words{i}"
    at = model.scrolls.get(name)
    made = [_row(left, right, colour, look) for left, right in sheet.lines]
    return widgets.scroll(
        name, room, made, pitch, look, offset=at or 0, at_end=at is None
    )


WORDS: Final = "words"
"""The list of all players' words."""


def inside(model: Model, room: Rect) -> list[Node]:
    """Return the words of all players, one list below the other, each with its name."""
    look, table = model.look, model.table
    if table is None:
        return []
    made: list[widgets.Row] = []
    for seat, sheet in zip(table.seats, sheets(model), strict=True):
        made.append(_heading(seat, sheet, look))
        colour = _colour(seat, look)
        made += [_row(left, right, colour, look) for left, right in sheet.lines]
    pitch = _pitch(look)
    room = Rect(room.x, room.y, room.w, room.h // pitch * pitch)
    offset = model.scrolls.get(WORDS, 0)
    return [widgets.scroll(WORDS, room, made, pitch, look, offset=offset)]


def _heading(seat: door.SeatStatus, sheet: Sheet, look: Look) -> widgets.Row:
    """Return the row above a player's words."""
    text = f"{seat.name or '–'}  {sheet.score}"
    return lambda rect: label(
        rect, text, look, size=look.small, bold=True, colour=_colour(seat, look)
    )


def place(model: Model, i: int) -> int:
    """Return where a player's words begin in the list of all."""
    above = sum(len(sheet.lines) + 1 for sheet in sheets(model)[:i])
    return above * _pitch(model.look)
