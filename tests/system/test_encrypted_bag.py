"""Encrypted matches of real nodes: one is killed, and has its log and key alone."""

import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from netplay.messages.door import HostTable, Join, StartMatch, Watch
from netplay.record.store import SECRETS
from netplay.wire import unpack
from rules import GAMES
from tools.bench.pair import LOOP, Node, Window, nodes

STATE = GAMES["networdz"].ABOUT.state


def readable(window: Window, seat: int) -> Any:
    """Return the tiles of a seat's view as soon as it can read all of its own."""
    window.visit.ask(Watch(seat))
    while True:
        tiles = unpack(window.view().state, STATE).tiles
        if tiles.kinds[seat] and min(tiles.kinds[seat]) >= 0:
            return tiles


def looking(node: Node, open_: ExitStack) -> Window:
    """Return a window on a node, which is closed in the end."""
    return Window(open_.enter_context(node.visit(pushes=True)))


def begin(host: Window, guest: Window) -> None:
    """Start an encrypted match of two persons."""
    chairs = ("person", "remote")
    host.visit.ask(HostTable("networdz", chairs, (), "", "", fairness="encrypted"))
    guest.visit.ask(Join(f"{LOOP}:{host.visit.status().port}", 1))
    host.table(lambda table: all(seat.accepted for seat in table.seats))
    host.visit.ask(StartMatch())
    for window in (host, guest):
        table = window.table(lambda table: bool(table.match))
        assert table.fairness == "encrypted"


@pytest.mark.processes
def test_a_node_that_was_killed_reads_its_rack_by_log_and_key_alone(
    tmp_path: Path,
) -> None:
    with nodes(tmp_path, 2, Node) as running, ExitStack() as open_:
        host, guest = (looking(node, open_) for node in running)
        begin(host, guest)
        before, theirs = readable(guest, 1), readable(host, 0)
        assert set(theirs.kinds[1]) == set(before.kinds[0]) == {-1}
        killed = running[1]
        os.kill(killed.process.pid, signal.SIGKILL)
        killed.process.wait()
        gone = [p for p in killed.home.path.rglob("*") if p.suffix == SECRETS]
        assert gone
        for path in gone:
            path.unlink()
        again = Node(killed.home.path)
        try:
            after = readable(looking(again, open_), 1)
        finally:
            again.stop()
    assert (after.racks[1], after.kinds[1]) == (before.racks[1], before.kinds[1])
