"""Plant small faults one at a time, and count which the tests catch.

    python -m tools.plants                  all of faults.toml
    python -m tools.plants netplay/bag      those of one package
    python -m tools.plants --open           only those that nothing is known to catch
    python -m tools.plants --share          what is known, by package: nothing is run
    python -m tools.plants --check          only whether each still fits its file

Each fault is a line of the program as somebody might have written it by mistake, with
what a player would notice of it.  It is planted in a copy of the last commit, and the
tests that `mapped` names are run until one fails, first the one that caught it before.
What came out is kept in `found.tsv`, and what is not caught is printed.
"""

import argparse
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from msgspec import Struct, convert

from tools.plants.tested import mapped

LISTED: Final = Path(__file__).with_name("faults.toml")
KEPT: Final = Path(__file__).with_name("found.tsv")
PATIENCE: Final = 600
"""Seconds for the tests of one fault: beyond, nothing is known."""
HANGS: Final = 150
"""Seconds for one test, which has noticed the fault if it goes on longer."""


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

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by in what is kept, though its line is written anew."""
        return self.file, hashlib.sha256(self.seen.encode()).hexdigest()[:10]

    def planted(self, text: str) -> str:
        """Return a file's text with the fault in it.

        Raises:
            ValueError: The words stand there not once.
        """
        if text.count(self.was) != 1 or self.was == self.becomes:
            raise ValueError(f"{self.file}: not once there: {self.was!r}")
        return text.replace(self.was, self.becomes)


class Found(NamedTuple):
    """What came out for a fault."""

    word: str
    """`caught`; `alive` if all tests passed; else `undecided`."""
    test: str = ""
    """What caught it."""


def faults() -> list[Fault]:
    """Return all faults that are listed."""
    return convert(tomllib.loads(LISTED.read_text())["fault"], list[Fault])


def kept() -> dict[tuple[str, str], Found]:
    """Return what came out before, by the keys of faults."""
    lines = (line.split("\t") for line in KEPT.read_text().splitlines())
    return {(file, digest): Found(word, test) for file, digest, word, test in lines}


def keep(found: Mapping[tuple[str, str], Found]) -> None:
    """Write what came out, of the faults that are listed still."""
    listed = {fault.key for fault in faults()}
    lines = sorted("\t".join((*key, *found[key])) for key in found if key in listed)
    KEPT.write_text("\n".join(lines) + "\n")


def tried(
    fault: Fault, copy: Path, before: str = "", patience: float = PATIENCE
) -> Found:
    """Plant a fault in a copy, and return what its tests make of it.

    Args:
        fault: What is planted.
        copy: Of the whole checkout.
        before: The test that caught it before, which goes first.
        patience: How many seconds they have, all together.
    """
    path = copy / fault.file
    text, at = path.read_text(), path.stat().st_mtime
    tests = [*fault.beside, *mapped(fault.file, copy)]
    found = Found("undecided")
    path.write_text(fault.planted(text))
    # Compiled files are told apart by size and second alone: a fault as long as what it
    # takes the place of would be there still after it was pulled out, and the fault
    # before it instead of one that is as long.
    os.utime(path, (at, at + 2 + int(fault.key[1], 16) % 1_000_000))
    try:
        if before and (copy / before.partition("::")[0]).exists():
            found = _run([before], copy, patience)
        if found.word != "caught":
            found = _run(list(dict.fromkeys(tests)), copy, patience)
    finally:
        path.write_text(text)
        os.utime(path, (at, at))
    if found.word == "caught" and found.test != before:
        # A test that fails without the fault, too, says nothing about it.
        alone = _run([found.test], copy, patience)
        return found if alone.word == "alive" else Found("undecided")
    return found


def _run(tests: list[str], copy: Path, patience: float) -> Found:
    """Run tests until one fails or hangs, in processes of their own."""
    command = [sys.executable, "-m", "pytest", "-x", "-v", "--tb=no", *tests]
    own = {**os.environ, "PYTHONPATH": str(copy)}  # of nodes that tests start, too
    ends = time.monotonic() + patience
    with tempfile.NamedTemporaryFile("w+") as said:
        run = subprocess.Popen(
            [*command, "-p", "no:cacheprovider"], cwd=copy, env=own,
            stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        hangs = False
        while run.poll() is None and not hangs and time.monotonic() < ends:
            time.sleep(0.2)
            hangs = time.time() - os.fstat(said.fileno()).st_mtime > HANGS
        if run.returncode is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        lines = Path(said.name).read_text(errors="replace").splitlines()
    failed = [re.match(r"(tests/.*?) (?:FAILED|ERROR) +\[", line) for line in lines]
    named = [match[1] for match in failed if match]
    if hangs:
        named = [line.strip() for line in lines if line.startswith("tests/")][-1:]
    if (run.returncode == 1 or hangs) and named:
        return Found("caught", named[0])
    return Found("alive" if run.returncode == 0 else "undecided")


def _told(
    chosen: Iterable[Fault], found: Mapping[tuple[str, str], Found]
) -> Iterable[str]:
    """Yield the share of what is caught by package, as lines."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for fault in chosen:
        word = found.get(fault.key, Found("undecided")).word
        for place in (fault.package, "all"):
            counts[place][word] += 1
    yield f"{'package':<20}{'planted':>8}{'caught':>8}{'alive':>7}{'undecided':>11}"
    for place in sorted(counts, key=lambda place: (place == "all", place)):
        each, planted = counts[place], counts[place].total()
        line = f"{place:<20}{planted:>8}{each['caught']:>8}{each['alive']:>7}"
        yield f"{line}{each['undecided']:>11}{each['caught'] / planted:>7.0%}"


def main() -> None:
    """Plant what the command line asks for."""
    parser = argparse.ArgumentParser(description="Plant faults, count those caught.")
    parser.add_argument("under", nargs="*", help="only faults of files below these")
    parser.add_argument("--open", action="store_true", help="only those not caught yet")
    parser.add_argument("--share", action="store_true", help="only what is known")
    parser.add_argument("--check", action="store_true", help="only whether they fit")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--seconds", type=float, default=PATIENCE, help="for each")
    asked = parser.parse_args()
    under, found = tuple(asked.under) or ("",), kept()
    chosen = [fault for fault in faults() if fault.file.startswith(under)]
    if asked.check:
        for fault in chosen:
            fault.planted(Path(fault.file).read_text())
        every = {(fault.file, fault.was, fault.becomes) for fault in chosen}
        if len(every) < len(chosen):
            raise SystemExit("a fault is listed twice, and would count twice")
        print(f"{len(chosen)} faults fit")
        return
    plant = [] if asked.share else chosen
    if asked.open:
        plant = [each for each in plant if found.get(each.key, ("",))[0] != "caught"]
    with tempfile.TemporaryDirectory() as folder:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.jobs if plant else 0):
            copy = Path(folder, str(number))
            subprocess.run(["git", "clone", "-q", ".", copy], check=True)
            copies.put(copy)

        def one(fault: Fault) -> tuple[Fault, Found, float]:
            copy, began = copies.get(), time.monotonic()
            before = found.get(fault.key, Found("undecided")).test
            came = tried(fault, copy, before, asked.seconds)
            copies.put(copy)
            return fault, came, time.monotonic() - began

        with ThreadPoolExecutor(asked.jobs) as pool:
            for done in as_completed([pool.submit(one, fault) for fault in plant]):
                fault, came, took = done.result()
                found[fault.key] = came
                keep(found)
                line = f"{came.word} {took:.0f} s {fault.file}: {fault.seen}"
                print(line, came.test, flush=True)
    print(*_told(chosen, found), sep="\n")


if __name__ == "__main__":
    main()
