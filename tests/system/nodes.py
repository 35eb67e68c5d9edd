"""Real nodes at tables of real matches, for tests that do things to them."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import exp, inf
from pathlib import Path
from random import Random
from typing import Any, Final

import psutil
import trio

from netplay.demo.player import Player
from netplay.demo.show import LOG, NAMES, Actor
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import (
    Consent,
    HostTable,
    Join,
    Save,
    StartMatch,
    Status,
    TableStatus,
)
from netplay.messages.node_questions import PeerStatus
from netplay.record.store import ENDS
from netplay.record.verify import verify
from netplay.wanted import Thought
from rules import GAMES
from tests.ports import own_port

GAME: Final = "numlo"

START_SECONDS: Final = 90.0
"""For a node to open its door on a machine that has much else to do."""


def burden() -> float:
    """Return how many times slower than alone this machine is for us just now.

    Only what others run counts: a node that wastes the processor would else loosen the
    limit that it breaks.  The load of the last minute rises late: what runs at this
    moment counts, too.
    """
    ours = family()
    load = os.getloadavg()[0] - sum(map(_share, ours))
    others = len(running() - {one.pid for one in ours})
    return max(1.0, (1 + max(load, others)) / (os.cpu_count() or 1))


def family() -> list[psutil.Process]:
    """Return this process and all that it has started."""
    me = psutil.Process()
    return [me, *me.children(recursive=True)]


def running() -> set[int]:
    """Return which processes run, or could, at this moment."""
    found = psutil.process_iter(["status"])
    return {one.pid for one in found if one.info["status"] == psutil.STATUS_RUNNING}


def _share(one: psutil.Process) -> float:
    """Return how much of the load of the last minute a process has made."""
    with suppress(psutil.Error):  # it has just ended
        age = max(1.0, time.time() - one.create_time())
        times = one.cpu_times()
        return float((times.user + times.system) / age * (1 - exp(-age / 60)))
    return 0.0


class Resident(Actor):
    """A node with an address of its own, started in a way of its own."""

    program: Sequence[str] = ("-m", "netplay")
    """What Python runs."""

    def __init__(
        self,
        folder: Path,
        number: int,
        *,
        listen: str = "127.0.0.1",
        port: int = 0,
        player: Player | None = None,
    ) -> None:
        home = Home(folder / NAMES[number].lower())
        home.prepare()
        super().__init__(home, NAMES[number], player or Player(GAME), number)
        self.listen = listen
        self.port = port
        self.number: Final = number
        self.prefix: tuple[str, ...] = ()
        """What starts the node: `ip netns exec ...`."""
        self.environment: dict[str, str] = {}
        """What it has beside the test's own."""
        self.options: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        return f"{self.listen}:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def table(self) -> TableStatus:
        """The table as the node shows it."""
        status = self.player.status
        assert status is not None
        assert status.table is not None
        return status.table

    async def start(self) -> None:
        self.port = self.port or own_port()
        words = [*self.prefix, sys.executable, *self.program, "node"]
        words += ["--name", self.name, "--home", str(self.home.path), "--no-beacon"]
        words += ["--listen", self.listen, "--port", str(self.port), *self.options]
        with (self.home.path / LOG).open("ab") as log:
            self._process = await trio.lowlevel.open_process(
                words, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, **self.environment},
            )  # fmt: skip

    async def meet(self, nursery: trio.Nursery) -> None:
        with trio.fail_after(START_SECONDS):
            while True:
                try:
                    return await super().meet(nursery)
                except LocalError:
                    assert self._process is not None
                    if self._process.poll() is not None:
                        raise

    async def until(self, holds: Callable[[Status], bool]) -> float:
        """Wait until the node shows something; return the seconds that took."""
        began = trio.current_time()
        while not (self.player.status and holds(self.player.status)):
            await self.player.news()
        return trio.current_time() - began

    async def until_table(self, holds: Callable[[TableStatus], bool]) -> float:
        """The same of its table."""
        return await self.until(lambda s: s.table is not None and holds(s.table))

    async def until_peer(self, holds: Callable[[PeerStatus], bool]) -> float:
        """The same of any peer."""
        return await self.until(lambda status: any(map(holds, status.peers)))


async def host(one: Resident, guests: int, size: int) -> None:
    """Open a table with seats for guests."""
    chairs = ("person", *("remote" for _ in range(guests)))
    await one.player.ask(HostTable(GAME, chairs, (("size", str(size)),), "", ""))


async def join(guest: Resident, address: str) -> float:
    """Join a table; return the seconds until the guest has its seat."""
    began = trio.current_time()
    await guest.player.ask(Join(address, guest.number))
    await guest.until_table(lambda t: _sits(t, guest))
    return trio.current_time() - began


async def begin(cast: Sequence[Resident]) -> None:
    """Start the match once everybody has agreed."""
    first = cast[0]
    await first.until_table(lambda t: all(s.name and s.accepted for s in t.seats))
    await first.player.ask(StartMatch())
    for one in cast:
        await one.until_table(lambda t: t.phase == "playing")


async def says_yes(one: Actor) -> None:
    """Say yes to who calls to a table, once somebody does, to the terms as they are."""
    while True:
        table = one.player.status.table if one.player.status else None
        if table is not None and table.called:
            try:
                await one.player.ask(Consent(accept=True, revision=table.revision))
            except LocalError as error:
                assert error.code is Code.STALE, error  # they have just changed
            else:
                return
        with trio.move_on_after(0.1):
            await one.player.news()


async def sit_down(cast: Sequence[Resident]) -> None:
    """Begin a match of two at ports that stay theirs."""
    for one in cast:
        assert one.player.status is not None
        one.port = one.player.status.port
    await host(cast[0], 1, 8)
    await join(cast[1], cast[0].address)
    await begin(cast)


class Whim:
    """A quick player for the test's own process."""

    def __init__(self, seed: int, moves: float = inf) -> None:
        """Begin.

        Args:
            seed: For its whims.
            moves: After so many it thinks for ever.
        """
        self.rng: Final = Random(seed)
        self.left = moves

    async def think(self, thought: Thought) -> Any:
        await trio.lowlevel.checkpoint()
        self.left -= 1
        if self.left < 0:
            await trio.sleep_forever()
        return self.rng.choice(list(GAMES[GAME].moves(thought.view, thought.seat)))


async def hand(one: Resident, pause: float, moves: float = inf) -> None:
    """Play a node's seat until its node goes, or so many moves."""
    try:
        await one.player.play(one.number, 0, Whim(one.number, moves), pause)
    except LocalError as error:
        assert error.code is Code.NO_ANSWER, error


async def one_log(cast: Sequence[Resident]) -> int:
    """Check that all have the same good log of a match that is over; count it."""
    for one in cast:
        await one.until_table(lambda t: bool(t.audit) and t.final == t.entries)
    logs = []
    for one in cast:
        copy = one.home.path / "copy"
        await one.player.ask(Save(str(copy)))
        logs.append(copy.read_bytes())
    # Behind the entries each file has what its own node acknowledges.
    assert len({log.partition(ENDS)[0] for log in logs}) == 1
    verdict = verify(logs[0])
    assert verdict.ok, verdict.reason
    assert verdict.audit == "ok"
    return verdict.entries


def _sits(table: TableStatus, guest: Resident) -> bool:
    """Whether a guest is shown in its seat."""
    return bool(table.seats) and table.seats[guest.number].name == guest.name
