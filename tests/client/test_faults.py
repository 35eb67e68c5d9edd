"""What went wrong stays beside what it is about until it is mended or dismissed."""

from pathlib import Path
from typing import Any

import pygame
import pytest
import trio
import trio.testing
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from client.app.model import Model, Over
from client.app.settings import Settings
from client.pages import screen
from client.ui.intents import Click, Focus, Hover, Key, Text
from client.ui.scene import Node, Rect, find
from client.ui.texts import _, plainly, sentence
from client.update import Tick
from netplay import VERSION
from netplay.messages import door
from netplay.messages.table_questions import GameStatus
from netplay.said import Said, listed
from netplay.sentences import Says
from rules import numlo
from rules.game import IllegalMoveError
from tests.client.crowded import KEY, WHY, failed
from tests.client.crowded_matches import refused
from tests.client.fakenode import FakeNode
from tests.client.scripted import Scripted, needs_dummy, window
from tests.client.test_turns_by_hand import agreed
from tests.client.worlds import (
    NEAR,
    SAVED,
    at_match,
    base,
    fed,
    in_match,
    seat,
    status,
    table,
    texts,
)
from tests.patience import PATIENCE
from tests.said import says

TOLD = WHY[:1].upper() + WHY[1:]
"""As it stands alone."""

LATE = Tick(3600.0)


def part(model: Model, name: str) -> Node:
    found = find(screen.scene(model), name)
    assert found is not None, name
    return found


def start() -> Model:
    """Return the start page with an address typed."""
    model = fed(base(), status(nearby=NEAR))
    return fed(model, Focus("field.address"), Text("10.0.0.9"), Focus(""))


@pytest.mark.parametrize(
    ("clicks", "card"),
    [
        (["join.address"], "address"), (["answer"], "address"),
        (["near:KEY-Bert", "join.near"], "nearby"), (["play"], "here"),
    ],
)  # fmt: skip
def test_a_fault_stands_in_the_card_of_what_was_tried_and_stays(
    clicks: list[str], card: str
) -> None:
    model = fed(failed(start(), *map(Click, clicks)), LATE)
    words = part(model, "fault")
    assert (words.text or words.value) == TOLD
    assert part(model, card).rect.holds(words.rect)


def test_a_fault_of_a_call_stands_below_the_seat_that_was_called() -> None:
    seats = (seat("Anna"), seat("", "remote", state="awaited"))
    model = fed(base(), status(table=table(seats=seats)))
    model = fed(model, Click("kind1"), Click("kind1:3"))
    typed = fed(model, Focus("field.seat1"), Text("10.0.0.9"))
    model = fed(failed(typed, Click("call1")), LATE)
    words = part(model, "fault").rect
    assert words.y >= part(model, "field.seat1").rect.bottom
    assert words.bottom <= part(model, "kind2").rect.y


def test_a_fault_goes_when_it_is_put_away_by_its_button_or_by_escape() -> None:
    model = failed(start(), Click("join.address"))
    for how in (Click("fault.close"), Key("escape")):
        assert find(screen.scene(fed(model, how)), "fault") is None


def test_a_fault_goes_when_the_same_is_tried_again() -> None:
    model = failed(start(), Click("join.address"))
    model = fed(model, door.Line("Bert", "Hello", 0))
    assert find(screen.scene(model), "fault") is not None  # nothing said hides it
    assert find(screen.scene(fed(model, Click("answer"))), "fault") is not None
    assert find(screen.scene(fed(model, Click("join.address"))), "fault") is None


def test_a_fault_does_not_follow_to_another_page() -> None:
    model = failed(start(), Click("join.address"))
    assert find(screen.scene(fed(model, status(table=table()))), "fault") is None


def test_what_the_node_tells_no_more_is_over_in_the_window_too() -> None:
    why = Says.KEY_USED_SAYS(who="Bert")
    told = fed(start(), status(faults=(why,)), door.Notice("error", why, 0))
    assert told.fault is not None

    assert fed(told, status(faults=())).fault is None

    read = fed(told, Click("fault.close"), Click("fault:0"))
    still = fed(told, door.Notice("error", Says.HUNG_UP(), 0), status(faults=()))
    assert read.fault is None
    assert still.fault is not None, "of something else"


def test_an_update_is_news_and_what_is_wrong_does_not_head_the_games() -> None:
    def heads(**changes: Any) -> tuple[str, ...]:
        card = "in-hand.card" if "games" in changes else "saved.card"
        return tuple(
            kid.text for kid in part(fed(base(), status(**changes)), card).kids
        )

    doubled = Says.KEY_USED_SAYS(who="Bert")
    assert _("News") in heads(faults=(Says.UPDATED(),))
    assert _("Something is wrong") in heads(faults=(Says.UPDATED(), doubled))
    one = GameStatus(
        table=3, match=b"", mode="hosting", phase="forming", game="numlo",
        players=("Anna", "Bert"), turn=(), mine=False, since=60, clock=-1, unread=0,
        undelivered=False, away=(), asked="undelivered",
    )  # fmt: skip
    assert _("Your games") in heads(games=(one,), faults=(doubled,))
    assert _("Go on with") in heads(saved=SAVED, faults=(doubled,))


def board(model: Model) -> Rect:
    return part(model, "board").rect


def test_nothing_that_is_told_moves_the_board_or_covers_a_square() -> None:
    model = at_match(base((800, 500)))
    assert model.table is not None
    before = board(model)
    asking = status(table=changed(model, asking=((KEY, "Dora"),)))
    watched = status(table=changed(model, watchers=("Dora",)))
    wrong = door.Notice("error", Said(WHY), 0)
    for event in (asking, watched, wrong, door.Line("Bert", WHY, 0)):
        told = fed(model, event)
        assert board(told) == before
    assert part(fed(model, asking), f"allow:{KEY}").live
    put = fed(model, wrong, LATE)
    assert TOLD[:20] in part(put, "instructions").value
    again = fed(put, Click("fault.close"))
    assert again.fault is None


def changed(model: Model, **changes: Any) -> door.TableStatus:
    """Return the table of the match, changed."""
    assert model.table is not None
    return replace(model.table, **changes)


class Unreachable(FakeNode):
    """A node that calls in vain, and can neither read nor write files."""

    def do(self, ask: door.Question) -> list[door.FromNode]:
        match ask:
            case door.Join():
                return [self.status, door.Notice("error", Said(WHY), 0)]
            case door.Load() | door.Save():
                raise IllegalMoveError(DISK)
            case _:
                return super().do(ask)


class Stopped(FakeNode):
    """A node that answers nothing any more: its disk hangs, say."""

    def answer(self, message: door.ToNode) -> list[door.FromNode]:
        assert isinstance(message, door.Request)
        self.asked.append(message.ask)
        self.last = message.id
        return []


@needs_dummy
async def test_a_node_that_leaves_a_move_unanswered_is_told_of_until_it_answers(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.moves = 0
        await agreed(script, "numlo")
        while script.node.state.turn != 0:
            await script.others_move()
        move = next(numlo.moves(script.node.state, 0))
        script.node.__class__ = Stopped
        await script.click(f"cell:{move.square}")
        assert isinstance(script.node.asked[-1], door.Play)
        await trio.sleep(3)
        assert not says(said(script), Says.NODE_SILENT)
        await trio.sleep(2)
        assert says(said(script), Says.NODE_SILENT)
        node: Any = script.node
        script.loop.hear(door.Done(node.last))
        await trio.sleep(2)
        assert not says(said(script), Says.NODE_SILENT)


def said(script: Scripted) -> str:
    """Return what the box beside the board says."""
    words = script.node_named("instructions")
    return words.text or words.value


DISK = "the disk is full"


@needs_dummy
async def test_a_call_in_vain_is_told_in_its_card_until_the_address_changes(
    tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with window(tmp_path) as script:
        script.node.__class__ = Unreachable
        await script.click("field.address")
        await script.type("10.0.0.9")
        await script.click("join.address")
        words = script.node_named("fault")
        assert (words.text or words.value) == TOLD
        assert script.node_named("address").rect.holds(words.rect)
        await script.click("rivals:2")
        await trio.sleep(60)
        assert script.sees("fault")
        await script.click("field.address")
        await script.type("1")
        assert not script.sees("fault")


@pytest.mark.parametrize("place", ["start", "seat"])
def test_a_call_that_has_failed_is_no_longer_said_to_go_on(place: str) -> None:
    model, button = start(), "join.address"
    if place == "seat":
        seats = (seat("Anna"), seat("", "remote", state="awaited"))
        model = fed(base(), status(table=table(seats=seats)))
        model, button = fed(model, Focus("field.seat1"), Text("10.0.0.9")), "call1"
    model = fed(model, Click(button))
    model = fed(model, door.Done(max(model.asked), "calling 10.0.0.9"))
    assert "calling 10.0.0.9" in texts(screen.scene(model))
    vain = fed(model, door.Notice("error", Said(WHY), 0))
    assert "calling 10.0.0.9" not in texts(screen.scene(vain))
    other = fed(model, door.Line("Bert", "Hello", 0))
    other = fed(other, door.Notice("error", Said(WHY), 0))
    assert other.notice is not None
    assert other.notice.text == "Bert: Hello", "nothing else goes with it"


@needs_dummy
@pytest.mark.parametrize("wish", ["load", "save"])
async def test_why_a_file_cannot_be_used_is_told_in_the_chooser(
    wish: str, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    (tmp_path / "kept.netplay").write_bytes(b"")
    own = Settings(sound=False, pause="none", places=(str(tmp_path),))
    async with window(tmp_path, settings=own) as script:
        script.node.__class__ = Unreachable
        if wish == "save":
            await script.click("play")
        await script.click(wish)
        await script.key(pygame.K_a, pygame.KMOD_CTRL)
        await script.type("kept" if wish == "load" else "other")
        await script.click("file.ok")
        assert script.loop.model.over is Over.FILE
        assert DISK in script.reads()
        assert script.loop.model.fault is None
        await script.type("x")
        assert DISK not in script.reads()
        script.node.__class__ = FakeNode
        await script.key(pygame.K_BACKSPACE)
        await script.click("file.ok")
        assert script.loop.model.over is Over.NONE


def test_that_a_match_goes_on_later_is_said_until_it_goes_on() -> None:
    model = fed(base(), status(saved=SAVED), Click("saved:q"))
    paused = table(phase="paused", match=b"m", number=2, entries=5)
    later = door.Done(max(model.asked), Says.GOES_ON_LATER())
    model = fed(model, status(table=paused), later)
    assert model.notice is not None
    model = fed(model, status(table=replace(paused, entries=6)))
    assert model.notice is not None
    model = fed(model, status(table=replace(paused, phase="playing")))
    assert model.notice is None


def test_why_a_match_cannot_go_on_is_told_above_the_list_of_them() -> None:
    for size in ((800, 500), (1280, 800)):
        saved = fed(base(size), status(saved=SAVED * 6))
        model = fed(failed(saved, Click("saved:q")), LATE)
        words = part(model, "fault").rect
        assert part(model, "saved.card").rect.holds(words)
        assert not words.meets(part(model, "saved").rect)
        assert find(screen.scene(fed(model, Click("saved:p"))), "fault") is None


@pytest.mark.parametrize(
    ("clicks", "mends"),
    [
        (["join.address"], [Focus("field.address"), Text("9")]),
        (["near:KEY-Bert", "join.near"], [Click("near:KEY-Dora")]),
        (["play"], [Click("rivals:3")]),
    ],
)
def test_a_fault_goes_when_what_caused_it_is_changed(
    clicks: list[str], mends: list[Any]
) -> None:
    model = failed(start(), *map(Click, clicks))
    other = fed(model, Click("preferences"), Key("escape"))
    assert find(screen.scene(other), "fault") is not None
    assert find(screen.scene(fed(model, *mends)), "fault") is None


def test_an_error_of_later_is_not_laid_to_a_call_that_has_come_to_a_table() -> None:
    model = start()
    called = fed(model, Click("join.address"))
    done = fed(called, door.Done(max(called.asked), "calling 10.0.0.9"))
    there = fed(
        done, status(table=table()), status(), door.Notice("error", Said(WHY), 0)
    )
    assert there.fault is not None
    assert not there.fault.about


async def test_a_report_is_written_by_the_help_page_which_says_where_it_is(
    tmp_path: Path,
) -> None:
    own = Settings(sound=False, pause="none", places=(str(tmp_path),))
    async with window(tmp_path, settings=own) as script:
        await script.key(pygame.K_F1)
        await until_seen(script, "report")
        await script.click("report")
        await until_seen(script, "file.ok")
        assert script.loop.model.over is Over.FILE
        await script.click("file.ok")
        await until_seen(script, "report.told")
        assert script.loop.model.over is Over.HELP
        path = tmp_path / "netplay-report.txt"
        assert str(path) in script.loop.model.report
        assert VERSION in path.read_text()
        await script.click("report")
        await until_seen(script, "file.ok")
        await script.click("file.ok")
        await until_seen(script, "file.ask")  # nothing is written over unasked


async def until_seen(script: Scripted, name: str) -> None:
    """Wait for something that takes real time: a process writes the report."""
    with trio.fail_after(PATIENCE):
        while not script.sees(name):  # noqa: ASYNC110 (nothing tells of it)
            await trio.sleep(0.05)


def test_a_refused_move_is_told_until_a_tile_is_moved() -> None:
    model = refused(in_match(base(), "networdz", 2, 2))
    hovering = fed(model, Hover("cell:0"), Hover("cell:1"), LATE)
    told = part(hovering, "instructions")
    assert WHY[:20] in (told.value or told.text)
    moved = fed(hovering, Click("shuffle"))
    assert moved.fault is None


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=6),
    st.integers(1, 25),
)
@example([(1, 0)], 21)
@example([(1, 0), (2, 0)], 11)
def test_each_reason_why_somebody_does_not_answer_is_said_once(
    found: list[tuple[int, int]], times: int
) -> None:
    whys = Says.PLACE_SILENT, Says.PLACE_REFUSES, Says.NO_WAY_TO
    told = Says.NOTHING_ANSWERS(), Says.NO_PROGRAM_THERE(), Says.TRIED_NO_WAY()
    found *= times
    said = listed([whys[why](place=f"192.0.2.{n}:4770") for why, n in found])
    reasons: list[Said | str] = [*dict.fromkeys(told[why] for why, _n in found[:20])]
    if len(found) > 20 and len(reasons) > 1:
        reasons.append("…")  # of one reason more places tell no more
    assert plainly(said, "Bert") == listed(reasons)


def test_why_somebody_does_not_answer_is_said_once_whatever_the_places() -> None:
    places = [f"192.0.2.{n}:4770" for n in range(3)]
    said = listed([Says.PLACE_SILENT(place=place) for place in places])
    assert sentence(plainly(said, "Bert")) == sentence(Says.NOTHING_ANSWERS())
    for place in places:  # who is meant is not known: then by where it was called
        assert place in sentence(plainly(said))
