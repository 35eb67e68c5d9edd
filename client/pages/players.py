"""The players' panels beside a match: name, score, clock, connection, tiles left.

Where there is room each has a small card, two across.  Else they stand below each
other in two lines each.  The lists of their words have a tab beside the moves.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from client.app import board, follow
from client.app.board import Sheet
from client.app.model import Model, seen
from client.pages import person, seating
from client.ui import typefaces, widgets
from client.ui.layout import columns, grid, rows
from client.ui.scene import Align, Colour, Mark, Means, Node, Rect, Role
from client.ui.texts import _
from client.ui.theme import Look, stands
from client.ui.widgets import label
from netplay.messages import door, node_questions
from rules import GAMES

LOW_CLOCK: Final = 60_000
"""Milliseconds from which a clock is shown as running low."""

NARROW: Final = 280
"""Pixels of width at 100 % below which no two cards stand beside each other."""

SHOW: Final = "words.of:"
"""Begins the name of a player's panel, which a click asks for the words."""


class ShowWords(Means, frozen=True):
    """Show the words of a player, in the list of all."""

    seat: int


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
    apart, made = (look.gap, _player) if across else (look.px(2), _lined)
    across = across or _beside(model, area.w)
    bands = rows(area, [1.0] * max(1, -(-len(told) // across)), apart)
    cards: list[Node] = []
    for i in range(len(told)):
        spot = columns(bands[i // across], [1.0] * across, look.gap)[i % across]
        if table is not None:
            cards.append(made(model, table, i, told, spot))
    return widgets.group(area, cards, name="players")


LINED: Final = 0
"""No cards, but two lines a player."""


def _beside(model: Model, wide: int) -> int:
    """Return how many players with two lines stand beside each other."""
    look, table = model.look, model.table
    narrow = not (stands(model.size) or look.lying)
    if table is None or len(table.seats) < 2 or narrow:
        return 1
    room, told = _card_room(look, wide, 2), sheets(model)
    fits = [
        look.width(seat.name, look.px(_LEAST), bold=True)
        <= room - look.px(64) - _taken(model, table, i)  # a score beside it
        and seating.state_width(model, seat) + look.width(_note(told[i]), look.small)
        <= room - look.px(6)
        for i, seat in enumerate(table.seats)
    ]
    return 2 if all(fits) else 1


# On a phone held upright: all players above the board, in two lines.


def strip_height(model: Model, wide: int) -> int:
    """Return how high the players are above the board."""
    look, count = model.look, len(sheets(model))
    bands = -(-count // _abreast(count))
    return bands * (_strip_line(model, wide) + look.px(2))


def strip(model: Model, area: Rect) -> Node:
    """Return the players above the board: two below each other, more in pairs."""
    look, table, told = model.look, model.table, sheets(model)
    count = max(1, len(told))
    high = _strip_line(model, area.w)
    spots = grid(area, _abreast(count), -(-count // _abreast(count)), look.px(2))
    cards = [
        _strip(model, table, i, told, Rect(spot.x, spot.y, spot.w, min(spot.h, high)))
        for i, spot in zip(range(len(told)), spots, strict=False)
        if table is not None
    ]
    return widgets.group(area, cards, name="players")


def _abreast(count: int) -> int:
    return 2 if count > 2 else 1


def _strip_line(model: Model, wide: int) -> int:
    """Return how high a player is there: a name that is long takes two small lines."""
    look, table, told = model.look, model.table, sheets(model)
    least = round(look.body * typefaces.LINE) + _pitch(look) + look.px(4)
    if table is None or not told:
        return least
    tile = look.px(48) if len(told) < 3 else 0
    each = wide // _abreast(len(told)) - 2 * look.px(8) - tile
    long = any(
        look.width(seat.name, look.body, bold=True)
        > each - sum(_strip_figures(model, i, told)) - _taken(model, table, i)
        for i, seat in enumerate(table.seats)
    )
    return 3 * _pitch(look) + look.px(4) if long else least


def _strip_figures(model: Model, i: int, told: Sequence[Sheet]) -> tuple[int, int]:
    """Return how wide clock and score are; the clock is below in pairs."""
    look, table = model.look, model.table
    assert table is not None  # there are no sheets else
    size = look.title if len(told) < 3 else look.head
    most = follow.widest(model, i, told[i].score)
    score = look.width(most, size, bold=True) + look.px(8) if most else 0
    clock = _clock(model, table.seats[i]) if len(told) < 3 else ""
    return look.width(clock, look.head, bold=True) + look.px(8) if clock else 0, score


def _strip(
    model: Model, table: door.TableStatus, i: int, told: Sequence[Sheet], rect: Rect
) -> Node:
    """Return one player: name, state and tiles left; clock and score at the right."""
    look, seat, sheet = model.look, table.seats[i], told[i]
    inner = rect.inset(look.px(8), look.px(2))
    few = len(told) < 3
    tile: list[Node] = []
    if few:
        spot, inner = columns(inner, [inner.h, 1], look.px(8))
        noted = dict(model.status.personal) if model.status else {}
        own = noted.get(seat.key, node_questions.Personal())
        tile = [person.face(look, spot.inset(look.px(3)), seat.name, own)]
    for_clock, for_score = _strip_figures(model, i, told)
    left_, time, points = columns(inner, [1, max(2, for_clock), max(2, for_score)])
    upper, lower = rows(left_, [1, _pitch(look)])
    if not few:
        points = Rect(points.x, upper.y, points.w, upper.h)
        lower = Rect(inner.x, lower.y, inner.w, lower.h)
    kids = [*tile, *_name(model, table, i, upper)]
    if sheet.score:
        size = look.title if few else look.head
        kids.append(_score(model, sheet, i, points, size, Align.RIGHT))
    if clock := _clock(model, seat):
        wide = look.width(clock, look.small, bold=True) + look.px(4)
        if not few:
            lower, time = columns(lower, [1, wide])
        size = look.head if few else look.small
        kids.append(_time(model, i, clock, time, size))
    kids += _strip_state(model, i, sheet, lower)
    return _pressed(sheet, i, _framed(table, i, widgets.panel(rect, look, kids), look))


def _strip_state(model: Model, i: int, sheet: Sheet, room: Rect) -> list[Node]:
    """Return how a player is, and beside it what is noted, if there is room for it."""
    look, table, match = model.look, model.table, model.match
    assert table is not None  # there are no sheets else
    seat, note = table.seats[i], _note(sheet)
    mine = match is not None and match.seat == i and i in table.turn
    mine = mine and i not in table.face_down
    words = _("Your turn") if mine and table.phase == "playing" else ""
    taken = look.width(words, look.small, bold=True)
    if not words:
        taken = seating.state_width(model, seat)
    wide = look.width(note, look.small) + look.px(10)
    kids: list[Node] = []
    if note and taken + wide <= room.w:
        spot = Rect(room.right - wide, room.y, wide, room.h)
        if len(table.seats) < 3:  # beside the state, not under the clock
            spot = Rect(room.x + taken + look.px(4), room.y, wide, room.h)
        kids.append(_told(i, note, spot, look))
    room = Rect(room.x, room.y, min(room.w, taken + look.px(2)), room.h)
    if words:
        title = label(room, words, look, name="title", size=look.small, bold=True)
        return [replace(title, fg=look.theme.accent), *kids]
    return [seating.sign(model, seat, room, f"seat{i}.state"), *kids]


def across(model: Model, wide: int, room: int) -> int:
    """Return how many cards stand beside each other in a room; `LINED` if none fit."""
    told = sheets(model)
    tried = (1,) if len(told) == 1 or wide < model.look.px(NARROW) else (2, 1)
    look, table = model.look, model.table
    for each in tried:
        inner = _card_room(look, wide, each)
        broken = table is not None and any(  # a word of a name would be
            look.width(word, look.px(_LEAST), bold=True)
            > inner - _taken(model, table, i)
            for i, seat in enumerate(table.seats)
            for word in seat.name.split()
        )
        if not broken and _height(model, told, wide, each) <= room:
            return each
    return LINED


def height(model: Model, wide: int, across: int) -> int:
    """Return how high the panels must be in a column of this width."""
    return _height(model, sheets(model), wide, across)


def _height(model: Model, told: Sequence[Sheet], wide: int, across: int) -> int:
    look, table = model.look, model.table
    if across == LINED:
        bands = -(-len(told) // _beside(model, wide))
        return bands * (_line_height(look) + look.px(2))
    room = _card_room(look, wide, across)
    if table is None or not told:
        return -look.gap
    below = _below(model, table, told, room)
    needed = max(
        _name_lines(model, table, i, room)[1]
        + _middle_height(told[i], table.seats[i], look)
        + _pitch(look)
        + below[i] * _pitch(look)
        + 2 * look.px(8)
        for i in range(len(told))
    )
    return -(-len(told) // across) * (needed + look.gap) - look.gap


def listed(model: Model) -> bool:
    """Tell whether players have word lists."""
    match = model.match
    return match is not None and "lexicon" in GAMES[match.game].ABOUT.resources


_SIDE: Final = 12
"""Pixels at 100 % between a card's edge and what stands in it, at its sides."""

_LEAST: Final = 10
"""The least height of a name's letters, in pixels at 100 %."""


def _card_room(look: Look, wide: int, across: int) -> int:
    """Return how wide a card is inside, of so many beside each other."""
    return (wide - look.gap * (across - 1)) // across - 2 * look.px(_SIDE)


def _pitch(look: Look) -> int:
    return round(look.small * typefaces.LINE)


def _line_height(look: Look) -> int:
    """Return how high a player is who has but two lines."""
    return round(look.body * typefaces.LINE) + _pitch(look) + look.px(4)


def _middle_height(sheet: Sheet, seat: door.SeatStatus, look: Look) -> int:
    """Return the height of score and clock; 0 where there is neither."""
    return round(look.title * 1.25) if sheet.score or seat.clock >= 0 else 0


def _name_lines(
    model: Model, table: door.TableStatus, i: int, wide: int
) -> tuple[int, int]:
    """Return in what size a name stands, and how high it is: on up to three lines."""
    look = model.look
    name, beside = table.seats[i].name or "–", wide - _taken(model, table, i)
    least = round(look.body * 1.5)
    if typefaces.fit(name, look.body, beside, bold=True)[0] == name:
        return look.body, least
    size = _name_size(name, look, beside)
    lines = len(typefaces.wrap(name, size, beside, bold=True))
    return size, max(least, lines * round(size * typefaces.LINE))


def _name_size(name: str, look: Look, wide: int) -> int:
    """Return the height of a name on several lines: so that no word is broken."""
    return typefaces.fitting(name.split(), look.body, look.px(_LEAST), wide, bold=True)


def _taken(model: Model, table: door.TableStatus, i: int) -> int:
    """Return how much of a name's line its star and button take."""
    look = model.look
    more = look.px(24 + _BESIDE) if person.more(model, table.seats[i]) else 0
    return more + (look.px(14 + _BESIDE) if won_by(table, i) else 0)


_BESIDE: Final = 3
"""Pixels at 100 % between a name and its star, and its button."""


def _player(
    model: Model, table: door.TableStatus, i: int, told: Sequence[Sheet], rect: Rect
) -> Node:
    """Return one player's card: name, score and clock, connection and tiles left."""
    look, seat, sheet = model.look, table.seats[i], told[i]
    inner = rect.inset(look.px(_SIDE), look.px(8))
    high = _name_lines(model, table, i, inner.w)[1]
    kids = _name(model, table, i, Rect(inner.x, inner.y, inner.w, high))
    middle = Rect(inner.x, inner.y + high, inner.w, _middle_height(sheet, seat, look))
    if middle.h:
        kids += _counted(model, i, sheet, middle)
    state = Rect(inner.x, middle.bottom, inner.w, _pitch(look))
    note = _note(sheet)
    if note and (count := _below(model, table, told, inner.w)[i]):
        low = Rect(inner.x, state.bottom, inner.w, count * _pitch(look))
        kids.append(widgets.note(low, note, look, name=f"note{i}", size=look.small))
    elif note:
        wide = look.width(note, look.small) + look.px(4)
        state, far = columns(state, [1, max(2, wide)])
        kids.append(_told(i, note, far, look))
    kids.append(seating.sign(model, seat, state, f"seat{i}.state"))
    return _pressed(sheet, i, _framed(table, i, widgets.panel(rect, look, kids), look))


def _counted(model: Model, i: int, sheet: Sheet, rect: Rect) -> list[Node]:
    """Return the score, and the clock as large as it matters."""
    look = model.look
    assert model.table is not None  # there are no sheets else
    seat = model.table.seats[i]
    clock, size = _clock(model, seat), look.title if not sheet.score else look.head
    wide = look.width(clock, size, bold=True) + look.px(4) if clock else 0
    left_, right = columns(rect, [1, wide]) if wide else (rect, rect)
    kids: list[Node] = []
    if sheet.score:
        kids.append(_score(model, sheet, i, left_, look.title, Align.LEFT))
    if clock:
        kids.append(_time(model, i, clock, right, size))
    return kids


def _time(model: Model, i: int, clock: str, rect: Rect, size: int) -> Node:
    """Return a clock; one that runs low is seen from afar."""
    look, table = model.look, model.table
    assert table is not None  # there are no sheets else
    seat = table.seats[i]
    low = 0 <= left(model, seat) < LOW_CLOCK and seat.ticking
    theme = look.theme
    ink = theme.latest if low else theme.text if seat.ticking else theme.dim
    return label(rect, clock, look, name=f"clock{i}", size=size, bold=True,
                 align=Align.RIGHT, colour=ink)  # fmt: skip


def _lined(
    model: Model, table: door.TableStatus, i: int, told: Sequence[Sheet], rect: Rect
) -> Node:
    """Return one player in two lines: name and score, connection and tiles left.

    Where there is room for one, that is name and score.
    """
    look, seat, sheet = model.look, table.seats[i], told[i]
    inner = rect.inset(look.px(10), look.px(2))
    short = rect.h < _line_height(look) - look.px(4)
    size = look.body
    most = follow.widest(model, i, sheet.score)
    wide = look.width(most, size, bold=True) + look.px(4) if sheet.score else 0
    upper, lower = rows(inner, [1, 0 if short else _pitch(look)])
    kids = _name(model, table, i, Rect(upper.x, upper.y, upper.w - wide, upper.h))
    if sheet.score:
        spot = Rect(upper.right - wide, upper.y, wide, upper.h)
        kids.append(_score(model, sheet, i, spot, size, Align.RIGHT))
    if short:
        face = _framed(table, i, widgets.panel(rect, look, kids), look)
        return _pressed(sheet, i, face)
    note = "  ".join(filter(None, (_note(sheet), _clock(model, seat))))
    taken = look.width(note, look.small) + look.px(6)
    state, spot = columns(lower, [1, max(2, taken)])
    kids.append(seating.sign(model, seat, state, f"seat{i}.state"))
    if note:
        face = _told(i, note, spot, look)
        low = 0 <= left(model, seat) < LOW_CLOCK and seat.ticking
        kids.append(replace(face, fg=look.theme.latest) if low else face)
    return _pressed(sheet, i, _framed(table, i, widgets.panel(rect, look, kids), look))


def _pressed(sheet: Sheet, i: int, face: Node) -> Node:
    """Return a panel that shows the player's words when it is clicked, if any."""
    if not sheet.lines or not all(points for _word, points in sheet.lines):
        return face
    means = ShowWords(i)
    return replace(face, name=f"{SHOW}{i}", live=True, focusable=True, means=means)


def _name(model: Model, table: door.TableStatus, i: int, top: Rect) -> list[Node]:
    """Return a name with its star and the button that tells more of the player."""
    look, seat = model.look, table.seats[i]
    star = look.px(14 + _BESIDE) if won_by(table, i) else 0
    wide = top.w - _taken(model, table, i)
    name = seat.name or "–"
    whole = typefaces.fit(name, look.body, wide, bold=True)[0] == name
    size = look.body if whole else _name_size(name, look, wide)
    if not whole and 2 * _pitch(look) <= top.h < 2 * round(size * typefaces.LINE):
        size = min(size, look.small)
    wrapped = not whole and top.h >= 2 * round(size * typefaces.LINE)
    spot = Rect(top.x + star, top.y, max(0, wide), top.h)
    kids = [
        label(
            spot, name, look, name=f"player{i}", bold=True, size=size,
            colour=_colour(model, seat), wrap=wrapped,
        )
    ]  # fmt: skip
    if person.more(model, seat):
        x = spot.right + look.px(_BESIDE)
        more = Rect(x, top.y, look.px(24), min(top.h, look.px(26)))
        kids.append(person.button(model, i, more, seat.doubt))
    if star:
        side, high = look.px(14), min(top.h, look.px(24))
        spot = Rect(top.x, top.y + (high - side) // 2, side, side)
        kids.append(
            Node(Role.LABEL, f"winner{i}", spot, mark=Mark.STAR, fg=look.theme.text,
                 value="winner")
        )  # fmt: skip
    return kids


def _colour(model: Model, seat: door.SeatStatus) -> Colour:
    """Return the colour of a name.

    In Networdz it is blue, and red once connected (source document, Network play);
    where nobody is to be connected with, it would only tell two players the same.
    """
    theme, match, table = model.look.theme, model.match, model.table
    if match is None or not board.find(match.game).TRAITS.tinted:
        return theme.text
    if table is None or all(one.kind != "remote" for one in table.seats):
        return theme.text
    linked = seat.state in ("here", "connected")
    return theme.linked if linked else theme.unlinked


def _score(
    model: Model, sheet: Sheet, i: int, rect: Rect, size: int, align: Align
) -> Node:
    text = follow.shown(model, i, sheet.score)
    return label(
        rect, text, model.look, name=f"score{i}", size=size, bold=True, align=align
    )


def _note(sheet: Sheet) -> str:
    """Return what stands small in a card: tiles left; captives, where no words are."""
    words = [f"{left} {right}".strip() for left, right in sheet.lines if not right]
    return "  ".join(filter(None, (sheet.note, *words[-1:])))


def _note_lines(model: Model, seat: door.SeatStatus, sheet: Sheet, wide: int) -> int:
    """Return how many lines of its own a note takes; 0 beside the connection."""
    note, look = _note(sheet), model.look
    beside = wide - look.width(note, look.small) - look.px(4)
    state = seating.state_width(model, seat)
    if not note or state <= beside:
        return 0
    return len(typefaces.wrap(note, look.small, wide))


def _below(
    model: Model, table: door.TableStatus, told: Sequence[Sheet], wide: int
) -> list[int]:
    """Return how many lines each note takes below the connection; 0 beside it.

    Where one of the players' notes has no room beside it, all stand below.
    """
    every = zip(table.seats, told, strict=True)
    own = [_note_lines(model, *each, wide) for each in every]
    least = int(any(own))
    return [
        lines or (least if _note(sheet) else 0)
        for lines, sheet in zip(own, told, strict=True)
    ]


def _told(i: int, note: str, rect: Rect, look: Look) -> Node:
    tone = widgets.Tone.DIM
    return label(
        rect, note, look, name=f"note{i}", size=look.small, tone=tone, align=Align.RIGHT
    )


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


WORDS: Final = "words"
"""The list of all players' words."""


def inside(model: Model, room: Rect) -> list[Node]:
    """Return the words of all players, one list below the other, each with its name."""
    look, table = model.look, model.table
    if table is None:
        return []
    made: list[widgets.Row] = []

    def row(text: str, points: str, rect: Rect) -> Node:
        wide = look.width(points, look.small) + look.px(8)
        words, right = columns(rect, [1, max(2, wide)])
        kids = (
            label(words, text, look, size=look.small),
            label(right, points, look, size=look.small, align=Align.RIGHT),
        )
        return Node(Role.ITEM, "", rect, value=f"{text} {points}", kids=kids)

    for seat, sheet in zip(table.seats, sheets(model), strict=True):
        text, colour = f"{seat.name or '–'}  {sheet.score}", _colour(model, seat)
        head = partial(label, look=look, size=look.small, bold=True, colour=colour)
        made.append(partial(head, text=text))
        made += [partial(row, *line) for line in sheet.lines]
    pitch = _pitch(look)
    room = Rect(room.x, room.y, room.w, room.h // pitch * pitch)
    offset = model.scrolls.get(WORDS, 0)
    return [widgets.scroll(WORDS, room, made, pitch, look, offset=offset)]


def place(model: Model, i: int) -> int:
    """Return where a player's words begin in the list of all."""
    above = sum(len(sheet.lines) + 1 for sheet in sheets(model)[:i])
    return above * _pitch(model.look)
