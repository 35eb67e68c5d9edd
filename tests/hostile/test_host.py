"""A hostile host at a real node: what it can choose, hide and hurry."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from netplay.commands.status import lines
from netplay.daemon.rpc import LOOK_SECONDS
from netplay.demo.show import living
from netplay.messages.door import LeaveTable, Save
from netplay.messages.log import Open, Root
from netplay.record.verify import Verdict, verify
from netplay.sentences import Says
from rules.game import Resign
from rules.networdz import Pass
from tests.hostile.host import CrookedHost, opened
from tests.hostile.nodes import Victim, needs_proc
from tests.hostile.peer import Peer
from tests.patience import PATIENCE
from tests.said import says

pytestmark = [pytest.mark.processes, needs_proc]

RENEWALS = 20


@asynccontextmanager
async def called_to_a_match(
    folder: Path, *kept: type[Any], **options: Any
) -> AsyncGenerator[tuple[CrookedHost, Victim]]:
    """Let a hostile host play with a node, keeping back bodies of some kinds."""
    near, far = Victim(folder, game="networdz"), Peer(folder / "far")
    with trio.fail_after(PATIENCE):
        async with living(near), far.call(near.port) as line:
            await near.wait_to_be_called()
            host = await opened(far, line, near, **options)
            host.kept = {*kept}
            async with trio.open_nursery() as nursery:
                nursery.start_soon(host.run)
                yield host, near
                nursery.cancel_scope.cancel()


async def verified(near: Victim) -> Verdict:
    copy = near.home.path / "copy"
    await near.window.ask(Save(str(copy)))
    return verify(copy.read_bytes())


def told(near: Victim) -> list[str]:
    status = near.window.status
    assert status is not None
    return [*lines(status)]


async def test_a_host_that_renews_its_term_gets_the_bag_that_it_had(
    tmp_path: Path,
) -> None:
    async with called_to_a_match(tmp_path, Root) as (host, near):
        await host.until(lambda match: match.fold.rounds.get(1) and host.deal().seeds)
        before = dict(host.deal().commits), dict(host.deal().seeds)
        for _ in range(RENEWALS):
            await host.renew()
        assert host.match.ledger.log.term >= RENEWALS
        assert (host.deal().commits, host.deal().seeds) == before
        host.kept.clear()
        await near.until_table(lambda table: table.phase == "playing")
        assert near.table.again == 0
        assert (await verified(near)).again == ()


async def test_a_host_that_never_opens_its_bag_is_named_for_ever(
    tmp_path: Path,
) -> None:
    async with called_to_a_match(tmp_path, Open) as (host, near):
        await near.until_table(lambda table: table.phase == "playing")
        host.play(Resign())
        await near.until_table(lambda table: table.phase == "over")
        assert near.table.held_up == Says.BAG_NOT_OPENED(names="player 0")
        assert f"NOT AUDITED: {Says.BAG_NOT_OPENED(names='player 0')}" in told(near)
        found = await verified(near)
        assert (found.verdict, found.audit) == ("unaudited", "")
        assert "player 0" in found.reason
        await near.window.ask(LeaveTable())
        await trio.sleep(LOOK_SECONDS)
        await near.wait_to_be_called()  # news of any kind: the list is looked at again
        await near.until(
            lambda status: any("NOT AUDITED" in str(s[1]) for s in status.saved)
        )
        assert any("NOT AUDITED" in line for line in told(near))


async def test_a_host_whose_clock_runs_ahead_is_not_confirmed(tmp_path: Path) -> None:
    async with called_to_a_match(tmp_path, timed=1) as (host, near):
        await near.until_table(lambda table: table.phase == "playing")
        if host.match.on_turn() == [0]:
            host.play(Pass())
        await near.until_table(lambda table: table.turn == (1,))
        await trio.sleep(3)
        size = len(host.match.ledger.log)
        host.jump(60)
        await host.until(lambda match: len(match.ledger.log) > size)
        await near.until_table(lambda table: bool(table.doubt))
        assert says(str(near.table.doubt), Says.CLOCK_TOO_SOON, name="player 0")
        await near.until_told("s too soon: not confirmed")
        assert near.table.turn == (0,)  # it stands in the log all the same
        assert any(says(line, Says.CLOCK_TOO_SOON) for line in told(near))
        assert host.match.final == size
