"""A match on a phone held upright: who plays above, the board, below it all else.

Nothing stands beside the board, and what a move needs keeps its place: what comes and
goes does so below it.
"""

from typing import Final

from client.app import board
from client.app.model import Model, seen
from client.pages import bar, games, moves, play, players, review
from client.ui import typefaces, widgets
from client.ui.layout import columns, rows
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.widgets import Tone, label
from rules import GAMES

SIDE: Final = 56
"""Pixels at 100 % of the column with the menu."""

HIGH: Final = 80
"""Pixels at 100 % of two buttons above each other there, also beside a lone player."""

LIST: Final = 4
"""Rows of the list that are seen at least."""


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the match page."""
    look, match = model.look, model.match
    gap = look.px(6)
    wide = area.w - look.px(SIDE)
    head = max(look.px(HIGH), players.strip_height(model, wide))
    top, rest = rows(area, [head + 2 * look.px(4), 1])
    lines = 3 if look.thumb else 2
    still = 2 * look.px(8) + max(look.row, lines * round(look.small * typefaces.LINE))
    box = max(still, play.box_height(model, area.w - 2 * gap, lines, look))
    # Buttons that come and go below the board do not move it.
    high = rest.h - still - 3 * gap - look.row
    if not (play.folds(model) and play.chosen(model) == play.FIELD):
        high -= LIST * look.px(moves.HELD) + look.px(8)
    if match is not None:
        traits, now = board.find(match.game).TRAITS, seen(model, match)
        if traits.standing is not None:  # no higher than board, rack and buttons need
            high = min(high, traits.standing(now, rest.w - gap, look))
        rises = traits.rises and match.seat >= 0
        if rises and (now.ended or not GAMES[match.game].actors(now.view)):
            high -= look.row + look.gap  # there is no row of buttons any more
    field, told, low = rows(rest, [high, box, 1], gap)
    low = Rect(low.x + gap, low.y, low.w - 2 * gap, low.h - gap)
    nodes: list[Node] = [_head(model, top)]
    if match is None:
        words = _("Waiting for the board…")
        nodes.append(label(field, words, look, tone=Tone.DIM))
    else:
        nodes += play.game(model, match, field.inset(gap // 2, 0), look)
    nodes.append(
        play.instructions(model, told.inset(gap, 0), play.offer_buttons(model), look)
    )
    if call := bar.call(model, Rect(low.x, low.y, low.w, look.row)):
        nodes.append(call)
        low = Rect(low.x, low.y + look.row + gap, low.w, low.h - look.row - gap)
    nodes.append(play.tabbed(model, low, chat_too=True))
    # The menu has the buttons of a list where there is room for one.
    menu: list[tuple[str, Means]] = [
        (text, means) for _n, text, _t, _on, means in review.offered(model, copy=False)
    ]
    if moves.may_copy(model):
        menu.append((_("Copy the moves"), review.CopyMoves()))
    return (*nodes, *bar.open_list(model, area, nodes, {bar.MENU: menu}))


def _head(model: Model, area: Rect) -> Node:
    """Return who plays, and at their right the menu and the next game that waits."""
    look = model.look
    room = area.inset(look.px(6), look.px(4))
    left, right = columns(room, [1, look.px(SIDE)])
    upper, lower = rows(right, [1, 1])
    waits = 0 if model.guest else len(games.others(model))
    kids = [
        players.strip(model, left),
        bar.menu_button(upper if waits else right, look),
    ]
    if waits:
        kids.append(
            widgets.button("games.next", lower, f"▸ {waits}", look, tone=Tone.QUIET,
                           means=bar.NextGame(), said=bar.onward(model))
        )  # fmt: skip
    return widgets.group(area, kids, name="bar", clip=True)
