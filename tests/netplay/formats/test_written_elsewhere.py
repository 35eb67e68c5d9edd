"""Records as other programs write them, and records that are wrong on purpose."""

from pathlib import Path
from typing import Any

import pytest

from netplay.__main__ import main
from netplay.formats import gcg
from netplay.formats.gcg import GcgError
from rules import editions

HEAD = "#player1 ann Ann Example\n#player2 ben Ben Example\n"
GAME = f"""\
{HEAD}>ann: CEHORSS 8D CHORE +26 26
>ben: AINRST? H8 .NTRAIzS +74 74
"""
BACK = ">ben: AINRST? -- -74 0\n"


def remarks(text: str, encoding: str = "utf-8") -> list[tuple[int, Any]]:
    """Return the remarks; what is exported reads as the same."""
    taken = gcg.take(text.encode(encoding))
    assert gcg.take(gcg.write(taken.sheet)).sheet == taken.sheet
    return list(taken.remarks)


@pytest.mark.parametrize(
    "pragmas",
    [
        "#board-layout standard15",
        "#board-layout classic",
        "#board-layout CrosswordGame",
        "#game-board Standard",
        "#tile-set english set\n#tile-distribution english",
        "#board-layout standard15\n#game-board crosswordgame",
        "#title\tA game\n#id io.example 12\n#style x",
        "#description Saved by another program\non two lines",
        "#incomplete",
        "#tile CH ch",
    ],
)
def test_what_other_programs_write_above_a_game_is_read_without_a_doubt(
    pragmas: str,
) -> None:
    sheet = gcg.read(f"{pragmas}\n{GAME}".encode())

    assert remarks(f"{pragmas}\n{GAME}") == []
    assert sheet.edition == editions.shipped()["standard"]


@pytest.mark.parametrize("board", ["SuperCrosswordGame", "board21", "17x17"])
def test_a_board_of_another_size_is_refused(board: str) -> None:
    with pytest.raises(GcgError, match=f"line 3: .* '{board}' "):
        gcg.read(f"{HEAD}#board-layout {board}\n".encode())


@pytest.mark.parametrize(
    "text",
    [
        GAME.replace("\n", "\r\n"),
        GAME.replace("\n", "\n\n\n"),
        GAME.replace("\n", " \t\n  "),
        "\ufeff" + GAME,
        GAME + "\x1a",
        GAME.replace("#player1 ann ", "#player1\tann\t"),
        GAME.replace("ann", "a:b"),
        GAME.replace("ann", "<i>#@!"),
        GAME.replace("8D CHORE", "8d CHORE"),
        GAME.replace("CEHORSS", ""),
        GAME.replace("CEHORSS", "cehorss"),
        GAME.replace(">ben: AINRST? H8 .NTRAIzS +74 74", ">ben: AINRST? pass +0 0"),
        GAME.replace(">ben: AINRST? H8 .NTRAIzS +74 74", ">ben: AINRST? (pass) +0 0"),
        GAME + "#note one\x0cpage, one\u2028break and \x85\n",
        GAME + ">ben: EEE (challenge) +5 79\n",
        GAME + BACK + ">ann: SS 8D .....S +11 37\n",
        GAME + "#rack1 AB\n#rack2 Q\n#incomplete\n",
    ],
)
def test_small_differences_between_programs_leave_no_doubt(text: str) -> None:
    assert remarks(text) == []
    assert len(gcg.read(text.encode()).events) >= 2


def test_a_file_in_two_bytes_a_letter_is_refused_as_that() -> None:
    with pytest.raises(GcgError, match=r"line 1: .*not 'UTF-16'"):
        gcg.read(GAME.encode("utf-16"))


def test_columns_set_by_blanks_and_words_behind_the_total_leave_no_doubt() -> None:
    """As some write by hand: small letters in squares, and words without full stops."""
    remark = "one, two"
    play = f">ben: RAINST?   h8   ENTRAIzS    +74   74   {remark}\n"
    text = f"#incomplete \n{HEAD}>ann: CEHORSS  8d   CHORE   +26   26  \n{play}"
    text += ">ben: EEEEEEE  (challenge) +5 79\n"
    found = gcg.take(text.encode())
    assert found.remarks == ()
    assert found.sheet.events[1].tiles == ".NTRAIzS"
    assert found.sheet.events[1].remark == remark


def test_an_ellipsis_of_windows_in_a_latin_1_file_ends_no_line() -> None:
    data = (GAME + "#note well").encode() + b"\x85 played by Zo\xe9\n"

    taken = gcg.take(data)

    assert taken.remarks == ()
    assert gcg.write(taken.sheet) == data


@pytest.mark.parametrize(
    ("text", "line", "remark"),
    [
        (GAME.replace("+26 26", "+26"), 3, "the total is missing: it is 26"),
        (GAME + BACK.replace("-74 0", "+74 148"), 5, "scored 74, not -74"),
        (GAME + ">ann: S (challenge) +5 31\n", 5, "no play of that player's"),
        (f"{HEAD}>ann: S (challenge) +5 5\n", 3, "no play of that player's"),
        (GAME + ">ann: S (time) -10 16\n>ann: SS - +0 16\n", 6, "at the end"),
        (GAME + "#title late\n", 5, "#title comes before the first move"),
        (GAME + "#lexicon CSW21\n", 5, "#lexicon comes before the first move"),
        (f"#title a\n#title b\n{GAME}", 2, "#title stands there twice"),
        (GAME + "#rack1 A\n#rack1 B\n", 6, "#rack1 stands there twice"),
        (f"#note a\n{GAME}", 1, "no move before this note"),
        (GAME + "#rack1 SS\n>ann: SS - +0 26\n", 6, "behind #rack1 or #rack2"),
        (
            f"#tile-set english\n#tile-distribution french\n{GAME}",
            2,
            "do not agree; #tile-set counts",
        ),
        (GAME.replace("Ben Example", "Ann Example"), 2, "two players are called"),
        (
            HEAD + ">ann: A - +0 0\n>ben: B - +0 0\n" * 4,
            9,
            "6 turns without points came before",
        ),
        (
            GAME + ">ben: (challenge) +5 79\n>ben: (challenge) +5 84\n",
            6,
            "that play was challenged already",
        ),
        (
            GAME + ">ann: SS (time) -10 16\n>ann: SS (time) -10 6\n",
            6,
            "was counted for that player already",
        ),
        (
            GAME + ">ben: (challenge) +500 574\n",
            5,
            "no rules give 500 points for a challenge",
        ),
        (GAME + f"#note {'so ' * 300}\n", 5, "the line has 905 characters"),
        (
            GAME.replace("+26 26", f"+26 26 {'so ' * 300}"),
            3,
            "and some programs read only 512",
        ),
        (
            HEAD + "#player3 cyd Cyd\n>ann: A - +0 0\n>cyd: C - +0 0\n",
            5,
            "it is the turn of another player, by their order",
        ),
        (
            GAME + ">ann: S (S) -1 25\n>ann: S (S) -1 24\n",
            6,
            "counted for that player already",
        ),
    ],
)
def test_what_is_wrong_on_purpose_is_never_read_without_a_note(
    text: str, line: int, remark: str
) -> None:
    assert any(at == line and remark in said for at, said in remarks(text))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (GAME.replace("+26 26", "+999999 26"), 3, "'\\+999999' is no number of points"),
        (GAME.replace("+26 26", ""), 3, "the points and the total are missing"),
        (GAME[:-20], 4, "is no number of points|missing"),
        (GAME.replace(">ben:", ">Ben Example:"), 4, "nobody is called 'Ben Example'"),
        (GAME.replace(">ben:", ">Ben"), 4, "a nickname and a colon"),
        ("#player5 eve Eve\n" + GAME, 1, "players are #player1 to #player4"),
        ("#player0 eve Eve\n" + GAME, 1, "players are #player1 to #player4"),
        (GAME + "#rack7 S\n", 5, "there is no player 7"),
        (GAME.replace("CEHORSS 8D CHORE", "CEHORSS - C"), 3, "'C' is no number"),
    ],
)
def test_a_refusal_gives_the_true_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(GcgError, match=reason) as caught:
        gcg.read(text.encode())

    assert caught.value.line == line


def test_the_command_reads_a_file_of_another_program_and_writes_it_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, sheet, out = (tmp_path / name for name in ("a.gcg", "a.netplay", "b.gcg"))
    source.write_bytes(f"#board-layout ClubNight\r\n{GAME}\x1a".encode())
    home = ["--home", str(tmp_path / "home"), "gcg"]

    assert main([*home, "import", str(source), str(sheet)]) == 0
    assert "'ClubNight'" in capsys.readouterr().err
    assert main([*home, "export", str(sheet), str(out)]) == 0
    again = gcg.take(out.read_bytes())
    assert again.sheet == gcg.take(source.read_bytes()).sheet
