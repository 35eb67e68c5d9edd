"""Speed, measured as ratios in one run: each figure beside a yardstick of the moment.

A machine that is busy or slow changes all figures together; their ratios last.  Each
row is correct before it is fast: what is timed is also checked.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from importlib import import_module
from typing import Final, cast

from netplay.errors import Code, LocalError
from tools.bench.measuring import Bench, Row, quickly

BENCHES: Final = (
    "start", "lexicon", "plays", "numlo", "games", "frames", "fanout", "moves",
    "resting", "bag", "calls", "browser", "besieged",
)  # fmt: skip
"""Names on the command line, and of the modules here that measure."""


def run(names: list[str], *, quick: bool = False) -> Iterator[Row]:
    """Yield the rows of some benches, or of all.

    Args:
        names: Of benches; none for all.
        quick: Whether to measure little, to see that it goes.

    Raises:
        LocalError: USAGE, there is no such bench.
    """
    for name in names:
        if name not in BENCHES:
            known = ", ".join(BENCHES)
            raise LocalError(
                Code.USAGE, f"there is no bench {name!r}; there are {known}"
            )
    with quickly() if quick else nullcontext():
        for name in names or BENCHES:
            yield from cast("Bench", import_module(f"{__name__}.{name}")).rows()


__all__ = ["BENCHES", "Row", "run"]
