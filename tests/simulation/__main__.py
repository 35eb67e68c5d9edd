"""`python -m tests.simulation --seeds 0-199`: play them all, and name the failures."""

import argparse
import gc
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NoReturn

from netplay import faults
from tests.simulation.cells import Cell, empty, told
from tests.simulation.days import simulate_days
from tests.simulation.meetings import simulate_meeting
from tests.simulation.run import OPTIONS, Result, simulate
from tests.simulation.several import simulate_several
from tests.simulation.windows import look_at_all
from tests.simulation.withheld import simulate_withheld


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seeds", default="0-39", help="FIRST-LAST or one seed")
    parser.add_argument("--game", default="", choices=("", *OPTIONS))
    parser.add_argument("--several", action="store_true", help="tables in each node")
    parser.add_argument("--days", action="store_true", help="weeks with days to think")
    parser.add_argument("--withheld", action="store_true", help="tiles are withheld")
    parser.add_argument("--fairness", choices=("committed", "encrypted"))
    parser.add_argument(
        "--windows", action="store_true", help="look at every view of every window"
    )
    parser.add_argument(
        "--cells",
        action="store_true",
        help="let features meet in a second match of each seed, and print which have",
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--quiet", action="store_true", help="only what fails")
    asked = parser.parse_args()
    first, _, last = asked.seeds.partition("-")
    began, happened, failed = time.monotonic(), Counter[str](), list[Result]()
    seeds = range(int(first), int(last or first) + 1)
    entries = 0
    alone = partial(simulate, game=asked.game, fairness=asked.fairness)
    play = simulate_several if asked.several else alone
    play = simulate_days if asked.days else play
    play = simulate_withheld if asked.withheld else play
    for result in results(seeds, asked.jobs, play, all_views=asked.windows):
        happened.update(result.faults)
        entries += result.entries
        if result.failures:
            failed.append(result)
        if result.failures or not asked.quiet:
            show(result)
    seconds = time.monotonic() - began
    print(
        f"\n{len(seeds)} matches, {entries} entries, {sum(happened.values())} faults,"
    )
    print(f"{seconds:.1f} s; failed: {[one.seed for one in failed] or 'none'}")
    for fault, count in sorted(happened.items()):
        print(f"  {fault:24} {count:6}")
    return bool(failed) | (asked.cells and meet(seeds, asked.jobs, quiet=asked.quiet))


def meet(seeds: range, jobs: int, *, quiet: bool) -> bool:
    """Let features meet, print which have, and tell whether something is amiss."""
    met, failed = Counter[Cell](), list[int]()
    print("\nfeatures that have met, down the first, across what came behind it:")
    for result in results(seeds, jobs, simulate_meeting, all_views=False):
        met.update(result.cells)
        if result.failures:
            failed.append(result.seed)
        if result.failures or not quiet:
            show(result)
    print(*told(met), sep="\n")
    print(f"meetings: {len(seeds)}; failed: {failed or 'none'}")
    return bool(failed or empty(met))


def watch(*, all_views: bool) -> None:
    """Let a mistake that a node would keep to one table fail the match.

    Args:
        all_views: Whether to look at every view of every window, too.
    """
    faults.witnesses.append(_fail)
    if all_views:
        look_at_all()


def _fail(mistake: Exception) -> NoReturn:
    raise mistake


def results(
    seeds: range, jobs: int, play: Callable[[int], Result], *, all_views: bool
) -> Iterator[Result]:
    """Yield what comes of each seed, in order."""
    begin = partial(watch, all_views=all_views)
    if jobs == 1:
        begin()
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(jobs, initializer=begin) as pool:
        yield from pool.map(play, seeds, chunksize=4)


def show(result: Result) -> None:
    """Print a line about a run, and one about each failure."""
    print(
        f"{result.seed:5} {result.game:10} {result.members} nodes"
        f" {result.fairness} {result.entries:4} entries"
        f" {sum(result.faults.values()):3} faults"
        f" {result.seconds:7.1f} s {result.events:6} events {result.trace[:16]}"
        f" {'FAILED' if result.failures else 'ok'}",
        flush=True,
    )
    for failure in result.failures:
        print(f"        {failure}")


if __name__ == "__main__":
    gc.freeze()  # what is loaded stays, in each process: none is to look through it
    gc.set_threshold(*gc.get_threshold()[:2], 100)
    sys.exit(main())
