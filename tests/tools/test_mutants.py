"""The sample of mutants."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tools.mutants import sample


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
