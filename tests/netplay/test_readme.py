"""The README names what there is."""

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


@pytest.mark.parametrize("game", ["networdz", "lhexicon", "numlo", "hexagrams"])
def test_every_picture_that_the_readme_shows_is_there(game: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = re.findall(r"\]\((client/pictures/[a-z]+\.png)\)", readme)
    assert f"client/pictures/{game}.png" in shown
    assert all((ROOT / path).is_file() for path in shown)
