"""An invitation on the clipboard: pasted anywhere, and offered to who comes back."""

from pathlib import Path

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app.drafts import Kind
from client.app.model import Over, Page, edit_of
from client.app.settings import Settings, load
from client.pages import link_offer
from client.ui.intents import Click, Focus, Key, Text
from netplay.messages import door
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.worlds import asks, base, fed, seat, status, table

LINE = "netplay:192.168.0.12:4770#ABCD-EFGH-IJKL-MNOP-QRST"
OTHER = LINE.replace("0.12", "0.13").replace("ABCD", "WXYZ")
THIRD = LINE.replace("0.12", "0.14").replace("ABCD", "QRST")
LETTER = f"Come and play!\n  {OTHER}\nYours, Bert"


PASTED = Settings(sound=False, pause="none", recent=(THIRD,))
"""Of a player who has pasted an invitation before."""


async def comes_back(script: Scripted, text: str) -> None:
    """Copy something elsewhere, and come back to the window."""
    pygame.scrap.put_text(text)
    script.post(pygame.WINDOWFOCUSGAINED)
    await script.calm()


def offered(script: Scripted) -> bool:
    return script.loop.model.over is Over.CLIPBOARD


@needs_dummy
async def test_the_window_looks_at_the_clipboard_only_where_it_was_said_that_it_may(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        for _each in range(3):
            await comes_back(script, LINE)
            assert script.loop.model.over is Over.NONE, "not before one was pasted"
    async with window(tmp_path, settings=PASTED) as script:
        await comes_back(script, LINE)
        assert script.loop.model.over is Over.NONE, "not at the first look"
        await comes_back(script, LINE)
        assert script.sees("may-look.why")
        assert LINE not in str(script.loop.model)
        await script.click("may-look.no")
        await comes_back(script, LINE)
        assert script.loop.model.over is Over.NONE, "asked once"
        await script.click("preferences")
        assert script.loop.model.settings.clipboard is False
    assert load(tmp_path)[0].tips == ("clipboard",)


@needs_dummy
async def test_an_invitation_that_was_copied_is_offered_once_and_joined_by_enter(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path, settings=PASTED) as script:
        await comes_back(script, "")
        await comes_back(script, LETTER)
        await script.click("may-look.yes")
        assert offered(script)
        assert not [ask for ask in script.node.asked if isinstance(ask, door.Join)]
        await script.click("clipboard.yes")
        assert script.node_named("field.address").value == OTHER
        await script.key(pygame.K_RETURN)
        assert door.Join(OTHER) in script.node.asked
        await comes_back(script, LETTER)
        assert not offered(script)
    own = replace(load(tmp_path)[0], sound=False)
    async with window(tmp_path, settings=own) as script:
        await comes_back(script, LETTER)
        assert not offered(script), "nor in the next window"
        await comes_back(script, LINE)
        await script.click("clipboard.no")
        assert script.node_named("field.address").value == ""
        await comes_back(script, LINE)
        assert not offered(script), "nor one that was refused"


@needs_dummy
@pytest.mark.parametrize("text", ["", "a secret word", "netplay:", "10.0.0.7", "own"])
async def test_nothing_else_on_the_clipboard_gets_into_the_window(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, text: str
) -> None:
    async with window(tmp_path, settings=Settings(clipboard=True)) as script:
        if text == "own":
            text = f"netplay:10.0.0.1:4770#{script.node.status.key}"
        await comes_back(script, text)
        await comes_back(script, text)
        assert script.loop.model.over is Over.NONE
        assert not text or text not in str(script.loop.model.settings)


@needs_dummy
async def test_an_invitation_is_pasted_on_the_start_page_with_any_focus(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        for line, text in ((LINE, LINE), (OTHER, LETTER)):
            pygame.scrap.put_text(text)
            await script.click("preferences")
            await script.click("close")
            await script.key(pygame.K_v, pygame.KMOD_CTRL)
            assert script.node_named("field.address").value == line
        await script.key(pygame.K_RETURN)
        assert door.Join(OTHER) in script.node.asked


@pytest.mark.parametrize(
    "around",
    [
        "{0}.",
        "[{0}]({0})",
        "\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}{0}",
        "> {1}\r\n> {2}",
        "{1}\n{2}\n-- \nAnna",
        "{0}\n-- \nAnna",
        "{0}--",
        "{3}",
        "{4}",
    ],
)
def test_an_invitation_is_found_whatever_mails_and_programs_have_made_of_it(
    around: str,
) -> None:
    line = "netplay:127.0.0.1:4770#I3HH-PGEE-NR2Y-D55A-CLCT"
    typeset = line.replace("-", "\N{NON-BREAKING HYPHEN}")
    cyrillic = line.replace("C", "\N{CYRILLIC CAPITAL LETTER ES}")
    text = around.format(line, line[:34], line[34:], typeset, cyrillic)
    model = fed(base(), Focus(link_offer.ADDRESS), Text(text))
    assert edit_of(model, link_offer.ADDRESS).text == line


@pytest.mark.parametrize("more", ["", " of Anna", "X", "-CLCT-CLCT"])
def test_what_is_no_whole_invitation_stays_as_it_was_typed(more: str) -> None:
    text = f"netplay:127.0.0.1:4770#I3HH-PGEE-NR2Y-D55A{more}"
    model = fed(base(), Focus(link_offer.ADDRESS), Text(text))
    assert edit_of(model, link_offer.ADDRESS).text == text


def test_an_invitation_pasted_at_a_table_is_laid_at_a_seat_for_a_friend() -> None:
    seats = (seat("Anna"), replace(seat("", "remote"), state="awaited"))
    model = fed(base(), status(table=table(seats=seats)))
    assert model.page is Page.TABLE
    assert [one.kind for one in model.setup.draft.taken] == [Kind.PERSON, Kind.REMOTE]
    there = fed(model, Text(LETTER))
    assert edit_of(there, "field.seat1").text == OTHER
    again = fed(there, Text(LINE))
    assert edit_of(again, "field.seat1").text == LINE
    letters = [Text(letter) for letter in LETTER]
    (change,) = asks(fed(model, Focus("field.seat1"), *letters), Key("enter"))
    assert isinstance(change, door.ChangeTable)
    assert f"remote:{OTHER}" in change.table.seats
    alone = fed(base(), status(table=table(seats=(seat("Anna"), seat("Bob")))))
    (change,) = asks(alone, Text(LINE))
    assert isinstance(change, door.ChangeTable)
    assert f"remote:{LINE}" in change.table.seats


def test_what_is_pasted_elsewhere_does_nothing() -> None:
    model = fed(base(), status())
    assert fed(model, Text("no invitation")) == model
    over = fed(model, Click("preferences"))
    assert edit_of(fed(over, Text(LINE)), "field.address").text == ""
    assert fed(over, Key("v", ctrl=True)) == over
