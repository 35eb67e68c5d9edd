"""The editor of editions (source document, Configuration): what the user does there."""

from typing import Any, Final

from msgspec.structs import replace

from client.app import edition_changes
from client.app.browsing import Purpose
from client.app.clicks import taker
from client.app.model import (
    Change,
    EditionDraft,
    Give,
    Model,
    Over,
    Play,
    ask,
    game_with,
    same,
    tell,
)
from client.pages import chooser, editor_view, setup
from client.pages.editor_view import BOARD, FIELD
from client.ui.intents import Intent, Key
from client.ui.scene import Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _, phrase
from netplay.messages import door
from netplay.messages.node_questions import OpenEdition, SaveEdition, WriteEdition
from rules import GAMES, editions
from rules.editions import Edition

NAME: Final = 32
"""Characters of an edition's name."""

PLACES: Final = ("general", "tiles", "board", "colours")
"""The tabs, by their numbers."""

ARROWS: Final = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
"""Row and column by which an arrow key moves."""


def opened(model: Model, name: str) -> Change:
    """Open the editor on the edition of a name, or on what was begun with it."""
    model = replace(model, over=Over.EDITION, open="")
    draft = model.editor.draft
    if draft is not None and draft.origin == name:
        return same(_drafted(model, draft, said="", bad=False, warned="", taken=""))
    if draft is not None:  # kept with what has been typed, for another time
        model, draft = _settled(model, draft)
        kept = {**model.editor.others, draft.origin: draft}
        model = replace(model, editor=replace(model.editor, others=kept))
    if name in model.editor.others:
        return same(_with(model, model.editor.others[name]))
    start = name if name in editions.shipped() else "networdz"
    model = _take(model, editions.load(start))
    if name == start or model.editor.draft is None:
        return same(model)
    waiting = replace(model.editor.draft, origin=name)  # until the node has told of it
    return opened_file(_with(model, waiting), name)


def _with(model: Model, draft: EditionDraft) -> Model:
    """Return the model with a draft in the editor."""
    return replace(model, editor=replace(model.editor, draft=draft))


def _take(model: Model, edition: Edition) -> Model:
    """Return the model with an edition in the editor, and nothing typed yet."""
    origin = name = edition.name
    if name in editions.shipped():
        edition = replace(edition, name=f"my-{name}"[:NAME])
    tab = model.editor.draft.tab if model.editor.draft else 0
    row, column = edition.start
    draft = EditionDraft(edition, origin, tab, row=row, column=column)
    return _with(_clean(model), draft)


def _drafted(model: Model, draft: EditionDraft, **changes: Any) -> Model:  # noqa: ANN401 (fields of a draft)
    """Return the model with an edition in the editor, changed."""
    return _with(model, replace(draft, **changes))


def _clean(model: Model) -> Model:
    edits = {k: e for k, e in model.edits.items() if not k.startswith(FIELD)}
    return replace(model, edits=edits)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the editor."""
    draft = model.editor.draft
    return () if draft is None else editor_view.scene(model, draft, window)


def typed(model: Model, name: str) -> str:
    """Return what a field shows before it is touched."""
    draft = model.editor.draft
    if draft is None:
        return ""
    return edition_changes.shown(draft.edition, draft.tile, name.removeprefix(FIELD))


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the editor."""
    draft = model.editor.draft
    if draft is None:
        return same(replace(model, over=Over.NONE))
    match intent:
        case Key(key="escape"):
            return replace(model, over=Over.NONE, open=""), ()
        case Key(key=key) if key in ARROWS:
            return _arrow(model, draft, *ARROWS[key])
        case Key(key="enter" | "space") if PLACES[draft.tab] == "board":
            return same(_painted(model, draft, draft.row, draft.column))
        case _:
            return same(model)


def _settled(model: Model, draft: EditionDraft) -> tuple[Model, EditionDraft]:
    """Take into the edition what has been typed, where it can be taken.

    A number that is none stays in its field, where it is seen to be wrong.
    """
    now = editor_view.tried(model, draft)
    draft = replace(draft, edition=now.edition, said="", bad=False, warned="", taken="")
    return _with(_clean(model), draft), draft


def _arrow(model: Model, draft: EditionDraft, down: int, along: int) -> Change:
    """Move on the board, or among the tiles."""
    edition = draft.edition
    if PLACES[draft.tab] == "board":
        row = max(0, min(edition.height - 1, draft.row + down))
        column = max(0, min(edition.width - 1, draft.column + along))
        moved = _drafted(model, draft, row=row, column=column)
        return moved, () if model.focus == BOARD else (Give(BOARD),)
    on_tile = not model.focus or model.focus.startswith("tile:")
    if PLACES[draft.tab] != "tiles" or not on_tile:
        return same(model)
    found = editor_view.list_of_tiles(model, draft)
    wide = editor_view.across(model.look, found.rect.w if found else 1)
    to = max(0, min(edition.blank - 1, draft.tile + along + down * wide))
    return _chosen(model, draft, to)


def _chosen(model: Model, draft: EditionDraft, tile: int) -> Change:
    """Choose a kind of tile, and bring it into view."""
    model, draft = _settled(model, draft)
    draft = replace(draft, tile=tile)
    model = _with(model, draft)
    found = editor_view.list_of_tiles(model, draft)
    if found is None:
        return same(model)
    pitch = editor_view.row_of_tiles(model.look)
    top = tile // editor_view.across(model.look, found.rect.w) * pitch
    offset = max(top + pitch - found.rect.h, min(top, found.offset), 0)
    scrolls = {**model.scrolls, editor_view.TILES: offset}
    return replace(model, scrolls=scrolls), (Give(f"tile:ed.{tile}"),)


def _painted(model: Model, draft: EditionDraft, row: int, column: int) -> Model:
    model, draft = _settled(model, draft)
    edition = edition_changes.brushed(
        draft.edition, row, column, draft.brush, mirrored=draft.mirrored
    )
    return _drafted(model, draft, edition=edition, row=row, column=column)


@taker
def _clicked(  # noqa: C901, PLR0911 (one a button)
    model: Model, message: editor_view.Control
) -> Change:
    draft = model.editor.draft
    if draft is None:
        return same(model)
    match message:
        case editor_view.StartFrom(name=name):
            if name in editions.shipped():
                return same(_take(model, editions.load(name)))
            return opened_file(model, name)
        case editor_view.ShowTab(number=number):
            model, draft = _settled(model, draft)
            return same(_drafted(replace(model, open=""), draft, tab=number))
        case editor_view.OpenFile():
            return chooser.opened(model, Purpose.OPEN)
        case editor_view.ExportFile():
            return chooser.opened(model, Purpose.WRITE, draft.edition.name)
        case editor_view.Save(what=what):
            way = f"edition.{what}"
            # Some of its colours can hardly be told apart.
            if edition_changes.faults(editor_view.tried(model, draft).edition):
                return same(_drafted(model, draft, warned=way))
            return _save(model, draft, way)
        case editor_view.SaveOver():
            return _save(model, draft, draft.taken, over=True)
        case editor_view.NameAnew():
            general = PLACES.index("general")
            named = _drafted(model, draft, taken="", tab=general)
            return named, (Give(f"{FIELD}name"),)
        case editor_view.Warned(what=what):
            return _told_of_colours(model, draft, what)
        case editor_view.AtTile(number=number):
            return _chosen(model, draft, number)


@taker
def _on_board(model: Model, message: editor_view.OfBoard) -> Change:
    draft = model.editor.draft
    if draft is None:
        return same(model)
    match message:
        case editor_view.Brush(kind=kind):
            return same(_drafted(model, draft, brush=kind))
        case editor_view.Mirror():
            return same(_drafted(model, draft, mirrored=not draft.mirrored))
        case editor_view.Paint(row=row, column=column):
            return same(_painted(model, draft, row, column))
        case editor_view.Resize(rows=rows, columns=columns):
            model, draft = _settled(model, draft)
            high, wide = draft.edition.height + rows, draft.edition.width + columns
            if not all(
                editions.MIN_SIDE <= n <= editions.MAX_SIDE for n in (high, wide)
            ):
                return same(model)
            edition = edition_changes.resized(draft.edition, high, wide)
            row, column = min(draft.row, high - 1), min(draft.column, wide - 1)
            return same(_drafted(model, draft, edition=edition, row=row, column=column))


@taker
def _tile_changed(model: Model, message: editor_view.OfTiles) -> Change:
    if model.editor.draft is None:
        return same(model)
    model, draft = _settled(model, model.editor.draft)
    edition, at = draft.edition, draft.tile
    match message:
        case editor_view.AddTile():
            edition, at = edition_changes.added(edition, at), at + 1
        case editor_view.RemoveTile() if edition.blank > 1:
            edition = edition_changes.removed(edition, at)
            at = min(at, edition.blank - 1)
        case editor_view.ShiftTile(by=by) if 0 <= at + by < edition.blank:
            edition, at = edition_changes.swapped(edition, at, by), at + by
        case _:
            pass
    draft = replace(draft, edition=edition, tile=at)
    after, effects = _chosen(_with(model, draft), draft, at)
    by_key = model.focus.startswith("ed.")  # the button that was pressed keeps it
    return after, () if by_key else effects


def exported(model: Model, path: str, *, over: bool) -> Change:
    """Write the edition to the file that was chosen; `over` what lies there."""
    draft = model.editor.draft
    if draft is None or editor_view.tried(model, draft).problem is not None:
        return same(model)
    model, draft = _settled(model, draft)
    text = editions.write(draft.edition)
    return ask(model, WriteEdition(path, text, over), "edition.export")


def opened_file(model: Model, name: str) -> Change:
    """Have the node open an edition of the user's own, or in a file."""
    return ask(model, OpenEdition(name), "edition.open")


def _told_of_colours(model: Model, draft: EditionDraft, way: str) -> Change:
    what = draft.warned
    model, draft = _settled(model, draft)
    if way == "back" or not what:
        return same(_drafted(model, draft, tab=PLACES.index("colours")))
    if way == "mend":
        draft = replace(draft, edition=edition_changes.mended(draft.edition))
    return _save(_with(model, draft), draft, what)


def _save(
    model: Model, draft: EditionDraft, what: str, *, over: bool = False
) -> Change:
    """Have the node keep the edition; it checks it once more.

    Args:
        model: As it is.
        draft: The edition.
        what: To save it, or to play with it, too.
        over: Another of the same name may go.
    """
    now = editor_view.tried(model, draft)
    if now.problem is not None:
        return same(model)
    model, draft = _settled(model, draft)
    own = model.status.editions if model.status else ()
    name = draft.edition.name
    if (name in own and name not in (draft.origin, draft.saved)) and not over:
        return same(_drafted(model, draft, taken=what))
    text = editions.write(draft.edition)
    return ask(model, SaveEdition(draft.edition.name, text), what)


def answered(model: Model, what: str, answer: door.Done | door.Failed) -> Change:
    """Take the node's answer."""
    if isinstance(answer, door.Failed):
        return _said(model, phrase(answer.detail or answer.error.said), bad=True), (
            Play(Sound.REFUSED),
        )
    if what == "edition.open":
        return same(_take(model, editions.decode(answer.data)))
    model = _said(model, phrase(answer.text), bad=False)
    draft = model.editor.draft
    if what in ("edition.save", "edition.use") and draft is not None:
        model = _drafted(model, draft, saved=draft.edition.name)
        if what == "edition.use":
            return _use(model, draft.edition.name)
    return same(model)


def _said(model: Model, text: str, *, bad: bool) -> Model:
    """Return the model with a sentence in the editor, or as a notice if it is shut."""
    if model.over is not Over.EDITION or model.editor.draft is None:
        return tell(model, text, bad=bad)
    return _drafted(model, model.editor.draft, said=text, bad=bad)


def _use(model: Model, name: str) -> Change:
    """Play the next game with an edition that has been saved."""
    table = model.table
    if table is not None and (table.match or not table.hosting):
        text = _("It is saved. The host chooses the edition, before the game.")
        return same(_said(model, text, bad=False))
    draft = model.setup.draft
    fresh = replace(draft, edition=name, words="")
    if "edition" not in GAMES[draft.game].ABOUT.resources:
        fresh = replace(fresh, game=game_with("edition"), options=())
    over = Over.NONE if model.over is Over.EDITION else model.over
    model = replace(model, over=over, open="")
    said = _("The next game will use {words}.").format(words=name)
    return setup.changed(tell(model, said), fresh)
