"""The parts that pages and games are made of, as functions that return nodes."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import accumulate
from typing import Final, TypeAlias

from msgspec.structs import replace

from client.ui import typefaces
from client.ui.hand import POPUP, Edit
from client.ui.layout import centred, grid
from client.ui.scene import (
    Align,
    Chosen,
    Colour,
    Mark,
    Means,
    Node,
    Pattern,
    Rect,
    Role,
    Rows,
    Shape,
    Unfold,
    Write,
    contrast,
    mix,
)
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.typefaces import Cut

Row: TypeAlias = Callable[[Rect], Node]
"""Makes a row of a list in the rectangle it is given."""

CODE_QUIET: Final = 4
"""Modules around a QR code that stay light: cameras need them."""

CODE_LIGHT, CODE_DARK = (255, 255, 255), (0, 0, 0)
"""In every theme: cameras need dark on light."""


class Tone(Enum):
    """How important a button or a text is."""

    PLAIN = "plain"
    MAIN = "main"
    """The one thing most users want next; at most one a page."""
    QUIET = "quiet"
    """No body at rest."""
    DANGER = "danger"
    DIM = "dim"
    GOOD = "good"


def ink(on: Colour, look: Look) -> Colour:
    """Return the dark or light text colour that reads better on a colour."""
    dark, light = (18, 18, 18), (255, 255, 255)
    own = look.theme.text
    if contrast(own, on) >= 7:
        return own
    return max((dark, light), key=lambda colour: contrast(colour, on))


def _tint(tone: Tone, look: Look) -> Colour:
    theme = look.theme
    tints = {Tone.DIM: theme.dim, Tone.DANGER: theme.bad, Tone.GOOD: theme.good}
    tints[Tone.MAIN] = theme.accent
    return tints.get(tone, theme.text)


def panel(rect: Rect, look: Look, kids: Sequence[Node] = (), *, name: str = "") -> Node:
    """Return a card: a quiet, rounded ground for what belongs together."""
    return Node(
        Role.PANEL, name, rect, kids=tuple(kids), shape=Shape.ROUND,
        radius=look.px(10), bg=look.theme.panel,
        edge=mix(look.theme.panel, look.theme.line, 0.45), border=look.px(1),
    )  # fmt: skip


def group(
    rect: Rect, kids: Sequence[Node], *, name: str = "", clip: bool = False
) -> Node:
    """Return an unseen node that holds others."""
    return Node(Role.PANEL, name, rect, kids=tuple(kids), clip=clip)


def label(  # noqa: PLR0913 (a text has this many properties; all but three default)
    rect: Rect, text: str, look: Look, *, name: str = "", size: int = 0,
    bold: bool = False, tone: Tone = Tone.PLAIN, align: Align = Align.LEFT,
    wrap: bool = False, colour: Colour | None = None,
) -> Node:  # fmt: skip
    """Return a text; one line, or wrapped from the top of its rectangle."""
    return Node(
        Role.LABEL, name, rect, text=text, fg=colour or _tint(tone, look),
        size=size or look.body, bold=bold, align=align, wrap=wrap,
    )  # fmt: skip


def note(
    rect: Rect, text: str, look: Look, *, name: str = "", tone: Tone = Tone.DIM,
    size: int = 0,
) -> Node:  # fmt: skip
    """Return a text that must be seen whole: on one line, else on several small ones.

    The lines stand in the middle of the rectangle's height.
    """
    size = size or look.body
    line, _size = typefaces.fit(text, size, rect.w)
    if line == text:
        return label(rect, text, look, name=name, size=size, tone=tone)
    size = min(size, look.small)
    high = min(rect.h, typefaces.height(text, size, rect.w))
    middle = Rect(rect.x, rect.y + (rect.h - high) // 2, rect.w, high)
    return label(middle, text, look, name=name, size=size, tone=tone, wrap=True)


def button(  # noqa: PLR0913 (a button has this many properties; most default)
    name: str, rect: Rect, text: str, look: Look, *, tone: Tone = Tone.PLAIN,
    enabled: bool = True, mark: Mark = Mark.NONE, selected: bool = False,
    means: Means | None = None, said: str = "",
) -> Node:  # fmt: skip
    """Return a push button, and what a click on it means.

    What is `said` of it are the words for a face that has none.
    """
    theme = look.theme
    bg, fg = theme.raised, theme.text
    if (tone is Tone.MAIN or selected) and enabled:
        bg, fg = theme.accent, theme.on_accent
    elif tone is Tone.DANGER:
        fg = theme.bad
    if not enabled:
        bg, fg = mix(theme.panel, theme.raised, 0.5), theme.dim
    quiet = tone is Tone.QUIET and not selected
    return Node(
        Role.BUTTON, name, rect, text=text, shape=Shape.ROUND,
        value=said or ("" if text[1:] else _signs().get(text or mark, "")),
        radius=look.px(8), bg=None if quiet else bg, fg=fg, mark=mark, size=look.body,
        edge=None if quiet else mix(bg, theme.line, 0.6), border=look.px(1),
        bold=tone is Tone.MAIN, live=True, focusable=True, enabled=enabled,
        selected=selected, means=means,
    )  # fmt: skip


def inert(node: Node, look: Look, spared: tuple[type[Means], ...] = ()) -> Node:
    """Return a part of the window in which nothing can be done, and that shows it.

    Args:
        node: The part.
        look: Colours.
        spared: What the buttons mean that can be pressed all the same.
    """
    if node.role is Role.BUTTON and isinstance(node.means, spared):
        return node
    if node.role is Role.BUTTON:
        theme = look.theme
        bg = None if node.bg is None else mix(theme.panel, theme.raised, 0.5)
        node = replace(node, bg=bg, fg=theme.dim, enabled=False, selected=False)
    kids = tuple(inert(kid, look, spared) for kid in node.kids)
    return replace(node, kids=kids, live=False, drag=False, drop=False, focusable=False)


def _signs() -> dict[str | Mark, str]:
    """Return in words what signs on buttons say."""
    return {
        "×": _("Close"), "−": _("Fewer"), "+": _("More"),
        "«": _("First move"), "»": _("Last move"), "‹": _("Back"), "›": _("Next"),
        Mark.LEFT: _("Back"), Mark.RIGHT: _("Next"),
        "←": _("To the left"), "→": _("To the right"), "↓": _("Down"),
        "↙": _("downwards to the left"), "↘": _("downwards to the right"),
    }  # fmt: skip


def button_width(text: str, look: Look) -> int:
    """Return how wide a button must be for its text, and for a thumb on a phone."""
    wide = look.width(text, look.body, bold=True) + look.px(28)
    return max(wide, look.row) if look.thumb else wide


def entry(
    name: str, rect: Rect, edit: Edit, look: Look, *, hint: str = "",
    enabled: bool = True,
) -> Node:  # fmt: skip
    """Return a field for one line of text; `hint` shows while it is empty."""
    theme = look.theme
    before = edit.text[: edit.caret] + edit.composing
    shown = before + edit.text[edit.caret :]
    return Node(
        Role.ENTRY, name, rect, text=shown or hint, value=edit.text, shape=Shape.ROUND,
        radius=look.px(8), bg=mix(theme.panel, theme.ground, 0.4),
        fg=theme.text if shown else theme.dim, edge=theme.line, border=look.px(1),
        size=look.body, align=Align.LEFT, live=True, focusable=True, enabled=enabled,
        caret=len(before) if shown else 0, clip=True,
        anchor=(edit.anchor if not edit.composing else edit.caret) if shown else 0,
        means=Write(name),
    )  # fmt: skip


def check(
    name: str, rect: Rect, text: str, look: Look, *, on: bool, enabled: bool = True,
    means: Means | None = None,
) -> Node:  # fmt: skip
    """Return a box to tick with its text; value "on" or "off"."""
    theme, side = look.theme, min(rect.h, look.px(20))
    box = Rect(rect.x, rect.y + (rect.h - side) // 2, side, side)
    tick = Node(
        Role.LABEL, "", box, shape=Shape.ROUND, radius=look.px(5),
        bg=theme.accent if on else theme.panel, fg=theme.on_accent,
        edge=theme.line, border=look.px(1), mark=Mark.CHECKED if on else Mark.NONE,
    )  # fmt: skip
    room = Rect(box.right + look.gap, rect.y, rect.right - box.right - look.gap, rect.h)
    return Node(
        Role.CHECK, name, rect, value="on" if on else "off", live=True, focusable=True,
        enabled=enabled, selected=on, means=means,
        kids=(tick, label(room, text, look, tone=Tone.PLAIN if enabled else Tone.DIM)),
    )  # fmt: skip


def slider(
    name: str, rect: Rect, at: float, look: Look, *, value: str = "",
    enabled: bool = True,
) -> Node:  # fmt: skip
    """Return a slider with its knob at `at`, 0 to 1; tells of `Slide`."""
    theme, thick, knob = look.theme, look.px(6), look.px(20)
    y = rect.y + rect.h // 2
    rail = Rect(rect.x, y - thick // 2, rect.w, thick)
    x = rect.x + round((rect.w - knob) * at)
    return Node(
        Role.SLIDER, name, rect, value=value or f"{at:.2f}", live=True,
        focusable=True, enabled=enabled,
        kids=(
            Node(Role.LABEL, "", rail, shape=Shape.ROUND, radius=thick // 2,
                 bg=mix(theme.panel, theme.line, 0.45)),
            Node(Role.LABEL, "", Rect(rail.x, rail.y, x + knob // 2 - rail.x, thick),
                 shape=Shape.ROUND, radius=thick // 2, bg=theme.accent),
            Node(Role.LABEL, "", Rect(x, y - knob // 2, knob, knob),
                 shape=Shape.CIRCLE, bg=theme.panel, edge=theme.accent,
                 border=look.px(3)),
        ),
    )  # fmt: skip


def choice(
    name: str, rect: Rect, text: str, look: Look, *, enabled: bool = True
) -> Node:
    """Return the closed form of a drop-down; draw `popup` last while it is open."""
    arrow = Rect(rect.right - look.px(26), rect.y, look.px(22), rect.h)
    face = button(name, rect, "", look, enabled=enabled, means=Unfold(name))
    room = Rect(rect.x + look.px(10), rect.y, rect.w - look.px(36), rect.h)
    return replace(
        face, role=Role.CHOICE, value=text,
        kids=(
            label(room, text, look, colour=face.fg),
            Node(
                Role.LABEL, "", centred(arrow, look.px(12), look.px(12)),
                mark=Mark.DOWN, fg=face.fg,
            ),
        ),
    )  # fmt: skip


def popup(  # noqa: PLR0913 (a list has this many properties)
    name: str, by: Rect, options: Sequence[str], chosen: int, window: Rect,
    look: Look, *, offset: int | None = None, means: Sequence[Means],
) -> Node:  # fmt: skip
    """Return the open list of a drop-down: items are named `name:0`, `name:1`...

    `means` says what each row does.  A dialog of its own, so that a click beside it
    closes it and nothing else; so does Escape.  Until it is scrolled it shows the row
    that is chosen.  Its `value` is the text of all rows.
    """
    rows = [
        row(
            f"{name}:{i}", text, look, selected=i == chosen,
            means=Chosen(means[i]),
        )
        for i, text in enumerate(options)
    ]  # fmt: skip
    high = min(len(rows) * look.row, look.row * 8, window.h - 2 * look.gap) + 2
    wide = max(by.w, *(look.width(o, look.body) + look.px(40) for o in options), 1)
    below = by.bottom + high <= window.bottom - look.gap
    y = by.bottom if below else max(window.y + look.gap, by.y - high)
    x = max(window.x, min(by.x, window.right - wide))
    box = Rect(x, y, min(wide, window.w), high)
    if offset is None:
        offset = (chosen + 1) * look.row - box.inset(1).h
    body = scroll(f"{name}:list", box.inset(1), rows, look.row, look, offset=offset)
    face = panel(box, look, [body], name=f"{name}{POPUP}")
    every = Rows(tuple(map(Chosen, means)))
    return replace(face, role=Role.DIALOG, value="\n".join(options), means=every)


def row(  # noqa: PLR0913 (a row has this many properties; most default)
    name: str, text: str, look: Look, *, right: str = "", selected: bool = False,
    tone: Tone = Tone.PLAIN, below: str = "", means: Means | None = None,
) -> Row:  # fmt: skip
    """Return a maker of one row of a list, with text at its left and right.

    `below` makes it two lines: the text has the first for itself.
    """

    def make(rect: Rect) -> Node:
        bg = look.theme.accent if selected else None
        fg = look.theme.on_accent if selected else _tint(tone, look)
        room, kids = rect.inset(look.px(10), 0), list[Node]()
        if below:
            part = round(room.h * 0.52)
            upper = Rect(room.x, room.y, room.w, part)
            kids.append(label(upper, text, look, colour=fg))
            room = Rect(room.x, upper.bottom, room.w, room.h - part - look.px(2))
        wide = look.width(right, look.body) + look.px(12) if right else 0
        left = Rect(room.x, room.y, max(0, room.w - wide), room.h)
        far = Rect(left.right, room.y, room.w - left.w, room.h)
        size = look.small if below else look.body
        kids.append(label(left, below or text, look, colour=fg, size=size))
        if right:
            kids.append(label(far, right, look, colour=fg, align=Align.RIGHT))
        return Node(
            Role.ITEM, name, rect, value=f"{text} {below}".strip(), bg=bg, fg=fg,
            kids=tuple(kids), shape=Shape.RECT if selected else Shape.NONE, live=True,
            focusable=True, selected=selected, means=means,
        )  # fmt: skip

    return make


def item(
    name: str, rect: Rect, value: str, kids: Sequence[Node], look: Look,
    means: Means | None = None,
) -> Node:  # fmt: skip
    """Return a row of a list with texts of its own; `value` says it in words."""
    return Node(
        Role.ITEM, name, rect, value=value, kids=tuple(kids), fg=look.theme.text,
        shape=Shape.NONE, live=True, focusable=True, means=means,
    )  # fmt: skip


def scroll(  # noqa: PLR0913 (a list has this many properties; most default)
    name: str, rect: Rect, rows: Sequence[Row], height: int,
    look: Look, *, offset: int = 0, at_end: bool = False,
    heights: Sequence[int] = (),
) -> Node:  # fmt: skip
    """Return a list of rows, scrolled by `offset` pixels.

    Only rows that show become nodes, and no row is cut where nothing is scrolled.
    `at_end`: show the last rows instead, as a chat does until its reader scrolls up.
    `heights`: of each row, where they are not all `height` high.
    """
    every = range(height, (len(rows) + 1) * height, height)  # costs nothing
    ends: Sequence[int] = list(accumulate(heights)) if heights else every
    content = ends[-1] if ends else 0
    if content > rect.h > height:
        whole = ends[bisect_right(ends, rect.h) - 1] if ends[0] <= rect.h else rect.h
        rect = Rect(rect.x, rect.y, rect.w, whole)
    most = max(0, content - rect.h)
    if most and heights:  # at its end no row is cut above
        most = ends[bisect_left(ends, most)]
        content = most + rect.h
    offset = most if at_end else max(0, min(offset, most))
    bar = look.px(8) if most else 0
    kids: list[Node] = []
    for i in range(bisect_right(ends, offset), len(rows)):
        top = ends[i - 1] if i else 0
        if top >= offset + rect.h:
            break
        y = rect.y + top - offset
        kids.append(rows[i](Rect(rect.x, y, rect.w - bar, ends[i] - top)))
    if most:
        size = max(look.px(24), rect.h * rect.h // content)
        y = rect.y + (rect.h - size) * offset // max(1, content - rect.h)
        kids.append(Node(
            Role.LABEL, "", Rect(rect.right - bar + 2, y, bar - 3, size),
            shape=Shape.ROUND, radius=bar // 2 - 1,
            bg=mix(look.theme.panel, look.theme.line, 0.8),
        ))  # fmt: skip
    return Node(
        Role.LIST, name, rect, kids=tuple(kids), clip=True, content=content,
        offset=offset,
    )  # fmt: skip


def in_reach(rows: Sequence[Row], height: int, look: Look) -> Sequence[int]:
    """Return how high each row of a list is: as a thumb, where thumbs may press it.

    Args:
        rows: Of the list.
        height: Of a row that is only read, and of all where there is a mouse.
        look: Colours and sizes.
    """
    if not look.thumb:
        return ()
    spot = Rect(0, 0, height, height)
    return [look.row if row(spot).live else height for row in rows]


def wrapped(
    text: str, wide: int, look: Look, *, size: int = 0, bold: bool = False,
    tone: Tone = Tone.PLAIN,
) -> list[Row]:  # fmt: skip
    """Return a text as rows of a list, a row a line; none for an empty one."""
    row = partial(label, look=look, size=size or look.body, bold=bold, tone=tone)
    lines = typefaces.wrap(text, size or look.body, wide, bold=bold) if text else ()
    return [partial(row, text=line) for line in lines]


def reading(  # noqa: PLR0913 (as a label, and most default)
    name: str, rect: Rect, text: str, look: Look, *, size: int = 0,
    tone: Tone = Tone.PLAIN, offset: int = 0, rest: str = "",
) -> Node:  # fmt: skip
    """Return a text to be read whole: wrapped, and scrolled where it is too long.

    `rest` is what follows on lines of its own, in the colour of all texts.
    """
    size, whole = size or look.body, f"{text}\n{rest}" if rest else text
    high = typefaces.height(text, size, rect.w)
    if typefaces.height(whole, size, rect.w) <= rect.h:
        if not rest:
            return label(rect, text, look, name=name, size=size, tone=tone, wrap=True)
        upper = Rect(rect.x, rect.y, rect.w, high)
        lower = Rect(rect.x, rect.y + high, rect.w, rect.h - high)
        kids = (
            label(upper, text, look, size=size, tone=tone, wrap=True),
            label(lower, rest, look, size=size, wrap=True),
        )
        return replace(group(rect, kids, name=name), value=whole)
    pitch = round(size * typefaces.LINE)
    room = Rect(rect.x, rect.y, rect.w, max(pitch, rect.h // pitch * pitch))
    wide = rect.w - look.px(10)
    made = wrapped(text, wide, look, size=size, tone=tone)
    made += wrapped(rest, wide, look, size=size)
    listed = scroll(name, room, made, pitch, look, offset=offset)
    return replace(listed, value=whole)


def dialog(
    name: str, window: Rect, size: tuple[int, int], title: str, look: Look,
    body: Callable[[Rect], Sequence[Node]], *, large: bool = False,
) -> Node:  # fmt: skip
    """Return a dialog in the middle of the window; nothing waits for it.

    Args:
        name: The dialog's name.
        window: What it may cover.
        size: Width and height wished for, in pixels.
        title: Its heading.
        look: Colours and sizes.
        body: Makes the nodes for the room below the heading.
        large: Whether the heading is what counts most.
    """
    high = look.title if large else look.head
    rect = centred(window, *size)
    room = rect.inset(look.px(_EDGE))
    head = Rect(room.x, room.y, room.w, round(high * typefaces.LINE))
    rest = Rect(
        room.x, head.bottom + look.gap, room.w, room.bottom - head.bottom - look.gap
    )
    heading = label(head, title, look, size=high, bold=True)
    face = panel(rect, look, [heading, *body(rest)], name=name)
    return replace(face, role=Role.DIALOG, value=title, depth=look.px(2))


Item: TypeAlias = tuple[str, str, Tone, bool, Means]
"""A button of a row: name, text, tone, whether it can be pressed, what it means."""


_EDGE = 18
"""Pixels at 100 % between a dialog's edge and what stands in it."""


def inside(wide: int, look: Look) -> int:
    """Return how wide the room in a dialog of some width is."""
    return wide - 2 * look.px(_EDGE)


def around(high: int, look: Look) -> int:
    """Return how high a dialog is round so much below its heading."""
    return high + 2 * look.px(_EDGE) + round(look.head * typefaces.LINE) + look.gap


def lines(items: Sequence[Item], wide: int, look: Look) -> list[Sequence[Item]]:
    """Return buttons in as many rows as they need to be read, at little padding."""
    for count in range(1, len(items)):
        share = -(-len(items) // count)
        made = [items[i : i + share] for i in range(0, len(items), share)]
        needs = (
            sum(button_width(item[1], look) - look.px(14) for item in line)
            + look.gap * (len(line) - 1)
            for line in made
            if len(line) > 1
        )
        if max(needs, default=0) <= wide:
            return made
    return [[item] for item in items]


def flow_height(items: Sequence[Item], wide: int, look: Look) -> int:
    """Return how high the rows of some buttons are."""
    count = len(lines(items, wide, look))
    return count * look.row + max(0, count - 1) * look.gap


def flows(
    area: Rect, look: Look, items: Sequence[Item], *, align: Align = Align.LEFT
) -> tuple[Node, ...]:
    """Return buttons in rows, from the top of an area as high as `flow_height`."""
    pitch = look.row + look.gap
    return tuple(
        face
        for i, line in enumerate(lines(items, area.w, look))
        for face in flow(
            Rect(area.x, area.y + i * pitch, area.w, look.row), look, line, align=align
        )
    )


def keys(area: Rect, look: Look, items: Sequence[Item]) -> tuple[Node, ...]:
    """Return buttons alike in two rows, as large as an area lets them be."""
    spots = grid(area, -(-len(items) // 2), 2, look.px(6))
    return tuple(
        button(name, spot, text, look, tone=tone, enabled=enabled, means=means)
        for spot, (name, text, tone, enabled, means) in zip(spots, items, strict=False)
    )


def flow(
    area: Rect, look: Look, items: Sequence[Item], *, align: Align = Align.LEFT,
    widest: Mapping[str, str] | None = None, gap: int | None = None,
    fill: str = "",
) -> tuple[Node, ...]:  # fmt: skip
    """Return buttons in a row, squeezed by their padding first if they do not fit.

    Args:
        area: The row's rectangle.
        look: Colours and sizes.
        items: (name, text, tone, enabled) of each.
        align: Which end they keep to.
        widest: The other text that a button may have: the row stays as it is then.
        gap: Between them; the usual one if None.
        fill: They take all of the row, and the one of this name the most of it.
    """
    often, gap = widest or {}, look.gap if gap is None else gap
    wides = [
        max(button_width(text, look), button_width(often.get(name, ""), look))
        for name, text, *_rest in items
    ]
    total = sum(wides) + gap * (len(items) - 1)
    crowded = total > area.w
    if crowded:
        room = max(len(items), area.w - gap * (len(items) - 1))
        texts = [wide - look.px(28) for wide in wides]
        spare = (room - sum(texts)) / len(items)  # the padding gives way first
        if spare > 0:
            wides = [int(wide + spare) for wide in texts]
        else:
            wides = [max(1, wide * room // sum(texts)) for wide in texts]
        total = area.w
    elif fill:
        shares = [3 if item[0] == fill else 1 for item in items]
        wides = [
            wide + (area.w - total) * share // sum(shares)
            for wide, share in zip(wides, shares, strict=True)
        ]
        total = sum(wides) + gap * (len(items) - 1)
    slack = {Align.LEFT: 0, Align.RIGHT: area.w - total}
    x = area.x + slack.get(align, (area.w - total) // 2)
    made: list[Node] = []
    for item, wide in zip(items, wides, strict=True):
        name, text, tone, enabled, means = item
        spot = Rect(x, area.y, wide, area.h)
        face = button(name, spot, text, look, tone=tone, enabled=enabled, means=means)
        if crowded:  # the letters give way next
            room = wide - look.px(10)
            size = typefaces.fitting(
                (text,), look.body, look.px(9), room, bold=face.bold
            )
            face = replace(face, size=size)
        made.append(face)
        x += wide + gap
    return tuple(made)


def badge(
    name: str, rect: Rect, text: str, size: int, look: Look, *, value: str = "",
    latest: bool = False,
) -> Node:  # fmt: skip
    """Return a few words that stand out; `latest`: in a frame, as what wants attention.

    They say themselves to scripts, or something else as `value`.
    """
    theme = look.theme
    return Node(
        Role.LABEL, name, rect, text=text, value=value or text, shape=Shape.ROUND,
        radius=rect.h // 2, size=size, bold=True,
        bg=theme.panel if latest else theme.accent,
        fg=theme.latest if latest else theme.on_accent,
        edge=theme.latest if latest else None, border=look.px(2) if latest else 0,
    )  # fmt: skip


def tray(name: str, rect: Rect, kids: Sequence[Node], look: Look) -> Node:
    """Return the body of a board or a rack, with what lies on it."""
    return Node(
        Role.PANEL, name, rect, kids=tuple(kids), shape=Shape.ROUND,
        radius=look.px(8), bg=look.theme.board,
    )  # fmt: skip


def on_its_way(face: Node, look: Look) -> Node:
    """Return a tile of the own rack that its seat does not know yet.

    It is no blank: pale, dotted, and a word for who does not see that.
    """
    pale = mix(look.theme.tile, look.theme.board, 0.6)
    return replace(face, bg=pale, pattern=Pattern.DOTS, value=_("on its way"))


def piece(  # noqa: PLR0913 (a tile has this many properties)
    name: str, rect: Rect, letter: str, points: str, look: Look, *,
    blank: bool = False, fresh: bool = False, latest: bool = False,
    drag: bool = False, selected: bool = False,
) -> Node:  # fmt: skip
    """Return a letter tile: letter in the middle, points in the lower right corner.

    A blank's letter is grey (source document, Screen layout).
    """
    theme, side = look.theme, min(rect.w, rect.h)
    edge, border = theme.tile_edge, max(1, look.px(1))
    if latest or fresh:
        edge, border = (theme.accent if fresh else theme.latest), max(2, side // 18)
    if selected:
        edge, border = theme.focus, max(3, side // 14)
    size = look.letter(side)
    if len(letter) > 1:
        size = typefaces.fitting((letter,), size, 1, side * 0.8, bold=Cut.TILE)
    return Node(
        Role.TILE, name, rect, text=letter, corner=points, shape=Shape.ROUND,
        radius=max(2, side // 8), depth=max(1, side // 14),
        bg=theme.fresh if fresh else theme.tile,
        fg=theme.blank if blank else theme.tile_text,
        edge=edge, border=border, size=size, bold=True, live=drag, drag=drag,
        selected=selected,
    )  # fmt: skip


def edged(face: Node, radius: int, look: Look) -> Node:
    """Return a row of a list with an edge, as a card has one."""
    edge = mix(look.theme.panel, look.theme.line, 0.6)
    return replace(face, shape=Shape.ROUND, radius=look.px(radius), edge=edge,
                   border=look.px(1))  # fmt: skip


def whole(window: Rect, page: Node, title: str, look: Look) -> tuple[Node, Node]:
    """Return a dialog that is all there is to be seen: nothing looks out round it."""
    ground = Node(Role.LABEL, "", window, shape=Shape.RECT, bg=look.theme.ground)
    return ground, replace(page, role=Role.DIALOG, value=title)


def letters(
    area: Rect, found: Sequence[tuple[int, str, Means]], title: str, look: Look
) -> Node:
    """Return the dialog in which a blank's letter is chosen, where the rack stood.

    The board stays to be seen, for which letter it is depends on it.

    Args:
        area: What it covers.
        found: Of each letter its number, its face and what a click on it means.
        title: What is asked.
        look: Colours and sizes.
    """
    wide, line = area.w - 2 * look.px(8), round(look.small * 1.5)
    down = next((n for n in (1, 2, 3) if wide // -(-len(found) // n) >= look.px(32)), 3)
    if look.apart:  # as large as thumbs need them
        down = max(down, -(-len(found) // max(1, wide // look.row)))
    least = down * look.px(28) + line + 2 * look.px(4)
    if area.h < least:  # the last of the board gives way
        area = Rect(area.x, area.bottom - least, area.w, least)
    inner = area.inset(look.px(8), look.px(4))
    room = Rect(inner.x, inner.y + line, inner.w, inner.h - line)
    spots = grid(room, -(-len(found) // down), down, look.px(2))
    kids = [
        label(Rect(inner.x, inner.y, inner.w, line), title, look, size=look.small),
        *(
            replace(
                button(f"letter:{number}", spot, text, look, means=means), bold=True
            )
            for (number, text, means), spot in zip(found, spots, strict=False)
        ),
    ]
    face = panel(area, look, kids, name="blank")
    return replace(face, role=Role.DIALOG, value=title)


# Rows of tabs: words, of which those of the page that is seen are underlined.


def tab_row(
    name: str, rect: Rect, titles: Sequence[str], chosen: int, look: Look,
    numbers: Sequence[int] = (), *, means: Callable[[int], Means],
) -> Node:  # fmt: skip
    """Return a row of tabs named `name:0`, `name:1`..., or by numbers of their own.

    `means` says what a click on one does.  The chosen one is underlined.
    """
    kids: list[Node] = []
    x = rect.x
    wides = [button_width(title, look) for title in titles]
    slack = rect.w - sum(wides) - look.px(4) * (len(titles) - 1)
    numbers = numbers or range(len(titles))
    for number, title, whole in zip(numbers, titles, wides, strict=True):
        wide = whole + min(0, slack) // len(titles)  # the padding gives way
        spot = Rect(x, rect.y, wide, rect.h)
        here = number == chosen
        face = button(
            f"{name}:{number}", spot, title, look, tone=Tone.QUIET,
            means=means(number),
        )  # fmt: skip
        ink = look.theme.accent if here else look.theme.text
        below = []
        if here:
            under = min(wide, look.width(title, look.body, bold=True))
            thick = look.px(3)
            line = Rect(spot.centre[0] - under // 2, spot.bottom - thick, under, thick)
            below.append(Node(
                Role.LABEL, "", line, shape=Shape.ROUND, radius=thick // 2,
                bg=look.theme.accent,
            ))  # fmt: skip
        kids.append(replace(
            face, role=Role.TAB, fg=ink, bold=here, selected=here, kids=tuple(below),
        ))  # fmt: skip
        x += wide + look.px(4)
    return group(rect, kids, name=name)


# A line as a QR code: rectangles, for a camera.


@lru_cache(maxsize=4)
def _code_runs(line: str) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    """Return how many modules a code is wide, and its dark runs: row, first, past."""
    import segno  # noqa: PLC0415 (brings ssl: the first frame waits for none of it)

    rows = [bytes(row) for row in segno.make(line, micro=False).matrix]
    found: list[tuple[int, int, int]] = []
    for y, row in enumerate(rows):
        x = 0
        while (x := row.find(1, x)) >= 0:
            end = row.find(0, x)
            end = len(row) if end < 0 else end
            found.append((y, x, end))
            x = end
    return len(rows), tuple(found)


def code_modules(line: str) -> int:
    """Return how many modules a QR code takes from edge to edge."""
    return _code_runs(line)[0] + 2 * CODE_QUIET


def code(name: str, rect: Rect, line: str, value: str) -> Node:
    """Return a QR code at the top of a place, in its middle, as large as there is room.

    Args:
        name: The node's.
        rect: The place.
        line: What the code says.
        value: The picture in words.
    """
    runs = _code_runs(line)[1]
    side = min(rect.w, rect.h)
    module = max(1, side // code_modules(line))
    whole = module * code_modules(line)
    x, y = rect.x + (rect.w - whole) // 2, rect.y
    first = CODE_QUIET * module
    kids = tuple(
        Node(
            Role.PANEL, "",
            Rect(x + first + a * module, y + first + row * module,
                 (b - a) * module, module),
            shape=Shape.RECT, bg=CODE_DARK,
        )
        for row, a, b in runs
    )  # fmt: skip
    place = Rect(x, y, whole, whole)
    return Node(
        Role.LABEL, name, place, kids=kids, shape=Shape.RECT, bg=CODE_LIGHT, value=value
    )
