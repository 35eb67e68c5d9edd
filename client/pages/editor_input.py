"""The editor of editions (source document, Configuration): what the user does there."""

from typing import Any, Final

from msgspec.structs import replace

from client.app import edition_changes
from client.app.browsing import Purpose
from client.app.model import (
    Change,
    EditionDraft,
    Effect,
    Give,
    Model,
    Over,
    Play,
    ask,
    game_with,
    same,
    tell,
    toggled,
)
from client.pages import chooser, editor_view, setup
from client.pages.editor_view import BOARD, BRUSHES, FIELD
from client.ui.intents import Click, Intent, Key
from client.ui.scene import Node, Rect
from client.ui.sound import Sound
from client.ui.texts import _, phrase
from netplay.messages import door
from netplay.messages.word_questions import OpenEdition, SaveEdition, WriteEdition
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
    if model.edition_draft is not None and model.edition_draft.origin == name:
        fresh = replace(model.edition_draft, said="", bad=False, warned="", taken="")
        return same(replace(model, edition_draft=fresh))
    model = _put_aside(model)
    if name in model.edition_drafts:
        return same(replace(model, edition_draft=model.edition_drafts[name]))
    start = name if name in editions.shipped() else "networdz"
    model = _take(model, editions.load(start))
    if name == start or model.edition_draft is None:
        return same(model)
    waiting = replace(model.edition_draft, origin=name)  # until the node has told of it
    return opened_file(replace(model, edition_draft=waiting), name)


def _put_aside(model: Model) -> Model:
    """Keep what is in the editor, with what has been typed, for another time."""
    if model.edition_draft is None:
        return model
    model, draft = _settled(model, model.edition_draft)
    kept = {**model.edition_drafts, draft.origin: draft}
    return replace(model, edition_drafts=kept)


def _take(model: Model, edition: Edition) -> Model:
    """Return the model with an edition in the editor, and nothing typed yet."""
    origin = name = edition.name
    if name in editions.shipped():
        edition = replace(edition, name=f"my-{name}"[:NAME])
    tab = model.edition_draft.tab if model.edition_draft else 0
    row, column = edition.start
    draft = EditionDraft(edition, origin, tab, row=row, column=column)
    return replace(_clean(model), edition_draft=draft)


def _drafted(model: Model, draft: EditionDraft, **changes: Any) -> Model:  # noqa: ANN401 (fields of a draft)
    """Return the model with an edition in the editor, changed."""
    return replace(model, edition_draft=replace(draft, **changes))


def _clean(model: Model) -> Model:
    edits = {k: e for k, e in model.edits.items() if not k.startswith(FIELD)}
    return replace(model, edits=edits)


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the editor."""
    draft = model.edition_draft
    return () if draft is None else editor_view.scene(model, draft, window)


def typed(model: Model, name: str) -> str:
    """Return what a field shows before it is touched."""
    draft = model.edition_draft
    if draft is None:
        return ""
    return edition_changes.shown(draft.edition, draft.tile, name.removeprefix(FIELD))


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the editor."""
    draft = model.edition_draft
    if draft is None:
        return same(replace(model, over=Over.NONE))
    match intent:
        case Key(key="escape"):
            return replace(model, over=Over.NONE, open=""), ()
        case Key(key=key) if key in ARROWS:
            return _arrow(model, draft, *ARROWS[key])
        case Key(key="enter" | "space") if PLACES[draft.tab] == "board":
            return same(_painted(model, draft, draft.row, draft.column))
        case Click(name=name) if name:
            return _clicked(model, draft, name)
        case _:
            return same(model)


def _settled(model: Model, draft: EditionDraft) -> tuple[Model, EditionDraft]:
    """Take into the edition what has been typed, where it can be taken.

    A number that is none stays in its field, where it is seen to be wrong.
    """
    now = editor_view.tried(model, draft)
    draft = replace(draft, edition=now.edition, said="", bad=False, warned="", taken="")
    return replace(_clean(model), edition_draft=draft), draft


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
    wide = editor_view.across(model.look, _list_width(model))
    to = max(0, min(edition.blank - 1, draft.tile + along + down * wide))
    return _chosen(model, draft, to)


def _list_width(model: Model) -> int:
    assert model.edition_draft is not None  # the caller has it
    found = editor_view.list_of_tiles(model, model.edition_draft)
    return found.rect.w if found else 1


def _chosen(model: Model, draft: EditionDraft, tile: int) -> Change:
    """Choose a kind of tile, and bring it into view."""
    model, draft = _settled(model, draft)
    draft = replace(draft, tile=tile)
    model = replace(model, edition_draft=draft)
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


def _clicked(model: Model, draft: EditionDraft, name: str) -> Change:
    head, _colon, tail = name.partition(":")
    if head == "ed.from" and tail.isdigit():
        return _start_from(replace(model, open=""), model.edition_names[int(tail)])
    if head == "ed.tab":
        model, draft = _settled(model, draft)
        return same(
            replace(model, edition_draft=replace(draft, tab=int(tail)), open="")
        )
    if head == "tile":
        return _chosen(model, draft, int(tail.removeprefix("ed.")))
    if head == "cell":
        row, column = map(int, tail.removeprefix("ed.").split("."))
        return same(_painted(model, draft, row, column))
    if name.startswith("ed.brush."):
        brush = BRUSHES[int(name.removeprefix("ed.brush."))]
        return same(_drafted(model, draft, brush=brush))
    return _pressed(model, draft, name)


def _pressed(  # noqa: C901, PLR0911 (one a button)
    model: Model, draft: EditionDraft, name: str
) -> Change:
    match name:
        case "close":
            return replace(model, over=Over.NONE, open=""), ()
        case "ed.from":
            return toggled(model, name)
        case "ed.open":
            return chooser.opened(model, Purpose.OPEN)
        case "ed.export":
            return chooser.opened(model, Purpose.WRITE, draft.edition.name)
        case "ed.save" | "ed.use":
            return _checked(model, draft, f"edition.{name.removeprefix('ed.')}")
        case "ed.over" if draft.taken:
            return _save(model, draft, draft.taken, over=True)
        case "ed.another":
            return _named_anew(model, draft)
        case "ed.readable" | "ed.anyway" | "ed.back":
            return _told_of_colours(model, draft, name)
        case "ed.mirror":
            flipped = replace(draft, mirrored=not draft.mirrored)
            return same(replace(model, edition_draft=flipped))
        case "ed.add" | "ed.remove" | "ed.earlier" | "ed.later":
            return _tile_changed(*_settled(model, draft), name)
        case _:
            return same(_sized(*_settled(model, draft), name))


def _tile_changed(model: Model, draft: EditionDraft, name: str) -> Change:
    edition, at = draft.edition, draft.tile
    match name:
        case "ed.add":
            edition, at = edition_changes.added(edition, at), at + 1
        case "ed.remove" if edition.blank > 1:
            edition = edition_changes.removed(edition, at)
            at = min(at, edition.blank - 1)
        case "ed.earlier" if at > 0:
            edition, at = edition_changes.swapped(edition, at, -1), at - 1
        case "ed.later" if at < edition.blank - 1:
            edition, at = edition_changes.swapped(edition, at, 1), at + 1
        case _:
            pass
    draft = replace(draft, edition=edition, tile=at)
    after, effects = _chosen(replace(model, edition_draft=draft), draft, at)
    keep: tuple[Effect, ...] = () if model.focus == name else effects
    return after, keep


def _sized(model: Model, draft: EditionDraft, name: str) -> Model:
    """Make the board larger or smaller by a row or column."""
    steps = {"less": -1, "more": 1}
    part, _dot, way = name.removeprefix("ed.").partition(".")
    if part not in ("rows", "columns") or way not in steps:
        return model
    edition = draft.edition
    height = edition.height + (steps[way] if part == "rows" else 0)
    width = edition.width + (steps[way] if part == "columns" else 0)
    if not all(editions.MIN_SIDE <= n <= editions.MAX_SIDE for n in (height, width)):
        return model
    edition = edition_changes.resized(edition, height, width)
    row, column = min(draft.row, height - 1), min(draft.column, width - 1)
    return _drafted(model, draft, edition=edition, row=row, column=column)


def _start_from(model: Model, name: str) -> Change:
    if name in editions.shipped():
        return same(_take(model, editions.load(name)))
    return opened_file(model, name)


def exported(model: Model, path: str, *, over: bool) -> Change:
    """Write the edition to the file that was chosen; `over` what lies there."""
    draft = model.edition_draft
    if draft is None or editor_view.tried(model, draft).problem is not None:
        return same(model)
    model, draft = _settled(model, draft)
    text = editions.write(draft.edition)
    return ask(model, WriteEdition(path, text, over), "edition.export")


def opened_file(model: Model, name: str) -> Change:
    """Have the node open an edition of the user's own, or in a file."""
    return ask(model, OpenEdition(name), "edition.open")


def _checked(model: Model, draft: EditionDraft, what: str) -> Change:
    """Save the edition, unless some of its colours can hardly be told apart."""
    now = editor_view.tried(model, draft).edition
    if not edition_changes.faults(now):
        return _save(model, draft, what)
    return same(_drafted(model, draft, warned=what))


def _told_of_colours(model: Model, draft: EditionDraft, name: str) -> Change:
    what = draft.warned
    model, draft = _settled(model, draft)
    if name == "ed.back" or not what:
        return same(_drafted(model, draft, tab=PLACES.index("colours")))
    if name == "ed.readable":
        draft = replace(draft, edition=edition_changes.mended(draft.edition))
    return _save(replace(model, edition_draft=draft), draft, what)


def _named_anew(model: Model, draft: EditionDraft) -> Change:
    fresh = replace(draft, taken="", tab=PLACES.index("general"))
    return replace(model, edition_draft=fresh), (Give(f"{FIELD}name"),)


def _others(model: Model, draft: EditionDraft) -> bool:
    own = model.status.editions if model.status else ()
    name = draft.edition.name
    return name in own and name not in (draft.origin, draft.saved)


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
    if _others(model, draft) and not over:
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
    if what in ("edition.save", "edition.use") and model.edition_draft is not None:
        kept = replace(model.edition_draft, saved=model.edition_draft.edition.name)
        model = replace(model, edition_draft=kept)
    if what == "edition.use" and model.edition_draft is not None:
        return _use(model, model.edition_draft.edition.name)
    return same(model)


def _said(model: Model, text: str, *, bad: bool) -> Model:
    """Return the model with a sentence in the editor, or as a notice if it is shut."""
    if model.over is not Over.EDITION or model.edition_draft is None:
        return tell(model, text, bad=bad)
    return _drafted(model, model.edition_draft, said=text, bad=bad)


def _use(model: Model, name: str) -> Change:
    """Play the next game with an edition that has been saved."""
    table = model.table
    if table is not None and (table.match or not table.hosting):
        text = _("It is saved. The host chooses the edition, before the game.")
        return same(_said(model, text, bad=False))
    draft = model.draft
    fresh = replace(draft, edition=name, words="")
    if "edition" not in GAMES[draft.game].ABOUT.resources:
        fresh = replace(fresh, game=game_with("edition"), options=())
    model = replace(model, over=Over.NONE, open="")
    said = _("The next game is played with {words}.").format(words=name)
    return setup.changed(tell(model, said), fresh)
