"""`netplay words` as a player would use it."""

from pathlib import Path

import pytest

from netplay.__main__ import main


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))


def said(capsys: pytest.CaptureFixture[str], code: int, *words: str) -> str:
    assert main(["words", *words]) == code
    captured = capsys.readouterr()
    return captured.out or captured.err


def test_a_list_is_imported_changed_checked_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine, back = tmp_path / "a.txt", str(tmp_path / "my"), tmp_path / "b.txt"
    text.write_text("AA\nCAT\nDOG\n", encoding="utf-8")

    assert "words imported: 3" in said(capsys, 0, "import", str(text), mine)
    assert "added: 1" in said(capsys, 0, "add", mine, "bird")
    assert "deleted: 1" in said(capsys, 0, "delete", mine, "dog")
    assert said(capsys, 0, "check", mine, "bird", "cat") == "bird: yes\ncat: yes\n"
    assert said(capsys, 1, "check", mine, "dog") == "dog: no\n"
    said(capsys, 0, "export", mine, str(back))
    assert back.read_text("utf-8") == "AA\nBIRD\nCAT\n"


def test_a_faulty_line_is_named_and_nothing_is_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", tmp_path / "my"
    mine.write_bytes(b"as it was")
    text.write_text("CAT\nD0G\n", encoding="utf-8")

    assert "line 2" in said(capsys, 1, "import", str(text), str(mine), "--force")
    assert mine.read_bytes() == b"as it was"


def test_the_programs_own_list_is_copied_not_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "give --out" in said(capsys, 2, "add", "english", "netplay")
    mine = str(tmp_path / "my")
    said(capsys, 0, "add", "english", "netplay", "--out", mine)
    assert "yes" in said(capsys, 0, "check", mine, "netplay")


def test_spanish_digraphs_are_single_letters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, mine = tmp_path / "a.txt", str(tmp_path / "my")
    text.write_text("CHO\nLLA\nAÑO\n", encoding="utf-8")
    spanish = ["--edition", "spanish"]

    said(capsys, 0, "import", str(text), mine, *spanish)
    assert "yes" in said(capsys, 0, "check", mine, "llá", *spanish)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["add", "none.words", "cat"], "none.words"),
        (["import", "none.txt", "out"], "No such file"),
        (["check", "english", "cat", "--edition", "klingon"], "no edition"),
        (["delete", "english", "qqq", "--out", "x"], "qqq is not in the dictionary"),
    ],
    ids=str,
)
def test_what_cannot_be_gets_one_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    error = said(capsys, 1, *words)
    assert reason in error
    assert error.count("\n") == 1


def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xff\xfe\x00")
    assert "not UTF-8" in said(capsys, 1, "import", str(path), str(tmp_path / "b"))


def test_a_word_is_looked_up_with_the_reason_why_it_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = tmp_path / "a.txt"
    text.write_text("AA\nQOPH\n", encoding="utf-8")
    said(capsys, 0, "import", str(text), str(tmp_path / "my"))

    assert said(capsys, 0, "look", "cat") == "CAT is in the dictionary\n"
    refused = said(capsys, 1, "look", "--list", str(tmp_path / "my"), "cat")
    assert refused == "CAT is not in the dictionary; these have it: english\n"
    refused = said(capsys, 1, "look", "xqzzy")
    assert "no other list of these letters has it" in refused
    refused = said(capsys, 1, "look", "a", "c4t")
    assert "does not have 2 to 12 letters" in refused
    assert "4" in refused.splitlines()[1].partition(";")[2]
