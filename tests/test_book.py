"""README and the book name what there is, and the book can be built."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from netplay import limits, named_files
from tools import book
from tools.texts import catalogue

ROOT = Path(__file__).parents[1]
CHAPTERS = sorted((ROOT / "docs").glob("*.md"))
GAMES = ["networdz", "lhexicon", "numlo", "hexagrams", "hexcolumns"]


def prose() -> str:
    """Return what players read: README, and the book without the protocol."""
    pages = [ROOT / "README.md", *CHAPTERS]
    return "\n".join(page.read_text("utf-8") for page in pages)


def test_every_command_stands_in_the_book() -> None:
    words = [sys.executable, "-m", "netplay", "--help"]
    told = subprocess.run(words, capture_output=True, check=True, text=True, cwd=ROOT)
    commands = re.findall(r"^  ([a-z]+)  +\S", told.stdout, re.MULTILINE)
    chapter = (ROOT / "docs/commands.md").read_text("utf-8")
    assert len(commands) > 20
    assert [each for each in commands if f"`{each}`" not in chapter] == []
    rows = re.findall(r"^\| ((?:`[a-z]+`(?:, )?)+) \|", chapter, re.MULTILINE)
    told_of = [each for row in rows for each in re.findall(r"`([a-z]+)`", row)]
    assert sorted(told_of) == sorted(commands), "each in one row"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_chapter_with_its_rules_and_pictures(game: str) -> None:
    chapter = (ROOT / f"docs/{game}.md").read_text("utf-8")
    shown = re.findall(r"\]\((pictures/[a-z-]+\.png)\)", chapter)
    assert f"pictures/{game}.png" in shown
    assert len(shown) > 1
    assert f"<!-- lessons of {game}, the picture in " in chapter
    assert f"(docs/{game}.md)" in (ROOT / "README.md").read_text("utf-8")


def test_every_picture_is_shown_and_every_one_shown_is_there() -> None:
    shown = set(re.findall(r"\]\((?:docs/)?pictures/([a-z-]+\.png)\)", prose()))
    assert shown == {each.name for each in (ROOT / "docs/pictures").iterdir()}


def test_every_button_and_message_that_the_book_names_is_in_the_window() -> None:
    text = prose().replace("*Networdz for Windows*", "a program")
    named = re.findall(r"(?<!\*)\*([A-Z][^*\n]+|\.\.\. [^*\n]+)\*(?!\*)", text)
    known = catalogue.read(ROOT / "client/assets/locale/de/LC_MESSAGES/netplay.po")
    shown = "\n".join(str(each.id) for each in known).lower()
    assert len(named) > 20
    assert [each for each in named if each.strip(". ").lower() not in shown] == []


def test_each_promise_names_a_program_that_tried_to_break_it() -> None:
    days = (ROOT / "docs/days.md").read_text("utf-8").split("What holds, and")[1]
    safe = (ROOT / "SECURITY.md").read_text("utf-8").split("## What is promised")[1]
    held = re.findall(r"^- \*\*.*$", days + safe.split("\n## ")[0], re.MULTILINE)
    programs = {each.name for each in (ROOT / "tests/hostile").glob("test_*.py")}
    named = [set(re.findall(r"`(test_\w+\.py)`", each)) for each in held]
    assert set().union(*named) - programs == set()
    apart = ("**The line is private.**", "**What was acknowledged")
    without = [h for h, names in zip(held, named, strict=True) if not names]
    assert [each for each in without if not each[2:].startswith(apart)] == []
    assert len(held) > 10


MIB = 1 << 20

LIMITS = {
    "tables in hand": f"{limits.TABLES}",
    "tables to which one host has called, before they begin": (
        f"{limits.TABLES_OF_A_HOST}"
    ),
    "a game": f"{limits.MATCH_ENTRIES:,} entries, {limits.MATCH_BYTES // MIB} MiB",
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


def test_the_limits_in_the_book_are_those_of_the_program() -> None:
    chapter = (ROOT / "docs/wrong.md").read_text("utf-8")
    table = chapter.partition("<!-- limits -->\n")[2].partition("\n\n")[0]
    _head, _line, *rows = table.splitlines()
    told = dict(row.strip("| ").split(" | ") for row in rows)
    assert told == LIMITS


def test_the_readme_has_one_command_to_try_and_one_to_test() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    told = re.findall(r"<!-- (\w+) command -->\n```sh\n([^\n]+)\n```\n", readme)
    assert [what for what, _line in told] == ["demo", "test"]
    assert readme.count(" command -->") == 2
    assert all(line.startswith("python3 -m venv .venv && ") for _what, line in told)


def test_the_readme_is_read_in_two_minutes() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").split()) <= 900


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "client/DESIGN.md"])
def test_links_beside_the_book_lead_somewhere(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8"))
    files = [link for link in links if "://" not in link]
    assert files or name == "CONTRIBUTING.md"
    assert [link for link in files if not (page.parent / link).exists()] == []


def test_nothing_is_said_in_two_places() -> None:
    pages = [*CHAPTERS, *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]
    seen: dict[str, str] = {}
    twice = []
    for page in pages:
        for sentence in re.split(r"(?<=[.:?])\s+|\n", page.read_text("utf-8")):
            if len(sentence.split()) > 8:
                if sentence in seen:
                    twice.append((seen[sentence], page.name, sentence))
                seen[sentence] = page.name
    assert twice == []


needs_zensical = pytest.mark.skipif(
    importlib.util.find_spec("zensical") is None, reason="zensical builds the book"
)


@needs_zensical
def test_the_book_is_built_with_every_link_leading_somewhere(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tools.book", "--out", str(tmp_path / "book")]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "book/site"
    for chapter in [*CHAPTERS, ROOT / "protocol.md"]:
        page = (site / f"{chapter.stem}.html").read_text("utf-8")
        assert page.count('aria-current="page"') or page.count("nav__link--active")
    rules = (site / "lhexicon.html").read_text("utf-8")
    assert "earns 3 points for each empty hexagon in it" in rules
    assert rules.index('id="closing-a-trap"') < rules.index("lhexicon-trap.png")
    assert rules.index("lhexicon-trap.png") < rules.index('id="splitting-a-trap"')
    assert "Here CRUEL goes on" not in rules, "the board of a lesson is not shown"
    commands = (site / "commands.html").read_text("utf-8")
    assert "--print-unit" in commands
    assert "netplay words look WORD" in commands
    assert "netplay plays --cgp CGP" in commands


@pytest.mark.parametrize(
    ("link", "told"),
    [
        ("b.html", None),
        ("b.html#here", None),
        ("https://example.org/none", None),
        ("c.html", "c.html is not there"),
        ("b.html#there", "b.html#there names no place on that page"),
        ("#nowhere", "#nowhere names no place on that page"),
    ],
)
def test_a_link_that_leads_nowhere_is_told(
    tmp_path: Path, link: str, told: str | None
) -> None:
    (tmp_path / "a.html").write_text(f'<a href="{link}">go</a>', "utf-8")
    (tmp_path / "b.html").write_text('<h2 id="here">Here</h2>', "utf-8")
    wanted = [] if told is None else [f"a.html: {told}"]
    assert list(book.broken(tmp_path)) == wanted


@needs_zensical
def test_a_chapter_that_names_no_page_fails_the_build(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "protocol.md", tmp_path)
    with (tmp_path / "docs/words.md").open("a", encoding="utf-8") as page:
        page.write("\nSee [nothing](nothing.md).\n")
    book.gather(tmp_path, tmp_path / "book")
    words = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(
        words, check=False, capture_output=True, cwd=tmp_path / "book"
    )
    assert done.returncode != 0
