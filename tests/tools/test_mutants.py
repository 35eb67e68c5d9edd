"""The sample of mutants, and that the tests it names are there."""

import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tools.mutants import WISHES, against, sample

LISTED = tomllib.loads(WISHES.read_text())["tests"]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Path]:
    """Three mutants at each of four places, one of which is to be left out."""
    path = tmp_path / "session.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE mutation_specs (job_id, operator_name, start_pos_row,"
            " start_pos_col, occurrence, operator_args)"
        )
        database.execute("CREATE TABLE work_items (job_id)")
        for place in range(4):
            for kind in ("core/NumberReplacer", "core/AddNot", "core/VariableReplacer"):
                job = f"{place} {kind}"
                row = (job, kind, place, 7, 0, "{}")
                database.execute("INSERT INTO mutation_specs VALUES (?,?,?,?,?,?)", row)
                database.execute("INSERT INTO work_items VALUES (?)", (job,))
    yield path


def left(path: Path, table: str = "work_items") -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute(f"SELECT job_id FROM {table} ORDER BY 1").fetchall()
    return [job for (job,) in found]


def test_a_sample_has_one_mutant_at_a_place_and_none_that_is_left_out(
    session: Path,
) -> None:
    sample(session, ["core/Variable.*"], 9, seed=1)
    kept = left(session)
    assert kept == left(session, "mutation_specs")
    assert [job[0] for job in kept] == ["0", "1", "2", "3"]
    assert not any("Variable" in job for job in kept)


def test_a_sample_is_as_large_as_asked_for(session: Path) -> None:
    sample(session, [], 2, seed=1)
    assert len(left(session)) == 2


def test_the_against_a_module_begin_with_its_own() -> None:
    store = against(Path("netplay/record/store.py"), LISTED)
    assert store == ["tests/netplay/record/test_store.py", "tests/netplay/record"]
    agreement = against(Path("netplay/record/agreement.py"), LISTED)
    assert agreement[0] == "tests/netplay/match/test_agreement.py"


def test_every_test_that_is_named_for_mutants_is_there() -> None:
    top = WISHES.parent.parent
    for module, tests in LISTED.items():
        assert (top / module).exists() or (top / f"{module}.py").exists(), module
        assert all((top / test).exists() for test in tests), module
