"""A time of day that goes on whatever the clock on the wall is set to."""

from functools import partial
from pathlib import Path

from netplay.steady import Steady

HOUR = 3_600


def test_each_time_that_the_wall_is_put_wrong_it_is_told_once() -> None:
    wall = [1_000_000.0]
    steady = Steady(None, lambda: wall[0], lambda: 0.0, lambda: "x")
    told = []
    for ahead in (0, HOUR, HOUR, 0, 0, 2 * HOUR, 2 * HOUR, 0, -HOUR, -HOUR):
        wall[0] = 1_000_000.0 + ahead
        told.append(steady.leapt())
    assert told == [0, HOUR, 0, 0, 0, 2 * HOUR, 0, 0, -HOUR, 0]


def test_all_nights_with_the_computer_off_count_as_time_that_only_the_wall_saw(
    tmp_path: Path,
) -> None:
    wall, nights = 1_000_000.0, (8 * HOUR, 7 * HOUR, 9 * HOUR)
    for boot, night in enumerate((0, *nights)):
        wall += night
        hands = partial(float, wall), partial(float, boot)
        steady = Steady(tmp_path / "time.json", *hands, partial(str, boot))
        assert steady.off == sum(nights[:boot])
    assert steady.now() == wall
