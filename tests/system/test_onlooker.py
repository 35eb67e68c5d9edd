"""An onlooker whose host is started again: three real nodes, and their windows."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Retry
from netplay.messages.table_questions import AnswerWatcher, WatchAt
from tests.patience import PATIENCE
from tests.system.nodes import Resident, begin, host, join

pytestmark = [pytest.mark.processes]


async def _watched(cast: list[Resident]) -> None:
    """Let the third look on at a match of the first two."""
    ada, blaise, chen = cast
    await host(ada, 1, size=8)
    await join(blaise, ada.address)
    await begin([ada, blaise])
    await chen.player.ask(WatchAt(ada.address))
    for one in (ada, blaise):
        await one.until_table(lambda t: bool(t.asking or t.watchers))
        await one.player.ask(AnswerWatcher(allow=True, whom=chen.name))
    await chen.until_table(lambda t: t.phase == "playing" and t.watching)


@pytest.mark.parametrize(
    ("how", "alone"),
    [
        ("stopped", True),
        ("killed", False),
        # How it ended and who is left are each met above.
        pytest.param("stopped", False, marks=pytest.mark.slow),
        pytest.param("killed", True, marks=pytest.mark.slow),
    ],
)
async def test_an_onlooker_links_again_when_its_host_is_started_again(
    tmp_path: Path, how: str, alone: bool
) -> None:
    cast = [Resident(tmp_path, n) for n in range(3)]
    ada, blaise, chen = cast
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            await _watched(cast)
            if alone:
                await blaise.stop()
            await (ada.stop() if how == "stopped" else ada.kill())
            await chen.until_table(lambda t: t.seats[0].state == "away")
            await ada.start()
            await ada.meet(nursery)
            await chen.player.ask(Retry())
            await chen.until_table(lambda t: t.seats[0].state == "connected")
            await ada.until_table(lambda t: len(t.watchers) == 1)
            if not alone:
                await chen.until_table(lambda t: t.phase == "playing")
