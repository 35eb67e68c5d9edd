"""Plant small faults one at a time, and count which the tests catch.

    python -m tools.plants                  all of faults.toml
    python -m tools.plants netplay/bag      those of one package
    python -m tools.plants --check          only whether each still fits its file

Each fault is a line of the program as somebody might have written it by mistake, with
what a player would notice of it.  It is planted in a copy of the last commit, and the
tests that `mapped` names are run until one fails.  What survives is printed.
"""

import argparse
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

from msgspec import Struct, convert

from tools.plants.tested import mapped

LISTED: Final = Path(__file__).with_name("faults.toml")
SECONDS: Final = 300
"""For the tests of one fault: a test that hangs has noticed it."""


class Fault(Struct, frozen=True):
    """A fault to plant."""

    file: str
    was: str
    becomes: str
    seen: str
    """What a player notices."""
    beside: tuple[str, ...] = ()
    """Tests that no rule would look for: of another package."""

    @property
    def package(self) -> str:
        """The package that it lies in: `client/pages`, `rules/numlo`."""
        return "/".join(self.file.split("/")[:2])

    def planted(self, text: str) -> str:
        """Return a file's text with the fault in it.

        Raises:
            ValueError: The words stand there not once.
        """
        if text.count(self.was) != 1 or self.was == self.becomes:
            raise ValueError(f"{self.file}: not once there: {self.was!r}")
        return text.replace(self.was, self.becomes)


def faults() -> list[Fault]:
    """Return all faults that are listed."""
    return convert(tomllib.loads(LISTED.read_text())["fault"], list[Fault])


def caught(fault: Fault, copy: Path) -> bool:
    """Tell whether a test of a copy fails with a fault planted there."""
    path = copy / fault.file
    text = path.read_text()
    path.write_text(fault.planted(text))
    tests = mapped(fault.file, copy)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *dict.fromkeys((*fault.beside, *tests))],
            cwd=copy, timeout=SECONDS, check=False, capture_output=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(text)
    return done.returncode == 1


def main() -> None:
    """Plant what the command line asks for."""
    parser = argparse.ArgumentParser(description="Plant faults, count those caught.")
    parser.add_argument("under", nargs="*", help="only faults of files below these")
    parser.add_argument("--check", action="store_true", help="only whether they fit")
    asked = parser.parse_args()
    under = tuple(asked.under) or ("",)
    chosen = [fault for fault in faults() if fault.file.startswith(under)]
    if asked.check:
        for fault in chosen:
            fault.planted(Path(fault.file).read_text())
        print(f"{len(chosen)} faults fit")
        return
    found: dict[str, Counter[bool]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        subprocess.run(["git", "clone", "-q", ".", copy], check=True)
        for fault in chosen:
            began = time.monotonic()
            known = caught(fault, copy)
            found[fault.package][known] += 1
            took = f"{time.monotonic() - began:.0f} s"
            word = "caught" if known else "SURVIVED"
            print(f"{word} {took} {fault.file}: {fault.seen}", flush=True)
    print(f"\n{'package':<22}{'planted':>8}{'caught':>8}")
    for package, counts in sorted(found.items()):
        print(f"{package:<22}{counts.total():>8}{counts[True]:>8}")
    whole = sum(found.values(), Counter())
    share = f"{100 * whole[True] / max(1, whole.total()):.0f} %"
    print(f"{'all':<22}{whole.total():>8}{whole[True]:>8}  {share}")


if __name__ == "__main__":
    main()
