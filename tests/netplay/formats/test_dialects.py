"""Whole games as other programs write them, and what they were played with."""

import base64
from pathlib import Path

import pytest

from netplay.__main__ import main
from netplay.formats import gcg
from netplay.formats.gcg import GcgError
from netplay.formats.scoring import replayed
from netplay.formats.sheet import Kind
from netplay.sentences import Says
from rules import editions
from rules.editions import Edition
from tests.said import says

RECORDS = Path(__file__).parent / "records"

PLAYERS = "#player1 ann Ann\n#player2 ben Ben\n"
PLAY = ">ann: CAT 8H CAT +10 10\n"

MINI = """\
name = "mini"
title = "Mini"
language = "en"
words = "no-such-list"
longest = 8
rack = 5
bingo = 20
blanks = 1

[tiles]
"A" = [5, 1]
"B" = [4, 7]
"CH" = [3, 9]

[board]
start = [2, 2]
rows = \"\"\"
.  .  .  .  W2
.  .  .  .  .
.  .  W2 .  .
.  .  .  .  .
.  .  .  .  .
\"\"\"
"""

OWN = (
    f"{PLAYERS}#tile-set mini\n>ann: AABB[CH] 3A [CH]AB +34 34\n>ben: AABB A4 - +0 0\n"
).replace(" A4", "")


def mini() -> Edition:
    return editions.read(MINI)


def notes(edition: Edition) -> str:
    return "".join(f"{line}\n" for line in gcg.carrying(editions.encode(edition)))


@pytest.mark.parametrize(
    ("name", "edition", "scores", "withdrawn"),
    [
        ("quackle-phony", "standard", (338, 496), 1),
        ("quackle-incomplete", "standard", None, 0),
        ("poslfit", "standard", None, 1),
        ("woogles-french", "french", None, 1),
        ("macondo-german", "german", None, 1),
        ("macondo-spanish", "spanish", None, 0),
    ],
)
def test_a_whole_game_of_each_program_is_taken_without_a_doubt(
    name: str, edition: str, scores: tuple[int, ...] | None, withdrawn: int
) -> None:
    data = (RECORDS / f"{name}.gcg").read_bytes()

    taken = gcg.take(data)

    assert [text for line, text in taken.remarks if line] == []
    assert taken.sheet.edition == editions.shipped()[edition]
    kinds = [event.kind for event in taken.sheet.events]
    assert kinds.count(Kind.WITHDRAWN) == withdrawn
    found = replayed(taken.sheet)
    assert found.remarks == ()
    assert scores in {None, found.positions[-1].scores}
    again = gcg.take(gcg.write(taken.sheet))
    assert again.sheet.events == taken.sheet.events


@pytest.mark.parametrize(
    ("pragmas", "edition"),
    [
        ("#tile-set english set", "standard"),
        ("#tile-set English", "standard"),
        ("#tile-set standard", "standard"),
        ("#tile-distribution english", "standard"),
        ("#lexicon CSW21", "standard"),
        ("#lexicon NWL18_2", "standard"),
        ("#lexicon my-club", "standard"),
        ("#game-type classic", "standard"),
        ("#board-layout CrosswordGame", "standard"),
        ("#tile-distribution French", "french"),
        ("#tile-set Deutsch", "german"),
        ("#lexicon FRA20", "french"),
        ("#lexicon ODS8", "french"),
        ("#lexicon RD28", "german"),
        ("#lexicon FILE2017", "spanish"),
        ("#lexicon german", "german"),
        ("#lexicon CSW21\n#tile-distribution french", "french"),
        ("#tile-set networdz\n#lexicon CSW21", "networdz"),
    ],
)
def test_the_edition_is_the_one_that_pragmas_name(pragmas: str, edition: str) -> None:
    sheet = gcg.read(f"{PLAYERS}{pragmas}\n".encode())

    assert sheet.edition == editions.shipped()[edition]


@pytest.mark.parametrize(
    ("pragma", "reason"),
    [
        ("#tile-distribution polish", "no edition with the tiles 'polish'"),
        ("#tile-set english_super", "no edition with the tiles 'english_super'"),
        ("#lexicon OSPS49", "no edition with polish tiles here"),
        ("#lexicon NSF22", "no edition with norwegian tiles here"),
        ("#game-type wordsmog", "the game is 'wordsmog'"),
        ("#game-type classic_super", "the game is 'classic_super'"),
        ("#board-layout SuperCrosswordGame", "no edition with the board"),
    ],
)
def test_what_is_missing_is_named_and_the_game_never_scored_as_english(
    pragma: str, reason: str
) -> None:
    with pytest.raises(GcgError, match=f"line 3: .*{reason}"):
        gcg.read(f"{PLAYERS}{pragma}\n{PLAY}".encode())


@pytest.mark.parametrize(
    "keyword", ["tile-set", "tile-distribution", "board-layout", "game-type"]
)
def test_what_was_played_with_is_told_before_the_first_move(keyword: str) -> None:
    with pytest.raises(GcgError, match=f"line 4: #{keyword} "):
        gcg.read(f"{PLAYERS}{PLAY}#{keyword} french\n".encode())


def test_words_of_another_language_than_the_tiles_are_remarked_on() -> None:
    text = f"{PLAYERS}#tile-distribution french\n#lexicon CSW21\n"
    remarks = [said for _, said in gcg.take(text.encode()).remarks]

    assert {"name": "'CSW21'"} in [said.values for said in remarks]


def test_a_penalty_may_be_written_with_two_signs() -> None:
    sheet = gcg.read(f"{PLAYERS}{PLAY}>ann:  (time) +-10 0\n".encode())

    assert sheet.events[1].points == -10


@pytest.mark.parametrize("name", ["utf8", "UTF-8", "Latin1", "iso-8859-1"])
def test_encodings_have_several_names(name: str) -> None:
    assert gcg.read(f"#character-encoding {name}\n{PLAYERS}".encode()).players


def test_an_edition_of_ones_own_travels_inside_its_record() -> None:
    text = OWN + notes(mini())

    taken = gcg.take(text.encode())

    assert taken.sheet.edition == mini().digest
    assert gcg.write(taken.sheet).decode() == text
    assert [said for line, said in taken.remarks if line] == []


def test_other_programs_see_nothing_but_notes_of_an_edition() -> None:
    for line in notes(mini()).splitlines():
        assert line.startswith("#note ")
        assert line.isascii()


def test_somebody_elses_edition_is_shown_in_a_home_that_has_never_seen_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, sheet = tmp_path / "a.gcg", tmp_path / "a.netplay"
    source.write_text(OWN + notes(mini()), encoding="utf-8")
    home = ["--home", str(tmp_path / "home")]

    assert main([*home, "gcg", "import", str(source), str(sheet)]) == 0
    editions.forget("mini")
    assert main([*home, "show", str(sheet)]) == 0
    assert "CH" in capsys.readouterr().out
    assert main([*home, "analyse", str(sheet)]) == 1
    assert says(capsys.readouterr().err, Says.NO_LIST_FOR_LETTERS)
    out = tmp_path / "b.gcg"
    assert main([*home, "gcg", "export", str(sheet), str(out)]) == 0
    assert out.read_text("utf-8") == source.read_text("utf-8")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [*lines[:-1], "#note netplay-edition 1/2 AAAA"],
        lambda lines: [line.replace("1/1", "1/2") for line in lines],
        lambda lines: [line.replace("1/1", "2/2") for line in lines],
        lambda lines: [line[:-8] + "AAAAAAA=" for line in lines],
        lambda lines: [line[:-4] for line in lines],
        lambda _: ["#note netplay-edition 1/1 !!!"],
        lambda _: ["#note netplay-edition 1/1 " + base64.b64encode(b"x" * 90).decode()],
        lambda _: [f"#note netplay-edition {n}/99 AAAA" for n in range(1, 100)],
        lambda lines: lines + lines,
    ],
)
def test_a_damaged_edition_in_a_record_is_refused(spoil: object) -> None:
    assert callable(spoil)
    lines = spoil(notes(mini()).splitlines())

    with pytest.raises(GcgError) as caught:
        gcg.read((OWN + "\n".join(lines)).encode())
    assert "'mini'" not in str(caught.value)  # which is what is said without a note


def test_the_user_may_say_which_edition_a_record_was_played_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "a.gcg"
    source.write_bytes(
        (RECORDS / "woogles-french.gcg")
        .read_bytes()
        .replace(b"#lexicon FRA20", b"#title x")
        .replace(b"#tile-distribution french", b"#title y")
    )
    out, home = str(tmp_path / "out"), ["--home", str(tmp_path / "home")]
    words = [*home, "gcg", "import", str(source), out]

    assert main(words) == 0
    assert "--edition" in capsys.readouterr().err
    assert main([*words, "--edition", "french", "--force"]) == 0
    assert "scores" not in capsys.readouterr().err


def test_a_name_may_be_that_of_an_edition_of_the_users_own() -> None:
    editions.register(mini(), "mini")
    try:
        assert gcg.read(OWN.encode()).edition == mini().digest
    finally:
        editions.forget("mini")
    with pytest.raises(GcgError, match=" 'mini' "):
        gcg.read(OWN.encode())
