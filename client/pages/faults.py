"""What a fault is about, and how long it stays: until the player changes its cause."""

from typing import Final

from msgspec.structs import replace

from client.model import Model, Page, edit_of
from client.pages import chat, nearby, start

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


def _cause(model: Model, wish: str) -> object:
    """Return what the player has chosen or typed that a wish comes from."""
    if wish == "play" and model.match is not None:
        return model.match.local  # a move: the tiles laid for it
    if wish in nearby.ASKED:
        return model.chosen
    if wish in start.FAR:
        return edit_of(model, start.ADDRESS).text
    if wish in start.HERE or wish == "change":
        draft = model.draft
        return draft if wish == "change" else (draft.game, draft.seats)
    if wish in CALLS:
        i = int(wish.removeprefix("call"))
        typed = edit_of(model, f"field.seat{i}", model.draft.seats[i].address)
        return typed.text, model.draft.seats[i]
    # Of any other wish whatever is typed, but for what is said to the others.
    return {name: now.text for name, now in model.edits.items() if name != chat.FIELD}
