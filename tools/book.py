"""Builds the book, strictly: `python -m tools.book [--out DIR]`, build/book at first.

The chapters are `docs/`, read as they stand.  What the program says itself is taken
from it, so that nothing is written twice: rules from the lessons, options of commands
from the parsers.  The protocol is `protocol.md`.

Zensical makes the pages: Material for MkDocs ends in May 2027, MkDocs 1 has nobody who
keeps it, and this is what those who made Material go on with.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag, urlsplit

from typing_extensions import override

from netplay.commands import COMMANDS
from netplay.commands.upkeep import whole_parser

ROOT: Final = Path(__file__).resolve().parents[1]
LESSONS: Final = re.compile(
    r"<!-- lessons of (\w+), the picture in (\d) -->\n.*?(!\[[^\n]*)\n<!-- end .*? -->",
    re.DOTALL,
)
"""A game, the lesson that its picture shows, and the picture."""

OF_THE_BOARD: Final = re.compile(r"\s*\b(?:Here|In this lesson) [^.]*\.")
"""What a lesson says of its own board, which the book does not show."""

OPTIONS: Final = re.compile(r"[^\n]*\n<!-- options of commands -->")
PICTURE: Final = re.compile(r"!\[[^\]]*\]\((pictures/[^)]+)\)")


def main() -> int:
    """Build; 1 if anything is wrong, which is said."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--out", type=Path, default=ROOT / "build" / "book")
    out: Path = words.parse_args().out
    os.environ.update(LANGUAGE="en", NO_COLOR="1")
    gather(ROOT, out)
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(build, cwd=out, check=False)
    wrong = [] if done.returncode else list(broken(out / "site"))
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if done.returncode or wrong else 0


def gather(root: Path, out: Path) -> None:
    """Lay what the book is made of into a folder, as Zensical wants it.

    Args:
        root: The sources.
        out: Emptied first, if there is something.
    """
    shutil.rmtree(out, ignore_errors=True)
    chapters = out / "docs"
    shutil.copytree(root / "docs", chapters)
    shutil.move(chapters / "zensical.toml", out / "zensical.toml")
    shutil.copy(root / "protocol.md", chapters)
    for page in sorted(chapters.glob("*.md")):
        text = page.read_text("utf-8").replace("](../protocol.md", "](protocol.md")
        text = LESSONS.sub(lambda found: "\n".join(lessons(*found.groups())), text)
        # On a phone a window is too small to be read: a tap shows it as large as it is.
        text = PICTURE.sub(r"[\g<0>](\1)", text)
        text = OPTIONS.sub(lambda _found: "\n".join(options()), text)
        page.write_text(text, "utf-8")


def lessons(game: str, shown: str, picture: str) -> Iterator[str]:
    """Yield the rules of a game, as its lessons tell them in the window.

    Args:
        game: A key of `GAMES`.
        shown: The number of the lesson that has a picture.
        picture: In Markdown.
    """
    told = import_module(f"client.{game}.lessons").lessons()
    for number, each in enumerate(told, 1):
        yield f"## {each.title}\n\n{OF_THE_BOARD.sub('', each.text)}\n"
        if number == int(shown):
            yield f"{picture}\n"


def options() -> Iterator[str]:
    """Yield what each command takes, as `--help` says it."""
    parser = whole_parser()
    yield "### netplay\n"
    yield from taken(parser)
    yield "All commands know `--help` and `--home`, too.\n"
    for name, one in verbs(parser):
        yield f"### netplay {name}\n\n{safe(one.description or COMMANDS[name])}\n"
        yield from taken(one, without=("help", "home"))
        for _verb, deeper in verbs(one):
            yield from taken(deeper, without=("help",))


def taken(
    parser: argparse.ArgumentParser, without: Collection[str] = ()
) -> Iterator[str]:
    """Yield how a command is typed, and a table of all that it takes."""
    # What may be left out stands in the table, and would fill lines here.
    shape = parser._get_formatter()  # noqa: SLF001 (argparse tells it in no other way)
    needed = [
        each
        for each in parser._actions  # noqa: SLF001
        if not each.option_strings or each.required
    ]
    shape.add_usage(None, needed, (), "")
    yield f"`{' '.join(shape.format_help().split())}`\n"
    shape = parser._get_formatter()  # noqa: SLF001
    rows = [
        f"| `{shape._format_action_invocation(each)}` "  # noqa: SLF001
        f"| {safe(shape._expand_help(each)) if each.help else ''} |"  # noqa: SLF001
        for each in parser._actions  # noqa: SLF001
        if each.help != argparse.SUPPRESS
        and each.dest not in without
        and not isinstance(each, argparse._SubParsersAction)  # noqa: SLF001
    ]
    if rows:
        yield "\n".join(("| it takes | |", "|---|---|", *rows, ""))


def safe(text: str) -> str:
    """Return a text in which nothing means anything else to Markdown."""
    return re.sub(r"([|*<])", r"\\\1", text)


def verbs(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield what a parser leads to, by its name."""
    for each in parser._actions:  # noqa: SLF001 (argparse tells it in no other way)
        if isinstance(each, argparse._SubParsersAction):  # noqa: SLF001
            yield from each.choices.items()


class Page(HTMLParser):
    """What a page links to, and the places on it to which others can."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep where a tag leads, and its name."""
        told = dict(attrs)
        self.places.add(told.get("id") or "")
        link = told.get("src") if tag == "img" else told.get("href")
        if link and tag in {"a", "img"}:
            self.links.append(link)


def broken(site: Path) -> Iterator[str]:
    """Yield the links of a built book that lead nowhere, one line each.

    Those to other sites are left alone: a build needs no network.
    """
    pages = {
        page.resolve(): Page(page.read_text("utf-8")) for page in site.rglob("*.html")
    }
    for page, told in pages.items():
        for link in told.links:
            path, place = urldefrag(link)
            if urlsplit(link).scheme or page.name == "404.html":
                continue
            there = (page.parent / unquote(path)).resolve() if path else page
            there = there / "index.html" if there.is_dir() else there
            where = page.relative_to(site.resolve())
            if not there.is_file():
                yield f"{where}: {link} is not there"
            elif place and unquote(place) not in pages[there].places:
                yield f"{where}: {link} names no place on that page"


if __name__ == "__main__":
    raise SystemExit(main())
