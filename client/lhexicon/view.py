"""The scene of a Lhexicon match: where board, word, buttons and bank stand."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from client.app.board import Lying, QuitGame, Recall
from client.lhexicon import pieces
from client.lhexicon.board import board
from client.lhexicon.local import (
    AskDiscard,
    AskPass,
    BackToLaying,
    Doing,
    Exchange,
    Give,
    GiveAll,
    GoOn,
    Local,
    Name,
    Now,
    Phase,
    PickUp,
    Send,
    Shuffle,
    Shut,
    asked,
    can_discard,
    doubted,
    face,
    face_of,
    fits,
    idle,
    mine,
    phase,
    points_of,
    rack,
    swappable,
    trapped,
    verdict,
)
from client.ui import typefaces, widgets
from client.ui.layout import ROOT3, columns, rows
from client.ui.scene import Align, Mark, Node, Rect, Role, Shape
from client.ui.texts import _, ngettext, told
from client.ui.theme import Look
from client.ui.widgets import Item, Tone, label
from rules import lhexicon
from rules.lhexicon import (
    LETTERS,
    QU,
    RACK,
    Accept,
    Challenge,
    Insist,
    Pass,
    Refusal,
    Withdraw,
    text,
)
from rules.tiles import bag_size

# Beside the board: the phase, the word that grows, the bank and the buttons.


def phase_name(which: Phase) -> str:
    """Return what players call a phase."""
    return {
        Phase.IDLE: _("Idle"),
        Phase.MOVING: _("Moving"),
        Phase.PROGRESS: _("In progress"),
        Phase.MARKING: _("Marking"),
        Phase.SCORING: _("Scoring"),
    }[which]


def progress(seen: Now, local: Local, area: Rect, look: Look) -> tuple[Node, ...]:
    """Return the name of the phase over five dots, the present one filled."""
    now, theme = phase(seen, local), look.theme
    side = look.px(8)
    title = Rect(area.x, area.y, area.w, min(area.h - side, round(look.head * 1.4)))
    kids = [
        label(title, phase_name(now), look, name="phase", size=look.head, bold=True)
    ]
    kids += [
        Node(
            Role.LABEL, "",
            Rect(area.x + i * 2 * side, title.bottom, side, side), shape=Shape.CIRCLE,
            bg=theme.accent if each is now else theme.ground,
            edge=theme.accent if each is now else theme.line, border=look.px(1),
        )
        for i, each in enumerate(Phase)
    ]  # fmt: skip
    return tuple(kids)


def result(seen: Now, head: Rect, area: Rect, look: Look) -> tuple[Node, ...]:
    """Return the final places and scores, where phase and word stood before.

    Where there is no room for them, as beside the board of a review on a phone, there
    is nothing: they stand elsewhere, too.
    """
    scores, places = seen.view.scores, lhexicon.places(seen.view)
    title = Rect(head.x, head.y, head.w, min(head.h, round(look.head * 1.4)))
    inner = area.inset(look.px(10), look.px(8))
    high = min(round(look.body * 1.7), inner.h // len(scores))
    if high < look.body:
        return ()
    kids: list[Node] = []
    ranked = sorted(range(len(scores)), key=lambda seat: (places[seat], seat))
    for i, seat in enumerate(ranked):
        band = Rect(inner.x, inner.y + i * high, inner.w, high)
        points = str(scores[seat])
        first, bold = places[seat] == 1 and len(scores) > 1, places[seat] == 1
        wide = look.width(points, look.body, bold=True) + look.px(6)
        sign, name, score = columns(band, [look.px(22), 1, wide])
        number = "" if len(scores) == 1 else f"{places[seat]}."
        # The square of the winner's star at the left of its place
        side = look.px(14)
        star = Node(
            Role.LABEL,
            "",
            Rect(sign.x, sign.y + (sign.h - side) // 2, side, side),
            mark=Mark.STAR,
            fg=look.theme.text,
        )
        kids += [
            star if first else label(sign, number, look, tone=Tone.DIM),
            label(name, seen.names[seat], look, bold=bold),
            label(score, points, look, bold=bold, align=Align.RIGHT),
        ]
    card = widgets.panel(area, look, kids, name="places")
    words = label(title, _("Result"), look, size=look.head, bold=True)
    return words, card


def word(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the word as far as it is marked, and what it would score.

    While a word waits to be accepted or challenged, it is that one.
    """
    waiting, text = seen.view.announced, _score(seen, local)
    if waiting is None:
        letters = [pieces.at_cell(seen, local, cell)[:2] for cell in local.path]
    else:
        letters = [(face(letter), "") for letter in waiting.word]
    found, foot = verdict(seen, local), round(look.body * 1.5)
    inner = area.inset(look.px(8), look.px(6))
    why = told(found.reason) if isinstance(found, Refusal) else ""
    high = typefaces.height(why, look.small, inner.w)
    told_here = bool(why) and high + foot <= inner.h  # else the line of help says it
    foot = high if told_here else foot
    room = Rect(inner.x, inner.y, inner.w, max(1, inner.h - foot))
    line = Rect(inner.x, inner.bottom - foot, inner.w, foot)
    kids = _row(letters, room, look)
    if not letters and not (text and inner.h < 2 * foot):
        top, words = Rect(inner.x, inner.y, inner.w, foot), _("Your word")
        size = typefaces.within(words, look.body, look.px(9), (top.w, top.h))
        kids.append(label(top, words, look, size=size, tone=Tone.DIM))
    size = typefaces.within(text, look.body, look.px(9), (line.w, line.h))
    kids.append(
        label(
            line, why if told_here else text, look, name="tentative",
            size=look.small if told_here else size, bold=not told_here,
            tone=Tone.DANGER if why else Tone.GOOD, align=Align.CENTRE, wrap=told_here,
        )
    )  # fmt: skip
    card = widgets.panel(area, look, kids, name="word")
    return replace(card, value="".join(letter for letter, _points in letters))


def _score(seen: Now, local: Local) -> str:
    """Return the sum beneath the word, or the bonus alone before it is marked."""
    if seen.view.announced is not None:
        return str(seen.view.announced.points)
    found, bonus = verdict(seen, local), trapped(seen, local).points
    if isinstance(found, Refusal):
        return "–"
    if found is None:
        text = _("trap +{n}")
        return text.format(n=bonus) if bonus else ""
    if not bonus:
        return str(found.points)
    return f"{found.points - bonus} + {bonus} = {found.points}"


def _row(letters: list[tuple[str, str]], room: Rect, look: Look) -> list[Node]:
    count = len(letters)
    if not count:
        return []
    high = look.px(44)
    while high > 12 and -(-count // _across(room, high)) * (high + 2) > room.h:
        high -= 1
    across = _across(room, high)
    wide, pitch = round(high * 2 / ROOT3), pieces.step(high)
    down = -(-count // across)
    top = room.y + (room.h - down * (high + 2)) // 2
    left = room.x + round((room.w - min(count, across) * pitch) / 2)
    paint = pieces.marked(look, high)
    kids: list[Node] = []
    for i, (letter, points) in enumerate(letters):
        x, y = left + round(i % across * pitch), top + i // across * (high + 2)
        spot = Rect(x, y, wide, high)
        kids.append(pieces.piece("", spot, letter, points, look, paint))
    return kids


def _across(room: Rect, high: int) -> int:
    return max(1, int(room.w / pieces.step(high)))


def bank(seen: Now, area: Rect, look: Look) -> Node:
    """Return how many letters are left to draw."""
    text = _("In the pool: {n}").format(n=bag_size(seen.view.tiles))
    return label(area, text, look, name="bank", size=look.small, tone=Tone.DIM)


def _items(seen: Now, local: Local) -> list[Item]:
    """Return the buttons of the phase: name, text, tone, whether it can be pressed."""
    if asked(seen):
        return [
            ("accept", _("Accept"), Tone.MAIN, seen.live, Send(Accept())),
            ("challenge", _("Challenge"), Tone.DANGER, seen.live, Send(Challenge())),
        ]
    if doubted(seen):
        return [
            ("insist", _("Stand by it"), Tone.MAIN, seen.live, Send(Insist())),
            ("withdraw", _("Withdraw"), Tone.DANGER, seen.live, Send(Withdraw())),
        ]
    turn, still = mine(seen) and seen.live, idle(seen, local) and seen.live
    started, some = bool(local.laid or local.swaps), still and can_discard(seen) > 0
    tone = Tone.MAIN if started else Tone.PLAIN
    first: Item = ("next", _("NEXT"), tone, started, GoOn())
    if local.marking or local.swaps:
        ready = turn and bool(local.path or local.swaps)
        found, words = verdict(seen, local), _("DONE")
        if found is not None and not isinstance(found, Refusal):
            words = f"{words} · {found.points}"
        first = ("done", words, Tone.MAIN if ready else Tone.PLAIN, ready, GoOn())
    second: Item = ("back", _("Back"), Tone.PLAIN, True, BackToLaying())
    if not local.marking:
        several = len(rack(seen)) > 1
        second = ("shuffle", _("Shuffle"), Tone.PLAIN, several, Shuffle())
    third: Item = ("recall", _("Recall"), Tone.PLAIN, started, Recall())
    if still and swappable(seen):  # nothing is there that could be taken back
        third = ("pickup", _("PICK UP"), Tone.PLAIN, True, PickUp())
    quits: Item = ("game.quit", _("QUIT"), Tone.PLAIN, True, QuitGame())
    return [
        first,
        second,
        third,
        ("discard", _("DISCARD"), Tone.PLAIN, some, AskDiscard()),
        ("pass", _("PASS"), Tone.PLAIN, still, AskPass()),
        *(() if seen.trying else (quits,)),  # the analysis board has its own way back
    ]


def buttons(
    seen: Now, local: Local, area: Rect, look: Look, *, upright: bool
) -> tuple[Node, ...]:
    """Return the buttons, one above the other from below or in a row."""
    if local.doing is Doing.NAMING:  # its dialog would cover half of the last
        return ()
    items = _items(seen, local)
    if look.apart:
        return widgets.keys(area, look, items)
    if not upright:
        gap = look.px(4) if look.held else look.gap
        large = items[0][0] if look.held else ""
        return widgets.flow(area, look, items, align=Align.CENTRE, gap=gap, fill=large)
    step = look.row + look.px(6)
    top = area.bottom - len(items) * step + look.px(6)
    return tuple(
        widgets.button(
            item[0], Rect(area.x, top + i * step, area.w, look.row), item[1], look,
            tone=item[2], enabled=item[3], means=item[4],
        )
        for i, item in enumerate(items)
    )  # fmt: skip


# The dialogs: what a blank stands for, what to discard, whether to pass.


def chooser(area: Rect, look: Look) -> Node:
    """Return the chooser of a blank's letter, "Q" and "QU" among them."""
    letters = [
        (letter, text(letter), Name(letter)) for letter in (*range(len(LETTERS)), QU)
    ]
    title, how = _("Letter of the blank"), _("Type the letter, or 2 for QU")
    return widgets.letters(area, letters, f"{title} · {how}", look)


def discarding(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return the dialog that exchanges any or all letters for the turn."""
    count, most = len(local.discards), can_discard(seen)
    slots = max(1, len(local.order))
    wide = min(look.px(470), area.w)
    lines = ngettext(
        "You lose this turn. {n} letter can be exchanged.",
        "You lose this turn. Up to {n} letters can be exchanged.",
        most,
    ).format(n=most)
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
            label(said, _refused(local) or text.format(n=count), look, name="chosen",
                  tone=Tone.DANGER if local.notice else Tone.PLAIN)
        )  # fmt: skip
        items: list[Item] = [
            (
                "exchange",
                _("Discard"),
                Tone.MAIN,
                bool(count) and seen.live,
                Exchange(),
            ),
            ("all", _("All"), Tone.PLAIN, most > 0, GiveAll()),
            ("stay", _("Back"), Tone.PLAIN, True, Shut()),
        ]
        return [*kids, *widgets.flow(foot, look, items, align=Align.RIGHT)]

    low = _low(area, size[1])
    return widgets.dialog("discarding", low, size, _("Discard letters"), look, body)


def _refused(local: Local) -> str:
    """Return why what was tried last cannot be, by a sign, too; nothing if it can."""
    return f"✗ {local.notice}" if local.notice else ""


def _low(area: Rect, high: int) -> Rect:
    """Return the lowest part of an area: over the rack, so that the board is seen."""
    high = min(high, area.h)
    return Rect(area.x, area.bottom - high, area.w, high)


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
        selected=chosen, value="chosen" if chosen else "kept", means=Give(tile),
    )  # fmt: skip


def passing(local: Local, area: Rect, look: Look) -> Node:
    """Return the question whether to pass."""
    size = (min(look.px(400), area.w), look.px(170))

    def body(room: Rect) -> list[Node]:
        note, foot = rows(room, [1, look.row], look.gap)
        words = _refused(local) or _("You lose this turn and keep your letters.")
        items: list[Item] = [
            ("yes", _("Pass"), Tone.MAIN, True, Send(Pass())),
            ("stay", _("Back"), Tone.PLAIN, True, Shut()),
        ]
        return [
            label(note, words, look, wrap=True),
            *widgets.flow(foot, look, items, align=Align.RIGHT),
        ]

    low = _low(area, size[1])
    return widgets.dialog("passing", low, size, _("Pass your turn?"), look, body)


LYING: Final = Lying(0.94, 282)
"""The phase and the word, two rows of buttons, and the rack."""


class Parts(NamedTuple):
    """The rectangles of everything, none over another."""

    board: Rect
    progress: Rect
    word: Rect
    bank: Rect
    buttons: Rect
    rack: Rect
    upright: bool
    """The buttons stand one above the other."""


def scene(seen: Now, local: Local, area: Rect, look: Look) -> Node:
    """Return everything between the bar and the side panels."""
    local = fits(seen, local)
    parts = _shown(seen, place(seen, local, area, look), area, look)
    kids = [board(seen, local, parts.board, look)]
    if lhexicon.over(seen.view):  # no phase any more, and nothing to press
        if parts.word.h and not seen.disputed:
            kids += result(seen, parts.progress, parts.word, look)
    elif seen.seat is not None and not seen.ended:
        kids += progress(seen, local, parts.progress, look)
        if parts.word.h > look.line:  # else the line of help says it
            kids.append(word(seen, local, parts.word, look))
        kids += [*buttons(seen, local, parts.buttons, look, upright=parts.upright)]
    kids.append(bank(seen, parts.bank, look))
    if seen.seat is not None:
        kids.append(pieces.rack(seen, local, parts.rack, look))
    if local.doing is Doing.NAMING:
        y = parts.rack.y if parts.upright or not look.held else parts.buttons.y
        low = Rect(area.x, y, area.w, area.bottom - y)
        if look.apart:
            low = Rect(parts.rack.x, area.y, parts.rack.w, area.h)
        kids.append(chooser(low, look))
    if local.doing is Doing.DISCARDING:
        kids.append(discarding(seen, local, area, look))
    if local.doing is Doing.PASSING:
        kids.append(passing(local, area, look))
    return widgets.group(area, kids, name="game")


def _shown(seen: Now, parts: Parts, area: Rect, look: Look) -> Parts:
    """Return where things stand, also where nothing is to be pressed any more.

    On a phone the board takes the room of the buttons then, and the players' cards
    alone say the result; where it lies the result does.
    """
    word = parts.word
    if not lhexicon.over(seen.view):
        return parts
    if look.apart:
        card = Rect(word.x, word.y, word.w, parts.buttons.bottom - word.y)
        return parts._replace(word=card)
    if word.h >= 4 * look.line:
        return parts
    field = Rect(area.x, area.y, area.w, parts.rack.y - look.gap - area.y)
    bank = Rect(area.x, field.bottom - parts.bank.h, area.w // 3, parts.bank.h)
    left = area.x + (area.w - parts.rack.w) // 2
    rack = Rect(left, parts.rack.y, parts.rack.w, parts.rack.h)
    return parts._replace(board=field, bank=bank, rack=rack, word=Rect(0, 0, 0, 0))


def standing(seen: Now, wide: int, look: Look) -> int:
    """Return how high all is on a phone held upright whose width the board fills."""
    margin, across = round(look.small * 1.4), 2 * seen.view.options.side - 1
    radius = (wide - 2 * margin - 2 * look.px(2)) / (1.5 * across + 0.5)
    board = round(ROOT3 * across * radius) + margin + 2 * look.px(2)
    return board + look.row + look.px(58 + 10) + 2 * look.gap


def place(seen: Now, local: Local, area: Rect, look: Look) -> Parts:
    """Return where things stand: beside the board, or below it on upright windows.

    The word grows at the right side of the board (source document, Marking phase);
    only where that would make the board much smaller it stands below.
    """
    if look.apart:
        field, _upper, beside_it = LYING.cut(area, look)
        heights = [1, 2 * look.row + look.px(6), look.row + look.px(8)]
        head, keys, rack = rows(beside_it, heights, look.gap)
        side, card = columns(head, [look.px(140), 1], look.gap)
        top, note = rows(side, [1, round(look.small * 1.5)])
        return Parts(field, top, card, note, keys, rack, upright=False)
    gap = look.gap
    high = max(look.px(36), min(look.px(58), area.h // 11)) + look.px(10)
    rack_w = round(RACK * pieces.step(high - look.px(10))) + look.px(24)
    shelf = Rect(area.x, area.bottom - high, area.w, high)
    rack = Rect(area.x + max(0, (area.w - rack_w) // 2), shelf.y, min(rack_w, area.w),
                high)  # fmt: skip
    above = Rect(area.x, area.y, area.w, area.h - high - gap)
    # The least width of the column beside the board
    texts = [item[1] for item in _items(seen, local)]
    narrow = max(look.px(140), *(widgets.button_width(text, look) for text in texts))
    low = look.px(64) + look.row + 3 * gap + round(look.small * 1.5)
    beside = _breadth(seen, Rect(0, 0, above.w - narrow - gap, above.h))
    below = _breadth(seen, Rect(0, 0, above.w, above.h - low))
    if look.held:
        field = Rect(above.x, above.y, above.w, above.h - look.row - gap)
        if (wide := _breadth(seen, field)) > max(beside, below):
            return _cornered(field, rack, wide, look)
    if below > beside * 1.15:
        # Word and buttons between board and bank
        field = Rect(above.x, above.y, above.w, above.h - low)
        y = field.bottom + gap
        top = Rect(above.x, y, look.px(150), look.px(64))
        card = Rect(top.right + gap, y, above.w - top.w - gap, look.px(64))
        note = Rect(above.x, card.bottom + gap // 2, above.w, round(look.small * 1.5))
        row = Rect(above.x, note.bottom + gap // 2, above.w, look.row)
        return Parts(field, top, card, note, row, rack, upright=False)
    return _beside(above, rack, min(beside, above.w - narrow - gap), look)


def _cornered(field: Rect, rack: Rect, wide: int, look: Look) -> Parts:
    """Return the parts of a phone held upright: nothing is beside the board.

    The corners of a board of hexes are free, for phase and word above, and for what
    is left in the bank below.
    """
    gap, small = look.gap, round(look.small * 1.5)
    tall, head = look.px(64), round(look.head * 1.4) + look.px(14)

    def free(deep: int) -> int:
        """Return how wide a corner is that leaves so much room, and the numbers."""
        return (field.w - wide * 4 * deep // field.h) // 2 - 2 * small

    top = Rect(field.x, field.y, free(head), head)
    across = free(tall)
    card = Rect(field.right - across, field.y, across, tall)
    note = Rect(field.x, field.bottom - small, free(small), small)
    row = Rect(field.x, field.bottom + gap, field.w, look.row)
    return Parts(field, top, card, note, row, rack, upright=False)


def _breadth(seen: Now, room: Rect) -> int:
    """Return how wide a board is that fills a room."""
    across = 2 * seen.view.options.side - 1
    radius = min(room.w / (1.5 * across + 0.5), room.h / (ROOT3 * across))
    return max(1, round(radius * (1.5 * across + 0.5)))


def _beside(above: Rect, rack: Rect, wide: int, look: Look) -> Parts:
    gap = look.gap
    spare = above.w - wide - gap
    column_w = min(spare, look.px(240))
    left = above.x + (spare - column_w) // 2
    field = Rect(left, above.y, wide, above.h)
    below = max(above.x, field.centre[0] - rack.w // 2)  # the middle of the board
    rack = Rect(below, rack.y, rack.w, rack.h)
    x, y = field.right + gap, above.y
    small = round(look.small * 1.5)
    foot = 6 * look.row + 5 * look.px(6)
    top = Rect(x, y, column_w, round(look.head * 1.4) + look.px(14))
    stack = Rect(x, above.bottom - foot, column_w, foot)
    note = Rect(x, stack.y - gap - small, column_w, small)
    if note.y - top.bottom < 2 * look.line:
        # On a phone: the corners of a board of hexes are free.
        note = Rect(field.x, above.bottom - small, wide // 2, small)
        room = stack.y - gap - top.bottom
    else:
        room = note.y - gap - top.bottom
    room = max(1, min(look.px(190), room))
    card = Rect(x, top.bottom, column_w, room)
    return Parts(field, top, card, note, stack, rack, upright=True)
