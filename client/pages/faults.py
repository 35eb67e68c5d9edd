"""What a fault is about, and how long it stays: until the player changes its cause."""

from typing import Final

from msgspec.structs import replace

from client.model import Model, Page, edit_of
from client.pages import chat, nearby, start

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


def settled(model: Model) -> Model:
    """Return the model once a call has come to something: it is over."""
    seat = model.calling.startswith("call") and model.page is Page.TABLE
    return model if seat else replace(model, calling="")


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
    book, draft = model.book, model.edition_draft
    if (
        book.said
        and book == before.book
        and _typed(before, BOOK) != _typed(model, BOOK)
    ):
        model = replace(model, book=replace(book, said="", bad=False))
    if draft is None or not draft.said or draft != before.edition_draft:
        return model
    if _typed(before, EDITION) == _typed(model, EDITION):
        return model
    return replace(model, edition_draft=replace(draft, said="", bad=False))


def _typed(model: Model, names: str | tuple[str, ...]) -> dict[str, str]:
    """Return what has been typed into fields whose names begin so."""
    edits = model.edits.items()
    return {name: now.text for name, now in edits if name.startswith(names)}


def _cause(model: Model, wish: str) -> object:
    """Return what the player has chosen or typed that a wish comes from."""
    if wish == "play" and model.match is not None:
        return model.match.local  # a move: the tiles laid for it
    if wish in nearby.ASKED:
        return model.chosen
    field = chat.FIELD if wish == "say" else start.ADDRESS if wish in start.FAR else ""
    if field:
        return edit_of(model, field).text
    if wish in start.HERE or wish == "change":
        draft = model.draft
        here = draft.game, draft.seats
        return (draft, _typed(model, SEATS)) if wish == "change" else here
    if wish in CALLS:
        i = int(wish.removeprefix("call"))
        typed = edit_of(model, f"field.seat{i}", model.draft.seats[i].address)
        return typed.text, model.draft.seats[i]
    # Of any other wish whatever is typed, but for what is said to the others.
    return {name: now.text for name, now in model.edits.items() if name != chat.FIELD}
