"""Both addresses changed while both slept, and nobody in common: the DHT is enough.

A private DHT of thirty nodes, by the real library, in namespaces of this computer; no
other node is named, and nobody asks for a name.
"""

import importlib.util
from pathlib import Path

import pytest
import trio

from tests.network.homes import private_dht
from tests.network.laboratory import lab
from tests.network.tables import meet
from tests.network.test_moved import asleep, met_again, moves
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.processes,
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("libtorrent") is None,
        reason="needs libtorrent (pip install 'netplay[dht]')",
    ),
]

NAMES = """
    table inet watch {
        chain asked {
            type filter hook prerouting priority 0; policy accept;
            meta l4proto { tcp, udp } th dport 53 counter
        }
    }
"""
"""Counts who asks for a name at the internet."""


async def test_two_who_slept_while_both_moved_meet_again_by_the_dht_alone(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        entry = private_dht(found, tmp_path)
        found.internet.rules(NAMES)
        async with asleep(found, tmp_path) as ((ann, bob, carla), boxes):
            await carla.stop()
            for number, box in enumerate(boxes, 1):
                moves(box, number)
            for one in (ann, bob):
                one.home.set("dht-nodes", entry)
                one.home.set("dht", "on")
                await one.start()
            async with trio.open_nursery() as nursery:
                for one in (ann, bob):
                    await one.meet(nursery)
                await met_again(ann, bob)
                nursery.cancel_scope.cancel()
        assert "packets 0 " in found.internet.run("nft", "list", "ruleset")


@pytest.mark.parametrize(
    "kinds",
    [
        ("keeps-drops", "keeps-refuses"),
        ("six-firewall", "six-only"),
        # The one who has pasted gets in over UDP, for which the other's router opens.
        pytest.param(("keeps-refuses", "keeps-refuses"), marks=pytest.mark.slow),
    ],
)
async def test_two_strangers_meet_by_one_pasted_line_and_the_dht_alone(
    tmp_path: Path, kinds: tuple[str, str]
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        entry = private_dht(found, tmp_path)
        row = await meet(found, kinds, tmp_path, "b", entry=entry)
        assert row.took is not None, row.said
