"""The file chooser as a player uses it: keys and clicks, on real folders."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pygame
import pytest
import trio.testing
from msgspec.structs import replace

from client.app import browsing
from client.app.browsing import Purpose
from client.app.model import Over
from client.app.settings import Settings
from client.app.settings import load as kept_settings
from client.browser import talk
from client.browser.transfers import Transfers
from client.pages import chooser, chooser_input, screen
from client.ui.hand import Edit
from client.ui.scene import find, walk
from netplay.home import write_whole
from netplay.messages import door
from netplay.messages.node_questions import (
    ExportWords,
    ImportWords,
    OpenEdition,
    WordQuestion,
    WriteEdition,
)
from tests.client.scripted import Scripted, at_once, needs_dummy, window
from tests.client.worlds import base

BELLA = "mit Бэлла.netplay"

pytestmark = needs_dummy
FIELD = "field.file"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with much in it, which is where the chooser starts."""
    monkeypatch.setenv("HOME", str(tmp_path))
    here = tmp_path / "Spiele, gespeichert im Winter"
    inner = here / "Ältere Partien mit einem sehr langen Namen"
    inner.mkdir(parents=True)
    (inner / BELLA).write_bytes(b"old")
    for n in range(120):
        name = f"networdz-{n:03}-{'Maximiliane-' * (n % 5)}Bert"
        (here / f"{name}.netplay").write_bytes(b"saved")
        (here / f"{name}.txt").write_text("CAT\n", encoding="utf-8")
    (here / "thesis.txt").write_bytes(b"three years of work")
    (here / "mine.toml").write_text("name = 'mine'\n", encoding="utf-8")
    (here / ".hidden.netplay").write_bytes(b"")
    return here


@asynccontextmanager
async def shown(disk: Path, reader: browsing.Disk = at_once) -> AsyncIterator[Scripted]:
    home = disk.parent / ".home"
    home.mkdir()
    own = Settings(sound=False, pause="none", places=(str(disk),))
    async with window(home, settings=own, disk=reader) as script:
        yield script


def saved(disk: Path) -> list[str]:
    """Return the names of the saved games, in their order."""
    return sorted(path.name for path in disk.glob("networdz*.netplay"))


def odd(disk: Path) -> None:
    """Make files whose names no player has typed."""
    (disk / "Aline\nfeed \u202egnp.netplay").write_bytes(b"")
    Path(str(disk) + "/A\udcff.netplay").write_bytes(b"")


def typed(script: Scripted) -> str:
    return script.loop.model.edits[FIELD].text


def said(script: Scripted) -> str:
    return script.node_named("file.said").text


def names(script: Scripted) -> list[str]:
    """Return the rows that are to be seen of the list."""
    rows = [n for n in walk(script.loop.root) if n.name.startswith("file:")]
    return [node.value for node in rows]


def asked(script: Scripted) -> door.Question:
    return script.node.asked[-1]


async def enter(script: Scripted) -> None:
    await script.key(pygame.K_RETURN)


async def write(script: Scripted, text: str) -> None:
    await script.key(pygame.K_a, pygame.KMOD_CTRL)
    await script.type(text)


async def test_a_game_is_saved_in_the_folder_that_is_seen_with_its_own_ending(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("play")
        await script.click("save")
        assert script.loop.model.over is Over.FILE
        assert typed(script) == "networdz-Anna-Bert.netplay"
        await script.type("thesis.txt")  # over the name proposed
        await enter(script)
        assert asked(script) == door.Save(str(disk / "thesis.txt.netplay"))
        assert script.loop.model.over is Over.NONE


async def test_what_is_opened_while_a_file_is_written_stays_open(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("play")
        await script.click("save")
        before = script.loop.model
        await script.key(pygame.K_F1)
        assert script.loop.model.over is Over.HELP
        done = chooser_input.file_done(script.loop.model, Purpose.SAVE.value)
        assert (done.over, done.chooser) == (Over.HELP, None)
        done = chooser_input.file_done(before, Purpose.SAVE.value)
        assert (done.over, done.chooser) == (Over.NONE, None)


async def test_a_file_that_is_there_is_written_over_only_when_that_is_said(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("play")
        await script.click("save")
        before = list(script.node.asked)
        await script.type("networdz-007-Maximiliane-Maximiliane-Bert")
        await enter(script)
        assert script.sees("file.ask")
        assert "networdz-007" in script.node_named("file.taken").text
        await enter(script)  # the button with the ring: another name
        assert not script.sees("file.ask")
        assert script.loop.model.over is Over.FILE
        await enter(script)
        await script.key(pygame.K_ESCAPE)
        assert script.loop.model.over is Over.FILE
        assert script.node.asked == before
        await enter(script)
        await script.click("file.over")
        path = disk / "networdz-007-Maximiliane-Maximiliane-Bert.netplay"
        assert asked(script) == door.Save(str(path), over=True)


async def test_a_file_that_came_while_one_typed_is_asked_about_too(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("play")
        await script.click("save")
        await script.type("late")
        (disk / "late.netplay").write_bytes(b"somebody else's")
        await enter(script)
        assert script.sees("file.ask")


async def test_a_game_is_found_by_keys_alone(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("load")
        await script.type("ält")
        assert typed(script).startswith("Ältere")
        await enter(script)
        assert names(script) == [BELLA]
        await script.key(pygame.K_UP, pygame.KMOD_ALT)
        assert len(names(script)) > 5
        await script.type("ä")
        await script.key(pygame.K_RETURN)
        await script.key(pygame.K_DOWN)
        assert typed(script) == BELLA
        await enter(script)
        inner = disk / "Ältere Partien mit einem sehr langen Namen"
        assert asked(script) == door.Load(str(inner / BELLA))


async def test_names_are_completed_and_typing_goes_on_over_what_was_proposed(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("load")
        await script.type("NET")
        assert typed(script) == "networdz-000-Bert.netplay"
        await script.type("WORDZ-11")
        assert typed(script) == "networdz-110-Bert.netplay"
        assert all(name.startswith("networdz-11") for name in names(script))
        await script.key(pygame.K_BACKSPACE)
        assert typed(script) == "networdz-11"
        await script.type("0")
        await enter(script)
        assert asked(script) == door.Load(str(disk / "networdz-110-Bert.netplay"))


async def test_the_wheel_and_the_arrows_go_through_a_full_folder(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    games = saved(disk)
    async with shown(disk) as script:
        await script.click("load")
        for _ in range(40):
            await script.key(pygame.K_DOWN)
        assert typed(script) == games[38]
        assert typed(script) in names(script)  # it is brought into view
        marked = [n for n in walk(script.loop.root) if n.selected and n.value]
        assert typed(script) in [node.value for node in marked]
        await script.key(pygame.K_PAGEUP)
        assert typed(script) == games[30]


async def test_folders_are_gone_through_by_mouse(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("load")
        assert names(script)[0].startswith("Ältere")
        loads = script.node_named("file.ok").text
        await script.click("file:0")
        assert script.node_named("file.ok").text != loads
        await script.click("file.ok")
        assert names(script) == [BELLA]
        await script.click("file.up")
        assert names(script)[0].startswith("Ältere")
        at = script.node_named("file:0").rect.centre
        for _ in (1, 2):  # a double click
            script.press(at)
            script.post(pygame.MOUSEBUTTONUP, pos=at, button=1)
        await script.settle()
        assert names(script) == [BELLA]
        await script.click("file:0")
        await script.click("file.ok")
        assert isinstance(asked(script), door.Load)


async def test_only_fitting_files_are_listed_unless_all_are_wished_for(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("load")
        await script.type("t")
        assert names(script) == []
        assert script.sees("file.none")
        await script.click("file.all")
        assert names(script) == ["thesis.txt"]
        assert ".hidden.netplay" not in names(script)


async def test_a_path_is_typed_or_pasted_as_a_whole(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    inner = disk / "Ältere Partien mit einem sehr langen Namen"
    async with shown(disk) as script:
        await script.click("load")
        script.post(pygame.TEXTINPUT, text=str(inner / BELLA))
        await script.settle()
        await enter(script)
        assert asked(script) == door.Load(str(inner / BELLA))
        await script.click("load")
        await script.type("~/")  # the user's own folder
        assert names(script) == [disk.name]
        await script.type("nowhere/")
        assert "/nowhere " in said(script)
        await enter(script)
        assert script.loop.model.over is Over.FILE
        await write(script, "none")
        await enter(script)
        assert "/none" in said(script)


async def test_folders_used_lately_are_offered_also_after_a_restart(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("play")
        await script.click("save")
        await script.type("~/")
        await script.type("mine")
        await enter(script)
        assert asked(script) == door.Save(str(disk.parent / "mine.netplay"))
        await script.click("save")
        await script.click("file.places")
        popup = script.node_named("file.places:popup")
        rows = [n for n in walk(popup) if n.name.rpartition(":")[2].isdigit()]
        (lately,) = [row.name for row in rows if row.value.endswith(disk.name)]
        await script.click(lately)
        assert names(script)[0].startswith("Ältere")
        assert typed(script).endswith(".netplay")  # the name stays
    kept, _note = kept_settings(disk.parent / ".home")
    assert kept.places == (str(disk.parent), str(disk))


async def test_words_go_to_and_come_from_chosen_files_and_the_dictionary_comes_back(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("dictionary")
        await script.click("book.export")
        assert typed(script) == "english.txt"
        await script.type("thesis")
        await enter(script)
        await script.click("file.over")
        path = str(disk / "thesis.txt")
        assert asked(script) == ExportWords("networdz", "english", path, over=True)
        assert script.loop.model.over is Over.DICTIONARY
        await script.click("book.import")
        await script.type("thes")
        await enter(script)
        path = str(disk / "thesis.txt")
        assert asked(script) == ImportWords("networdz", "my-english", path)
        await script.click("book.import")
        await script.click("close")
        assert script.loop.model.over is Over.DICTIONARY


async def test_editions_are_opened_from_and_written_to_chosen_files(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        await script.click("dictionary")
        await script.click("editor")
        await script.click("ed.open")
        await script.click("file:1")  # behind the folder
        await script.click("file.ok")
        assert asked(script) == OpenEdition(str(disk / "mine.toml"))
        assert script.node_named("field.ed.name").value == "mine"
        await script.click("ed.export")
        assert typed(script) == "mine.toml"
        await write(script, "yours")
        await enter(script)
        question = asked(script)
        assert isinstance(question, WriteEdition)
        assert question.path == str(disk / "yours.toml")
        assert 'name = "mine"' in question.text
        assert script.loop.model.over is Over.EDITION


async def test_a_folder_that_has_gone_is_said_and_another_is_shown(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        own = replace(script.loop.model.settings, places=(str(disk / "gone"),))
        script.loop.model = replace(script.loop.model, settings=own)
        await script.click("load")
        assert "/gone " in said(script)
        assert names(script)[0].startswith("Ältere")


async def test_names_that_are_no_text_do_no_harm(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    odd(disk)
    async with shown(disk) as script:
        await script.click("load")
        assert names(script)[1].split() == ["Aline", "feed", "gnp.netplay"]
        await script.click("file:1")
        await script.click("file.ok")
        path = str(disk / "Aline\nfeed \u202egnp.netplay")
        assert asked(script) == door.Load(path)


def test_a_huge_folder_is_read_and_listed_in_parts(tmp_path: Path) -> None:
    for n in range(1500):
        (tmp_path / f"{n:05}.netplay").touch()
    listing = browsing.read_folder(str(tmp_path))
    assert len(listing.items) == 1500
    loading = browsing.Chooser(Purpose.LOAD, listing=listing)
    assert len(browsing.narrowed(loading, "0149")) == 10


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("a/b\\c:d", "a-b-c-d"), ("..", "netplay"), ("x" * 300, "x" * 80), ("Ä б", "Ä-б")],
)
def test_a_name_proposed_is_one_that_every_disk_takes(name: str, wanted: str) -> None:
    assert browsing.plain(name) == wanted


@pytest.mark.parametrize("letter", ["a", "ä", "語", "\N{GRINNING FACE}"])
def test_a_game_of_players_with_long_names_of_any_letters_can_be_saved(
    letter: str, tmp_path: Path
) -> None:
    """A friend chooses the name that stands in the one proposed for the file."""
    name = browsing.plain(f"networdz-{3 * (32 * letter + '-')}") + Purpose.SAVE.suffix
    assert len(name) > 40
    write_whole(tmp_path / name, b"all of it")
    assert (tmp_path / name).read_bytes() == b"all of it"


@pytest.mark.parametrize(
    "name",
    [80 * "\N{GRINNING FACE}" + ".dic", "x." + 190 * "é"],
    ids=["name", "ending"],
)
def test_a_file_with_any_name_comes_from_a_page(name: str) -> None:
    transfers, waiting = Transfers(), browsing.Chooser(Purpose.IMPORT)
    try:
        piece = talk.Brought(name=name, size=3, data=b"abc")
        *_, last = transfers.brought(piece, waiting)
        assert isinstance(last, browsing.Looked)
    finally:
        transfers.close()


def test_a_name_that_ends_as_its_kind_does_in_capitals_gets_no_second_ending() -> None:
    saving = browsing.Chooser(Purpose.SAVE, listing=browsing.Listing("/games"))
    there = browsing.candidates(saving, "Final.NETPLAY")
    assert there == (str(Path("/games", "Final.NETPLAY")),)
    assert len(browsing.candidates(saving, "Final")) == 2


def test_what_is_selected_within_a_name_is_a_part_of_what_was_typed() -> None:
    typed = "winter game"
    assert browsing.head(Edit(typed, 6, 0)) == typed
    assert browsing.head(Edit(typed, 10, 7)) == typed
    assert browsing.head(Edit(typed, 11, 7)) == typed[:7]  # proposed behind


def test_a_button_that_writes_a_file_says_nothing_that_one_says_which_reads() -> None:
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for purpose in Purpose:
        model, _effects = chooser.opened(base(), purpose)
        button = find(screen.scene(model), "file.ok")
        assert button is not None
        said[purpose.writes].add(button.text)
    assert not said[True] & said[False]


async def test_an_import_into_a_list_that_is_there_is_asked_about(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with shown(disk) as script:
        script.node.status = replace(script.node.status, dictionaries=("my-english",))
        script.loop.hear(script.node.status)
        await script.click("dictionary")
        await script.click("book.import")
        await script.type("thes")
        await enter(script)
        assert script.node_named("file.taken").text == "my-english"
        await enter(script)  # no
        assert not [ask for ask in script.node.asked if isinstance(ask, WordQuestion)]
        await enter(script)
        await script.click("file.over")
        path = str(disk / "thesis.txt")
        assert asked(script) == ImportWords("networdz", "my-english", path)


class Drive:
    """A drive that answers only while it is there."""

    def __init__(self, *, there: bool = False) -> None:
        self.there = there
        self.asked = 0
        self.back = trio.Event()

    async def read(self, job: browsing.Job) -> browsing.Listing | browsing.Looked:
        self.asked += 1
        if not self.there:
            await self.back.wait()
        return job()


async def test_a_drive_that_never_answers_holds_nobody(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = Drive()
    async with shown(disk, drive.read) as script:
        await script.click("load")
        assert disk.name not in said(script)  # not for every blink
        quick = script.node_named("close").text
        await trio.sleep(1)
        assert disk.name in said(script)
        await script.key(pygame.K_ESCAPE)  # waits no more
        assert script.loop.model.over is Over.FILE
        assert disk.name not in (given_up := said(script))
        await enter(script)  # nothing is looked for in no folder
        assert drive.asked == 1
        drive.there = True
        await script.click("file.places")
        await script.click("file.places:0")  # the user's own folder, elsewhere
        assert names(script) == [disk.name]
        drive.there = False
        await script.click("file:0")
        await script.click("file.ok")
        await trio.sleep(1)
        assert script.node_named("close").text != quick
        await script.click("close")
        assert said(script) == given_up
        await script.click("close")
        assert script.loop.model.over is Over.NONE


async def test_while_a_slow_folder_is_read_another_can_be_chosen(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = Drive()
    async with shown(disk, drive.read) as script:
        await script.click("load")
        await trio.sleep(1)
        drive.there = True
        await script.click("file.places")
        await script.click("file.places:0")  # the user's own folder, elsewhere
        assert names(script) == [disk.name]
        drive.back.set()
        await script.settle()
        assert names(script) == [disk.name]  # the slow one's answer comes too late


async def test_what_is_typed_before_the_folder_is_read_counts(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = Drive()
    async with shown(disk, drive.read) as script:
        await script.click("play")
        await script.click("save")
        await script.type("late")  # over the name proposed
        await enter(script)
        before = list(script.node.asked)
        await trio.sleep(1)
        assert script.node.asked == before
        drive.there = True
        drive.back.set()
        await script.settle()
        assert asked(script) == door.Save(str(disk / "late.netplay"))


async def test_each_letter_of_a_path_does_not_ask_a_drive_that_hangs_again(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = Drive(there=True)
    async with shown(disk, drive.read) as script:
        await script.click("load")
        drive.there = False
        before = drive.asked
        await script.type("~/")
        await script.type(disk.name)
        assert drive.asked == before + 1
        drive.there = True
        drive.back.set()
        await script.settle()
        assert typed(script) == disk.name
        assert names(script) == [disk.name]


async def test_an_answer_about_a_file_comes_too_late_for_another_name(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = Drive(there=True)
    async with shown(disk, drive.read) as script:
        await script.click("play")
        await script.click("save")
        drive.there = False
        await script.type("first")
        await enter(script)
        await trio.sleep(1)
        assert "/first" in said(script)
        await script.type(" second")
        drive.there = True
        drive.back.set()
        await script.settle()
        assert script.loop.model.over is Over.FILE
        await enter(script)
        assert asked(script) == door.Save(str(disk / "first second.netplay"))


class CrossedDrive:
    """A drive whose answers are on their way already when it is asked for another."""

    def __init__(self) -> None:
        self.holds = False
        self.goes_on = trio.Event()

    async def read(self, job: browsing.Job) -> browsing.Listing | browsing.Looked:
        answer = job()
        if self.holds:
            with trio.CancelScope(shield=True):
                await self.goes_on.wait()
        return answer


async def test_a_folder_that_was_typed_past_never_takes_the_file(
    disk: Path, autojump_clock: trio.testing.MockClock
) -> None:
    drive = CrossedDrive()
    inner = disk / "Ältere Partien mit einem sehr langen Namen"
    async with shown(disk, drive.read) as script:
        await script.click("play")
        await script.click("save")
        drive.holds = True
        await script.type(f"{disk.parent}/")
        await script.type(f"{disk.name}/{inner.name}/mine")
        await enter(script)
        drive.holds = False
        drive.goes_on.set()
        await trio.sleep(1)
        assert asked(script) == door.Save(str(inner / "mine.netplay"))


async def test_a_thread_that_hangs_is_left_alone() -> None:
    started, ended = threading.Event(), threading.Event()

    def hang() -> browsing.Listing:
        started.set()
        ended.wait()
        return browsing.Listing("")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(browsing.apart, hang)
        await trio.to_thread.run_sync(started.wait)
        nursery.cancel_scope.cancel()
    ended.set()
