"""`netplay bench` as a script would use it; no figure is judged here."""

import json

import pytest

from netplay.__main__ import main


def test_rows_have_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "numlo", "--json"]) == 0

    (row,) = json.loads(capsys.readouterr().out)
    assert set(row) == {"name", "value", "unit", "versus", "versus_value", "ratio"}
    assert row["value"] > 0


def test_an_unknown_bench_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "everything"]) == 2
    assert "there are start, lexicon" in capsys.readouterr().err
