"""What the editor of editions shows: its tabs, fields, tiles and board."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace

from client.app import edition_changes
from client.app.clicks import Closes
from client.app.model import START, EditionDraft, Model, edit_of
from client.pages import bar
from client.ui import widgets
from client.ui.hand import Edit
from client.ui.layout import Squares, columns, grid, rows
from client.ui.scene import Align, Mark, Means, Node, Rect, Role, Shape, find
from client.ui.texts import _, ngettext, told
from client.ui.theme import Look, stands
from client.ui.widgets import Tone, label, piece
from rules.editions import BLOCKED, COLOURS, PLAIN, Edition, Problem

FIELD: Final = "field.ed."
"""Before the names of the editor's fields."""

BRUSHES: Final = (PLAIN, "L2", "L3", "L4", "W2", "W3", "W4", BLOCKED, START)

BOARD: Final = "ed.board"
TILES: Final = "ed.tiles"

SIDE: Final = 46
"""Pixels of a tile at 100 %."""

TIMES: Final = 15
"""Pixels below it, for how many there are."""

ALIKE: Final = 3
"""Pairs of colours that are named at once."""


def tried(model: Model, draft: EditionDraft) -> edition_changes.Tried:
    """Return the edition with all that has been typed."""
    typed = {
        name.removeprefix(FIELD): edit.text
        for name, edit in model.edits.items()
        if name.startswith(FIELD)
    }
    return edition_changes.tried(draft.edition, draft.tile, typed)


def titles() -> dict[str, str]:
    """Return the names of an edition's parts in the user's language."""
    return {
        "name": _("Name"),
        "title": _("Title"),
        "language": _("Language (en, sv ...)"),
        "words": _("Dictionary"),
        "longest": _("Longest word"),
        "rack": _("Tiles in a rack"),
        "bingo": _("Bonus for a whole rack"),
        "blanks": _("Blanks"),
        "letters": _("Letters"),
        "count": _("How many"),
        "points": _("Points"),
        "tiles": _("Tiles"),
        "board": _("Board"),
        "colours": _("Colours"),
    }


def fault(problem: Problem) -> str:
    """Return in words what is wrong with an edition, and with which part."""
    head, _dot, tail = problem.key.partition(".")
    title = titles().get(head, head)
    number = tail.removeprefix("rows.")
    if head == "board" and number.isdigit():
        title = _("Board, row {n}").format(n=int(number) + 1)
    elif head == "board":
        title = _("Start square") if tail == "start" else title
    elif tail:
        title = f"{title}, {tail}"
    return f"{title}: {told(problem.reason)}"


class StartFrom(Means, frozen=True):
    """Begin with another edition."""

    name: str


class ShowTab(Means, frozen=True):
    """Show another part of the edition."""

    number: int


class OpenFile(Means, frozen=True):
    """Choose a file to read the edition from."""


class ExportFile(Means, frozen=True):
    """Choose where to write the edition."""


class Save(Means, frozen=True):
    """Save the edition, or play with it, too."""

    what: Literal["save", "use"]


class SaveOver(Means, frozen=True):
    """Let the edition of that name go."""


class NameAnew(Means, frozen=True):
    """Choose another name."""


class Warned(Means, frozen=True):
    """What to do about colours that can hardly be told apart."""

    what: Literal["mend", "save", "back"]


class AddTile(Means, frozen=True):
    """Add a kind of tile."""


class RemoveTile(Means, frozen=True):
    """Remove the kind of tile that is chosen."""


class ShiftTile(Means, frozen=True):
    """Let the kind of tile change places with the one before it, or after."""

    by: int


class AtTile(Means, frozen=True):
    """Choose a kind of tile."""

    number: int


class Brush(Means, frozen=True):
    """Choose what squares are painted with."""

    kind: str


class Mirror(Means, frozen=True):
    """Paint all four corners alike, or no more."""


class Paint(Means, frozen=True):
    """Paint a square."""

    row: int
    column: int


class Resize(Means, frozen=True):
    """Make the board larger or smaller by rows and columns."""

    rows: int
    columns: int


OfBoard: TypeAlias = Brush | Mirror | Paint | Resize
OfTiles: TypeAlias = AddTile | RemoveTile | ShiftTile
Control: TypeAlias = (
    StartFrom
    | ShowTab
    | OpenFile
    | ExportFile
    | Save
    | SaveOver
    | NameAnew
    | Warned
    | AtTile
)


def scene(model: Model, draft: EditionDraft, window: Rect) -> tuple[Node, ...]:
    """Return the editor, and its drop-down if it is open."""
    look = model.look
    now = tried(model, draft)
    high = window.h * 9 // 10 if stands(model.size) else look.px(640)
    size = (look.px(980), high)
    face = widgets.dialog(
        "editor.box", window, size, _("Tiles and board of an edition"), look,
        lambda room: _body(model, draft, now, room),
    )  # fmt: skip
    lists = {"ed.from": [(name, StartFrom(name)) for name in model.edition_names]}
    return face, *bar.open_list(model, window, (face,), lists)


def _body(
    model: Model, draft: EditionDraft, now: edition_changes.Tried, room: Rect
) -> Sequence[Node]:
    """Return tabs, the chosen one's content, what is wrong, and the buttons."""
    look = model.look
    note = round(look.small * 1.3) * 2
    top, middle, said, foot = rows(room, [look.row, 1, note, look.row], look.px(6))
    names = (_("General"), _("Tiles"), _("Board"), _("Colours"))
    kids = [widgets.tab_row("ed.tab", top, names, draft.tab, look, means=ShowTab)]
    parts = (_general, _tiles, _board, _colours)
    kids += parts[draft.tab](model, draft, now.edition, middle)
    text, tone = draft.said, Tone.DANGER if draft.bad else Tone.GOOD
    alike = edition_changes.faults(now.edition) if draft.warned else ()
    taken = bool(draft.taken) and now.edition.name == draft.edition.name
    if now.problem is not None:
        text, tone = fault(now.problem), Tone.DANGER
    elif alike:
        named = _colour_names()
        pairs = [f"{named[one]} – {named[other]}" for one, other in alike[:ALIKE]]
        more = " (…)" if len(alike) > ALIKE else ""
        text = _("Hard to tell apart: {pairs}.")
        text, tone = text.format(pairs=", ".join(pairs) + more), Tone.DANGER
    elif taken:
        text = _("There is an edition {name} already. It would be lost.")
        text, tone = text.format(name=now.edition.name), Tone.DANGER
    kids.append(
        label(said, text, look, name="ed.said", size=look.small, tone=tone, wrap=True)
    )
    good = now.problem is None and model.linked
    items: list[widgets.Item] = [
        ("ed.readable", _("Make them readable"), Tone.MAIN, good, Warned("mend")),
        ("ed.anyway", _("Save as it is"), Tone.PLAIN, good, Warned("save")),
        ("ed.back", _("Back"), Tone.PLAIN, True, Warned("back")),
    ]
    if alike:
        return (*kids, *widgets.flow(foot, look, items))
    if taken and now.problem is None:
        items = [
            ("ed.another", _("Another name"), Tone.MAIN, True, NameAnew()),
            ("ed.over", _("Overwrite"), Tone.DANGER, good, SaveOver()),
        ]
        return (*kids, *widgets.flow(foot, look, items))
    items = [
        ("ed.save", _("Save"), Tone.MAIN, good, Save("save")),
        ("ed.use", _("Save and play with it"), Tone.PLAIN, good, Save("use")),
        ("close", _("Close"), Tone.PLAIN, True, Closes()),
    ]
    return (*kids, *widgets.flow(foot, look, items))


def _field(model: Model, edition: Edition, draft: EditionDraft, key: str) -> Edit:
    return edit_of(model, FIELD + key, edition_changes.shown(edition, draft.tile, key))


def _entry(
    model: Model, edition: Edition, draft: EditionDraft, key: str, row: Rect,
    share: float = 0.5,
) -> list[Node]:  # fmt: skip
    look = model.look
    left, right = columns(row, [share, 1 - share], look.px(4))
    edit = _field(model, edition, draft, key)
    return [
        widgets.note(left, titles()[key], look, tone=Tone.PLAIN),
        widgets.entry(FIELD + key, right, edit, look),
    ]


def _general(
    model: Model, draft: EditionDraft, edition: Edition, room: Rect
) -> list[Node]:
    look = model.look
    pitch = look.row + look.px(6)
    kids: list[Node] = []
    texts, numbers = edition_changes.TEXTS, edition_changes.NUMBERS
    halves = columns(room, [0.5, 0.5], look.px(16))
    if look.held:  # names need all the width
        spots = [(key, room, i) for i, key in enumerate(texts)]
        low = [
            (key, halves[i % 2], len(texts) + i // 2) for i, key in enumerate(numbers)
        ]
        spots += low
    else:
        both = zip(halves, (texts, numbers), strict=True)
        spots = [(key, half, i) for half, keys in both for i, key in enumerate(keys)]
    for key, part, i in spots:
        row = Rect(part.x, room.y + i * pitch, part.w, look.row)
        share = 0.25 if part.w == room.w else 0.5
        kids += _entry(model, edition, draft, key, row, share)
    y = room.y + (1 + max(i for _key, _part, i in spots)) * pitch + look.px(10)
    first = Rect(room.x, y, room.w, look.row)
    left, right = columns(first, [0.25, 0.75], look.px(4))
    kids.append(label(left, _("Start from"), look))
    kids.append(widgets.choice("ed.from", right, _("an edition"), look))
    second = first.moved(0, pitch)
    left, right = columns(second, [0.25, 0.75], look.px(4))
    good = model.linked and tried(model, draft).problem is None
    items: list[widgets.Item] = [
        ("ed.open", _("Open") + "…", Tone.PLAIN, model.linked, OpenFile()),
        ("ed.export", _("Export") + "…", Tone.PLAIN, good, ExportFile()),
    ]
    kids += [label(left, _("Text file"), look), *widgets.flow(right, look, items)]
    return kids


def _tiles(
    model: Model, draft: EditionDraft, edition: Edition, room: Rect
) -> list[Node]:
    look = model.look
    left, right = columns(room, [0.62, 0.38], look.px(16))
    pitch = look.row + look.px(6)
    kids = [tiles(model, draft, edition, left)]
    for i, key in enumerate(edition_changes.TILE):
        row = Rect(right.x, right.y + i * pitch, right.w, look.row)
        kids += _entry(model, edition, draft, key, row)
    y = right.y + len(edition_changes.TILE) * pitch
    may_go = edition.blank > 1
    earlier, later = draft.tile > 0, draft.tile < edition.blank - 1
    pair = columns(Rect(right.x, y, right.w, look.row), [1, 1], look.px(4))
    kids += [
        widgets.button("ed.add", pair[0], _("Add"), look, means=AddTile()),
        widgets.button(
            "ed.remove", pair[1], _("Remove"), look, enabled=may_go, means=RemoveTile()
        ),
    ]
    pair = columns(Rect(right.x, y + pitch, right.w, look.row), [1, 1], look.px(4))
    kids += [
        widgets.button(
            "ed.earlier",
            pair[0],
            "",
            look,
            mark=Mark.LEFT,
            enabled=earlier,
            means=ShiftTile(-1),
        ),
        widgets.button(
            "ed.later",
            pair[1],
            "",
            look,
            mark=Mark.RIGHT,
            enabled=later,
            means=ShiftTile(1),
        ),
    ]
    count = sum(edition.counts)
    text = ngettext("{n} tile in all", "{n} tiles in all", count).format(n=count)
    foot = Rect(right.x, y + 2 * pitch, right.w, look.line)
    kids.append(label(foot, text, look, tone=Tone.DIM))
    return kids


def across(look: Look, room: int) -> int:
    """Return how many tiles stand in a row."""
    return max(1, (room - look.px(10)) // look.px(SIDE + 4))


def row_of_tiles(look: Look) -> int:
    """Return how high a row of tiles is, with the numbers below them."""
    return look.px(SIDE + 4) + look.px(TIMES)


def tiles(model: Model, draft: EditionDraft, edition: Edition, room: Rect) -> Node:
    """Return the list of all kinds of tiles, several in a row."""
    look = edition_changes.tinted(model.look, edition)
    wide, step = across(look, room.w), look.px(SIDE + 4)
    side, pitch = look.px(SIDE), row_of_tiles(look)

    def line(first: int) -> widgets.Row:
        def make(rect: Rect) -> Node:
            kinds = edition.kinds[first : min(first + wide, edition.blank)]
            made = [
                _tile(edition, first + i, draft, look, rect.x + i * step, rect.y, side)
                for i, _kind in enumerate(kinds)
            ]
            return widgets.group(rect, made)

        return make

    made = [line(first) for first in range(0, edition.blank, wide)]
    offset = model.scrolls.get(TILES, 0)
    return widgets.scroll(TILES, room, made, pitch, look, offset=offset)


def list_of_tiles(model: Model, draft: EditionDraft) -> Node | None:
    """Return the list of tiles as it stands in the window now."""
    window = Rect(0, 0, *model.size).inset(model.look.px(10))
    return find(scene(model, draft, window)[0], TILES)


def _tile(
    edition: Edition, i: int, draft: EditionDraft, look: Look, x: int, y: int, side: int
) -> Node:
    """Return one kind of tile with its points and, below it, how many there are."""
    kind, chosen = edition.kinds[i], draft.tile == i
    face = piece(
        f"tile:ed.{i}", Rect(x + 2, y + 2, side, side), kind.letters, str(kind.points),
        look, selected=chosen,
    )  # fmt: skip
    times = label(
        Rect(x + 2, y + 2 + side, side, look.px(TIMES)), f"{kind.count}×", look,
        size=look.small, align=Align.CENTRE,
    )  # fmt: skip
    times = replace(times, bg=look.theme.panel, shape=Shape.RECT)  # not on the tile
    return replace(
        face, live=True, focusable=True, kids=(times,), means=AtTile(i),
        value=f"{kind.letters} {kind.count} {kind.points}",
    )  # fmt: skip


def _brushes() -> dict[str, str]:
    """Return the kinds of squares in the user's language."""
    names = {PLAIN: _("plain"), BLOCKED: _("blocked"), START: _("start")}
    for times in "234":
        names[f"L{times}"] = _("letter {n}x").format(n=times)
        names[f"W{times}"] = _("word {n}x").format(n=times)
    return names


def _board(
    model: Model, draft: EditionDraft, edition: Edition, room: Rect
) -> list[Node]:
    """Return the board, the kinds of squares to choose from, and its size."""
    look = edition_changes.tinted(model.look, edition)
    cut = rows if stands(model.size) else columns
    share = 0.5 if look.thumb else 0.6
    left, right = cut(room, [share, 1 - share], look.px(12))
    kids = [board(model, draft, edition, left, look)]
    names, line = _brushes(), look.px(52 if look.thumb else 30)
    area = Rect(right.x, right.y, right.w, 3 * line)
    for brush, spot in zip(BRUSHES, grid(area, 3, 3, look.px(4)), strict=True):
        chosen = draft.brush == brush
        face = widgets.button(
            f"ed.brush.{BRUSHES.index(brush)}", spot, names[brush], look,
            selected=chosen, means=Brush(brush),
        )  # fmt: skip
        kids.append(replace(face, size=look.small))
    y = area.bottom + look.gap
    box = Rect(right.x, y, right.w, look.row)
    text = _("All four corners alike")
    kids.append(
        widgets.check("ed.mirror", box, text, look, on=draft.mirrored, means=Mirror())
    )
    y = box.bottom + look.px(4)
    sizes = (
        ("rows", _("Rows"), edition.height, (1, 0)),
        ("columns", _("Columns"), edition.width, (0, 1)),
    )
    for key, title, count, (down, along) in sizes:
        row = Rect(right.x, y, right.w, look.row)
        side = min(look.row, right.w // 5)
        name, less, number, more = columns(row, [1, side, side, side])
        kids += [
            label(name, title, look),
            widgets.button(
                f"ed.{key}.less", less, "−", look, means=Resize(-down, -along)
            ),
            label(number, str(count), look, name=f"ed.{key}", align=Align.CENTRE),
            widgets.button(
                f"ed.{key}.more", more, "+", look, means=Resize(down, along)
            ),
        ]
        y = row.bottom + look.px(4)
    note = Rect(right.x, y, right.w, max(0, right.bottom - y))
    text = _("Click a square, or use the arrow keys and Enter.")
    kids.append(label(note, text, look, size=look.small, tone=Tone.DIM, wrap=True))
    return kids


def board(
    model: Model, draft: EditionDraft, edition: Edition, room: Rect, look: Look
) -> Node:
    """Return the board; it takes the keyboard as a whole."""
    wide = max(map(len, edition.board), default=1)
    squares = Squares.fitted(room.inset(look.px(3)), wide, max(1, edition.height))
    kids = [
        _square(edition, draft, row, column, squares, look)
        for row, line in enumerate(edition.board)
        for column, _kind in enumerate(line)
    ]
    here = edition.board[draft.row][draft.column]
    return Node(
        Role.PANEL, BOARD, squares.rect.inset(-look.px(3)), kids=tuple(kids),
        shape=Shape.ROUND, radius=look.px(6), bg=look.theme.board, focusable=True,
        value=f"{draft.row},{draft.column} {here}",
    )  # fmt: skip


def _square(
    edition: Edition,
    draft: EditionDraft,
    row: int,
    column: int,
    squares: Squares,
    look: Look,
) -> Node:
    kind, rect = edition.board[row][column], squares.cell(column, row)
    bg = edition_changes.square(kind, look)
    here = (row, column) == (draft.row, draft.column)
    start = (row, column) == edition.start
    plain = kind in (PLAIN, BLOCKED)
    size = max(6, round(rect.w * 0.42))
    return Node(
        Role.CELL, f"cell:ed.{row}.{column}", rect, value=kind, bg=bg,
        text="" if plain or start else f"{kind[1]}{kind[0]}",
        size=0 if plain or start else size, fg=widgets.ink(bg, look), live=True,
        shape=Shape.ROUND, radius=max(2, rect.w // 10), bold=True,
        mark=Mark.STAR if start else Mark.NONE,
        edge=look.theme.focus if here else None,
        border=max(2, rect.w // 10) if here else 0, means=Paint(row, column),
    )  # fmt: skip


def _colours(
    model: Model, draft: EditionDraft, edition: Edition, room: Rect
) -> list[Node]:
    """Return a field for each colour; an empty one leaves it to the theme."""
    look = model.look
    titles = _colour_names()
    own = edition_changes.tinted(look, edition).theme
    now = {
        "square": own.cell, "blocked": own.blocked, "tile": own.tile,
        "letter": own.tile_text, "blank": own.blank,
    }  # fmt: skip
    for i in range(3):
        now[f"W{i + 2}"], now[f"L{i + 2}"] = own.word[i], own.letter[i]
    halves = columns(room, [0.5, 0.5], look.px(16))
    pitch, kids = look.row + look.px(6), list[Node]()
    gap, box = look.px(6), min(look.row, look.px(34))
    least = look.width("#dddddd", look.body) + look.px(24)
    wide = max(least, (halves[0].w - box - 2 * gap) // 2)
    for i, key in enumerate(COLOURS):
        half = halves[i // 6]
        row = Rect(half.x, half.y + i % 6 * pitch, half.w, look.row)
        name, swatch, field = columns(row, [1, box, wide], gap)
        edit = _field(model, edition, draft, edition_changes.COLOUR + key)
        kids += [
            widgets.note(name, titles[key], look, tone=Tone.PLAIN),
            Node(
                Role.LABEL, "", swatch, shape=Shape.ROUND, radius=look.px(6),
                bg=now[key], edge=look.theme.line, border=look.px(1),
            ),
            widgets.entry(
                FIELD + edition_changes.COLOUR + key, field, edit, look, hint="#rrggbb"
            ),
        ]  # fmt: skip
    spot = Rect(halves[1].x, halves[1].y + 5 * pitch, halves[1].w, look.row)
    return [*kids, *_sample(edition, spot, edition_changes.tinted(look, edition))]


def _sample(edition: Edition, room: Rect, look: Look) -> Sequence[Node]:
    """Return squares and tiles as they are drawn in a game."""
    side = min(look.row, room.w // 6)
    name, rest = columns(room, [1, 4 * side])
    spots = [Rect(rest.x + i * side, rest.y, side, side).inset(1) for i in range(4)]
    letters = edition.kinds[0].letters
    return (
        label(name, _("In a game"), look),
        *(
            Node(
                Role.LABEL,
                "",
                spot,
                shape=Shape.RECT,
                bg=edition_changes.square(kind, look),
            )
            for kind, spot in zip((PLAIN, BLOCKED), spots, strict=False)
        ),
        piece("", spots[2], letters, "1", look),
        piece("", spots[3], letters, "", look, blank=True),
    )


def _colour_names() -> dict[str, str]:
    names = _brushes()
    names["square"] = names.pop(PLAIN)
    names["blocked"] = names.pop(BLOCKED)
    names |= {"tile": _("Tile"), "letter": _("Letter"), "blank": _("Blank's letter")}
    return names
