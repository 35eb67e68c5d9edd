"""The file chooser: folders, places, names, and what would be written over."""

import os
from collections.abc import Sequence
from functools import partial
from typing import Final, TypeAlias

from msgspec.structs import replace

from client.app import browsing
from client.app.browsing import Chooser, Item, Listing, Looking, Purpose, Reading
from client.app.model import Browse, Change, Give, Model, Over, edit_of
from client.ui import typefaces, widgets
from client.ui.hand import Edit, clean
from client.ui.layout import columns, rows
from client.ui.scene import Mark, Means, Node, Rect, Role, Shape, find, mix
from client.ui.texts import _
from client.ui.theme import Look
from client.ui.widgets import Tone, label

FIELD: Final = "field.file"
LIST: Final = "files"
PLACES: Final = "file.places"
PICK: Final = "file.pick"
"""Has the browser ask for a file, which it does at the touch itself or not at all: the
page knows it by this name."""


class Up(Means, frozen=True):
    """Go to the folder above."""


class GoTo(Means, frozen=True):
    """Go to a folder."""

    folder: str


class Pick(Means, frozen=True):
    """Mark a row of the list; twice, take it."""

    at: int


class ShowAll(Means, frozen=True):
    """Show files of every kind, or no more."""


class Take(Means, frozen=True):
    """Take the name in the field, or go into the folder that is marked."""


class GiveUp(Means, frozen=True):
    """Wait for the disk no more, or close the chooser."""


class Another(Means, frozen=True):
    """Choose another name than the one that is taken."""


class WriteOver(Means, frozen=True):
    """Let what lies there go."""


Control: TypeAlias = Up | GoTo | Pick | ShowAll | Take | GiveUp | Another | WriteOver


def opened(model: Model, purpose: Purpose, wish: str = "", goes: str = "") -> Change:
    """Open the chooser over what is open, in the folder used last.

    Args:
        model: As it is.
        purpose: What the file is for.
        wish: The name proposed for a new one, without its ending.
        goes: The word list that an import replaces.
    """
    name = browsing.plain(wish) + purpose.suffix if purpose.writes else ""
    if model.apart:
        chooser = Chooser(purpose, model.over.value, name, goes=goes)
        model = replace(model, over=Over.FILE, open="", chooser=chooser)
        return model, (Give(field(chooser, model)),)
    edit = Edit(name, len(name), 0)
    folder = model.settings.places[0] if model.settings.places else ""
    chooser = Chooser(
        purpose, model.over.value, name, goes=goes, since=model.now,
        listing=Listing("", places=(browsing.home(),)),
        awaits=Reading(folder, edit, edit),
    )  # fmt: skip
    model = replace(model, over=Over.FILE, open="", chooser=chooser)
    model = replace(model, edits={**model.edits, FIELD: edit})
    return model, (Browse(folder), Give(FIELD))


def field(chooser: Chooser, model: Model) -> str:
    """Return what the keyboard goes to."""
    if model.apart:
        return "file.ok" if chooser.purpose.writes else PICK
    return FIELD


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the chooser, and what is open over it."""
    chooser = model.chooser
    if chooser is None:
        return ()
    look = model.look
    window = window.inset(look.px(10))
    if model.apart:
        small = _apart(model, chooser, window)
        return (small, _question(model, chooser, window)) if chooser.taken else (small,)
    face = widgets.dialog(
        "file", window, (look.px(660), look.px(560)), title(chooser.purpose), look,
        lambda room: _body(model, chooser, room),
    )  # fmt: skip
    if chooser.taken:
        return face, _question(model, chooser, window)
    by = find(face, PLACES) if model.open == PLACES else None
    if by is None:
        return (face,)
    room = by.rect.w - look.px(46)
    found = places(model)
    items = [_tail(words, look, room) for words, _path in found]
    means = [GoTo(path) for _words, path in found]
    offset = model.scrolls.get(f"{PLACES}:list", 0)
    return face, widgets.popup(
        PLACES, by.rect, items, -1, window, look, offset=offset, means=means
    )


def _apart(model: Model, chooser: Chooser, window: Rect) -> Node:
    """Return the dialog where the browser has the files."""
    look, purpose = model.look, chooser.purpose
    wide = min(look.px(460), window.w)
    inner = widgets.inside(wide, look)
    text, said, tone = _note(purpose), chooser.said, Tone.DANGER
    if isinstance(chooser.awaits, Looking):
        said = _("{name} is on its way: {done} %")
        rest = typefaces.width(said.format(name="", done=100), look.small)
        room = max(inner // 2, inner - rest)
        name = typefaces.shorten(clean(chooser.awaits.paths[0]), look.small, room)
        said = said.format(name=name, done=chooser.done)
        tone = Tone.PLAIN
    elif not said and purpose.writes:
        said, tone = chooser.wish, Tone.DIM
    verb = _verb(purpose) if purpose.writes else _("Choose a file …")
    name = field(chooser, model)
    items: list[widgets.Item] = [
        (name, verb, Tone.MAIN, True, Take()),
        ("close", _("Cancel"), Tone.PLAIN, True, GiveUp()),
    ]
    high = typefaces.height(text, look.body, inner)
    # What is said while a file comes moves no button.
    more = max(2 * round(look.small * 1.3), typefaces.height(said, look.small, inner))
    low = widgets.flow_height(items, inner, look)

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, high)
        below = Rect(room.x, note.bottom + look.gap, room.w, more)
        foot = Rect(room.x, room.bottom - low, room.w, low)
        return (
            label(note, text, look, wrap=True),
            label(below, said, look, name="file.said", size=look.small, tone=tone,
                  wrap=True),
            *widgets.flows(foot, look, items),
        )  # fmt: skip

    size = wide, widgets.around(high + more + low + 3 * look.gap, look)
    return widgets.dialog("file", window, size, title(purpose), look, body)


def title(purpose: Purpose) -> str:
    """Return what is to be done with a file."""
    return {
        Purpose.SAVE: _("Save the game"),
        Purpose.LOAD: _("Load a game"),
        Purpose.IMPORT: _("Import words"),
        Purpose.EXPORT: _("Export words"),
        Purpose.OPEN: _("Open an edition"),
        Purpose.WRITE: _("Export the edition"),
        Purpose.REPORT: _("Write a report"),
        Purpose.BRING: _("From another computer"),
    }[purpose]


def _note(purpose: Purpose) -> str:
    return {
        Purpose.SAVE: _("You can pass the file on and continue the game elsewhere."),
        Purpose.LOAD: _("Choose a saved game to continue it."),
        Purpose.IMPORT: _("A text file with one word a line, in alphabetical order."),
        Purpose.EXPORT: _("A text file with one word a line."),
        Purpose.OPEN: _("A text file (TOML) with tiles and board."),
        Purpose.WRITE: _("A text file (TOML) that you can share."),
        Purpose.REPORT: _(
            "A text file to send with a complaint: no keys, names, chat or tiles."
        ),
        Purpose.BRING: _("The copy of everything, or what netplay export wrote."),
    }[purpose]


def places(model: Model) -> tuple[tuple[str, str], ...]:
    """Return the folders one click away, as (words, path)."""
    names = {
        "home": _("Home folder"), "documents": _("Documents"), "desktop": _("Desktop"),
        "downloads": _("Downloads"),
    }  # fmt: skip
    known = model.chooser.listing.places if model.chooser else ()
    found = {place.path: names.get(place.kind, place.path) for place in known}
    for path in model.settings.places:
        found.setdefault(path, path)
    return tuple((words, path) for path, words in found.items())


def listed(model: Model) -> tuple[Item, ...]:
    """Return what the list has now."""
    chooser = model.chooser
    if chooser is None:
        return ()
    found = browsing.narrowed(chooser, browsing.head(edit_of(model, FIELD)))
    return found[: browsing.MOST]


def shown(model: Model) -> Node | None:
    """Return the list as it stands in the window now."""
    found = scene(model, Rect(0, 0, *model.size))
    return find(found[0], LIST) if found else None


def _body(model: Model, chooser: Chooser, room: Rect) -> Sequence[Node]:
    look = model.look
    small = round(look.small * 1.3)
    top, middle, said, name, foot = rows(
        room, [look.row, 1, 2 * small, look.row, look.row], look.px(6)
    )
    left, right = columns(top, [1, look.row], look.px(6))
    folder = chooser.listing.folder
    place = _tail(folder, look, left.w - look.px(40))
    text, tone = _said(chooser)
    edit = edit_of(model, FIELD)
    words = _("Name")
    wide = look.width(words, look.body) + look.gap
    before, field = columns(name, [wide, 1])
    return (
        widgets.choice(PLACES, left, place, look),
        replace(
            widgets.button(
                "file.up", right, "", look, mark=Mark.UP,
                enabled=browsing.above(folder) != folder, means=Up(),
            ),
            value=_("The folder above"),
        ),
        _list(model, chooser, middle),
        label(said, text, look, name="file.said", size=look.small, tone=tone,
              wrap=True),
        label(before, words, look),
        widgets.entry(FIELD, field, edit, look, hint=_("file")),
        *_foot(model, chooser, foot),
    )  # fmt: skip


def _said(chooser: Chooser) -> tuple[str, Tone]:
    """Return what stands below the list, and how: what is awaited, a fault, a note."""
    if chooser.slow:
        words, path = _("Looking for {name}…"), ""
        match chooser.awaits:
            case Reading(folder=path):
                words = _("Reading the folder {name}…")
            case Looking(paths=paths):
                path = paths[-1]
            case None:
                pass
        return words.format(name=browsing.end(path)), Tone.PLAIN
    if chooser.said:
        return chooser.said, Tone.DANGER
    return _note(chooser.purpose), Tone.DIM


def _verb(purpose: Purpose) -> str:
    return {
        Purpose.SAVE: _("Save"), Purpose.LOAD: _("Load"), Purpose.IMPORT: _("Import"),
        Purpose.EXPORT: _("Export"), Purpose.WRITE: _("Export"),
        Purpose.REPORT: _("Save"),
    }.get(purpose, _("Open"))  # fmt: skip


def _foot(model: Model, chooser: Chooser, room: Rect) -> Sequence[Node]:
    look = model.look
    marked = browsing.named(chooser, chooser.chosen) if chooser.chosen else None
    verb = _verb(chooser.purpose)
    if marked is not None and marked.folder:
        verb = _("Open the folder")
    ready = bool(edit_of(model, FIELD).text.strip()) or marked is not None
    cancel = _("Do not wait") if chooser.slow else _("Cancel")
    items: list[widgets.Item] = [
        ("file.ok", verb, Tone.MAIN, ready, Take()),
        ("close", cancel, Tone.PLAIN, True, GiveUp()),
    ]
    words = _("All files")
    wide = look.width(words, look.body) + look.px(20) + 2 * look.gap
    left, right = columns(room, [1, wide], look.gap)
    box = widgets.check(
        "file.all", right, words, look, on=chooser.every, means=ShowAll()
    )
    return *widgets.flow(left, look, items), box


def _list(model: Model, chooser: Chooser, room: Rect) -> Node:
    look = model.look
    ground = replace(
        widgets.panel(room, look, name="file.ground"), bg=look.theme.ground
    )
    inner = room.inset(look.px(4))
    found = listed(model)
    if not chooser.listing.folder:
        return ground
    if not found:
        text = _("There is nothing of this kind here.")
        if not chooser.every:
            text = _("No {kind} files are here.").format(kind=chooser.purpose.suffix)
        if browsing.head(edit_of(model, FIELD)):
            text = _("No name here begins so.")
        note = inner.inset(look.px(8))
        said = label(note, text, look, name="file.none", tone=Tone.DIM, wrap=True)
        return replace(ground, kids=(said,))

    def row(i: int, item: Item, rect: Rect) -> Node:
        side = look.px(18)
        dated = look.width(item.changed, look.body) + look.gap if item.changed else 0
        text = item.shown + (os.sep if item.folder else "")
        room = rect.w - side - look.px(20) - dated
        plain = widgets.row(
            f"file:{i}", typefaces.shorten(text, look.body, room), look,
            right=item.changed, selected=item.name == chooser.chosen, means=Pick(i),
        )  # fmt: skip
        face = plain(Rect(rect.x + side, rect.y, rect.w - side, rect.h))
        spot = Rect(rect.x + look.px(6), rect.y + (rect.h - side) // 2, side, side)
        kids = (*_sign(spot, look, folder=item.folder), *face.kids)
        return replace(face, rect=rect, kids=kids, focusable=False, value=item.shown)

    made = [partial(row, i, item) for i, item in enumerate(found)]
    offset = model.scrolls.get(LIST, 0)
    listing = widgets.scroll(LIST, inner, made, look.px(30), look, offset=offset)
    return replace(ground, kids=(listing,))


def _sign(spot: Rect, look: Look, *, folder: bool) -> Sequence[Node]:
    theme = look.theme
    line = mix(theme.line, theme.text, 0.3)
    if not folder:
        w = spot.w * 2 // 3
        sheet = Rect(spot.x + (spot.w - w) // 2, spot.y, w, spot.h)
        return (
            Node(Role.LABEL, "", sheet, shape=Shape.ROUND, radius=2, bg=theme.panel,
                 edge=line, border=max(1, look.px(1))),
        )  # fmt: skip
    h = spot.h * 3 // 4
    body = Rect(spot.x, spot.bottom - h, spot.w, h)
    tab = Rect(spot.x, spot.bottom - h - spot.h // 6, spot.w // 2, h // 2)
    return tuple(
        Node(Role.LABEL, "", part, shape=Shape.ROUND, radius=max(2, look.px(2)),
             bg=theme.tile, edge=line, border=max(1, look.px(1)))
        for part in (tab, body)
    )  # fmt: skip


def _question(model: Model, chooser: Chooser, window: Rect) -> Node:
    """Return the question whether a file may be written over."""
    look = model.look
    text = _("There is a file of this name already. Its contents would be lost.")
    name = os.path.basename(chooser.taken)  # noqa: PTH119 (any text will do)
    back = _("Another name")
    if chooser.goes:
        text = _("There is a list of this name already. Its words would be lost.")
        name, back = chooser.goes, _("Cancel")
    wide = min(look.px(480), window.w)
    high = typefaces.height(text, look.body, widgets.inside(wide, look))

    def body(room: Rect) -> Sequence[Node]:
        note = Rect(room.x, room.y, room.w, high)
        where = Rect(room.x, note.bottom + look.px(4), room.w, look.line)
        foot = Rect(room.x, room.bottom - look.row, room.w, look.row)
        items: list[widgets.Item] = [
            ("file.no", back, Tone.MAIN, True, Another()),
            ("file.over", _("Overwrite"), Tone.DANGER, True, WriteOver()),
        ]
        return (
            label(note, text, look, wrap=True),
            label(where, _tail(name, look, room.w), look, name="file.taken", bold=True),
            *widgets.flow(foot, look, items),
        )

    size = wide, widgets.around(high + look.line + look.px(24) + look.row, look)
    return widgets.dialog("file.ask", window, size, _("Overwrite?"), look, body)


def _tail(text: str, look: Look, room: int) -> str:
    text = clean(text)
    if look.width(text, look.body) <= room:
        return text
    while text and look.width("…" + text, look.body) > room:
        text = text[1:]
    return "…" + text
