"""A match begun in one release goes on in the next; who has the older one is told."""

import sys
from pathlib import Path

import pytest
import trio

from client.app import link
from netplay.demo.show import living
from netplay.messages.door import Join, Status
from netplay.record.verify import verify
from netplay.said import Words
from netplay.sentences import Says
from tests.patience import PATIENCE
from tests.said import says
from tests.system.nodes import Resident, hand, host, one_log, sit_down

pytestmark = pytest.mark.processes

ADVICE = "whoever has version 1 has to update Netplay"

START = """
import sys
import netplay
{change}
from netplay.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
RELEASE = "import netplay.peering.identity; netplay.peering.identity.VERSION = '9.8.7'"
PROTOCOL = "import netplay.peering.identity; netplay.peering.identity.VERSIONS = (2,)"
RULES = """
import rules
from msgspec.structs import replace
game = rules.GAMES["numlo"]
game.ABOUT = replace(game.ABOUT, version=game.ABOUT.version + 1)
"""


class Later(Resident):
    """A node of a later release."""

    change = RELEASE

    @property
    def program(self) -> tuple[str, str]:  # type: ignore[override]
        return ("-c", START.format(change=self.change))


def kept(one: Resident) -> bytes:
    (file,) = (one.home.path / "matches").glob("*.netplay")
    return file.read_bytes()


async def some_moves(cast: list[Resident]) -> None:
    await sit_down(cast)
    async with trio.open_nursery() as nursery:
        for one in cast:
            nursery.start_soon(hand, one, 0.05)
        await cast[0].until_table(lambda t: t.entries > 6)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("updates", [0, 1])
async def test_a_match_goes_on_between_a_release_and_the_next(
    tmp_path: Path, updates: int
) -> None:
    before = [Resident(tmp_path, number) for number in range(2)]
    with trio.fail_after(PATIENCE):
        async with living(*before):
            await some_moves(before)
    after: list[Resident] = [Resident(tmp_path, number) for number in range(2)]
    after[updates] = Later(tmp_path, updates)
    for one, was in zip(after, before, strict=True):
        one.port = was.port
    with trio.fail_after(PATIENCE):
        async with living(*after), trio.open_nursery() as nursery:
            for one in after:
                nursery.start_soon(hand, one, 0.0)
            await one_log(after)
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("change", [PROTOCOL, RULES])
async def test_who_has_the_older_one_is_told_before_anything_is_lost(
    tmp_path: Path, change: str
) -> None:
    host_, guest = Later(tmp_path, 0), Resident(tmp_path, 1)
    host_.change = change
    with trio.fail_after(PATIENCE):
        async with living(host_, guest):
            assert host_.player.status is not None
            host_.port = host_.player.status.port
            await host(host_, 1, 8)
            await guest.player.ask(Join(host_.address, 1))
            while ADVICE not in f"{guest.player.status} {guest.player.errors}":
                await guest.player.news()


async def test_players_of_a_match_are_told_who_has_to_update_until_it_is_done(
    tmp_path: Path,
) -> None:
    before = [Resident(tmp_path, number) for number in range(2)]
    with trio.fail_after(PATIENCE):
        async with living(*before):
            await some_moves(before)
    later, older = Later(tmp_path, 0), Resident(tmp_path, 1)
    later.change = PROTOCOL
    later.port, older.port = (one.port for one in before)

    def told(status: Status) -> bool:
        return ADVICE in str(status.faults)

    with trio.fail_after(PATIENCE):
        async with living(later):
            async with living(older):
                await later.until(told)
                await older.until(told)
            updated = Later(tmp_path, 1)
            updated.change, updated.port = PROTOCOL, older.port
            async with living(updated), trio.open_nursery() as nursery:
                await later.until(lambda status: not status.faults)
                for one in (later, updated):
                    nursery.start_soon(hand, one, 0.0)
                await one_log((later, updated))
                nursery.cancel_scope.cancel()


@pytest.mark.parametrize("change", [PROTOCOL, RULES])
async def test_a_match_that_the_next_release_cannot_play_stays_as_it_is(
    tmp_path: Path, change: str
) -> None:
    before = [Resident(tmp_path, number) for number in range(2)]
    with trio.fail_after(PATIENCE):
        async with living(*before):
            await some_moves(before)
    files = [kept(one) for one in before]
    later, older = Later(tmp_path, 0), Resident(tmp_path, 1)
    later.change = change
    later.port, older.port = (one.port for one in before)
    with trio.fail_after(PATIENCE):
        async with living(later, older):
            await trio.sleep(3)
    for one, file in zip(before, files, strict=True):
        assert kept(one)[: len(file)] == file
        assert verify(file).reason == ""


async def why_gone(home: Path) -> str:
    """Return why a window says that it has no connection to the node."""
    said, gone = list[Words](), trio.Event()

    def note(why: Words) -> None:
        said.append(why)
        gone.set()

    async with trio.open_nursery() as nursery:
        window = link.Link(home, lambda _message: None, lambda: None, note)
        nursery.start_soon(window.keep_open)
        await gone.wait()
        nursery.cancel_scope.cancel()
    return str(said[0])


async def test_a_node_that_an_update_has_left_behind_is_named_and_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(code: str, *command: str) -> tuple[int, str]:
        words = [sys.executable, "-c", code, *command, "--home", str(tmp_path)]
        done = await trio.run_process(
            words, capture_stdout=True, capture_stderr=True, check=False
        )
        return done.returncode, (done.stdout + done.stderr).decode()

    later = START.format(change="netplay.VERSION = '9.8.7'")
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:  # it ends when the node has
            node = ("node", "--listen", "127.0.0.1", "--port", "0", "--no-beacon")
            nursery.start_soon(run, START.format(change=""), *node)
            told = 1, ""
            while not says(told[1], Says.OTHER_VERSION):  # once it is there
                told = await run(later, "status")
            assert told[0] == 1
            assert says(told[1], Says.OTHER_VERSION, program="9.8.7")
            assert "protocol" not in told[1]
            monkeypatch.setattr(link, "VERSION", "9.8.7")
            assert says(await why_gone(tmp_path), Says.OTHER_VERSION, program="9.8.7")
            assert (await run(later, "stop"))[0] == 0
