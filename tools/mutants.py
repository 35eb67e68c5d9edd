"""Try mutants: small changes of a module, each of which some test should notice.

    python -m tools.mutants netplay/record/fold.py netplay/peering/gate.py --number 20

Cosmic Ray makes and runs them in a copy of the last commit; `mutants.toml` says which.
The tests are those of `tools.plants.tested`, and have to pass without a mutant.  It is
a sample by chance, with one mutant at a place.  What survives is shown as a change: a
test is missing, or the code is not needed, or the mutant means the same.
"""

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from re import fullmatch
from typing import Any, Final

from tools.plants.tested import mapped

WISHES: Final = Path(__file__).with_suffix(".toml")

CONFIG: Final = """\
[cosmic-ray]
module-path = {module}
timeout = {seconds}
excluded-modules = []
test-command = {command}

[cosmic-ray.distributor]
name = "local"
"""


def sample(session: Path, left_out: Sequence[str], number: int, seed: int) -> None:
    """Leave so many mutants in a session, each at a place of its own."""
    with closing(sqlite3.connect(session)) as database, database:
        places: dict[tuple[int, int], list[str]] = {}
        for job, operator, row, column in database.execute(
            "SELECT job_id, operator_name, start_pos_row, start_pos_col"
            " FROM mutation_specs ORDER BY 3, 4, 2, occurrence, operator_args"
        ):
            if not any(fullmatch(pattern, operator) for pattern in left_out):
                places.setdefault((row, column), []).append(job)
        chance = random.Random(seed)  # noqa: S311 (nothing is secret here)
        chosen = chance.sample(sorted(places), min(number, len(places)))
        kept = [(chance.choice(places[place]),) for place in chosen]
        database.execute("CREATE TEMP TABLE kept (job_id)")
        database.executemany("INSERT INTO kept VALUES (?)", kept)
        for table in ("mutation_specs", "work_items"):
            database.execute(
                f"DELETE FROM {table} WHERE job_id NOT IN kept"  # noqa: S608 (ours)
            )


def outcomes(session: Path) -> Iterator[tuple[str, str]]:
    """Yield what became of each mutant: the outcome, and the change."""
    with closing(sqlite3.connect(session)) as database:
        yield from database.execute(
            "SELECT iif(output = 'timeout', 'TIMEOUT', test_outcome), diff"
            " FROM work_results"
        )


def _try(module: Path, copy: Path, asked: argparse.Namespace) -> tuple[int, int]:
    """Try a module's mutants; return how many were tried and how many survived."""
    wishes: dict[str, Any] = tomllib.loads(WISHES.read_text())
    tests = mapped(str(module), copy)
    command = [sys.executable, "-m", "pytest", "-x", "-q", *tests]
    config, session = copy.parent / "config.toml", copy.parent / "session.sqlite"
    session.unlink(missing_ok=True)
    text = CONFIG.format(
        module=json.dumps(str(module)),
        seconds=float(wishes["seconds"]),
        command=json.dumps(" ".join(command)),
    )
    config.write_text(text)
    subprocess.run(command, cwd=copy, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([asked.tool, "init", config, session], cwd=copy, check=True)
    sample(session, wishes["left-out"], asked.number, asked.seed)
    subprocess.run([asked.tool, "exec", config, session], cwd=copy, check=True)
    found = list(outcomes(session))
    survived = [diff for outcome, diff in found if outcome == "SURVIVED"]
    late = sum(outcome == "TIMEOUT" for outcome, _diff in found)
    told = f"{len(found)} tried, {len(survived)} survived, {late} took too long"
    print(f"{module}: {told}", flush=True)
    for diff in survived:
        print(diff, flush=True)
    return len(found), len(survived)


def main() -> None:
    """Try what the command line asks for."""
    parser = argparse.ArgumentParser(description="Try mutants of modules.")
    parser.add_argument("modules", nargs="+", type=Path, metavar="MODULE")
    parser.add_argument("--number", type=int, default=20, help="of each (20)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (0)")
    parser.add_argument("--tool", default="cosmic-ray", help="where Cosmic Ray is")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        subprocess.run(["git", "clone", "-q", ".", copy], check=True)
        counts = [_try(module, copy, asked) for module in asked.modules]
    tried, survived = (sum(column) for column in zip(*counts, strict=True))
    print(f"{tried} tried, {survived} survived")


if __name__ == "__main__":
    main()
