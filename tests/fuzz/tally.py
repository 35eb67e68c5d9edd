"""What came of hostile bytes, counted; and how much memory that took."""

import resource
import sys
import traceback
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from netplay.errors import Code, NetplayError
from rules.game import IllegalMoveError

LIMIT_MIB: Final = 100
"""Of resident memory, whatever comes."""

KEPT: Final = 5
"""Of each kind of failure."""


class Tally:
    """The outcomes so far."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.examples: list[str] = []

    @property
    def total(self) -> int:
        return self.outcomes.total()

    @contextmanager
    def one(self, what: str, data: bytes, *, fine: str = "taken") -> Generator[None]:
        """Count one input by what comes of it.

        Args:
            what: Who was given it, for the report of a failure.
            data: The input.
            fine: What to call it when nothing is raised.
        """
        try:
            yield
        except NetplayError as error:
            assert error.code in Code
            self.outcomes[error.code.name] += 1
            if error.code in LOCAL:
                self._failed(what, data, error)
        except IllegalMoveError:
            self.outcomes["ILLEGAL_MOVE"] += 1
        except Exception as error:  # noqa: BLE001 (that is what we look for)
            self.outcomes["!"] += 1
            self._failed(what, data, error)
        else:
            self.outcomes[fine] += 1

    def _failed(self, what: str, data: bytes, error: Exception) -> None:
        """Remember an error that no bytes may cause."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        kind = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}"
        self.failures[kind] += 1
        if self.failures[kind] <= KEPT:
            lines = "".join(traceback.format_exception(error))
            self.examples.append(f"{what}: {data.hex()}\n{lines}")

    @property
    def good(self) -> bool:
        return not self.failures and peak_mib() < LIMIT_MIB

    def report(self, seconds: float) -> str:
        """Return the figures."""
        rate = self.total / max(seconds, 1e-9)
        codes = ", ".join(f"{name} {n}" for name, n in self.outcomes.most_common())
        head = f"{self.total} inputs in {seconds:.0f} s ({rate:.0f} a second)"
        memory = f"peak resident memory {peak_mib():.0f} MiB (limit {LIMIT_MIB})"
        wrong = "; ".join(f"{n} x {kind}" for kind, n in self.failures.items())
        lines = [head, memory, f"outcomes: {codes}", f"failures: {wrong or 'none'}"]
        return "\n".join([*lines, *self.examples])


LOCAL: Final = frozenset(
    {Code.DISK, Code.PORT_IN_USE, Code.NO_ADDRESS, Code.NO_ANSWER, Code.USAGE}
)
"""What is never the fault of bytes."""


def peak_mib() -> float:
    """Return the most memory this process ever had, in MiB.

    Where the system tells it of this program alone: `getrusage` counts what the
    process was before it became this program, a copy of whoever started it.
    """
    status = Path("/proc/self/status")
    if status.exists():
        [line] = [x for x in status.read_text().splitlines() if "VmHWM" in x]
        return int(line.split()[1]) / 1024
    unit = 1024 if sys.platform != "darwin" else 1
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
