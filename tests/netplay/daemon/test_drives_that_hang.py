"""Files of the user's on a drive that does not answer: the node goes on."""

import os
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import trio

from netplay.daemon import dictionary_tools, slow_answers
from netplay.errors import Code
from netplay.messages.door import Done, Failed, GetStatus, Load, Question, Request, Save
from netplay.messages.node_questions import ImportWords
from netplay.sentences import Says
from tests.netplay.memory import Player, World, running
from tests.patience import PATIENCE
from tests.said import says

SOON = 0.2
"""Seconds that a drive has to answer which hangs; others have as long as ever."""


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Let whatever writes a copy of a match hang until the test is over."""
    awake, begun = Event(), Event()

    def hang(*_given: Any) -> None:
        begun.set()
        awake.wait(PATIENCE)

    monkeypatch.setattr(slow_answers, "write_copy", hang)
    monkeypatch.setattr(dictionary_tools, "DRIVE_SECONDS", SOON)
    yield begun
    awake.set()


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Let whoever asks for a file hang until the test is over, as on a lost drive."""
    path, awake = tmp_path / "gone.netplay", Event()
    path.touch()
    asked = Path.stat

    def hang(self: Path, **how: bool) -> os.stat_result:
        if self == path:
            awake.wait(PATIENCE)
        return asked(self, **how)

    monkeypatch.setattr(Path, "stat", hang)
    monkeypatch.setattr(dictionary_tools, "DRIVE_SECONDS", SOON)
    yield path
    awake.set()


async def refused(player: Player, question: Question) -> Failed:
    """Ask about what a drive does not answer, and the status meanwhile."""
    first, later = await answers(player, question, GetStatus())
    assert isinstance(first, Done), "the node goes on meanwhile"
    assert isinstance(later, Failed)
    return later


async def answers(player: Player, *questions: Question) -> list[Done | Failed]:
    """Return what is said to questions asked at once, in its order."""
    say, hear = trio.open_memory_channel[Done | Failed](len(questions))
    with trio.fail_after(PATIENCE):
        for i, question in enumerate(questions):
            player.node.answer(1, Request(i, question), say.send_nowait)
        return [await hear.receive() for _ in questions]


def words(path: Path) -> ImportWords:
    return ImportWords("networdz", "mine-g", str(path))


@pytest.mark.parametrize("ask", [lambda path: Load(str(path)), words])
async def test_what_is_read_from_a_drive_that_hangs_holds_no_node(
    world: World, tmp_path: Path, gone: Path, ask: Any
) -> None:
    player = Player(world, 1, tmp_path / "home")
    async with running(player):
        failed = await refused(player, ask(gone))
    assert failed.code == Code.DISK.number
    assert says(str(failed.detail), Says.DRIVE_SILENT, path=gone)


@pytest.mark.parametrize("ask", [lambda path: Load(str(path)), words])
async def test_a_pipe_is_refused_as_what_it_is(
    world: World, tmp_path: Path, ask: Any
) -> None:
    player, path = Player(world, 1, tmp_path / "home"), tmp_path / "pipe.netplay"
    os.mkfifo(path)
    async with running(player):
        failed = await refused(player, ask(path))
    assert not says(str(failed.detail), Says.DRIVE_SILENT)
    assert str(path) in str(failed.detail)


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (b"#player1 A Anna\n>A: CAT 8G CAT +10 10\n", Says.OTHER_PROGRAMS_RECORD),
        (b"NPSHEET\x01and more", Says.SHEET_TO_READ),
    ],
)
async def test_what_is_no_match_is_refused_as_what_it_is(
    world: World, tmp_path: Path, data: bytes, wanted: Any
) -> None:
    player, path = Player(world, 1, tmp_path / "home"), tmp_path / "one.netplay"
    path.write_bytes(data)
    async with running(player):
        failed = await refused(player, Load(str(path)))
    assert failed.detail == wanted(path=str(path))


async def test_saving_to_a_drive_that_hangs_holds_no_node(
    world: World, tmp_path: Path, hanging: Event
) -> None:
    player = Player(world, 1, tmp_path / "home")
    async with running(player):
        failed = await refused(player, Save(str(tmp_path / "mine.netplay")))
    assert hanging.is_set()
    assert failed.code == Code.DISK.number
    assert says(str(failed.detail), Says.DRIVE_SILENT)


async def test_a_match_is_saved_where_the_drive_answers(
    world: World, tmp_path: Path
) -> None:
    player, path = Player(world, 1, tmp_path / "home"), tmp_path / "mine.netplay"
    async with running(player):
        (said,) = await answers(player, Save(str(path)))
    assert isinstance(said, Done)
    assert path.exists()
