"""What a call that comes to nothing tells the player, between two kinds of homes."""

from pathlib import Path

import pytest
import trio

from netplay.demo.show import living
from netplay.messages.door import Call
from netplay.messages.node_questions import GetInvitation
from netplay.sentences import Says
from tests.network.homes import KINDS, PORT
from tests.network.laboratory import Dweller, Host, Laboratory, lab
from tests.network.tables import SERVERS, met
from tests.network.test_lines import run
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import burden, host

pytestmark = pytest.mark.processes

SOON_SECONDS = 2.0
"""For a command to start and to say what cannot work."""

FIRST_SECONDS = 10.0
"""For the ordinary calls of who pastes first, all of which are over by then."""


def home(found: Laboratory, kind: str, number: int, folder: Path) -> Host:
    return KINDS[kind].build(found, number, folder)


async def line(one: Dweller) -> str:
    return str((await one.player.ask(GetInvitation())).text)


@pytest.mark.parametrize(
    ("kinds", "said"),
    [(("keeps-drops", "six-only"), "IPv4"), (("six-only", "keeps-drops"), "IPv6")],
)
async def test_a_call_without_a_common_kind_of_address_says_so_at_once(
    kinds: tuple[str, str], said: str, tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        ann, bob = (
            Dweller(tmp_path, n, home(found, kind, n + 1, tmp_path), "--no-map-port")
            for n, kind in enumerate(kinds)
        )
        async with living(ann, bob):
            await host(ann, 1, 8)
            paste = await line(ann)
            if kinds[0] == "keeps-drops":
                paste = paste.replace(":4770#", ":4770,8.9.1.2:4770#")
            for _again in range(2):
                began = trio.current_time()
                code, told = await run(bob, "join", paste)
                assert trio.current_time() - began < SOON_SECONDS * burden()
                assert code == 1
                assert says(told, Says.NO_COMMON_KIND, kinds=said)


async def test_homes_with_the_same_numbers_inside_meet_all_the_same(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        insides = [home(found, "keeps-drops", n, tmp_path) for n in (1, 2)]
        # The second computer has the number of the first, behind its own router.
        insides[1].ip("address", "add", "192.168.1.2/32", "dev", "eth0")
        ann, bob = (
            Dweller(tmp_path, n, each, "--no-map-port")
            for n, each in enumerate(insides)
        )
        async with living(ann, bob):
            to_ann, to_bob = [
                f"netplay:192.168.1.2:{PORT},8.9.{n}.2:{PORT}#"
                + (await line(one)).partition("#")[2]
                for n, one in enumerate((ann, bob), 1)
            ]
            await host(ann, 1, 8)
            told: list[tuple[int, str]] = []

            async def joins() -> None:
                told.append(await run(bob, "join", to_ann))

            async with trio.open_nursery() as nursery:
                nursery.start_soon(joins)
                await trio.sleep(FIRST_SECONDS)  # the call to its own number is over
                assert not told
                await ann.player.ask(Call(to_bob, 1))
            assert told[0][0] == 0, told


@pytest.mark.parametrize(
    "kind", [pytest.param("random", marks=pytest.mark.slow), "six-firewall", "web-only"]
)
async def test_who_waits_where_nothing_else_will_work_is_told_who_could_carry(
    kind: str, tmp_path: Path
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        servers = [found.host(f"s{number}") for number in SERVERS]
        for server, number in zip(servers, SERVERS, strict=True):
            found.online(server, number)
        row = await met(found, servers, ("keeps-drops", kind), tmp_path, "a")
        told = str(Says.PORTS_WEB() if kind == "web-only" else Says.PORTS_RANDOM())
        waits = str(Says.WAITING_TOGETHER(who=Says.THE_OTHER()))
        words = [text.partition(": ")[2] for text in row.said if "Blaise" in text]
        assert words[words.index(waits) + 1] == told


async def test_whose_typed_address_is_silent_is_told_to_paste_the_line(
    tmp_path: Path,
) -> None:
    with lab() as found, trio.fail_after(2 * PATIENCE):
        homes = [home(found, "keeps-drops", n, tmp_path) for n in (1, 2)]
        ann, bob = (Dweller(tmp_path, n, each) for n, each in enumerate(homes))
        async with living(ann, bob):
            await host(ann, 1, 8)
            code, told = await run(bob, "join", "8.9.1.2")
            assert code == 1
            assert says(told, Says.PLACE_SILENT, place="8.9.1.2:4770")
            assert str(Says.PASTE_THE_LINE()) in told
