"""What is wrong with records and positions is said in the user's language."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from netplay import language
from netplay.__main__ import main
from netplay.formats import cgp, gcg
from netplay.formats.gcg import GcgError
from netplay.said import spoken

PLAYERS = "#player1 ann Ann\n#player2 ben Ben\n"
EMPTY = "/".join(["15"] * 15)


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LANGUAGE", "de")
    yield
    language.speak("en")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (">ann: CAT 8Z CAT +9 9\n", "es gibt kein Feld 8Z"),
        (">ann: C4T - +0 0\n", "'4' ist kein Stein dieser Ausgabe"),
        ("what\n", "eine Zeile beginnt mit > oder #"),
        (">ann: CAT A1 CAT +5 5\n", "Das Wort muss das Mittelfeld bedecken"),
        (
            "#lexicon OSPS49\n",
            "die Wörter sind die von 'OSPS49': hier gibt es keine Ausgabe",
        ),
        ("#note netplay-edition 1/1 AAAA\n", "ist beschädigt: das ist keine Ausgabe"),
    ],
)
def test_a_faulty_record(
    text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "bad.gcg"
    source.write_text(PLAYERS + text, encoding="utf-8")
    words = ["gcg", "import", str(source), str(tmp_path / "out")]

    assert main(["--home", str(tmp_path / "home"), *words]) == 1

    said = capsys.readouterr().err
    assert f"{source}, Zeile 3: " in said
    assert why in said
    with pytest.raises(GcgError) as caught:
        gcg.read(source.read_bytes())
    assert str(caught.value) not in said


def test_what_is_odd_about_a_record_wherever_it_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, sheet = tmp_path / "a.gcg", str(tmp_path / "out")
    moves = ">ann: CAT 8H CAT +9 9\n>ben: QQ - +0 0\n>ann: (AB) +5 14\n"
    source.write_text(PLAYERS + moves, encoding="utf-8")
    home = ["--home", str(tmp_path / "home")]
    scores = "der Zug bringt 10 (CAT 10), nicht 9"
    tiles = "das macht 2 Steine Q, es gibt aber 1"

    assert main([*home, "gcg", "import", str(source), sheet]) == 0
    said = capsys.readouterr().err
    assert f"Hinweis: Zeile 3: {scores}\n" in said
    assert f"Hinweis: Zeile 4: {tiles}\n" in said
    assert main([*home, "show", "--moves", sheet]) == 0
    assert f"! {scores}\n" in capsys.readouterr().out
    assert main([*home, "verify", sheet]) == 0
    said = capsys.readouterr().out
    assert "Prüfung keine: ein Spielbogen, den niemand unterschrieben hat" in said
    assert f"Zug 1: {scores}; Zug 2: {tiles}; Zug 3: " in said


def test_a_faulty_score_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, sheet = tmp_path / "a.gcg", tmp_path / "out"
    source.write_text(f"{PLAYERS}>ann: CAT - +0 0\n", encoding="utf-8")
    home = ["--home", str(tmp_path / "home")]
    assert main([*home, "gcg", "import", str(source), str(sheet)]) == 0
    sheet.write_bytes(sheet.read_bytes() + b"!")
    capsys.readouterr()

    assert main([*home, "verify", str(sheet)]) == 1
    assert "der Spielbogen ist beschädigt: auf sein Ende" in capsys.readouterr().out
    assert main([*home, "gcg", "export", str(sheet), str(tmp_path / "b")]) == 1
    assert "der Spielbogen ist beschädigt: auf sein Ende" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("foo", "eine CGP-Zeile hat Brett, Bänkchen, Punktestände"),
        (f"{EMPTY} A5/ 0/0 0", "auf dem Bänkchen ist '5', das ist hier kein Stein"),
        (
            f"{EMPTY} A/ 0/0 0 var mine;",
            "das Spiel ist 'mine', das wird hier nicht gespielt",
        ),
    ],
)
def test_a_faulty_position(
    line: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--home", str(tmp_path), "plays", "--cgp", line]) == 2

    assert why in capsys.readouterr().err


def test_what_is_odd_about_a_position_is_german_and_english_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    position = f"{EMPTY} QQ/ 0/0 0 lex XYZ1;"

    assert main(["--home", str(tmp_path), "plays", "--cgp", position, "--json"]) == 0

    out, said = capsys.readouterr()
    assert "Hinweis: Steine Q sind da: 2, es gibt aber nur 1\n" in said
    assert "die Wortliste 'XYZ1' ist nicht hier: die Wörter sind die von " in said
    absent, surplus = json.loads(out)["warnings"]
    assert absent.startswith("the word list 'XYZ1' is not here: words are those of '")
    assert surplus == "there are 2 tiles Q, but only 1"


def test_every_error_of_a_position_has_its_sentence_and_its_values() -> None:
    error = cgp.CgpError("row {number} is too long", number=3)

    language.speak("de")
    assert language.phrase(spoken(error)) == "Reihe 3 ist zu lang"
    assert str(error) == "row 3 is too long"
