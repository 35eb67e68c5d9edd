"""Time the start of the program against that of Python itself."""

import subprocess
import sys
from collections.abc import Iterator

from netplay.bench.measuring import Row, paired, ratio_row, timed


def rows() -> Iterator[Row]:
    """Measure."""
    yield _against(
        "start: netplay --help",
        ("-m", "netplay", "--help"),
        ("-c", "pass"),
        "python -c pass",
    )
    foreign = "import trio, msgspec, ssl, cryptography.x509"
    yield _against(
        "start: a node's modules",
        ("-c", "import netplay.daemon.starting"),
        ("-c", foreign),
        f"python -c '{foreign}'",
    )


def _against(
    name: str, ours: tuple[str, ...], theirs: tuple[str, ...], versus: str
) -> Row:
    """Return the row of two ways to start Python."""
    rounds = paired(
        lambda: timed(lambda: _process(*ours)),
        lambda: timed(lambda: _process(*theirs)),
    )
    return ratio_row(name, "ms", versus, rounds)


def _process(*words: str) -> None:
    """Run Python with some arguments, its output thrown away."""
    subprocess.run(  # noqa: S603 (ourselves)
        [sys.executable, *words], check=True, stdout=subprocess.DEVNULL
    )
