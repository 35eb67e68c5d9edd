"""What a fault is about, and how long it stays: until the player changes its cause."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from client.app.browsing import Purpose, Reported
from client.app.clicks import taker
from client.app.model import Change, Model, Over, Page, ask, edit_of, same, tell
from client.pages import bar, chat, chooser, games, inviting, link_offer, nearby, start
from client.ui import typefaces, widgets
from client.ui.intents import Intent, Key
from client.ui.layout import rows
from client.ui.scene import Means, Node, Rect
from client.ui.texts import _
from client.ui.widgets import label
from netplay.fingerprint import folded, invitation_in
from netplay.messages import door

BOOK: Final = ("field.word", "field.list")
EDITION: Final = "field.ed."
SEATS: Final = "field.seat"
"""Begin the names of the fields of the dictionary, the editor, and a table's seats."""

CALLS: Final = ("join", "join.near", "watch.at", "call0", "call1", "call2", "call3")
"""Wishes that the node only notes: what comes of the call is told later."""


def called(model: Model, what: str) -> Model:
    """Return the model after the node has said that it will do something."""
    return replace(model, calling=what) if what in CALLS else model


def about(model: Model) -> str:
    """Return what an error is about that the node tells now, empty if not known."""
    calls_seat = model.calling.startswith("call")
    here = model.page is (Page.TABLE if calls_seat else Page.START)
    return model.calling if here else ""


def whom(model: Model, what: str = "") -> str:
    """Return who was called, by name; empty where it was the name of a computer.

    Args:
        model: As it is.
        what: The call; empty for the last one.
    """
    what = what or model.calling
    if what == "join":
        typed = link_offer.typed(model, start.ADDRESS)
    elif what.startswith("call") and what[4:].isdigit():
        i = int(what[4:])
        typed = edit_of(
            model, f"field.seat{i}", model.setup.draft.seats[i].address
        ).text
    else:
        return ""
    place, _space, comment = typed.strip().partition(" ")
    key = folded(place.rpartition("#")[2])
    for name, print_ in model.status.friends if model.status else ():
        if folded(print_) == key or name.casefold() == typed.strip().casefold():
            return name
    if not invitation_in(place):
        return ""
    return comment or _("Whoever sent the invitation")


def settled(model: Model) -> Model:
    """Return the model once a call has come to something: it is over."""
    seat = model.calling.startswith("call") and model.page is Page.TABLE
    return model if seat else unsaid(replace(model, calling=""))


def unsaid(model: Model) -> Model:
    """Return the model that says no longer that somebody is being called."""
    going = model.notice is not None and model.notice.about in CALLS
    return replace(model, notice=None) if going else model


def kept(before: Model, model: Model) -> Model:
    """Forget what went wrong with a wish as soon as it is tried again, or changed."""
    model = _mended(before, model)
    wrong = model.fault
    if wrong is None or wrong is not before.fault or not wrong.about:
        return model
    if before.hover != model.hover:  # a hand that moves over the board changes nothing
        return model
    again = any(
        what == wrong.about
        for number, what in model.asked.items()
        if number not in before.asked
    )
    other = _cause(before, wrong.about) != _cause(model, wrong.about)
    return replace(model, fault=None) if again or other else model


def _mended(before: Model, model: Model) -> Model:
    """Forget what the dictionary or the editor said once other words are typed there.

    That some word is good says nothing of another one, either.
    """
    if model.edits is before.edits:
        return model
    book, draft = model.book, model.editor.draft
    if (
        book.said
        and book == before.book
        and _typed(before, BOOK) != _typed(model, BOOK)
    ):
        model = replace(model, book=replace(book, said="", bad=False))
    if draft is None or not draft.said or draft != before.editor.draft:
        return model
    if _typed(before, EDITION) == _typed(model, EDITION):
        return model
    return replace(
        model, editor=replace(model.editor, draft=replace(draft, said="", bad=False))
    )


def _typed(model: Model, names: str | tuple[str, ...]) -> dict[str, str]:
    """Return what has been typed into fields whose names begin so."""
    edits = model.edits.items()
    return {name: now.text for name, now in edits if name.startswith(names)}


def _cause(model: Model, wish: str) -> object:
    """Return what the player has chosen or typed that a wish comes from."""
    if wish == "play" and model.match is not None:
        return model.match.local  # a move: the tiles laid for it
    if wish in nearby.ASKED:
        return model.start.chosen
    far = start.ADDRESS if wish in inviting.FAR else ""
    field = chat.FIELD if wish == "say" else far
    if field:
        return edit_of(model, field).text
    if wish in start.HERE or wish == "change":
        draft = model.setup.draft
        here = draft.game, draft.seats
        return (draft, _typed(model, SEATS)) if wish == "change" else here
    if wish in CALLS:
        i = int(wish.removeprefix("call"))
        typed = edit_of(model, f"field.seat{i}", model.setup.draft.seats[i].address)
        return typed.text, model.setup.draft.seats[i]
    # Of any other wish whatever is typed, but for what is said to the others.
    return {name: now.text for name, now in model.edits.items() if name != chat.FIELD}


# A page that went wrong: what is said of it, while everything else goes on.
#
# No error in showing one thing may end the window. What went wrong is put aside: a
# dialog is closed, of a match only its page says so, and the node hears nothing of it.
# The other games, the menu, leaving and a second try stay where they are.


AGAIN: Final = "mishap.again"
REPORT: Final = "mishap.report"
GAMES: Final = "mishap.games"


class Again(Means, frozen=True):
    """Try to show the page once more."""


class WriteReport(Means, frozen=True):
    """Choose where to write what to send with a complaint."""


class ToGames(Means, frozen=True):
    """Go to the list of games."""


LONGEST: Final = 200
"""Characters of an error's own words that are shown."""


def place(model: Model) -> tuple[str, int]:
    """Return where in the window a page is: which one, and of which table."""
    table = 0 if model.table is None else model.table.number
    return model.page.value, table


def stands(model: Model) -> bool:
    """Tell whether the page that went wrong is the one that is to be shown."""
    return bool(model.mishap) and model.mishap_at == place(model)


def after(model: Model, error: BaseException) -> Model:
    """Return the model once something in it could not be shown, or done.

    Args:
        model: As it was before.
        error: Why.
    """
    what = f"{type(error).__name__}: {error}".splitlines()[0][:LONGEST]
    if model.over is not Over.NONE:
        shut = replace(
            model, over=Over.NONE, chooser=None, learning=None, open="", focus=""
        )
        said = _("That could not be shown. What happened: {what}")
        return tell(shut, said.format(what=what), bad=True)
    return replace(
        model, mishap=what, mishap_at=place(model), match=None,
        play=replace(model.play, shelf={}, waiting=()),
        focus="", hover="", open="", report="",
    )  # fmt: skip


def again(model: Model) -> Change:
    """Try once more: the node tells of the match from its beginning."""
    model, seat = replace(model, mishap="", match=None), model.play.watching
    return same(model) if seat is None else ask(model, door.Watch(seat), "watch")


def scene(model: Model, area: Rect) -> tuple[Node, ...]:
    """Return the page that says what went wrong."""
    look = model.look
    top, rest = rows(area, [bar.height(look), 1])
    head: tuple[Node, ...] = ()
    menu: tuple[Node, ...] = ()
    with suppress(Exception):  # it may be what went wrong
        head = (bar.strip(model, top, "Netplay"),)
        menu = bar.open_list(model, area, head, {})
    room = bar.body(rest, look)
    kept = _("Nothing is lost: the game goes on, and all moves are kept.")
    what = _("What happened: {what}").format(what=model.mishap)
    texts = [_("Something went wrong with this page."), kept, what, model.report]
    kids: list[Node] = []
    y = room.y + look.gap
    for number, text in enumerate(filter(None, texts)):
        size = look.head if number == 0 else look.body
        high = typefaces.height(text, size, room.w, bold=number == 0)
        spot = Rect(room.x, y, room.w, high)
        kids.append(
            label(spot, text, look, name=f"mishap.{number}", size=size,
                  bold=number == 0, wrap=True)
        )  # fmt: skip
        y += high + look.gap
    wanted: list[tuple[str, str, Means]] = [
        (AGAIN, _("Try again"), Again()),
        (REPORT, _("Write a report"), WriteReport()),
    ]
    if model.page is not Page.START:
        wanted.append((GAMES, _("Games"), ToGames()))
    for name, text, means in wanted:
        spot = Rect(room.x, y, widgets.button_width(text, look), look.row)
        kids.append(widgets.button(name, spot, text, look, means=means))
        y += look.row + look.gap
    return (*head, *kids, *menu)


def handle(model: Model, intent: Intent) -> Change | None:
    """React to what the page offers; None if it is something else."""
    match intent:
        case Key(key="escape", down=True) if model.page is not Page.START:
            return games.back(model)
        case _:
            return None


@taker
def _clicked(model: Model, message: Again | WriteReport | ToGames) -> Change:
    match message:
        case Again():
            return again(model)
        case WriteReport():
            return chooser.opened(model, Purpose.REPORT, "netplay-report")
        case ToGames():
            return games.back(model)


# Reports, written by the command: it knows the node from the inside.


async def written(home: Path, path: str, *, over: bool) -> Reported:
    """Have a report written.

    Args:
        home: Of which.
        path: Where to.
        over: What lies there may go.
    """
    import trio  # noqa: PLC0415 (the first frame does not wait for it)

    words = ["report", path, "--home", str(home), *(["--force"] if over else ())]
    done = await trio.run_process(
        [sys.executable, "-m", "netplay", *words], capture_stderr=True,
        capture_stdout=True, check=False,
    )  # fmt: skip
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    why = (lines[-1:] or ["?"])[0] if done.returncode else ""
    return Reported(path, why)
