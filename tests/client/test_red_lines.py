"""A red line goes once what it said is mended: every field, by real clicks and keys."""

import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pygame
import pytest
import trio.testing

from client.app.model import Model
from client.pages import lent, screen
from client.ui.intents import Click, Focus, Text
from client.ui.scene import Node, Role, walk
from netplay.messages import door
from netplay.messages.node_questions import (
    AddCarrier,
    ChangeWords,
    CheckWord,
    NameEntries,
    SaveEdition,
    SetPort,
)
from rules.game import IllegalMoveError
from tests.client import page_pictures
from tests.client.crowded import failed
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import fed

WHY = "this is not the right one"


class Refusing(FakeNode):
    """A node that refuses some questions."""

    refused: tuple[type, ...] = ()

    def do(self, ask: door.Question) -> list[door.FromNode]:
        if isinstance(ask, self.refused):
            raise IllegalMoveError(WHY)
        return super().do(ask)


def red(script: Scripted) -> set[str]:
    """Return all that stands in red letters."""
    return reds(script.loop.root, script.loop.model)


def reds(root: Node, model: Model) -> set[str]:
    bad = model.look.theme.bad
    every = (node for node in walk(root) if node.fg == bad)
    return {node.text or node.value for node in every} - {"", "×"}


Way = Callable[[Scripted], Awaitable[None]]


def clicks(*names: str) -> Way:
    """Return what clicks one after the other."""

    async def done(script: Scripted) -> None:
        for name in names:
            await script.click(name)

    return done


def enter(key: int = pygame.K_RETURN) -> Way:
    """Return what presses a key."""

    async def done(script: Scripted) -> None:
        await script.key(key)

    return done


async def nothing(script: Scripted) -> None:
    """Do nothing: the field says by itself what is wrong."""


async def table(script: Scripted) -> None:
    """Open a table with a seat to call."""
    await script.click("open")
    await script.click("kind1")
    await script.click("kind1:3")


async def match(script: Scripted) -> None:
    """Begin a match in which there is chat."""
    await script.click("play")
    if not script.sees("field.chat"):
        await script.click("side:1")


def connection(field: str) -> Way:
    """Return what scrolls the page of the connection to a field."""

    async def done(script: Scripted) -> None:
        await script.click("connection")
        space = script.node_named("connection.list").rect
        script.post(pygame.MOUSEMOTION, pos=space.centre, rel=(0, 0), buttons=(0, 0, 0))
        for _row in range(60):
            script.post(pygame.MOUSEWHEEL, x=0, y=-1)
            await script.settle()
            seen = script.sees(field)
            if seen and script.node_named(field).rect.bottom < space.bottom:
                return

    return done


def editor(tab: int) -> Way:
    return clicks("dictionary", "editor", f"ed.tab:{tab}")


ELSEWHERE = {
    "field.bring",  # tests/client/test_own_key.py
    "field.copy",  # the same
    "field.new",  # the same
    "field.news",  # tests/client/test_notices.py
    "field.file",  # tests/client/test_faults.py
    "field.finished",  # it only looks for what is listed
    "field.guest",  # the last test
    "field.in",  # the same, of the games in hand
    "field.write",  # tests/client/test_friends.py
}


CASES: Sequence[tuple[str, Way, tuple[type, ...], str, Way]] = [
    ("field.address", nothing, (door.Join,), "10.0.0.9", clicks("join.address")),
    ("field.address", nothing, (door.Answer,), "10.0.0.9", clicks("answer")),
    ("field.name", clicks("rename"), (door.SetName,), "x", enter()),
    ("field.seat1", table, (door.ChangeTable,), "10.0.0.9", clicks("call1")),
    ("field.chat", match, (door.Say,), "Good luck", enter()),
    ("field.word", clicks("dictionary"), (CheckWord,), "XOT", clicks("book.check")),
    ("field.word", clicks("dictionary"), (ChangeWords,), "XOT", clicks("book.add")),
    ("field.list", clicks("dictionary"), (ChangeWords,), "/", clicks("book.delete")),
    ("field.port", connection("field.port"), (SetPort,), "none", enter()),
    ("field.entries", connection("field.entries"), (NameEntries,), "none", enter()),
    ("field.through", connection("field.through"), (AddCarrier,), "none", enter()),
    ("field.ed.name", editor(0), (SaveEdition,), "x", clicks("ed.save")),
    ("field.ed.rack", editor(0), (), "x", nothing),
    ("field.ed.title", editor(0), (SaveEdition,), "x", clicks("ed.save")),
    ("field.ed.points", editor(1), (), "x", nothing),
    ("field.ed.colour.L2", editor(3), (), "x", nothing),
]


@needs_dummy
@pytest.mark.parametrize(("field", "opened", "refused", "wrong", "sent"), CASES)
async def test_a_red_line_goes_once_its_field_is_mended(
    field: str,
    opened: Way,
    refused: tuple[type, ...],
    wrong: str,
    sent: Way,
    tmp_path: Path,
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with window(tmp_path) as script:
        await opened(script)
        before = red(script)
        if field == "field.list":  # what goes there needs a word
            await script.click("field.word")
            await script.type("XOT")
        await script.click(field)
        await script.type(wrong)
        node: Any = script.node
        node.__class__ = Refusing
        node.refused = refused
        await sent(script)
        lines = red(script) - before
        assert lines, script.reads()
        if field == "field.name":
            await opened(script)
        if field.startswith("field.ed."):
            await script.click(field)
            await script.key(pygame.K_BACKSPACE)
        else:
            await script.click(field)
            await script.type("y")
        assert not red(script) & lines


def family(field: str) -> str:
    """Return what fields of one kind are called together."""
    found = re.match(r"field\.(?:seat|ed\.colour|[a-z]+)", field)
    assert found is not None, field
    return found[0]


def test_no_page_has_a_field_that_is_tried_nowhere() -> None:
    pages = page_pictures.every()
    fields = {
        node.name
        for _name, model in pages
        for node in walk(screen.scene(model))
        if node.role is Role.ENTRY
    }
    tried = {family(case[0]) for case in CASES} | ELSEWHERE
    assert len(fields) > 20
    assert {family(field) for field in fields} <= tried


def test_the_name_of_a_guest_that_was_refused_is_red_until_it_changes() -> None:
    """Only a browser has this page, so no window is clicked."""
    page = dict(page_pictures.every())["a link to a seat"]
    typed = fed(page, Focus("field.guest"), Text("Bert"))
    why = "Nobody is called so"
    refused = failed(typed, Click("sit", means=lent.SitDown()), why=why)
    changed = fed(refused, Text("y"))
    shown = [reds(screen.scene(each), each) for each in (typed, refused, changed)]
    assert shown == [set(), {why}, set()]
