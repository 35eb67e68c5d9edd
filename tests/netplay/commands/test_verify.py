"""`netplay verify` as a script would use it: its verdicts and exit statuses."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from netplay import home
from netplay.__main__ import main
from netplay.match import dealing
from netplay.sentences import Says
from rules import lexicon
from rules.networdz import values
from tests.netplay.party import Party
from tests.said import says

KEYS = {"ok", "verdict", "audit", "fairness", "game", "entries", "places", "reason"}


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))


def file_of(party: Party, folder: Path) -> Path:
    path = folder / "match.netplay"
    path.write_bytes(party.archives[0].open(party.terms.nonce).read())
    return path


def played(*, to_the_end: bool = True) -> Party:
    party = Party("networdz", 2)
    party.link_all()
    party.settle()
    if to_the_end:
        party.play_out(Random(3))
    return party


def checked(path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, Any, str]:
    """Return the exit status, the JSON, and the text of a check."""
    status = main(["verify", str(path), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert main(["verify", str(path)]) == status
    assert report.keys() >= KEYS
    return status, report, capsys.readouterr().out


def test_a_match_that_is_over_and_audited_is_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, report, text = checked(file_of(played(), tmp_path), capsys)
    assert (status, report["verdict"], report["ok"]) == (0, "good", True)
    assert (report["audit"], report["fairness"]) == ("ok", "committed")
    assert text.startswith(f"good: {report['game']}")


def test_a_changed_file_is_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(played(to_the_end=False), tmp_path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    status, report, text = checked(path, capsys)
    assert (status, report["verdict"], report["ok"]) == (1, "bad", False)
    assert report["reason"].startswith("entry ")
    assert report["reason"] in text


def test_a_bag_that_was_never_opened_is_said_loudly_and_whose_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealing, "_openings", lambda *_: iter(()))
    status, report, text = checked(file_of(played(), tmp_path), capsys)
    assert (status, report["verdict"], report["ok"]) == (3, "unaudited", True)
    assert "M0" in report["reason"]
    assert text.startswith(f"NOT AUDITED: {report['game']}")


def test_a_match_that_goes_on_is_unfinished(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = file_of(played(to_the_end=False), tmp_path)
    status, report, _text = checked(path, capsys)
    assert (status, report["verdict"], report["ok"]) == (4, "unfinished", True)


def test_a_match_whose_words_are_not_here_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(played(), tmp_path)
    monkeypatch.setattr(lexicon, "find", lambda _: {}[0])
    status, report, text = checked(path, capsys)
    assert (status, report["verdict"], report["ok"]) == (5, "unknown", None)
    assert report["reason"].startswith("list ")
    assert text.startswith(f"unknown: {report['reason']}")
    assert str(home.find(None).words) in text
    assert "NETPLAY_HOME=DIR" in text
    assert says(text, Says.LIST_MISSING)
    for cached in vars(values).values():  # as in a program that has just started
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()
    for command in ("show", "analyse"):
        assert main([command, str(path)]) == 1
        told = capsys.readouterr().err
        assert says(told, Says.LIST_MISSING)
        assert "damaged" not in told
