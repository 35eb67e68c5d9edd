"""Four wells of Hexcolumns over lines as bad as players still bear."""

import math
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from netplay.demo.player import Player
from netplay.demo.show import living
from netplay.errors import Code, LocalError
from netplay.messages.door import HostTable, Play, Watch
from netplay.wire import pack
from rules.hexcolumns import Rotate, Shift
from tests.network.laboratory import Dweller, Laboratory, laboratory, missing
from tests.patience import PATIENCE
from tests.system.nodes import begin, join

pytestmark = pytest.mark.processes

BAD = 128_000, 0.2, 0.08, 0.05
"""Bits a second away from each; seconds there; by which they differ; lost."""

BEFORE_SECONDS = 5.0
PLAYED_SECONDS = 10.0
BEHIND_SECONDS = 3.0
REFUSED = {Code.SILENT, Code.ILLEGAL_MOVE, Code.NOT_YOUR_TURN}
HURRY_SECONDS = 1 / 6
"""Between two moves: as fast as a good player."""


@contextmanager
def lab() -> Iterator[Laboratory]:
    if why := missing():
        pytest.skip(why)
    if not Path("/dev/net/tun").exists():
        pytest.skip("no line can be made here: /dev/net/tun is missing")
    with laboratory() as found:
        yield found


async def hurry(one: Dweller) -> None:
    """Move now and then, and let pieces fall."""
    some = Random(one.number)
    await one.player.ask(Watch(one.number))
    while True:
        await trio.sleep(HURRY_SECONDS)
        move = some.choice((Rotate(), Shift(1), Shift(-1)))
        try:
            await one.player.ask(Play(one.number, pack(move), 0))
        except LocalError as error:
            if error.code is Code.NO_ANSWER:
                return  # its node has ended
            assert error.code in REFUSED, error


def ticks(one: Dweller, seat: int) -> int:
    state: Any = one.player.state
    return int(state.wells[seat].ticks)


def behind(cast: Sequence[Dweller]) -> float:
    """Return for how many seconds the slowest view of another's well is behind."""
    lags = [
        ticks(owner, owner.number) - ticks(one, owner.number)
        for owner in cast
        for one in cast
        if one is not owner
    ]
    return max(lags) / 30


def sent(log: Path, host: Dweller) -> list[int]:
    """Return what the line has carried of a node at each second."""
    lines = [line for line in log.read_text().splitlines() if "=" in line]
    pairs = (dict(word.split("=") for word in line.split()) for line in lines)
    return [int(each[host.host.name]) for each in pairs]


@pytest.mark.slow
async def test_four_wells_keep_up_over_lines_that_are_slow_long_and_lossy(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        hosts = [found.host(name) for name in ("ann", "bob", "cid", "dot")]
        log = tmp_path / "line"
        line = found.line(hosts, BAD, log)
        cast = [Dweller(tmp_path, n, each) for n, each in enumerate(hosts)]
        for one in cast:
            one.player = Player("hexcolumns")  # type: ignore[misc]
        async with living(*cast) as nursery:
            chairs = ("person", "remote", "remote", "remote")
            table = HostTable("hexcolumns", chairs, (("size", "9"),), "", "")
            await cast[0].player.ask(table)
            for guest in cast[1:]:
                await join(guest, cast[0].address)
            await begin(cast)
            for one in cast:
                nursery.start_soon(hurry, one)
            while not all(one.player.state is not None for one in cast):  # noqa: ASYNC110 (four are waited for)
                await trio.sleep(0.1)
            line.send_signal(signal.SIGUSR1)
            await trio.sleep(BEFORE_SECONDS)
            began, lags = len(sent(log, cast[0])), list[float]()
            for _ in range(math.ceil(PLAYED_SECONDS * 5)):
                await trio.sleep(0.2)
                lags.append(behind(cast))
            carried = sent(log, cast[0])[began - 1 :]
            speed = (carried[-1] - carried[0]) * 8 / 1000 / (len(carried) - 1)
            print(
                f"at most {max(lags):.1f} s behind, usually "
                f"{sorted(lags)[len(lags) // 2]:.1f} s; the host sends {speed:.0f} "
                f"kbit/s"
            )
            assert sorted(lags)[len(lags) * 9 // 10] < BEHIND_SECONDS
