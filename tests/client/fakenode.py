"""A node that is not one: it answers the door and plays one match, all in memory.

`python -m tests.client.fakenode HOME` serves a real door for a real window.
"""

import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio
import trio.testing
from msgspec.structs import replace

from netplay import VERSION, wire
from netplay.limits import DOOR_FRAME_BYTES
from netplay.messages import door
from netplay.messages.node_questions import GetKnown, OpenEdition, SetPort
from netplay.messages.table_questions import (
    Appraisal,
    Appraise,
    FinishedMatches,
    GetFinished,
    Offer,
)
from netplay.players import player
from netplay.table.chosen_options import read_options
from rules import GAMES, editions
from rules.game import CHANCE, CLOCK, IllegalMoveError
from tests.client.worlds import NAMES, seat, status, table


class FakeNode:
    """One home's node, with a table and one match of Networdz."""

    def __init__(self, name: str = "", seed: int = 7) -> None:
        self.status = status(name=name, version=VERSION)
        self.asked: list[door.Question] = []
        self.game: Any = GAMES["networdz"]
        self.options: Any = None
        self.moves = 99
        """Moves that computers make before they stop to think for ever."""
        self.state: Any = None
        self.past: list[tuple[Any, int, Any]] = []
        self.sent = 0
        self.watched = 0
        self.rng = random.Random(seed)
        self.nursery: trio.Nursery | None = None

    async def open(self, _home: Path) -> tuple[trio.abc.Stream, bytes]:
        """Return a stream to this node, as `netplay.door_place.open_door` does."""
        ours, theirs = trio.testing.memory_stream_pair()
        assert self.nursery is not None
        self.nursery.start_soon(self.serve, ours)
        return theirs, b""

    async def serve(self, stream: trio.abc.Stream) -> None:
        reader = wire.FrameReader(DOOR_FRAME_BYTES)
        self.sent = 0
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while data := await stream.receive_some(65536):
                reader.feed(bytes(data))
                while (frame := reader.next()) is not None:
                    for message in self.answer(wire.decode_to_node(frame)):
                        await stream.send_all(wire.encode(message))

    def answer(self, message: door.ToNode) -> list[door.FromNode]:
        if isinstance(message, door.Knock):
            return [self.status]
        self.asked.append(message.ask)
        if isinstance(message.ask, OpenEdition):
            own = replace(editions.load("german"), name="mine")
            return [door.Done(message.id, "mine", editions.encode(own))]
        if isinstance(message.ask, Appraise):
            return [door.Done(message.id, data=wire.pack(self.judged(message.ask)))]
        try:
            more = self.do(message.ask)
        except IllegalMoveError as error:
            return [door.Failed(message.id, 17, str(error))]
        data = b""
        if isinstance(message.ask, GetKnown):
            data = wire.pack(())
        if isinstance(message.ask, GetFinished):
            data = wire.pack(FinishedMatches((), 0, more=False))
        return [door.Done(message.id, data=data), *more]

    def judged(self, ask: Appraise) -> Appraisal:
        """Return a turn as if nothing better could have been played."""
        _before, actor, move = self.past[ask.number]
        made = Offer("x", 0, (), (), wire.pack(move))
        return Appraisal(ask.number, actor, (), made, (made,))

    def do(self, ask: door.Question) -> list[door.FromNode]:
        match ask:
            case door.SetName(name=name):
                self.status = replace(self.status, name=name)
            case door.HostTable() | door.ChangeTable():
                self.host(ask.table if isinstance(ask, door.ChangeTable) else ask)
            case door.StartMatch():
                self.start()
                return [self.status, self.view()]
            case door.Watch(seat=wanted):
                self.watched, self.sent = wanted, 0
                return [self.view()]
            case door.Play(seat=own, move=data):
                move = wire.unpack(data, self.game.ABOUT.move)
                self.play(own, move)
                self.go_on()
                return [self.view(), self.status]  # as a node does
            case door.Say(text=text):
                return [door.Line(self.status.name, text, 0)]
            case SetPort(number):
                self.status = replace(self.status, next_port=int(number))
            case door.LeaveTable():
                self.status = replace(self.status, table=None)
            case _:
                pass
        return [self.status]

    def host(self, terms: door.HostTable) -> None:
        seats = []
        for i, each in enumerate(terms.seats):
            kind, _colon, rest = each.partition(":")
            away = {"state": "awaited"} if kind == "remote" else {}
            own = self.status.name if kind == "person" else NAMES[i]
            name = (rest if kind == "person" else "") or own
            seats.append(seat(name, kind, **away))
        waiting = any(s.kind == "remote" for s in seats)
        self.game = GAMES[terms.game]
        self.options = read_options(self.game, terms.options)
        fresh = table(
            terms.game, seats=tuple(seats), options=wire.pack(self.options),
            waiting="waiting for a player" if waiting else "",
        )  # fmt: skip
        self.status = replace(self.status, table=fresh)

    def start(self) -> None:
        own = self.status.table
        assert own is not None
        self.past = []
        self.state = self.game.start(len(own.seats), self.options)
        self.go_on()

    def play(self, actor: int, move: Any) -> None:
        after = self.game.play(self.state, actor, move)
        self.past.append((self.state, actor, move))
        self.state = after

    def go_on(self) -> None:
        """Let chance and computers move until a person must."""
        own = self.status.table
        assert own is not None
        while actors := self.game.actors(self.state):
            actor = min(actors - {CLOCK})
            if actor == CHANCE:
                choices = list(self.game.moves(self.state, CHANCE))
                self.play(actor, self.rng.choice(choices))
            elif own.seats[actor].kind == "computer" and self.moves:
                self.moves -= 1
                eyes = self.game.view(self.state, actor)
                pick = player(own.game).choose
                self.play(actor, pick(eyes, actor, 50, self.rng))
            else:
                break
        over = not actors
        self.status = replace(
            self.status,
            table=replace(
                own, match=b"m", phase="over" if over else "playing",
                entries=len(self.past),
                turn=tuple(sorted(actors - {CLOCK})),
                places=self.game.places(self.state) if over else (),
                audit="ok" if over else "",
            ),
        )  # fmt: skip

    def view(self) -> door.View:
        eye = self.watched if self.watched >= 0 else None
        happened = tuple(
            door.Happened(i, a, wire.pack(self.game.mask(s, a, m, eye)), 0)
            for i, (s, a, m) in enumerate(self.past)
            if i >= self.sent
        )
        self.sent = len(self.past)
        packed = wire.pack(self.game.view(self.state, eye))
        return door.View(b"m", self.watched, self.sent, packed, happened, True)


async def main(home: Path) -> None:
    """Serve a real door in a home."""
    sock = trio.socket.socket(trio.socket.AF_UNIX)
    await sock.bind(str(home / "door"))
    sock.listen()
    node = FakeNode()
    await trio.serve_listeners(node.serve, [trio.SocketListener(sock)])


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]))
