"""What is wrong with records and positions is said in the user's language."""

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


def test_every_error_of_a_position_has_its_sentence_and_its_values() -> None:
    error = cgp.CgpError("row {number} is too long", number=3)

    language.speak("de")
    told = language.phrase(spoken(error))
    assert " 3 " in told and told != str(error)
    assert error.words.values == {"number": "3"}
