"""What a command asks of the node for each seat, and tells of it: no seat for another.

The node is a door that says what a test has it say, and keeps what it is asked.
"""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from netplay import wire
from netplay.__main__ import main
from netplay.door_place import file_text
from netplay.errors import Code
from netplay.home import TOKEN
from netplay.limits import DOOR_FRAME_BYTES
from netplay.messages import door
from netplay.messages.table_questions import (
    Agreeing,
    AnswerOffer,
    MakeOffer,
    OfferStatus,
    OpenStatus,
)
from netplay.text import writer
from rules import GAMES
from rules.game import CHANCE
from tests.client.listed import game
from tests.client.worlds import NAMES, seat, status, table

GAME = GAMES["numlo"]
SEATS = 3
KINDS = ("person", "computer", "remote")


class Door:
    """A node's door, at which a status stands and views of a match are shown."""

    def __init__(self, home: Path, shown: door.Status, state: Any = None) -> None:
        self.shown, self.state = shown, state
        self.asked: list[door.Question] = []
        self.tables: list[int] = []
        self.made: tuple[bytes, ...] = ()
        self.follows: dict[type[door.Question], tuple[door.FromNode, ...]] = {}
        """What is told once such a question was answered."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        (home / TOKEN).write_bytes(file_text(port, b"x"))
        Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        # A thread that waits for a call would keep the port open, for whoever calls
        # another node there later.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                came, _where = self._listener.accept()
            except OSError:
                return
            Thread(target=self._talk, args=(came,), daemon=True).start()

    def _talk(self, came: socket.socket) -> None:
        reader = wire.FrameReader(DOOR_FRAME_BYTES)
        with came:
            while data := came.recv(65536):
                reader.feed(data)
                while (frame := reader.next()) is not None:
                    message = wire.decode_to_node(frame)
                    if isinstance(message, door.Request):
                        for answer in self._answers(message):
                            came.sendall(wire.encode(answer))

    def _answers(self, request: door.Request) -> Iterator[door.FromNode]:
        match request.ask:
            case door.GetStatus():
                yield door.Done(request.id, data=wire.pack(self.shown))
            case door.Hint():
                yield door.Failed(request.id, Code.USAGE.number, "")
            case door.Watch(seat=number):
                yield door.Done(request.id)
                seen = wire.pack(GAME.view(self.state, number))
                yield door.View(b"m", number, 9, seen, (), live=True, made=self.made)
            case ask:
                self.asked.append(ask)
                self.tables.append(request.table)
                if isinstance(ask, door.Play) and self.shown.table is not None:
                    made = door.Made(moves=(ask.seat,))
                    shown = replace(self.shown.table, made=made)
                    self.shown = replace(self.shown, table=shown)
                yield door.Done(request.id)
                yield from self.follows.pop(type(ask), ())


def position(turns: int) -> Any:
    """Return a position of three players after some moves."""
    options = GAME.ABOUT.options(size=8)
    state = GAME.start(SEATS, options)
    while CHANCE in GAME.actors(state) or turns:
        actor = min(GAME.actors(state))
        turns -= actor != CHANCE
        state = GAME.play(state, actor, next(iter(GAME.moves(state, actor))))
    return state


def playing(state: Any, kinds: tuple[str, ...], clocks: tuple[int, ...]) -> Any:
    """Return the table of a match between these kinds of players."""
    (turn,) = GAME.actors(state)
    seats = tuple(
        seat(NAMES[i], kind, clock=clock, ticking=i == turn)
        for i, (kind, clock) in enumerate(zip(kinds, clocks, strict=True))
    )
    return table(
        "numlo", match=b"m", phase="playing", waiting="", seats=seats, turn=(turn,),
        number=1,
    )  # fmt: skip


KINDS_HERE = st.tuples(*[st.sampled_from(KINDS)] * SEATS).filter(
    lambda kinds: "person" in kinds
)
CLOCKS = st.tuples(*[st.sampled_from((-1, 5_500, 61_000, 90_000))] * SEATS)
MANY = settings(
    max_examples=30, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


def ran(home: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command; return its exit code, and what it printed."""
    capsys.readouterr()
    return main(["--home", str(home), *words]), capsys.readouterr().out


@MANY
@given(st.integers(0, 4), KINDS_HERE, CLOCKS, st.data())
def test_a_script_is_told_of_the_seat_it_asks_for_or_of_the_one_here_on_turn(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    turns: int,
    kinds: tuple[str, ...],
    clocks: tuple[int, ...],
    data: st.DataObject,
) -> None:
    state = position(turns)
    (turn,) = GAME.actors(state)
    here = [i for i, kind in enumerate(kinds) if kind == "person"]
    asked = data.draw(st.sampled_from((None, *here)))
    own = asked if asked is not None else turn if turn in here else here[0]
    shown = status(table=playing(state, kinds, clocks))
    with closing(Door(tmp_path, shown, state)):
        words = () if asked is None else ("--seat", str(asked + 1))
        code, text = ran(tmp_path, capsys, "play", "--json", *words)
    told = json.loads(text)
    left = [None if clock < 0 else clock / 1000 for clock in clocks]
    assert (code, told["seat"], told["turn"]) == (0, own + 1, [turn + 1])
    assert told["names"] == list(NAMES[:SEATS])
    assert bool(told["legal"]) == (own == turn)
    clock = told["clock"]
    assert (clock["left"], clock["seats"]) == (left[own], left)
    assert clock["ticking"] == (own == turn)


@pytest.mark.parametrize("turns", range(SEATS + 1))
def test_a_move_is_made_for_the_person_here_who_is_on_turn(
    turns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = position(turns)
    (turn,) = GAME.actors(state)
    shown = playing(state, ("person",) * SEATS, (-1,) * SEATS)
    with closing(Door(tmp_path, status(table=shown), state)) as node:
        _code, text = ran(tmp_path, capsys, "play", "--json")
        move = json.loads(text)["legal"][0]
        code, text = ran(tmp_path, capsys, "play", move, "--json")
    made = json.loads(text)
    assert (code, made["seat"], made["made"]) == (0, turn + 1, True)
    assert made["told"].startswith(NAMES[turn])
    (asked,) = node.asked
    assert isinstance(asked, door.Play)
    assert (asked.seat, asked.number) == (turn, 9)


def test_a_move_that_waits_to_be_delivered_is_told_to_who_plays_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = position(0)
    (turn,) = GAME.actors(state)
    kinds = tuple("person" if i == turn else "remote" for i in range(SEATS))
    with closing(Door(tmp_path, status(), state)) as node:
        node.shown = status(table=playing(state, kinds, (-1,) * SEATS))
        move = next(iter(GAME.moves(state, turn)))
        node.made = (wire.pack(move),)
        monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
        code, text = ran(tmp_path, capsys, "play")
    assert code == 0
    assert writer("numlo").line(state, turn, move, NAMES[:SEATS]) in text


@pytest.mark.parametrize("here", [(0,), (1,), (0, 1), (1, 2), (0, 2)])
def test_an_offer_is_made_for_the_seat_that_is_named_or_the_one_that_may(
    here: tuple[int, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = position(0)
    kinds = tuple("person" if i in here else "remote" for i in range(SEATS))
    shown = playing(state, kinds, (-1,) * SEATS)
    other = min({*range(SEATS)} - {*here})
    named = [(each, ("--seat", str(each + 1)), here) for each in here]
    for wanted, words, may in (*named, *((each, (), (each,)) for each in here)):
        offers = Agreeing(may=tuple((each, "draw") for each in may))
        there = status(table=replace(shown, offers=offers))
        with closing(Door(tmp_path, there)) as node:
            code, _text = ran(tmp_path, capsys, "offer", "draw", *words)
        assert (code, node.asked) == (0, [MakeOffer(wanted, "draw", 0)])
        offer = OfferStatus(other, "draw", 0, b"", may)
        there = status(table=replace(shown, offers=Agreeing(standing=(offer,))))
        for word in ("yes", "no"):
            with closing(Door(tmp_path, there)) as node:
                code, _text = ran(tmp_path, capsys, "offer", word, *words)
            (asked,) = node.asked
            assert (code, asked) == (0, AnswerOffer(wanted, word == "yes"))


def test_a_call_is_answered_without_its_number_only_where_it_is_the_only_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = [game(n, "numlo", mode="called", phase="forming") for n in (3, 4)]
    others = game(1, "numlo"), game(2, "hexagrams")
    for games, meant in (((*others, calls[1]), 4), ((*others, *calls), 0)):
        for word, accept in (("accept", True), ("decline", False)):
            with closing(Door(tmp_path, status(games=games))) as node:
                assert ran(tmp_path, capsys, word)[0] == 0
            assert node.asked == [door.Consent(accept, 0)]
            assert node.tables == [meant]  # 0: the node asks which


def test_seats_are_numbered_as_they_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for turns in range(SEATS):
        shown = playing(position(turns), ("person",) * SEATS, (-1,) * SEATS)
        with closing(Door(tmp_path, status(table=shown))):
            code, text = ran(tmp_path, capsys, "status")
        rows = re.findall(r"^ ([ *])(\d) (\w+) \(", text, re.MULTILINE)
        marks = ["*" if i in shown.turn else " " for i in range(SEATS)]
        numbers = map(str, range(1, SEATS + 1))
        assert (code, rows) == (0, [*zip(marks, numbers, NAMES[:SEATS], strict=True)])


@pytest.mark.parametrize("count", [2, 3])
def test_each_of_several_open_tables_can_be_chosen_and_no_other(
    count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = tuple(OpenStatus("numlo", 1, (name,)) for name in NAMES[:count])
    host = seat("Anna", "remote", key="HOST")
    joined = table("numlo", hosting=False, seats=(host, seat("Bert")), number=1)
    for chosen in range(count + 2):
        with closing(Door(tmp_path, status())) as node:
            node.follows = {
                door.Join: (status(mode="joined", open=tables),),
                door.Choose: (status(mode="joined", table=joined),),
            }
            words = ("join", "127.0.0.1:4770", "--open", str(chosen))
            code, _text = ran(tmp_path, capsys, *words)
        may = 1 <= chosen <= count
        last = door.Choose(chosen - 1) if may else door.LeaveTable()
        assert (code, node.asked[-1]) == (0 if may else 2, last), chosen
