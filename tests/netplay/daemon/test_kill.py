"""Real node processes, killed at any moment: the match ends, and nothing is lost."""

import os
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trio

from netplay.demo import node_processes
from netplay.demo.node_processes import Actor, actors
from netplay.demo.player import Player
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Join, Save, StartMatch, TableStatus
from netplay.record.archive import NAME_BYTES
from netplay.record.store import ENDS, SUFFIX, DamageError, records
from netplay.record.verify import verify
from netplay.wanted import Thought
from rules import GAMES

GAME = "numlo"
KILLS = int(os.environ.get("NETPLAY_KILLS", "5"))
"""For the long run: NETPLAY_KILLS=100."""

SIZE, PAUSE = ("12", 0.1) if KILLS < 20 else ("20", 0.5)
"""A board, and seconds before a move, that keep a match going for a while."""

PATIENCE = 120.0 + 30.0 * KILLS

START_SECONDS = 120.0
"""For a node to come back on a machine that has much else to do."""


class Whim:
    """A quick player for the test's own process."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    async def think(self, thought: Thought) -> object:
        await trio.lowlevel.checkpoint()
        return self.rng.choice(list(GAMES[GAME].moves(thought.view, thought.seat)))


def table(actor: Actor) -> TableStatus | None:
    status = actor.player.status
    return status.table if status else None


async def seat(actor: Actor, number: int, rng: random.Random) -> None:
    """Play a seat until its node is killed."""
    try:
        await actor.player.play(number, 50, Whim(rng), pause=PAUSE)
    except LocalError as error:
        assert error.code is Code.NO_ANSWER, error


def on_disk(actor: Actor, match: bytes) -> list[bytes]:
    """Return the entries in the file of a node that has just been killed."""
    path = actor.home.matches / (match[:NAME_BYTES].hex() + SUFFIX)
    found: list[bytes] = []
    with suppress(DamageError):  # a torn tail
        found.extend(record.entry for record in records(path.read_bytes()))
    return found


class Slaughter:
    """A match, and kills while it goes on."""

    def __init__(self, cast: list[Actor], rng: random.Random) -> None:
        self.cast = cast
        self.rng = rng
        self.sworn: list[list[bytes]] = []
        """What was final, and on the disk of a node that was killed."""
        self.match = b""
        self.hands: trio.Nursery

    async def form(self) -> None:
        host, *guests = self.cast
        chairs = ("person", *("remote" for _ in guests))
        options = (("size", SIZE),)
        await host.player.ask(HostTable(GAME, chairs, options, "", ""))
        for number, guest in enumerate(guests, 1):
            await guest.player.ask(Join(host.address, number))
        while not self.agreed():
            await host.player.news()
        await host.player.ask(StartMatch())
        while not (found := table(host)) or not found.match:
            await host.player.news()
        self.match = found.match
        for actor in self.cast:
            while not (found := table(actor)) or found.match != self.match:
                await actor.player.news()

    def agreed(self) -> bool:
        found = table(self.cast[0])
        return found is not None and all(s.name and s.accepted for s in found.seats)

    async def rounds(self, most: int, nursery: trio.Nursery) -> None:
        """Kill nodes until the match is over, or so many have been killed."""
        while len(self.sworn) < most:
            await trio.sleep(self.rng.uniform(0.2, 1.5))
            victim = self.rng.choice(self.cast)
            found = table(victim)
            if found and found.phase == "over":
                return
            final = found.final if found and found.match == self.match else 0
            await victim.kill()
            self.sworn.append(on_disk(victim, self.match)[:final])
            assert len(self.sworn[-1]) == final
            await trio.sleep(self.rng.uniform(0.0, 0.5))
            await victim.start()
            await victim.meet(nursery)
            self.hands.start_soon(seat, victim, self.cast.index(victim), self.rng)

    async def play(self, most: int, nursery: trio.Nursery) -> None:
        """Play a match with so many kills at the most, and check what is left of it."""
        await self.form()
        async with trio.open_nursery() as hands:
            self.hands = hands
            for number, actor in enumerate(self.cast):
                actor.player.state = None  # of the match before
                hands.start_soon(seat, actor, number, self.rng)
            await self.rounds(most, nursery)
            await self.ended()
            hands.cancel_scope.cancel()

    def check(self, logs: list[bytes]) -> None:
        """Check that all logs are one, and have all that was final at a kill."""
        # Behind the entries each file has what its own node acknowledges.
        assert len({log.partition(ENDS)[0] for log in logs}) == 1
        verdict = verify(logs[0])
        assert verdict.ok, verdict.reason
        assert verdict.audit == "ok"
        entries = [record.entry for record in records(logs[0])]
        for sworn in self.sworn:
            assert entries[: len(sworn)] == sworn

    async def ended(self) -> None:
        for actor in self.cast:
            while not (found := table(actor)) or not found.audit:
                await actor.player.news()


@pytest.mark.processes
@pytest.mark.slow
@pytest.mark.parametrize("nodes", [2, 4])
async def test_killed_nodes_come_back_and_the_match_ends_with_nothing_lost(
    tmp_path: Path, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_processes, "START_SECONDS", START_SECONDS)
    rng = random.Random(nodes)
    kills = matches = 0
    with trio.fail_after(PATIENCE):
        async with actors(tmp_path, nodes, GAME, 1) as cast, visits() as nursery:
            while kills < KILLS:
                play = Slaughter(list(cast), rng)
                await play.play(KILLS - kills, nursery)
                logs = [await saved(actor, tmp_path) for actor in cast]
                play.check(logs)
                kills += len(play.sworn)
                matches += 1
                size = max(len(sworn) for sworn in (*play.sworn, []))
                print(f"{kills} kills, {matches} matches, {size} entries were final")
    assert kills == KILLS


@asynccontextmanager
async def visits() -> AsyncGenerator[trio.Nursery]:
    """Run the visits to nodes that were started again."""
    async with trio.open_nursery() as nursery:
        yield nursery
        nursery.cancel_scope.cancel()


async def saved(actor: Actor, folder: Path) -> bytes:
    path = folder / f"{actor.name}.copy"
    await actor.player.ask(Save(str(path)))
    return path.read_bytes()


def test_a_puppet_knows_nothing_at_first() -> None:
    assert Player(GAME).state is None
