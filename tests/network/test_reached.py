"""A friend's node tries every place of ours, and tells what is in the way."""

import json
from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.node_questions import GetInvitation
from netplay.sentences import Says
from tests.network.laboratory import Dweller, lab
from tests.network.test_lines import run
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import begin, host, join

pytestmark = pytest.mark.processes

CLOSED = """
    table inet own { chain input {
        type filter hook input priority 0; policy accept;
        ct state established,related accept
        tcp dport 4770 drop
    }
    }
"""


async def test_a_friend_tells_of_router_and_firewalls_what_is_in_the_way(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        server, shut = found.host("bob"), found.host("cid")
        found.online(server, 1)
        found.online(shut, 2)
        shut.rules(CLOSED)
        inside, _box = found.home(3, six=True)
        hosts = (server, shut, inside)
        bob, cid, ann = (Dweller(tmp_path, n, each) for n, each in enumerate(hosts))
        async with living(bob, cid, ann):
            await host(bob, 2, 8)
            await join(cid, bob.address)
            await join(ann, bob.address)
            await begin((bob, cid, ann))  # from now on they are friends to each other
            code, told = await run(cid, "reach")
            assert code == 1, told
            assert says(
                told, Says.NOT_REACHED, host="8.9.2.2:4770", why=Says.TRIED_SILENT()
            )
            assert str(Says.ADVICE_OWN_FIREWALL()) in told
            assert says(told, Says.NOT_REACHED, kind="IPv6")
            code, told = await run(ann, "reach")
            assert code == 1, told
            assert str(Says.ADVICE_ROUTER()) in told
            assert says(
                told,
                Says.NOT_REACHED,
                host="[2a00:a:3::2]:4770",
                why=Says.TRIED_SILENT(),
            )
            assert str(Says.ADVICE_SIX()) in told
            told = (await run(ann, "reach", "--json"))[1]
            scopes = {p["address"]: p["scope"] for p in json.loads(told)["places"]}
            assert scopes["8.9.3.2:4770"] == "internet"
            assert scopes["192.168.3.2:4770"] == "network"
            # No router has told its address; the friend's node has seen it.
            line = str((await ann.player.ask(GetInvitation())).text)
            assert "8.9.3.2:4770" in line
            code, told = await run(bob, "reach")
            assert code == 0, told
            assert says(told, Says.REACHED, kind="IPv4")
            assert says(told, Says.REACHED, kind="IPv6")
