"""Four wells over lines that are narrow, long and lossy: nobody is left behind."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netplay.match.realtime import GAP_MOST_SECONDS, UNDER_WAY, WRITE_SECONDS, Pace
from tests.netplay.slow_lines import FAST, Line, SlowNet

NAMES = "ann", "bob", "cid", "dot"
BEHIND_SECONDS = 3.0
"""The most that others' wells may be behind, as players bear it."""


@pytest.fixture
def net() -> Iterator[SlowNet]:
    one = SlowNet(*NAMES)
    one.begin()
    yield one
    one.close()


def test_four_wells_keep_up_where_the_host_sends_128_kbit_a_second(
    net: SlowNet,
) -> None:
    net.line = Line()
    net.bytes.clear()
    rng, worst, seconds = Random(1), 0.0, 25
    for _ in range(seconds):
        net.pass_time(1, rng)
        worst = max(worst, *net.behind().values())
    sent = {name: net.bytes[name] * 8 / 1000 / seconds for name in NAMES}
    print(f"at most {worst:.1f} s behind; kbit/s: {sent}")
    assert worst < BEHIND_SECONDS
    assert max(sent.values()) < 128
    net.line = FAST
    net.pass_time(3, rng)
    assert max(net.behind().values()) < 2 * WRITE_SECONDS


def test_a_good_line_carries_each_well_ten_times_a_second(net: SlowNet) -> None:
    before = net["ann"].match.fold.number
    net.pass_time(2)
    entries = net["ann"].match.fold.number - before
    assert entries >= 2 * 4 * 9


def test_what_is_long_on_its_way_makes_the_gap_longer_and_what_arrives_shorter() -> (
    None
):
    arrived = 0
    pace = Pace(lambda: {b"bob": arrived})
    assert pace.gap(0.0) == 0.0
    pace.written(0, 3, 0.0)
    pace.on_arrival((0,), 7, 0.4)
    assert pace.gap(0.4) == 0.4 / UNDER_WAY
    pace.on_arrival((3,), 8, 0.8)  # in the log, and not everywhere
    assert pace.gap(0.8) == 0.8 / UNDER_WAY
    assert pace.gap(100.0) == GAP_MOST_SECONDS
    arrived = 8
    pace.on_arrival((3,), 9, 1.0)
    assert pace.gap(100.0) == 1.0 / UNDER_WAY
    pace.written(0, 6, 100.0)
    arrived = 9
    pace.on_arrival((6,), 9, 100.01)
    assert pace.gap(100.01) == pytest.approx(0.01 / UNDER_WAY)


def test_who_acknowledges_nothing_any_more_is_waited_for_no_longer() -> None:
    there = {b"bob": 0, b"cat": 0}
    pace = Pace(lambda: there)
    number, now = 0, 0.0
    for _ in range(30):
        number, now = number + 1, now + 0.1
        pace.written(0, number, now)
        there[b"cat"] = number  # and nothing of Bob's
        pace.on_arrival((number,), number, now + 0.05)
    assert pace.gap(now + 0.05) < 0.1
    there[b"bob"] = number - 1  # he is back, and a little behind
    pace.written(0, number + 1, now)
    pace.on_arrival((number + 1,), number + 1, now + 0.9)
    assert pace.gap(now + 0.9) > 0.2


@given(st.lists(st.floats(0.05, 2.0), min_size=1, max_size=3))
def test_the_gap_follows_the_slowest_of_those_who_go_on_acknowledging(
    lines: list[float],
) -> None:
    now, written = 0.0, list[float]()
    pace = Pace(
        lambda: {
            bytes([n]): sum(at + line <= now for at in written)
            for n, line in enumerate(lines)
        }
    )
    for step in range(160):
        now = step / 20
        if step < 100 and step % 10 == 0:
            written.append(now)
            pace.written(0, len(written), now)
        pace.on_arrival((len(written),), len(written), now)
    assert pace.gap(now) == pytest.approx(
        min(max(lines) / UNDER_WAY, GAP_MOST_SECONDS), abs=0.06 / UNDER_WAY
    )
