"""The program's front: commands found, wrong words refused in one line."""

import os
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from netplay.__main__ import WRONG_WORD, main
from netplay.commands import COMMANDS
from netplay.commands import command as command_of
from netplay.home_folder import VARIABLE
from netplay.language import LANGUAGES, _, speak
from netplay.players.words import kernel
from netplay.sentences import Says
from rules import GAMES
from tests.said import says


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0

    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in COMMANDS)


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("netplay ")


def test_the_versions_of_all_parts_are_told_on_wish(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--version", "--verbose"]) == 0

    said = capsys.readouterr().out
    assert all(
        re.search(rf"\b{part} \d", said)
        for part in ("netplay", "protocol", "python", "numlo", "trio", "pygame-ce")
    )


def test_the_versions_tell_that_words_are_found_without_the_kernel(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETPLAY_KERNEL", "off")
    kernel.module.cache_clear()
    try:
        assert main(["--version", "--verbose"]) == 0
    finally:
        kernel.module.cache_clear()

    assert " Python, " in capsys.readouterr().out


ENDED = """
import gc, sys
from netplay.__main__ import main
sys.argv = ["netplay", "completion", "bash"]
main()
print(gc.isenabled(), gc.get_freeze_count(), file=sys.stderr)
"""


def test_what_a_command_loads_is_never_searched_and_what_it_makes_is() -> None:
    words = [sys.executable, "-c", ENDED]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    searching, kept = done.stderr.split()
    assert searching == "True"
    assert int(kept) > 5000


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_every_command(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0

    script = capsys.readouterr().out
    assert all(re.search(rf"\b{name}\b", script) for name in COMMANDS)
    if shutil.which(shell):  # which reads it without a complaint
        read = subprocess.run(
            [shell, "-n"], input=script, text=True, capture_output=True, check=False
        )
        assert (read.returncode, read.stderr) == (0, "")


def test_help_says_where_each_shell_wants_its_completion(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["completion", "--help"])
    told = "".join(capsys.readouterr().out.split())
    places = ("bash-completion/completions/netplay", "_netplay", "netplay.fish")
    assert [place for place in places if place not in told] == []


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_offers_what_begins_with_the_letters_typed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["completion", "bash"]) == 0
    asked = """
COMP_WORDS=(netplay dem); COMP_CWORD=1
_shtab_netplay; echo "${COMPREPLY[@]}"
"""

    done = subprocess.run(
        ["bash"],
        input=capsys.readouterr().out + asked,
        text=True,
        capture_output=True,
        check=True,
    )

    assert done.stdout.split() == ["demo"]


needs_full = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="the system has no disk that is always full"
)


@needs_full
@pytest.mark.parametrize("words", ["levels", "--help"])
def test_an_output_without_room_is_said_in_one_line(words: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "netplay", *words.split()], stdout=full,
            stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.startswith("netplay")
    assert done.stderr.endswith(f"{Says.DISK_IS_FULL()}\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell")
def test_no_file_gets_the_number_of_a_stream_that_was_closed() -> None:
    """What is written to the stream would be written into the file."""
    program = """
import os, sys
from netplay.__main__ import main
sys.argv = ["netplay", "levels"]
told = main()
sys.stdin.isatty(), print("x"), sys.stderr.write("x")
sys.exit(told or os.open(os.devnull, os.O_RDONLY) < 3)
"""
    line = f"'{sys.executable}' -c '{program}' <&- >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], check=False).returncode == 0


@pytest.mark.parametrize(
    ("word", "hint"), [("playss", "did you mean plays?"), ("qqqq", "--help lists them")]
)
def test_a_wrong_command_gets_one_line_and_exit_2(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word]) == 2

    error = capsys.readouterr().err
    assert hint in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["plays"],
        ["plays", "--cgp", "15", "--tpo", "3"],
        ["plays", "--top", "x"],
        ["--port", "65536"],
        ["--debug-port", "-1"],
        ["--size", "5x"],
        ["web", "--port", "99999"],
        ["node", "--port", "65536"],
        ["show", "any.netplay", "--seat", "0"],
        ["play", "--seat", "0"],
        ["offer", "stop", "--seat", "-1"],
        ["status", "--table", "0"],
        ["call", "127.0.0.1", "--seat", "0"],
        ["picture", "any.netplay", "any.png", "--seat", "-1"],
    ],
    ids=" ".join,
)
def test_a_wrong_word_gets_one_line_and_exit_2(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(words)

    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert error.count("\n") == 1
    assert "--help" in error


@pytest.mark.parametrize(
    "words",
    [
        ["status", "--home", "~nobody-here/x"],
        ["import", "~nobody-here/x"],
        ["export", "x", "--passphrase-file", "~nobody-here/x"],
        ["backup", "~nobody-here/x", "--passphrase-file", "~nobody-here/y"],
        ["words", "add", "~nobody-here/x", "word"],
        ["words", "import", "mine", "~nobody-here/x"],
        ["news", "--from", "~nobody-here/x"],
        ["news", "--from", "https://[::"],
        ["news", "--from", "https://no name/"],
        ["verify", "~nobody-here/x"],
    ],
    ids=" ".join,
)
def test_a_place_that_cannot_be_is_told_in_words(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A folder of nobody's, an address that is none: nothing ends by an exception."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    assert main(words) in (1, 2)

    said = capsys.readouterr()
    assert said.err.strip()


def test_what_was_pasted_with_a_command_moves_no_cursor_and_fills_no_screen(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["join", "somebody", "\x1b[2J", "\u202egnp", "line\nline", "x" * 100_000])

    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert error.rstrip("\n").isprintable()
    assert "gnp" in error
    assert len(error) < 1_000


def test_what_the_job_finds_wrong_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plays", "--cgp", "nonsense"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("place", ["before", "joined", "after"])
def test_the_home_may_stand_before_or_after_the_command(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NETPLAY_HOME", "elsewhere")
    board = f"{'/'.join(['15'] * 15)} A/ 0/0 0"
    words = {
        "before": ["--home", str(tmp_path), "plays", "--cgp", board],
        "joined": [f"--home={tmp_path}", "plays", "--cgp", board],
        "after": ["plays", "--cgp", board, "--home", str(tmp_path)],
    }[place]

    assert main(words) == 0
    assert os.environ["NETPLAY_HOME"] == str(tmp_path)


def test_help_does_not_load_what_it_does_not_need() -> None:
    code = (
        "import sys; from netplay.__main__ import main; main(['--help']);"
        "slow = {'trio', 'pygame', 'msgspec', 'cryptography', 'argparse', 'pathlib'};"
        "print(slow & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.splitlines()[-1] == "set()"


@pytest.mark.parametrize("command", [*COMMANDS, "window"])
def test_every_command_has_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(
            [command, "--help"]
            if command != "window"
            else ["--size", "800x600", "--help"]
        )

    assert caught.value.code == 0
    assert "--home" in capsys.readouterr().out


class Noted(ArgumentParser):
    """A parser that notes what is said of each argument."""

    def __init__(self, **more: Any) -> None:  # those of a parser's verbs, too
        self.helps: list[str] = []
        super().__init__(**more)

    def add_argument(self, *names: Any, **more: Any) -> Any:
        self.helps += [more["help"]] if more.get("help") else []
        return super().add_argument(*names, **more)

    def add_mutually_exclusive_group(self, **more: Any) -> Any:
        group = super().add_mutually_exclusive_group(**more)
        add = group.add_argument

        def noted(*names: Any, **more: Any) -> Any:
            self.helps += [more["help"]] if more.get("help") else []
            return add(*names, **more)

        group.add_argument = noted  # type: ignore[method-assign]
        return group


def meant(command: str) -> list[str]:
    """Return what a command and its arguments are said to mean, as they are added."""
    module, parser = command_of(command), Noted()
    module.add(parser)
    return [module.HELP, *parser.helps]


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_help_is_in_the_language_of_the_user(
    language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def solid(text: str) -> str:  # however lines are broken
        return re.sub(r"\s", "", text)

    speak("en")
    english = {command: meant(command) for command in COMMANDS}
    monkeypatch.setenv("LANGUAGE", language)
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(_(text) in shown and text not in shown for text in COMMANDS.values())
    assert "usage: " not in shown
    for command, before in english.items():
        with pytest.raises(SystemExit):
            main([command, "--help"])
        shown = solid(capsys.readouterr().out)
        for was, added in zip(before, meant(command), strict=True):
            assert solid(_(added)) in shown
            assert _(added) != was or set(was.split(", ")) <= GAMES.keys(), was
        assert all(solid(_(text)) in shown for text in ("options", "usage: "))


def a_record(folder: Path, word: str) -> str:
    """Write another program's record of a game with one play; return where."""
    record = folder / "game.gcg"
    record.write_text(f"#player1 ann Ann\n>ann: CEHORSS 8D {word} +26 26\n")
    return str(record)


def test_a_file_of_another_program_is_named_and_the_way_to_take_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = a_record(tmp_path, "CHORE")
    home = ["--home", str(tmp_path / "home")]
    assert main(["show", record, *home]) == 1
    assert says(capsys.readouterr().err, Says.OTHER_PROGRAMS_RECORD)


def test_an_error_that_quotes_a_file_moves_no_cursor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = a_record(tmp_path, "CH\x1b[2JE")
    home = ["--home", str(tmp_path / "home")]
    assert main([*home, "gcg", "import", record, str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert error.rstrip("\n").isprintable()


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("joined", [False, True])
def test_the_home_may_stand_among_the_words_of_a_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, *, joined: bool
) -> None:
    monkeypatch.setenv("NETPLAY_HOME", "elsewhere")
    folder = str(tmp_path / "home")
    words = ["words", "check", "english", "cat"]
    words[at:at] = [f"--home={folder}"] if joined else ["--home", folder]
    assert main(words) == 0
    assert os.environ["NETPLAY_HOME"] == folder


def test_a_home_without_a_folder_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["status", "--home"])
    assert "--home" in capsys.readouterr().err


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() - {"en"}))
@pytest.mark.parametrize(
    "words",
    [
        "host",
        "host chess",
        "host numlo --colour",
        "host numlo --days 4",
        "host numlo --option fast",
        "node --port 99999",
        "analyse FILE --top 0",
        "arena numlo 1 2 --games many",
        "arena numlo 1 2 --seconds nan",
        "plays --cgp",
        "hots",
    ],
)
def test_a_wrong_word_is_said_in_the_users_language(
    language: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("NETPLAY_HOME", str(tmp_path))
    said: list[str] = []
    for code in ("en", language):
        monkeypatch.setenv("LANGUAGE", code)
        try:
            assert main(words.split()) == WRONG_WORD
        except SystemExit as ended:
            assert ended.code == WRONG_WORD
        assert os.environ["LANGUAGE"] == code
        said.append(capsys.readouterr().err)
    english, other = (re.findall(r"[^\W\d_]{3,}", text) for text in said)
    kept = {"netplay", "help", *re.findall(r"\w+", words), *GAMES}
    kept |= {"GAME", "argument", "arguments", "host"}  # French has the same; a command
    assert not set(english) & set(other) - kept
