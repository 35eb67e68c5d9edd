"""The README names what there is."""

import gettext
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_every_command_stands_in_the_readme() -> None:
    words = [sys.executable, "-m", "netplay", "--help"]
    told = subprocess.run(words, capture_output=True, check=True, text=True, cwd=ROOT)
    commands = re.findall(r"^  ([a-z]+)  +\S", told.stdout, re.MULTILINE)
    readme = (ROOT / "README.md").read_text("utf-8")
    assert len(commands) > 20
    assert [each for each in commands if f"`{each}`" not in readme] == []
    rows = re.findall(r"^\| ((?:`[a-z]+`(?:, )?)+) \|", readme, re.MULTILINE)
    told_of = [each for row in rows for each in re.findall(r"`([a-z]+)`", row)]
    assert sorted(told_of) == sorted(commands), "each in one row"


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_every_picture_that_the_readme_shows_is_there(game: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"\]\((client/pictures/[a-z]+\.png)\)", readme)
    assert f"client/pictures/{game}.png" in shown
    assert all((ROOT / path).is_file() for path in shown)


def test_every_button_and_message_that_the_readme_names_is_in_the_window() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    readme = readme.replace("*Networdz for Windows*", "a program")
    named = re.findall(r"(?<!\*)\*([A-Z][^*\n]+|\.\.\. [^*\n]+)\*(?!\*)", readme)
    with (ROOT / "client/assets/locale/de/LC_MESSAGES/netplay.mo").open("rb") as file:
        known = gettext.GNUTranslations(file)._catalog
    shown = "\n".join(str(each) for each in known).lower()
    assert len(named) > 20
    assert [each for each in named if each.strip(". ").lower() not in shown] == []


def test_the_readme_has_one_command_to_try_and_one_to_test() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    told = re.findall(r"<!-- (\w+) command -->\n```sh\n([^\n]+)\n```\n", readme)
    assert [what for what, _line in told] == ["demo", "test"]
    assert readme.count(" command -->") == 2
    assert all(line.startswith("python3 -m venv .venv && ") for _what, line in told)
