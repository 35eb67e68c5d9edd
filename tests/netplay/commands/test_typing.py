"""What is typed into `netplay play` while the node tells of other things."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from queue import Queue
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest

from netplay import wire
from netplay.commands import play
from netplay.errors import Code
from netplay.messages.door import (
    Done,
    Failed,
    FromNode,
    Happened,
    Notice,
    Play,
    Question,
    Status,
    View,
    Watch,
)
from netplay.sentences import Says
from netplay.text import writer
from rules import GAMES
from rules.game import Game
from tests.client import worlds

GAME: Game[Any, Any] = GAMES["hexagrams"]


class Visit:
    """A visit to a node that says what a test has it say."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self._said: Queue[FromNode | None] = Queue()
        self._asked = 0
        self._state = GAME.start(2, GAME.ABOUT.options())
        self._past: list[Happened] = []
        self.status_ = worlds.status(
            table=worlds.table(
                "hexagrams", match=b"m", phase="playing", turn=(0,), waiting="",
                seats=(worlds.seat("Anna"), worlds.seat("Bert", "remote")),
            )
        )  # fmt: skip

    def status(self) -> Status:
        return self.status_

    def heard(self, _seconds: float | None) -> Iterator[FromNode]:
        while True:
            if (message := self._said.get()) is None:
                sleep(0.3)  # the other thread is to wait for the move by then
            else:
                yield message

    def put(self, question: Question) -> int:
        self._asked += 1
        match question:
            case Play(seat, move, _number):
                self._on_play(seat, move)
            case Watch():
                self._said.put(Done(self._asked, ""))
                self._show()
            case _:
                raise AssertionError(question)
        return self._asked

    def _on_play(self, seat: int, move: bytes) -> None:
        for answer in self._answers:
            match answer:
                case "done":
                    self._said.put(Done(self._asked, ""))
                case "not then":
                    self._said.put(Failed(self._asked, Code.STALE.number, ""))
                case "refused":
                    self._said.put(Notice(Says.ANOTHER_MOVE_CAME(), "warning", 0))
                case "view":
                    self._show()
                case "pause":
                    self._said.put(None)
                case "moved":
                    self._past.append(Happened(len(self._past), seat, move, 0))
                    about = GAME.ABOUT
                    made = wire.unpack(move, about.move)
                    self._state = GAME.play(self._state, seat, made)
                    self._show(self._past[-1])

    def _show(self, *happened: Happened) -> None:
        number, state = len(self._past), wire.pack(GAME.view(self._state, 0))
        self._said.put(View(b"m", 0, number, state, happened, True))


def typed(visit: Any, *lines: str) -> str:
    """Type a move, and lines; return what is shown before the program ends."""
    state = GAME.start(2, GAME.ABOUT.options())
    playing = play.Playing(visit, -1)
    move, shown = next(iter(writer("hexagrams").offers(state, 0))), StringIO()
    with (
        patch.object(
            play, "typed_lines", lambda: iter([*lines, move, "board", "quit"])
        ),
        patch.object(play, "PATIENCE_SECONDS", 60.0),
        patch.object(play, "complete", lambda _offered: None),
        redirect_stdout(shown),
    ):
        playing.on()
    return shown.getvalue()


def test_a_view_of_other_things_is_not_taken_for_that_of_the_move() -> None:
    """Tiles that came between ended the wait, and the program before it said more."""
    shown = typed(Visit("done", "view", "pause", "moved"))
    assert shown.splitlines()[-1].endswith(" Bert"), shown


@pytest.mark.parametrize("answers", [("not then",), ("done", "refused")])
def test_after_a_refusal_the_next_line_is_taken_at_once(answers: tuple[str]) -> None:
    shown = typed(Visit(*answers))
    assert shown.count(", Anna.\n") == 2, shown
