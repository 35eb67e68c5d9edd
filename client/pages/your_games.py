"""The card that leads the start page: every game in hand, those that wait first.

Each row has a picture of the board as it stands now, who plays, whose turn it is and
since when, and whatever else is to be known before one opens it.
"""

from typing import Final

from msgspec.structs import replace

from client import widgets
from client.layout import columns, rows
from client.model import Model
from client.pages import games, unfinished
from client.scene import Align, Node, Rect, Role, Shape, mix
from client.texts import _, phrase
from client.theme import Look
from client.widgets import Tone, label
from netplay.messages.listed_tables import GameStatus, OpenStatus
from netplay.said import Words
from rules import GAMES

LIST: Final = "in-hand.list"
"""The list, and how far it is scrolled."""

OWN: Final = "in-hand.own"
"""Begins the names of texts with players' own words."""

PITCH: Final = 68
MOST: Final = 112
"""Pixels of a row at 100 %: few games have larger pictures."""

WORDS: Final = 58
"""Pixels of a row's three lines at 100 %."""


def card(model: Model, rect: Rect) -> Node:
    """Return the card."""
    look, status = model.look, model.status
    assert status is not None  # it has games
    inner = rect.inset(look.px(12), look.px(10))
    head, room = rows(inner, [look.row, 1], look.px(4))
    title = _("Something is wrong") if unfinished.faults(model) else _("Your games")
    room, wrong = unfinished.wrong(model, room)
    made = _rows(model)
    pitch = max(look.px(PITCH), min(look.px(MOST), room.h // len(made)))
    listed = widgets.scroll(
        LIST, room, made, pitch, look, offset=model.scrolls.get(LIST, 0)
    )
    text = _("History")
    head, right = columns(head, [1, widgets.button_width(text, look)], look.gap)
    return widgets.panel(
        rect, look,
        [
            label(head, title, look, size=look.head, bold=True),
            widgets.button("finished", right, text, look, tone=Tone.QUIET),
            *wrong,
            listed,
        ],
        name="in-hand.card",
    )  # fmt: skip


def _rows(model: Model) -> list[widgets.Row]:
    """Return what went wrong, tables to choose, games in hand, and those put away."""
    look, status = model.look, model.status
    assert status is not None  # it has games
    wrongs = unfinished.faults(model)
    more = unfinished.more(wrongs)
    return [
        *(  # one at a time: the games stay to be seen
            _lone(f"fault:{i}", phrase(fault), more, look, Tone.DANGER)
            for i, fault in wrongs[:1]
        ),
        *(_offer(i, one, look) for i, one in enumerate(status.open)),
        *(_game(model, i, one) for i, one in enumerate(status.games)),
        *(
            _kept(f"saved:{i}", words, unfinished.ago(days), look)
            for i, (_path, words, days) in enumerate(status.saved)
        ),
    ]


def _lone(name: str, words: str, right: str, look: Look, tone: Tone) -> widgets.Row:
    """Return a row with a text that may take two lines."""

    def make(rect: Rect) -> Node:
        room = rect.inset(look.px(6), look.px(8))
        wide = look.width(right, look.small) + look.px(8) if right else 2
        left, far = columns(room, [1, wide])
        words_ = widgets.note(left, words, look, tone=tone)
        kids = [words_, label(far, right, look, size=look.small, align=Align.RIGHT)]
        return widgets.item(name, rect, words, kids, look)

    return make


def _offer(i: int, one: OpenStatus, look: Look) -> widgets.Row:
    words, right = games.offer_words(one)
    return _lone(f"{games.OFFER}:{i}", words, right, look, Tone.MAIN)


def _kept(name: str, words: Words, days: str, look: Look) -> widgets.Row:
    """Return the row of a match that is not in hand and can go on."""
    tone = Tone.DANGER if unfinished.unaudited(words) else Tone.PLAIN
    return _lone(name, phrase(words), days, look, tone)


def _game(model: Model, i: int, one: GameStatus) -> widgets.Row:
    def make(rect: Rect) -> Node:
        look = model.look
        side = rect.h - look.px(8)
        spot = Rect(rect.x + look.px(4), rect.y + look.px(4), side, side)
        x = spot.right + look.px(10)
        room = Rect(x, spot.y, rect.right - x - look.px(6), side)
        kids = [_picture(model, spot, one), *_words(model, one, i, room)]
        face = widgets.item(
            f"{games.ROW}:{i}", rect, games.told(model, one), kids, look
        )
        if not one.mine:
            return face
        tint = mix(look.theme.panel, look.theme.accent, 0.08)
        return replace(face, shape=Shape.ROUND, radius=look.px(8), bg=tint)

    return make


def _words(model: Model, one: GameStatus, i: int, room: Rect) -> list[Node]:
    """Return the texts of a row: who and whose turn; what and how long; what else."""
    look = model.look
    high = min(room.h, look.px(WORDS))
    block = Rect(room.x, room.y + (room.h - high) // 2, room.w, high)
    first, second, third = rows(block, [0.38, 0.31, 0.31])
    turn = games.turn(one)
    wide = min(look.width(turn, look.body, bold=True) + look.px(10), room.w * 6 // 10)
    left, right = columns(first, [1, wide])
    tone = Tone.MAIN if one.mine else Tone.DIM
    who, what, more = games.who(one), games.what(model, one), games.besides(one)
    kids = [
        label(left, who, look, name=f"{OWN}:who{i}", bold=True),
        label(right, turn, look, name=f"{OWN}:turn{i}", bold=one.mine, tone=tone,
              align=Align.RIGHT),
        label(second, what, look, size=look.small, tone=Tone.DIM),
    ]  # fmt: skip
    if more:
        kids.append(
            label(third, more, look, name=f"{OWN}:more{i}", size=look.small,
                  colour=look.theme.latest)
        )  # fmt: skip
    return kids


def _picture(model: Model, spot: Rect, one: GameStatus) -> Node:
    """Return the board as it stands, as far as the window has seen it."""
    look = model.look
    face = Node(
        Role.LABEL, "", spot, shape=Shape.ROUND, radius=look.px(6),
        bg=look.theme.board,
    )  # fmt: skip
    if not model.settled or one.game not in GAMES:
        return face
    from client import thumbnails  # noqa: PLC0415 (late: the first frame has none)

    small = replace(look, scale=100)
    seen = model.boards.get(one.match)
    if seen is None or seen.state is None:
        return replace(face, miniature=thumbnails.of(one.game, small))
    return replace(face, miniature=thumbnails.now(seen, small))
