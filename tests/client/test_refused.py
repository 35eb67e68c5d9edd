"""Terms that the node refuses: the window offers the way out on the spot."""

from pathlib import Path

import msgspec
import pygame
import pytest
import trio
import trio.testing
from msgspec.structs import replace

from client.app.drafts import Kind
from client.app.link import Link
from client.app.model import Over, Page
from netplay import wire
from netplay.errors import Code, LocalError
from netplay.messages import door
from netplay.said import Words
from netplay.sentences import Says
from rules.game import IllegalMoveError
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window

HINTS = "hints are never allowed with players at other computers"
MINI = "mini lacks letters that the dictionary english has"


class Strict(FakeNode):
    """A node that refuses hints with remote seats, and one edition."""

    def host(self, terms: door.HostTable) -> None:
        remote = any(seat.startswith("remote") for seat in terms.seats)
        if remote and dict(terms.options).get("hints") == "on":
            raise IllegalMoveError(f"{LocalError(Code.USAGE, HINTS)}")
        if terms.edition == "mini":
            raise IllegalMoveError(f"{LocalError(Code.USAGE, MINI)}")
        super().host(terms)


async def drafted(script: Scripted, **changes: object) -> None:
    script.node.__class__ = Strict
    draft = replace(script.loop.model.setup.draft, **changes)
    script.loop.model = replace(
        script.loop.model, setup=replace(script.loop.model.setup, draft=draft)
    )
    await script.settle()


async def invited(script: Scripted) -> None:
    """Give a seat of a table with hints to a friend elsewhere."""
    seats = list(script.loop.model.setup.draft.seats)
    seats[1] = replace(seats[1], kind=Kind.REMOTE)
    await drafted(script, options=(("hints", "on"),), seats=tuple(seats))
    await script.click("setup")


@needs_dummy
async def test_hints_that_hinder_a_table_are_given_up_with_one_click(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await invited(script)
        assert HINTS in script.reads()
        await script.click("refused.rules")
        assert script.loop.model.page is Page.TABLE
        assert script.loop.model.over is Over.NONE
        assert script.node.status.table is not None


@needs_dummy
async def test_the_way_out_that_is_offered_first_is_one_tab_away(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await invited(script)
        assert HINTS in script.reads()
        await script.key(pygame.K_TAB)
        await script.key(pygame.K_RETURN)
        assert script.loop.model.page is Page.TABLE
        assert script.loop.model.over is Over.NONE


@needs_dummy
@pytest.mark.parametrize(
    ("button", "page"),
    [
        ("play", Page.MATCH),
        ("setup", Page.TABLE),
        ("demo", Page.MATCH),
        ("open", Page.TABLE),
    ],
)
async def test_an_edition_that_cannot_be_played_is_given_up_with_one_click(
    button: str, page: Page, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.moves = 3
        await drafted(script, edition="mini", words="german")
        await script.click(button)
        assert MINI in script.reads()
        await script.click("refused.files")
        assert script.loop.model.page is page
        draft = script.loop.model.setup.draft
        assert {draft.edition, draft.words}.isdisjoint({"mini", "german"})


@needs_dummy
async def test_not_now_leaves_everything_as_it_was(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        await drafted(script, edition="mini")
        await script.click("open")
        await script.click("refused.no")
        assert script.loop.model.page is Page.START
        assert script.loop.model.setup.draft.edition == "mini"


async def test_a_node_between_two_releases_is_said_to_be_another(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    frame = wire.encode(FakeNode().status)
    fields = msgspec.msgpack.decode(frame[wire.HEADER_BYTES :])[:-1]  # one field less
    told = msgspec.msgpack.encode(fields)
    size = (len(told) + 1).to_bytes(wire.LENGTH_BYTES, "big")
    whys: list[Words] = []

    async def opener(_home: Path) -> tuple[trio.abc.Stream, bytes]:
        ours, theirs = trio.testing.memory_stream_pair()
        await ours.send_all(size + frame[wire.LENGTH_BYTES : wire.HEADER_BYTES] + told)
        return theirs, b""

    link = Link(tmp_path, lambda _said: None, lambda: None, whys.append, opener)
    with trio.move_on_after(1):
        await link.keep_open()
    assert set(whys) == {Says.OTHER_PROGRAM()}
