"""Real node processes, killed at any moment: the match ends, and nothing is lost."""

import os
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import trio

from netplay.demo import show
from netplay.demo.player import Player
from netplay.demo.show import Actor, actors
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Join, Save, StartMatch, TableStatus
from netplay.players import player
from netplay.record.archive import NAME_BYTES
from netplay.record.store import ENDS, SUFFIX, DamageError, records
from netplay.record.verify import verify
from netplay.wanted import Thought
from rules import GAMES
from rules.hexcolumns import Drop, Shift

KILLS = int(os.environ.get("NETPLAY_KILLS", "5"))
"""In each kind of match; for the long run: NETPLAY_KILLS=100."""

LONG = KILLS >= 20


class Kind(NamedTuple):
    """A kind of match."""

    game: str
    nodes: int = 2
    options: tuple[tuple[str, str], ...] = ()
    fairness: str = ""


SIZE = ("size", "20" if LONG else "12")
KINDS = (
    Kind("numlo", 2, (SIZE,)),
    Kind("numlo", 4, (SIZE,)),
    Kind("hexagrams"),
    Kind("networdz", 2, fairness="encrypted"),
    Kind("lhexicon", 3, fairness="committed"),
    Kind("hexcolumns", 2, (("attacks", "on"),)),
)

PAUSE = 0.5 if LONG else 0.1
"""Seconds before a move, that keep a match going for a while."""

SKILL = 5
"""Of who plays a game in which to choose among all moves would take long."""

PATIENCE = 300.0 + 30.0 * KILLS

START_SECONDS = 120.0
"""For a node to come back on a machine that has much else to do."""


class Whim:
    """A quick player for the test's own process."""

    def __init__(self, game: str, rng: random.Random) -> None:
        self.game = game
        self.rng = rng

    async def think(self, thought: Thought) -> object:
        await trio.lowlevel.checkpoint()
        view, seat = thought.view, thought.seat
        if self.game == "hexcolumns":  # badly, or it would go on for long
            return self.rng.choice((Shift(-1), Shift(1), Drop()))
        if self.game in {"numlo", "hexagrams"}:
            return self.rng.choice(list(GAMES[self.game].moves(view, seat)))
        return player(self.game).choose(view, seat, SKILL, self.rng)


def table(actor: Actor) -> TableStatus | None:
    status = actor.player.status
    return status.table if status else None


async def seat(actor: Actor, number: int, whim: Whim) -> None:
    """Play a seat until its node is killed."""
    try:
        await actor.player.play(number, 50, whim, pause=PAUSE)
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

    def __init__(self, kind: Kind, cast: list[Actor], rng: random.Random) -> None:
        self.kind = kind
        self.cast = cast
        self.rng = rng
        self.whim = Whim(kind.game, rng)
        self.sworn: list[list[bytes]] = []
        """What was final, and on the disk of a node that was killed."""
        self.match = b""
        self.hands: trio.Nursery

    async def form(self) -> None:
        host, *guests = self.cast
        chairs = ("person", *("remote" for _ in guests))
        game, _nodes, options, fairness = self.kind
        terms = HostTable(game, chairs, options, "", "", fairness=fairness)  # type: ignore[arg-type]
        await host.player.ask(terms)
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
        if found is None or found.phase != "forming":  # the match before
            return False
        return all(s.name and s.accepted for s in found.seats)

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
            self.hands.start_soon(seat, victim, self.cast.index(victim), self.whim)

    async def play(self, most: int, nursery: trio.Nursery) -> None:
        """Play a match with so many kills at the most, and check what is left of it."""
        await self.form()
        async with trio.open_nursery() as hands:
            self.hands = hands
            for number, actor in enumerate(self.cast):
                actor.player.state = None  # of the match before
                hands.start_soon(seat, actor, number, self.whim)
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
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.game}-{kind.nodes}")
async def test_killed_nodes_come_back_and_the_match_ends_with_nothing_lost(
    tmp_path: Path, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(show, "START_SECONDS", START_SECONDS)
    rng = random.Random(kind.nodes)
    kills = matches = final = 0
    with trio.fail_after(PATIENCE):
        async with (
            actors(tmp_path, kind.nodes, kind.game, 1) as cast,
            visits() as nursery,
        ):
            while kills < KILLS:
                play = Slaughter(kind, list(cast), rng)
                await play.play(KILLS - kills, nursery)
                logs = [await saved(actor, tmp_path) for actor in cast]
                play.check(logs)
                kills += len(play.sworn)
                matches += 1
                final += sum(map(len, play.sworn))
                print(f"{kind.game}: {kills} kills, {matches} matches, {final} final")
    assert kills == KILLS
    assert final > KILLS


@asynccontextmanager
async def visits() -> AsyncGenerator[trio.Nursery]:
    """Run the visits to nodes that were started again."""
    async with trio.open_nursery() as nursery:
        yield nursery
        nursery.cancel_scope.cancel()


async def saved(actor: Actor, folder: Path) -> bytes:
    path = folder / f"{actor.name}.copy"
    await actor.player.ask(Save(str(path), over=True))
    return path.read_bytes()


def test_a_puppet_knows_nothing_at_first() -> None:
    assert Player("numlo").state is None
