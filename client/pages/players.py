"""The players' panels beside a match: name, connection, score, clock, word list."""

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

LOW_CLOCK: Final = 60_000
"""Milliseconds from which a clock is shown as running low."""


def scene(model: Model, area: Rect, count: int) -> Node:
    """Return the players' panels, beside each other and in two rows from three on."""
    look, match, table = model.look, model.match, model.table
    sheets: tuple[Sheet, ...] = ()
    if match is not None:
        sheets = board.find(match.game).sheets(seen(model, match))
    across = 1 if count == 1 else 2
    down = -(-count // across)
    cards: list[Node] = []
    bands = rows(area, [1.0] * down, look.gap)
    for i in range(count):
        spot = columns(bands[i // across], [1.0] * across, look.gap)[i % across]
        if table is not None and i < len(table.seats):
            sheet = sheets[i] if i < len(sheets) else Sheet("")
            cards.append(_player(model, table, i, sheet, spot))
    return widgets.group(area, cards, name="players")


def _player(
    model: Model, table: door.TableStatus, i: int, sheet: Sheet, rect: Rect
) -> Node:
    """Return one player's panel: name, connection, score, tiles left, word list."""
    look, seat = model.look, table.seats[i]
    inner = rect.inset(look.px(10), look.px(8))
    turn = i in table.turn
    big = look.px(22)
    wide = look.width(sheet.score, big, bold=True) + look.px(4) if sheet.score else 1
    top = Rect(inner.x, inner.y, inner.w, round(big * 1.2))
    name, score = columns(top, [1, max(2, wide)], look.px(4))
    more = None
    if person.elsewhere(seat):
        name, more = columns(name, [1, look.px(24)], look.px(4))
    won = won_by(table, i)
    crown = look.px(18) if won else 0
    name = Rect(name.x + crown, name.y, max(0, name.w - crown), name.h)
    linked = seat.state in ("here", "connected")
    colour = look.theme.linked if linked else look.theme.unlinked
    kids = [
        label(name, seat.name or "–", look, name=f"player{i}", bold=True, colour=colour)
    ]
    if more is not None:
        kids.append(person.button(model, f"who{i}", more, seat.doubt))
    if won:
        kids.append(_star(i, top, look))
    if sheet.score:
        kids.append(
            label(
                score, sheet.score, look, name=f"score{i}", size=big, bold=True,
                align=Align.RIGHT,
            )
        )  # fmt: skip
    pitch = round(look.small * metrics.LINE)
    y = top.bottom
    state = Rect(inner.x, y, inner.w, pitch)
    kids.append(setup.sign(model, seat, state, f"seat{i}.state"))
    y += pitch
    note = "  ".join(filter(None, (sheet.note, _clock(model, seat))))
    if note:
        low = 0 <= left(model, seat) < LOW_CLOCK and seat.ticking
        tone = Tone.DANGER if low else Tone.DIM
        short = metrics.fit(note, look.small, inner.w)[0] == note
        spot = Rect(inner.x, y, inner.w, pitch if short else 2 * pitch)
        kids.append(
            widgets.note(spot, note, look, name=f"note{i}", size=look.small, tone=tone)
        )
        y = spot.bottom
    room = Rect(inner.x, y + look.px(4), inner.w, inner.bottom - y - look.px(4))
    room = Rect(room.x, room.y, room.w, room.h // pitch * pitch)
    if sheet.lines and room.h >= pitch:
        kids.append(_words(model, i, sheet, room, pitch, colour))
    face = replace(widgets.panel(rect, look, kids, name=f"player{i}.card"), clip=True)
    if not (turn or won):
        return face
    value = "winner" if won else "turn"
    return replace(face, edge=look.theme.accent, border=look.px(2), value=value)


def won_by(table: door.TableStatus, i: int) -> bool:
    """Tell whether a seat has won, alone or with others, over somebody."""
    if table.phase != "over" or i >= len(table.places):
        return False
    return table.places[i] == 1 and len(set(table.places)) > 1


def _star(i: int, top: Rect, look: Look) -> Node:
    """Return the winner's star, at the left of the name."""
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


def _words(
    model: Model, i: int, sheet: Sheet, room: Rect, pitch: int, colour: Colour
) -> Node:
    """Return a player's list of words and scores, in the colour of the name.

    Source document, Network play: name and word list in blue, and red once connected.
    """
    look = model.look

    def one(left: str, right: str) -> widgets.Row:
        def make(rect: Rect) -> Node:
            wide = look.width(right, look.small) + look.px(8)
            words, points = columns(rect, [1, wide])
            kids = [
                label(words, left, look, size=look.small, colour=colour),
                label(
                    points, right, look, size=look.small, align=Align.RIGHT,
                    colour=colour,
                ),
            ]  # fmt: skip
            return Node(Role.ITEM, "", rect, value=f"{left} {right}", kids=tuple(kids))

        return make

    name = f"words{i}"
    at = model.scrolls.get(name)
    made = [one(left, right) for left, right in sheet.lines]
    return widgets.scroll(
        name, room, made, pitch, look, offset=at or 0, at_end=at is None
    )
