"""Onlookers come at once, over real sockets, to a host whose line is thin."""

import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic

import pytest
import trio

from netplay.demo.player import Player
from netplay.demo.show import living
from netplay.messages import door
from netplay.messages.table_questions import LetWatch
from tests.network.laboratory import Dweller, Host, lab
from tests.patience import PATIENCE
from tests.system.nodes import GAME, begin, burden, hand, host, join

pytestmark = pytest.mark.processes

CROWDS = 2
EACH = 10
"""Nodes, in so many processes, each in a network of its own."""

THIN = "64kbit"
MOVE_SECONDS = 3.0
MOVES = 4
LATER_SECONDS = 2.0
"""Than at the host, at the most, a move is seen by an onlooker."""


class Ear(Player):
    """Notes when how many entries are seen."""

    def __init__(self) -> None:
        super().__init__(GAME)
        self.seen: dict[int, float] = {}

    def hear(self, message: door.Push) -> None:
        super().hear(message)
        if isinstance(message, door.Status) and message.table is not None:
            self.seen.setdefault(message.table.entries, monotonic())


class Crowd:
    """Onlookers in a process of their own."""

    def __init__(self, folder: Path, number: int, inside: Host, address: str) -> None:
        folder.mkdir()
        words = [folder, EACH, 5000 + number * EACH, address]
        self.seen: dict[str, dict[int, float]] = {}
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [*inside.prefix, sys.executable, "-m", "tests.network.onlookers",
                 *map(str, words)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip
        self.ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line == "ready\n":
                self.ready.set()
                continue
            name, number, at = line.split()
            if int(number):
                self.seen.setdefault(name, {}).setdefault(int(number), float(at))

    def come(self) -> None:
        """Begin to ask."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """Be gone at once."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for end in (self.process.stdin, self.process.stdout):
            assert end is not None
            end.close()


def thin(one: Host, device: str) -> None:
    """Let a device send no more than a thin line carries."""
    one.run("tc", "qdisc", "add", "dev", device, "root", "tbf", "rate", THIN,
            "burst", "3000", "latency", "3s")  # fmt: skip


def lateness(ear: Ear, crowds: list[Crowd], since: float, until: float) -> float:
    """Return how much later than at the host somebody saw a move, at the most."""
    moves = [n for n, at in ear.seen.items() if since <= at < until]
    late: list[float] = []
    for crowd in crowds:
        for seen in crowd.seen.values():
            late += [
                min(at for n, at in seen.items() if n >= number) - ear.seen[number]
                for number in moves
            ]
    assert len(late) >= MOVES * CROWDS * EACH / 2
    return max(late)


async def until_all_see(crowds: list[Crowd]) -> None:
    """Wait until everybody who has come sees the match."""
    while sum(len(crowd.seen) for crowd in crowds) < CROWDS * EACH:  # noqa: ASYNC110 (threads read what is printed)
        await trio.sleep(0.5)


async def test_those_who_come_at_once_look_on_behind_a_thin_line(
    tmp_path: Path,
) -> None:
    with lab("tc") as found, trio.fail_after(2 * PATIENCE):
        here, there = found.host("ann"), found.host("bob")
        for number, one in enumerate((here, there), 1):
            found.online(one, number)
        thin(here, "wan")
        thin(found.internet, "n1")
        ear = Ear()
        ann = Dweller(tmp_path, 0, here, "--no-map-port", player=ear)
        bob = Dweller(tmp_path, 1, there, "--no-map-port")
        crowds: list[Crowd] = []
        try:
            for number in range(CROWDS):
                inside = found.host(f"c{number}")
                found.online(inside, 3 + number)
                place = tmp_path / f"crowd{number}"
                crowds.append(Crowd(place, number, inside, ann.address))
            async with living(ann, bob) as nursery:
                await host(ann, 1, 12)
                await join(bob, ann.address)
                await begin((ann, bob))
                for player in (ann, bob):
                    await player.player.ask(LetWatch("anybody"))
                    nursery.start_soon(hand, player, MOVE_SECONDS)
                for crowd in crowds:
                    await trio.to_thread.run_sync(crowd.ready.wait)
                began = monotonic()
                for crowd in crowds:
                    crowd.come()
                await until_all_see(crowds)
                took = monotonic() - began
                await trio.sleep(MOVE_SECONDS)
                since = monotonic()
                await trio.sleep(MOVES * MOVE_SECONDS)
                until = monotonic()
                await trio.sleep(2 * MOVE_SECONDS)
                late = lateness(ear, crowds, since, until)
                print(
                    f"load {burden():.1f}: {CROWDS * EACH} watch after {took:.0f} s, "
                    f"and see moves within {late:.2f} s of the host"
                )
                nursery.cancel_scope.cancel()
        finally:
            for crowd in crowds:
                crowd.kill()
        assert late <= LATER_SECONDS * burden()
