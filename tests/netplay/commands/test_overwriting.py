"""No command writes over a file of the user's unless it is told to."""

from pathlib import Path
from typing import get_args

import pytest
import trio
from msgspec.structs import replace

from netplay.__main__ import main
from netplay.demo.player import Player
from netplay.demo.show import Actor, living
from netplay.errors import Code, LocalError
from netplay.home import Home
from netplay.messages.door import HostTable, Question, Save, StartMatch
from netplay.messages.node_questions import ExportWords, WordQuestion, WriteEdition
from netplay.sentences import Says
from rules import editions
from tests.netplay.formats.test_dialects import OWN, mini, notes
from tests.said import says

THESIS = b"three years of work"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that the user is in, with a score sheet and words."""
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path / "home"))
    here = tmp_path / "Bébé, Ünsal and friends"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "a.gcg").write_text(OWN + notes(mini()), encoding="utf-8")
    assert main(["gcg", "import", "a.gcg", "sheet"]) == 0
    (here / "words.txt").write_text("AA\nCAT\n", encoding="utf-8")
    return here


COMMANDS = (
    ("gcg", "import", "a.gcg", "out.txt"),
    ("gcg", "export", "sheet", "out.txt"),
    ("words", "import", "words.txt", "out.txt"),
    ("words", "export", "english", "out.txt"),
    ("words", "add", "english", "netplay", "--out", "out.txt"),
    ("report", "out.txt"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_file_that_is_there_stays_unless_it_may_go(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = folder / "out.txt"
    out.write_bytes(THESIS)
    capsys.readouterr()
    assert main([*words]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{Code.TAKEN.text}: {out};" in error
    assert "--force" in error
    assert out.read_bytes() == THESIS
    assert main([*words, "--force"]) == 0
    assert out.read_bytes() != THESIS


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_a_relative_name_is_in_the_users_folder_and_the_answer_says_all_of_it(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main([*words]) == 0
    assert (folder / "out.txt").exists()
    assert str(folder / "out.txt") in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [("save", "out.png"), ("picture", "sheet", "out.png")], ids=" ".join
)
def test_what_the_node_or_the_window_writes_is_asked_for_before(
    words: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.png").write_bytes(THESIS)
    assert main([*words]) == 1
    assert says(capsys.readouterr().err, Code.TAKEN)
    assert (folder / "out.png").read_bytes() == THESIS


def test_a_picture_is_not_written_under_the_name_of_another_kind(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("board.jpg", "board"):
        with pytest.raises(SystemExit) as caught:
            main(["picture", "sheet", name])
        assert caught.value.code == 2
        assert " .png," in capsys.readouterr().err
        assert not (folder / name).exists()


def test_a_folder_is_not_written_over_even_by_force(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "inner").mkdir()
    assert main(["words", "export", "english", "inner", "--force"]) == 2
    assert says(capsys.readouterr().err, Says.A_FOLDER)


def test_the_node_too_writes_over_no_file_unless_it_may(folder: Path) -> None:
    """Whatever a window asks it to write: each question that can say `over`."""
    home, out = Home(folder.parent / "anna"), folder / "out"
    home.prepare()
    anna = Actor(home, "Anna", Player("hexagrams"), None)
    rules = editions.write(editions.load("networdz"))

    async def asked() -> None:
        async with living(anna):
            ask = anna.player.ask
            await ask(HostTable("hexagrams", ("person", "person"), (), "", ""))
            await ask(StartMatch())
            [kept] = map(str, home.matches.glob("*.netplay"))
            questions = (
                Save(str(out)),
                Save(str(out), kept=kept),
                ExportWords("networdz", "english", str(out)),
                WriteEdition(str(out), rules),
            )
            can_say = {
                kind
                for kind in get_args(Question | WordQuestion)
                if "over" in kind.__struct_fields__
            }
            assert {type(each) for each in questions} == can_say
            for question in questions:
                out.write_bytes(THESIS)
                with pytest.raises(LocalError) as caught:
                    await ask(question)
                assert caught.value.code is Code.TAKEN
                assert out.read_bytes() == THESIS
                await ask(replace(question, over=True))
                assert out.read_bytes() != THESIS

    trio.run(asked)
