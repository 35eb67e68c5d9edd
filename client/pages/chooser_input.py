"""What the user does in the file chooser, and what becomes of the file chosen."""

from typing import Final

from msgspec.structs import replace

from client.app import browsing
from client.app.browsing import (
    Arriving,
    Chooser,
    Listing,
    Looked,
    Looking,
    Purpose,
    Reading,
    Reported,
)
from client.app.clicks import taker, taker_of_second
from client.app.model import (
    Browse,
    Change,
    Give,
    Model,
    Over,
    Peek,
    Report,
    Store,
    ask,
    edit_of,
    same,
    untouched,
    with_edit,
)
from client.pages import chooser as shown
from client.pages import copying, dictionary, editor_input
from client.pages.chooser import FIELD, LIST
from client.ui import hand
from client.ui.hand import Edit
from client.ui.intents import Intent, Key, Text
from client.ui.scene import Node, Rect
from client.ui.texts import _
from netplay.messages import door

LONGEST: Final = 1000
"""Characters of a path."""

PATIENCE: Final = 0.3
"""Seconds after which it is said that the disk is still being asked."""

STEPS: Final = {"up": -1, "down": 1, "page up": -8, "page down": 8}
"""Rows by which a key moves in the list."""


def scene(model: Model, window: Rect) -> tuple[Node, ...]:
    """Return the chooser."""
    return shown.scene(model, window)


def handle(model: Model, intent: Intent) -> Change:
    """React to what is done in the chooser."""
    chooser = model.chooser
    if chooser is None:
        return same(replace(model, over=Over.NONE))
    match intent:
        case Key(key="escape"):
            taken = chooser.taken
            return (
                _another(model, chooser) if taken else same(_given_up(model, chooser))
            )
        case Key(key="enter"):
            return submit(model)
        case Key(key="up", alt=True):
            return _up(model, chooser)
        case Key(key=name) if name in STEPS and not chooser.taken:
            return same(_stepped(model, chooser, STEPS[name]))
        case _:
            return same(model)


def typing(model: Model, now: Edit, intent: Intent) -> Change | None:
    """React to what is typed in the field; None if it is nothing special."""
    chooser = model.chooser
    if chooser is None:
        return None
    match intent:
        case Key(key=key, alt=alt) if alt or key in STEPS:
            return handle(model, intent)
        case Text(text=text):
            fresh = hand.insert(now, text, LONGEST)
        case Key():
            pressed = hand.press(now, intent)
            if pressed is None:
                return None
            fresh = pressed
        case _:
            return None
    if fresh.text != now.text:
        chooser = replace(chooser, chosen="", said="")
        if isinstance(chooser.awaits, Looking):  # it was for another name
            chooser = replace(chooser, awaits=None, slow=False)
        scrolls = {**model.scrolls, LIST: 0}
        model = replace(model, chooser=chooser, scrolls=scrolls)
    inner = browsing.split(chooser.listing.folder, fresh.text)
    if isinstance(intent, Text) and inner is not None:
        then = hand.of(inner[1])
        return _reading(with_edit(model, FIELD, fresh), chooser, inner[0], then)
    if isinstance(intent, Text):
        model, fresh = _proposed(model, chooser, fresh)
    return same(with_edit(model, FIELD, fresh))


def _proposed(model: Model, chooser: Chooser, now: Edit) -> tuple[Model, Edit]:
    now, name = browsing.completed(chooser, now)
    return replace(model, chooser=replace(chooser, chosen=name)), now


@taker
def _clicked(  # noqa: PLR0911 (one a button)
    model: Model, message: shown.Control
) -> Change:
    chooser = model.chooser
    if chooser is None:
        return same(model)
    match message:
        case shown.Pick(at=at):
            return same(_marked(model, chooser, at))
        case shown.GoTo(folder=folder):
            return _browse(model, chooser, folder)
        case shown.Up():
            return _up(model, chooser)
        case shown.ShowAll():
            every = replace(chooser, every=not chooser.every)
            return same(replace(model, chooser=every))
        case shown.Take():
            return submit(model)
        case shown.Another():
            return _another(model, chooser)
        case shown.WriteOver():
            return _done(model, chooser, chooser.taken, over=True)
        case shown.GiveUp():
            return same(_given_up(model, chooser))


@taker_of_second
def _picked(model: Model, message: shown.Pick) -> Change:
    marked, _effects = _clicked(model, message)
    return submit(marked)


def _marked(model: Model, chooser: Chooser, at: int) -> Model:
    """Mark a row of the list; a file's name goes into the field."""
    found = shown.listed(model)
    if not 0 <= at < len(found):
        return model
    item = found[at]
    if not item.folder:
        typed = browsing.head(edit_of(model, FIELD))
        model = with_edit(model, FIELD, browsing.picked(item, typed))
    return replace(model, chooser=replace(chooser, chosen=item.name, said=""))


def _stepped(model: Model, chooser: Chooser, by: int) -> Model:
    """Mark another row, and bring it into view."""
    found = [item.name for item in shown.listed(model)]
    if not found:
        return model
    at = found.index(chooser.chosen) if chooser.chosen in found else -1
    to = max(0, min(len(found) - 1, at + by if at >= 0 else 0))
    model = _marked(model, chooser, to)
    node = shown.shown(model)
    if node is None:
        return model
    pitch = model.look.px(30)
    offset = max((to + 1) * pitch - node.rect.h, min(to * pitch, node.offset), 0)
    return replace(model, scrolls={**model.scrolls, LIST: offset})


def _up(model: Model, chooser: Chooser) -> Change:
    return _browse(model, chooser, browsing.above(chooser.listing.folder))


def _browse(model: Model, chooser: Chooser, folder: str) -> Change:
    """Go to a folder; the name of a new file stays in the field."""
    text = edit_of(model, FIELD).text if chooser.purpose.writes else ""
    then = Edit(text, len(text), 0)
    model, effects = _reading(model, chooser, folder, then)
    return model, (*effects, Give(FIELD))


def _reading(model: Model, chooser: Chooser, folder: str, then: Edit) -> Change:
    """Have a folder read, unless that is going on."""
    now = chooser.awaits
    wish = Reading(folder, edit_of(model, FIELD), then)
    if isinstance(now, Reading) and now.folder == folder:
        return same(replace(model, chooser=replace(chooser, awaits=wish)))
    return _awaiting(model, chooser, wish), (Browse(folder),)


def _awaiting(model: Model, chooser: Chooser, wish: Reading | Looking) -> Model:
    fresh = replace(chooser, awaits=wish, since=model.now, slow=False, said="")
    return replace(model, chooser=fresh)


def _given_up(model: Model, chooser: Chooser) -> Model:
    """Return the model that waits for the disk no more, or without the chooser."""
    if not chooser.slow or model.apart:
        return _closed(model, chooser)
    said = _("There was no answer from the disk. Choose another folder.")
    fresh = replace(chooser, awaits=None, slow=False, said=said)
    return replace(model, chooser=fresh)


def ticked(model: Model) -> Model:
    """Return the model that says that the disk takes long, if it does."""
    chooser = model.chooser
    if chooser is None or chooser.slow or chooser.awaits is None:
        return model
    if model.now - chooser.since < PATIENCE:
        return model
    return replace(model, chooser=replace(chooser, slow=True))


def _another(model: Model, chooser: Chooser) -> Change:
    gives = Give(shown.field(chooser, model))
    return replace(model, chooser=replace(chooser, taken="")), (gives,)


def _closed(model: Model, chooser: Chooser) -> Model:
    """Return the model without the chooser, with what was below it."""
    model = untouched(model, FIELD)
    return replace(model, over=Over(chooser.back), open="", chooser=None)


def submit(model: Model) -> Change:
    """Take the name in the field, or go into the folder that is marked."""
    chooser = model.chooser
    if chooser is None or chooser.taken:
        return same(model)
    match chooser.awaits:
        case Reading():
            awaits = replace(chooser.awaits, enter=True)
            return same(replace(model, chooser=replace(chooser, awaits=awaits)))
        case Looking():
            return same(model)
        case None:
            return _submitted(model, chooser)


def _submitted(model: Model, chooser: Chooser) -> Change:
    """Look what lies where the name leads, or go into the folder that is marked."""
    if model.apart:  # what is read, the page brings by itself
        if not chooser.purpose.writes:
            return same(model)
        new = (chooser.wish,)
        return _awaiting(model, chooser, Looking(new)), (Peek(new),)
    text = edit_of(model, FIELD).text.strip()
    item = browsing.named(chooser, chooser.chosen or text)
    if item is not None and item.folder:
        # Go into a folder that was marked, or whose name was typed
        typed = edit_of(model, FIELD).text
        if item.shown.casefold().startswith(typed.casefold()):
            wish = chooser.wish
            model = with_edit(model, FIELD, Edit(wish, len(wish), 0))
        folder = browsing.resolved(chooser.listing.folder, item.name)
        return _browse(model, chooser, folder)
    if not text:
        return model, (Give(FIELD),)
    name = text if item is None else item.name
    if not chooser.listing.folder:  # there is nothing yet that a name could be in
        return model, (Give(FIELD),)
    paths = browsing.candidates(chooser, name)
    return _awaiting(model, chooser, Looking(paths)), (Peek(paths),)


def on_news(model: Model, news: Listing | Looked | Reported | Arriving) -> Change:
    """Take what the disk has."""
    chooser = model.chooser
    match news:
        case Arriving(why=why):
            if chooser is None or chooser.taken or (chooser.purpose.writes and not why):
                return same(model)
            awaits = None if why else Looking((news.name,))
            fresh = replace(chooser, awaits=awaits, done=news.done, said=why)
            return same(replace(model, chooser=fresh))
        case Listing():
            return listed(model, news)
        case Looked():
            return looked(model, news)
        case Reported(path=path, why=why):
            text = _("The report is in {path}: read it through, then send it.")
            if why:
                text = _("The report could not be written: {why}")
            return replace(model, report=text.format(path=path, why=why)), ()


def listed(model: Model, listing: Listing) -> Change:
    """Take what is in a folder, unless it is not the one wished for."""
    chooser = model.chooser
    if chooser is None or not isinstance(chooser.awaits, Reading):
        return same(model)
    asked = chooser.awaits
    chooser = replace(chooser, awaits=None, slow=False)
    if listing.lost:
        said = _("The folder {name} cannot be read, or is not there.")
        said = said.format(name=browsing.end(listing.lost))
        chooser = replace(chooser, said=said)
        if chooser.listing.folder:
            return same(replace(model, chooser=chooser))
    else:
        chooser = replace(chooser, said="")
    chooser = replace(chooser, listing=listing, chosen="")
    model = replace(model, chooser=chooser, scrolls={**model.scrolls, LIST: 0})
    now = edit_of(model, FIELD)
    model, now = _proposed(model, chooser, asked.then if now == asked.before else now)
    model = with_edit(model, FIELD, now)
    return submit(model) if asked.enter and not listing.lost else same(model)


def looked(model: Model, answer: Looked) -> Change:
    """Take what lies where the user wants to read or write."""
    chooser = model.chooser
    if chooser is None or not answer.found or not isinstance(chooser.awaits, Looking):
        return same(model)
    chooser = replace(chooser, awaits=None, slow=False)
    model = replace(model, chooser=chooser)
    first, last = answer.found[0], answer.found[-1]
    if first.kind == "folder":
        return _browse(with_edit(model, FIELD, Edit()), chooser, first.path)
    if not chooser.purpose.writes:
        there = next((each for each in answer.found if each.kind == "file"), None)
        if there is not None:
            act = _asked if chooser.goes else _done
            return act(model, chooser, there.path)
        said = _("There is no file {name}.")
    elif last.kind == "nothing":
        return _done(model, chooser, last.path)
    elif last.kind == "file":
        return _asked(model, chooser, last.path)
    elif last.kind == "folder":
        said = _("{name} is a folder.")
    else:
        said = _("There is no folder for {name}.")
    said = said.format(name=browsing.end(last.path))
    return replace(model, chooser=replace(chooser, said=said)), (Give(FIELD),)


def _asked(model: Model, chooser: Chooser, path: str) -> Change:
    """Ask whether what is there may go."""
    asked = replace(chooser, taken=path)
    return replace(model, chooser=asked), (Give("file.no"),)


def _done(model: Model, chooser: Chooser, path: str, *, over: bool = False) -> Change:
    """Do with the file what it was chosen for, and remember its folder."""
    if not model.apart:
        places = browsing.recent(model.settings.places, browsing.above(path))
        model = replace(model, settings=replace(model.settings, places=places))
    if chooser.purpose in ANSWERED:  # it closes when the node has done it
        model = replace(model, chooser=replace(chooser, taken="", said=""))
    else:
        model = _closed(model, chooser)
    model, effects = _used(model, chooser.purpose, path, over=over)
    return model, (*effects, Store())


ANSWERED: Final = (Purpose.SAVE, Purpose.LOAD)
"""What the node does with a file: if it cannot, that is said beside the name."""


def file_done(model: Model, what: str) -> Model:
    """Return the model after the node has done with a file what it was asked."""
    chooser = model.chooser
    if chooser is None or chooser.purpose.value != what:
        return model
    closed = _closed(model, chooser)
    return closed if model.over is Over.FILE else replace(closed, over=model.over)


def refused(model: Model, what: str, why: str) -> Model | None:
    """Return the model that says in the chooser why the node has not done it.

    None if the chooser is not open for that.
    """
    chooser = model.chooser if model.over is Over.FILE else None
    if chooser is None or chooser.purpose.value != what:
        return None
    return replace(model, chooser=replace(chooser, said=why))


def _used(  # noqa: PLR0911 (one a purpose)
    model: Model, purpose: Purpose, path: str, *, over: bool
) -> Change:
    match purpose:
        case Purpose.SAVE:
            kept = model.chooser.kept if model.chooser else ""
            return ask(model, door.Save(path, over, kept), "save")
        case Purpose.LOAD:
            return ask(model, door.Load(path), "load")
        case Purpose.IMPORT:
            return dictionary.imported(model, path)
        case Purpose.EXPORT:
            return dictionary.exported(model, path, over=over)
        case Purpose.OPEN:
            return editor_input.opened_file(model, path)
        case Purpose.WRITE:
            return editor_input.exported(model, path, over=over)
        case Purpose.REPORT:
            return model, (Report(path, over),)
        case Purpose.BRING:
            return copying.chosen(model, path)
