"""What stands in the card with the games to play at this computer.

Where there is room each game has a picture of its board, and the chosen one a large
one with the choices beside it; else they are a list, and in the smallest windows a
drop-down.
"""

from typing import Final, TypeAlias

from msgspec.structs import replace

from client.app import mistakes
from client.app.model import Model
from client.pages import devices, host_terms
from client.ui import typefaces, widgets
from client.ui.layout import centred, columns, rows
from client.ui.scene import Align, Means, Node, Rect, Role, Shape, mix
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label
from rules import GAMES, LISTED

WIDE: Final = 560
HIGH: Final = 400
"""Pixels at 100 % from which on a card has room for pictures."""


_SEEN: Final = 60
"""Pixels at 100 % of height from which on there is a picture below the list."""


class Teach(Means, frozen=True):
    """Show how a game is played."""

    game: str = ""
    """The one that is chosen, if none is said."""


class ToPuzzles(Means, frozen=True):
    """Go to the puzzles of the game that is chosen."""


class PickGame(Means, frozen=True):
    """Choose a game."""

    game: str


class Rivals(Means, frozen=True):
    """Play against so many."""

    count: int


class PlayNow(Means, frozen=True):
    """Begin a match here."""


class SetUp(Means, frozen=True):
    """Open a table."""


class ShowDemo(Means, frozen=True):
    """Let computers play."""


Control: TypeAlias = Teach | ToPuzzles | PickGame | Rivals | PlayNow | SetUp | ShowDemo


def roomy(room: Rect, look: Look) -> bool:
    """Tell whether the room for all cards lets this one have pictures."""
    return room.w * 64 // 100 >= look.px(WIDE) and room.h >= look.px(HIGH + 40)


def teaching(model: Model, inner: Rect) -> tuple[Node, ...]:
    """Return the buttons to the lessons and the puzzles, at the end of the heading.

    With the puzzles goes how many mistakes of one's own wait to be found today, of
    whatever game: who plays several is not to miss them.
    """
    look, own = model.look, model.settings
    waiting = sum(len(mistakes.due(own, game, model.day)) for game in LISTED)
    puzzles = _("Puzzles")
    if waiting:
        puzzles = f"{puzzles} ({waiting})"
    head = look.width(_("Here"), look.head, bold=True) + look.px(8)
    spot = Rect(inner.x + head, inner.y, inner.w - head, look.px(26))
    items: list[widgets.Item] = [
        ("learn", _("How to play"), Tone.QUIET, True, Teach()),
        ("puzzles", puzzles, Tone.QUIET, True, ToPuzzles()),
    ]
    more = (devices.OPEN, _("Play in a browser"), Tone.QUIET, True, devices.Browsers())
    wides = [widgets.button_width(item[1], look) + look.gap for item in (*items, more)]
    if sum(wides) <= spot.w:  # else the preferences have it
        items.insert(0, more)
    return widgets.flow(spot, look, items, align=Align.RIGHT)


def inside(model: Model, room: Rect) -> list[Node]:
    """Return games, opponents, their level and the buttons."""
    look = model.look
    low = 4 * look.row + 2 * look.gap + round(look.small * 1.4) + look.px(4)
    square = room.h - low - look.px(12)  # of the chosen game's picture
    wide = min(room.w * 60 // 100, max(room.w * 46 // 100, square))
    left, right = columns(room, [1, wide], look.px(20))
    words = [word for each in LISTED.values() for word in _(each.motto).split()]
    longest = max(
        *(look.width(word, look.small) for word in words),
        *(look.width(one.title, look.body, bold=True) for one in LISTED.values()),
    )
    # Where cards of that width break no word beside their pictures.
    fits = longest <= (left.w - look.px(16)) * 3 // 5 - look.px(12)
    if room.h >= look.px(HIGH - 60) and fits:
        upper, lower = rows(right, [1, low], look.px(12))
        side = min(upper.w, upper.h)  # a board is shown whole
        whole = centred(upper, side, side)
        spots = rows(left, [1.0] * len(LISTED), model.look.px(6))
        cards = [
            _card(model, i, name, spot)
            for i, (name, spot) in enumerate(zip(LISTED, spots, strict=True))
        ]
        return [
            *cards,
            picture(model, whole, model.setup.draft.game, look.px(10)),
            *_controls(model, lower),
        ]
    upper = Rect(room.x, room.y, room.w, room.h - low - look.gap)
    games, high = _listed(model, upper)
    spare = Rect(room.x, room.y + high + look.gap, room.w, upper.h - high - look.gap)
    if spare.h >= look.px(_SEEN) and spare.w <= 3 * spare.h:
        side = min(spare.w, spare.h)
        whole = centred(spare, side, side)
        games.append(picture(model, whole, model.setup.draft.game, look.px(6)))
    return [*games, *_controls(model, Rect(room.x, room.bottom - low, room.w, low))]


def _controls(model: Model, room: Rect) -> list[Node]:
    """Return how many play, how well, and the buttons that begin."""
    look, game, line = model.look, model.setup.draft.game, model.look.row
    low = GAMES[game].ABOUT.seats
    fits = [n for n in range(0 if 1 in low else 1, 4) if n + 1 in low]
    alone = look.width(_("alone"), look.body, bold=True) + look.px(14)
    parts = [1.0 if n else alone for n in fits]
    count = opponents(model)
    caption = Rect(room.x, room.y, room.w, round(look.small * 1.4))
    kids = [label(caption, _("Computer players"), look, size=look.small, tone=Tone.DIM)]
    y = caption.bottom + look.px(2)
    pieces = columns(Rect(room.x, y, room.w, line), parts, look.px(4))
    for n, spot in zip(fits, pieces, strict=True):
        words = _("alone") if n == 0 else str(n)
        kids.append(
            widgets.button(
                f"rivals:{n}", spot, words, look, selected=n == count, means=Rivals(n)
            )
        )
    y += line + look.px(4)
    spot, names = Rect(room.x, y, room.w, line), (host_terms.LEVEL, "skill")
    kids += host_terms.control(game, names, spot, model.setup.draft.seats[1], look)
    foot = Rect(room.x, room.bottom - 2 * line - look.gap, room.w, line)
    able = model.linked
    half = columns(foot.moved(0, line + look.gap), [1, 1], look.gap)
    return [
        *kids,
        widgets.button(
            "play", foot, _("Play"), look, tone=Tone.MAIN, enabled=able, means=PlayNow()
        ),
        widgets.button(
            "setup", half[0], _("Choose rules"), look, enabled=able, means=SetUp()
        ),
        widgets.button(
            "demo", half[1], _("Demo"), look, enabled=able, means=ShowDemo()
        ),
    ]


def opponents(model: Model) -> int:
    """Return how many computer players to play against here.

    As many as the draft has others, also where these played elsewhere.
    """
    fits = GAMES[model.setup.draft.game].ABOUT.seats
    count = len(model.setup.draft.taken) - 1
    return max(fits[0] - 1, min(count, fits[-1] - 1))


def picture(
    model: Model, rect: Rect, game: str, radius: int, match: bytes = b""
) -> Node:
    """Return a picture of a game's board; before there is one, its colour.

    Of a match it is the board as it stands, as far as the window has seen it.
    """
    look = model.look
    face = Node(
        Role.LABEL, "", rect, shape=Shape.ROUND, radius=radius, bg=look.theme.board
    )
    if not model.settled or game not in GAMES:
        return face
    from client.app import thumbnails  # noqa: PLC0415 (late: the first frame has none)

    plain, most = replace(look, scale=100), max(rect.w, rect.h)
    seen = model.start.boards.get(match)
    if seen is not None and seen.state is not None:
        return replace(face, miniature=thumbnails.now(seen, plain))
    if most <= thumbnails.SIDE:
        return replace(face, miniature=thumbnails.of(game, plain))
    large = -(-most // thumbnails.SIDE) * thumbnails.SIDE  # else it would be blurred
    return replace(face, miniature=thumbnails.of(game, plain, large))


def _card(model: Model, i: int, name: str, rect: Rect) -> Node:
    look, theme = model.look, model.look.theme
    chosen = model.setup.draft.game == name
    ground = mix(theme.panel, theme.accent, 0.10) if chosen else theme.panel
    inner = rect.inset(look.px(8), look.px(7))
    wide = min(inner.h * 5 // 4, inner.w * 2 // 5)
    spot, words = columns(inner, [wide, 1], look.px(12))
    spot = spot._replace(h=min(spot.h, spot.w))  # not a strip out of its middle
    head, motto = rows(words, [round(look.body * 1.5), 1])
    title, text = LISTED[name].title, _(LISTED[name].motto)
    size = typefaces.within(text, look.small, look.px(8), (motto.w, motto.h))
    kids = (
        picture(model, spot, name, look.px(6)),
        label(head, title, look, size=look.body, bold=True),
        label(motto, text, look, size=size, tone=Tone.DIM, wrap=True),
    )
    return Node(
        Role.BUTTON, f"game:{i}", rect, kids=kids, value=title, shape=Shape.ROUND,
        radius=look.px(10), bg=ground, fg=theme.text, live=True, focusable=True,
        selected=chosen, border=look.px(2 if chosen else 1),
        edge=theme.accent if chosen else mix(theme.panel, theme.line, 0.3),
        means=PickGame(name),
    )  # fmt: skip


def _listed(model: Model, room: Rect) -> tuple[list[Node], int]:
    """Return the choice of the game and its height: a list, or short a drop-down."""
    look, game = model.look, model.setup.draft.game
    titles = {name: listed.title for name, listed in LISTED.items()}
    pitch = look.row + (look.px(16) if room.h >= 5 * (look.row + look.px(20)) else 0)
    if room.h < len(titles) * (pitch + look.px(2)):
        face = Rect(room.x, room.y, room.w, look.row)
        return [widgets.choice("game", face, titles[game], look)], look.row
    made = [
        _game_row(model, i, name, titles[name], pitch, room)
        for i, name in enumerate(titles)
    ]
    return made, len(titles) * (pitch + look.px(2))


def _game_row(
    model: Model, i: int, name: str, title: str, pitch: int, room: Rect
) -> Node:
    """Return one game of the list: its name, and a few words where there is room."""
    look, chosen = model.look, model.setup.draft.game == name
    rect = Rect(room.x, room.y + i * (pitch + look.px(2)), room.w, pitch)
    means = PickGame(name)
    face = widgets.button(f"game:{i}", rect, "", look, tone=Tone.QUIET, means=means)
    theme = look.theme
    if chosen:  # quieter than the button that begins
        ground = mix(theme.panel, theme.accent, 0.10)
        face = replace(face, bg=ground, edge=theme.accent, border=look.px(2))
    tall = pitch > look.row
    inner = rect.inset(look.px(12), look.px(5) if tall else 0)
    upper, lower = rows(inner, [0.55, 0.45])
    kids = [label(upper if tall else inner, title, look, bold=True)]
    if tall:
        kids.append(
            label(lower, _(LISTED[name].motto), look, size=look.small, tone=Tone.DIM)
        )
    return replace(face, kids=tuple(kids), value=title, selected=chosen)
