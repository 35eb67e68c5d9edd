"""The README names what there is."""

import gettext
import re
import subprocess
import sys
from pathlib import Path

import pytest

from netplay import limits, named_files

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


MIB = 1 << 20

LIMITS = {
    "tables in hand": f"{limits.TABLES}",
    "tables to which one host has called, before they begin": (
        f"{limits.TABLES_OF_A_HOST}"
    ),
    "a match": f"{limits.MATCH_ENTRIES:,} entries, {limits.MATCH_BYTES // MIB} MiB",
    "moves of ours that wait to be entered": f"{limits.SUBMITS_WAITING}",
    "chat of a table": (
        f"{limits.CHAT_BYTES // MIB} MiB, {limits.CHAT_KEPT:,} lines of each author"
    ),
    "a word list or edition of others": f"{limits.RESOURCE_BYTES // MIB} MiB",
    "a word list of yours, as text": f"{named_files.WORD_TEXT_BYTES // MIB} MiB",
    "an edition of yours": f"{named_files.EDITION_BYTES // MIB} MiB",
    "memory for reading a file": f"{named_files.FILE_MEMORY_BYTES >> 30} GiB",
    "windows and commands at once": f"{limits.DOOR_CLIENTS}",
    "open links; connections not yet open": f"{limits.LINKS}; {limits.HALF_OPEN}",
    "lines carried for others, of one node": (
        f"{limits.LINES_CARRIED}, {limits.LINES_A_PEER}"
    ),
    "letters kept for others": (
        f"{limits.LETTERS_KEPT:,}, {limits.LETTERS_KEPT_BYTES // MIB} MiB"
    ),
    "letters of one author, and of those for one reader": (
        f"{limits.LETTERS_A_PEER}, {limits.LETTERS_A_PAIR}"
    ),
    "strangers of whom you are asked": (
        f"{limits.CALLS_AT_ONCE:.0f}, then one in {1 / limits.CALLS_A_SECOND:.0f} s"
    ),
    "lines about strangers in the journal": (
        f"{limits.STRANGER_LINES_AT_ONCE:.0f}, then one in "
        f"{1 / limits.STRANGER_LINES_A_SECOND:.0f} s"
    ),
    "known nodes that you never called; blocked keys": (
        f"{limits.PEERS_REMEMBERED}; {limits.BLOCKED:,}"
    ),
}


def test_the_limits_in_the_readme_are_those_of_the_program() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    table = readme.partition("<!-- limits -->\n")[2].partition("\n\n")[0]
    _head, _line, *rows = table.splitlines()
    told = dict(row.strip("| ").split(" | ") for row in rows)
    assert told == LIMITS


def test_the_readme_has_one_command_to_try_and_one_to_test() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    told = re.findall(r"<!-- (\w+) command -->\n```sh\n([^\n]+)\n```\n", readme)
    assert [what for what, _line in told] == ["demo", "test"]
    assert readme.count(" command -->") == 2
    assert all(line.startswith("python3 -m venv .venv && ") for _what, line in told)
