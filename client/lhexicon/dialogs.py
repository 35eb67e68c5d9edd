"""The dialogs: what a blank stands for, what to discard, whether to pass."""

from msgspec.structs import replace

from client import widgets
from client.layout import ROOT3, grid, rows
from client.lhexicon import pieces
from client.lhexicon.local import Local, Now, can_discard, face_of, points_of
from client.scene import Align, Node, Rect
from client.texts import _, ngettext
from client.theme import Look
from client.widgets import Tone, label
from rules.lhexicon import LETTERS, QU, text

_ACROSS = 7


def chooser(area: Rect, look: Look) -> Node:
    """Return the chooser of a blank's letter, "Q" and "QU" among them."""
    names = (*range(len(LETTERS)), QU)
    down = -(-len(names) // _ACROSS)
    side = max(20, min(look.px(46), (area.h - look.px(120)) // down))
    note = round(look.small * 1.6)
    size = (_ACROSS * side + look.px(44), down * side + note + look.px(84))

    def body(room: Rect) -> list[Node]:
        field = Rect(room.x, room.y, _ACROSS * side, down * side)
        spots = grid(field, _ACROSS, down, look.px(4))
        words = _("Type the letter, or 2 for QU")
        foot = Rect(room.x, field.bottom + look.px(4), room.w, note)
        return [
            *(
                replace(
                    widgets.button(f"letter:{letter}", spot, text(letter), look),
                    bold=True,
                )
                for letter, spot in zip(names, spots, strict=False)
            ),
            label(foot, words, look, size=look.small, tone=Tone.DIM),
        ]

    return widgets.dialog("blank", area, size, _("Letter of the blank"), look, body)


def discarding(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the dialog that exchanges any or all letters for the turn."""
    count, most = len(local.discards), can_discard(seen)
    slots = max(1, len(local.order))
    wide = min(look.px(470), area.w)
    lines = _warning(most)
    size = (wide, look.px(250))

    def body(room: Rect) -> list[Node]:
        note, shelf, said, foot = rows(
            room, [2 * look.line, 1, look.line, look.row], look.gap
        )
        high = min(shelf.h, look.px(54))
        while high > 20 and pieces.step(high) * slots > shelf.w:
            high -= 1
        pitch, left = pieces.step(high), shelf.x
        top = shelf.y + (shelf.h - high) // 2
        broad = round(high * 2 / ROOT3)
        kids = [label(note, lines, look, tone=Tone.DIM, wrap=True)]
        for i, tile in enumerate(local.order):
            spot = Rect(left + round(i * pitch), top, broad, high)
            kids.append(_candidate(seen, local, tile, spot, look))
        text = ngettext("{n} letter chosen", "{n} letters chosen", count)
        kids.append(
            label(said, local.notice or text.format(n=count), look, name="chosen",
                  tone=Tone.DANGER if local.notice else Tone.PLAIN)
        )  # fmt: skip
        items = [
            ("exchange", _("Discard"), Tone.MAIN, bool(count) and seen.live),
            ("all", _("All"), Tone.PLAIN, most > 0),
            ("close", _("Back"), Tone.PLAIN, True),
        ]
        return [*kids, *widgets.flow(foot, look, items, align=Align.RIGHT)]

    return widgets.dialog("discarding", area, size, _("Discard letters"), look, body)


def _warning(most: int) -> str:
    """Return what discarding costs and how many letters may go."""
    text = ngettext(
        "You lose this turn. {n} letter can be exchanged.",
        "You lose this turn. Up to {n} letters can be exchanged.",
        most,
    )
    return text.format(n=most)


def _candidate(seen: Now, local: Local, tile: int, rect: Rect, look: Look) -> Node:
    """Return a letter that a click chooses for discarding."""
    face = pieces.held(seen, replace(local, chosen=-1), tile, rect, look)
    chosen = tile in local.discards
    if chosen:
        paint = pieces.marked(look, rect.h)
        letter, points = face_of(seen, tile), points_of(seen, tile)
        face = pieces.piece("", rect, letter, points, look, paint)
    return replace(
        face, name=f"give:{tile}", live=True, drag=False, focusable=True,
        selected=chosen, value="chosen" if chosen else "kept",
    )  # fmt: skip


def passing(local: Local, area: Rect, look: Look) -> Node:
    """Return the question whether to pass."""
    size = (min(look.px(400), area.w), look.px(170))

    def body(room: Rect) -> list[Node]:
        note, foot = rows(room, [1, look.row], look.gap)
        words = local.notice or _("You lose this turn and keep your letters.")
        items = [
            ("yes", _("Pass"), Tone.MAIN, True),
            ("close", _("Back"), Tone.PLAIN, True),
        ]
        return [
            label(note, words, look, wrap=True),
            *widgets.flow(foot, look, items, align=Align.RIGHT),
        ]

    return widgets.dialog("passing", area, size, _("Pass your turn?"), look, body)
