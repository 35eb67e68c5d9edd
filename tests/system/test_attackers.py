"""A crowd at the port of a node that plays a match."""

from functools import partial
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from tests.patience import PATIENCE
from tests.system.attackers import Crowd
from tests.system.nodes import Resident, begin, burden, hand, host, join, one_log

pytestmark = [pytest.mark.processes, pytest.mark.slow]

ATTACKERS = 500
JOIN_SECONDS = 2.0
MEMORY_MIB = 60.0
"""More than before, at the most."""


def memory(one: Resident) -> float:
    """Return the resident memory of a node, in MiB."""
    status = Path(f"/proc/{one.pid}/status").read_text("ascii")
    (line,) = (x for x in status.splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
async def test_five_hundred_attackers_keep_nobody_out_and_stop_no_match(
    tmp_path: Path,
) -> None:
    cast = [Resident(tmp_path, number) for number in range(3)]
    near, far, late = cast
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            await host(near, 2, size=12)
            before = memory(near)
            crowd = Crowd(tmp_path / "crowd", near.port, ATTACKERS)
            async with trio.open_nursery() as attack:
                with trio.fail_after(PATIENCE):
                    await attack.start(crowd.run)
                await join(far, near.address)
                took = await join(late, near.address)
                await begin(cast)
                for one in cast:
                    nursery.start_soon(partial(hand, one, 0.2))
                most = before
                for entries in range(10, 1000, 10):
                    await near.until_table(
                        lambda t, n=entries: t.entries >= n or t.phase == "over"
                    )
                    most = max(most, memory(near))
                    if near.table.phase == "over":
                        break
                print(f"joined in {took:.2f} s; {before:.0f} MiB before,", end=" ")
                print(f"{most:.0f} at the most; came {dict(crowd.came)}", end=" ")
                print(f"at the port {dict(crowd.now)}")
                await one_log(cast)
                attack.cancel_scope.cancel()
    assert took < JOIN_SECONDS * burden()
    assert most - before < MEMORY_MIB
