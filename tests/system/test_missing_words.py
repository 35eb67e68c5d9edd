"""A home that has lost the words of its match gets them again from the other player."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import HostTable, Load
from netplay.table.unopened import WAITS
from tests.hostile.nodes import Victim
from tests.netplay.demo_files import demo_files
from tests.patience import PATIENCE
from tests.system.nodes import begin, join

pytestmark = [pytest.mark.processes]


@pytest.mark.parametrize(
    ("loser", "how"),
    [
        (0, "deleted"),
        (1, "damaged"),
        # Who has lost them and how are each met above.
        pytest.param(0, "damaged", marks=pytest.mark.slow),
        pytest.param(1, "deleted", marks=pytest.mark.slow),
    ],
)
async def test_words_that_are_gone_come_from_the_other_player_and_the_match_goes_on(
    tmp_path: Path, how: str, loser: int
) -> None:
    files = demo_files(tmp_path)
    anna, ben = cast = [Victim(tmp_path, n, "networdz") for n in range(2)]
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            chairs = ("computer:10", "remote")
            table = HostTable("networdz", chairs, (), files.edition, files.words)
            await anna.player.ask(table)
            await join(ben, anna.address)
            await begin(cast)
            one, other = cast[loser], cast[1 - loser]
            await one.until_table(lambda t: t.entries > 3)
            await one.stop()
            lost = [p for p in one.home.words.iterdir() if p.suffix != ".map"]
            assert len(lost) == 2
            for path in lost:
                if how == "deleted":
                    path.unlink()
                else:
                    path.write_bytes(path.read_bytes()[:-1])
            await one.start()
            await one.meet(nursery)
            await one.until_table(lambda t: t.phase == "playing")
            await other.until_table(lambda t: t.phase == "playing")
            assert all(path.exists() for path in lost)
            asides = list(one.home.words.glob("*.damaged"))
            assert len(asides) == (2 if how == "damaged" else 0)
            status = one.window.status
            assert status is not None
            assert WAITS not in status.faults
            assert len(status.faults) == len(asides)


async def test_a_match_without_its_words_waits_until_a_player_is_here(
    tmp_path: Path,
) -> None:
    files = demo_files(tmp_path)
    anna, ben = cast = [Victim(tmp_path, n, "networdz") for n in range(2)]
    with trio.fail_after(PATIENCE):
        async with living(*cast) as nursery:
            chairs = ("person", "remote")
            table = HostTable("networdz", chairs, (), files.edition, files.words)
            await anna.player.ask(table)
            await join(ben, anna.address)
            await begin(cast)
            await anna.stop()
            await ben.stop()
            for path in ben.home.words.iterdir():
                path.unlink()
            await ben.start()
            await ben.meet(nursery)
            await ben.until(lambda status: WAITS in status.faults)
            (kept,) = ben.home.matches.glob("*.netplay")
            told = ben.window.status
            assert told is not None
            (waits,) = told.games
            assert (waits.mode, waits.game) == ("fetching", "networdz")
            assert len(waits.players) == len(chairs)
            assert str(kept) not in {path for path, _words, _days in told.saved}
            assert (await ben.player.ask(Load(str(kept)))).text == WAITS
            await anna.start()
            await anna.meet(nursery)
            await ben.until_table(lambda t: t.phase == "playing")
            await ben.until(lambda status: WAITS not in status.faults)
