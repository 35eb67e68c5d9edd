"""A node that is stopped for a while, and goes on: time that nobody could use."""

import os
import signal
from pathlib import Path

import pytest
import trio

from netplay.daemon.starting import AwakeClock
from netplay.demo.show import living
from netplay.messages.door import HostTable
from tests.hostile.nodes import Victim
from tests.patience import PATIENCE
from tests.system.nodes import begin, join


def test_the_clock_leaves_out_what_it_was_not_looked_at_in() -> None:
    counted = 1000.0
    clock = AwakeClock(lambda: counted)
    began = clock.current_time()
    clock.deadline_to_sleep_time(began + 4)
    counted += 80  # stopped, though it had to look after four seconds
    assert clock.current_time() == began + 4
    counted += 3
    assert clock.current_time() == began + 7


def test_the_clock_counts_what_it_waits_for() -> None:
    counted = 1000.0
    clock = AwakeClock(lambda: counted)
    began = clock.current_time()
    assert clock.deadline_to_sleep_time(began + 600) == 600
    counted += 400  # something else comes
    assert clock.current_time() == began + 400
    clock.deadline_to_sleep_time(began + 600)
    counted += 202  # a computer that has much else to do is late
    assert clock.current_time() == began + 602


def test_the_clock_counts_a_moment_in_which_it_was_stopped_however_often() -> None:
    counted = 1000.0
    clock = AwakeClock(lambda: counted)
    began = clock.current_time()
    for _ in range(100):  # or a player would think for longer by stopping the node
        clock.deadline_to_sleep_time(clock.current_time() + 0.1)
        counted += 0.1 + 4.9
    assert clock.current_time() == pytest.approx(began + 500)


@pytest.mark.processes
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no program can be stopped")
async def test_a_host_that_was_stopped_takes_no_time_of_its_guests(
    tmp_path: Path,
) -> None:
    anna, ben = Victim(tmp_path, 0, "networdz"), Victim(tmp_path, 1, "networdz")
    chairs, timed = ("person", "remote"), (("timed", "1"),)
    with trio.fail_after(PATIENCE):
        async with living(anna, ben):
            await anna.player.ask(
                HostTable("networdz", chairs, timed, "", "", fairness="committed")
            )
            await join(ben, anna.address)
            await begin([anna, ben])
            await anna.until_table(lambda table: bool(table.turn))
            (seat,) = anna.table.turn
            before, began = anna.table.seats[seat].clock, trio.current_time()
            os.kill(anna.pid, signal.SIGSTOP)
            stopped = trio.current_time()
            await ben.until_table(lambda table: table.seats[0].state == "away")
            stopped = trio.current_time() - stopped
            os.kill(anna.pid, signal.SIGCONT)
            await ben.until_table(lambda table: table.seats[0].state == "connected")
            await anna.until_table(lambda table: table.seats[1].state == "connected")
            after, passed = anna.table.seats[seat].clock, trio.current_time() - began
            assert anna.table.turn == (seat,)
            # Of the time in which it was stopped it had waited for a ping, perhaps.
            assert before - after <= 1000 * (passed - stopped + 6.0)
