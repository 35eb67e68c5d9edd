"""Makes the manual pages: `python -m tools.release.manual DIR`.

One of the program, and one of each command, all read off the parsers: what a page says
is what `--help` says.  argparse-manpage makes one page of 44 commands, each below its
usage in small print, and knows no verbs of commands (`netplay words look`).
"""

# ruff: noqa: SLF001 (argparse tells what it was told in no other way)
import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from netplay import VERSION
from netplay.commands import COMMANDS
from netplay.commands.upkeep import whole_parser

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

EXITS: Final = (
    ("0", "all is well"),
    ("1", "the job failed; one line says why"),
    ("2", "the words were not understood; one line says what would be right"),
)
MORE_EXITS: Final = {
    "verify": (
        ("0", "good: the match has ended, and all of it holds"),
        ("1", "bad: something does not hold"),
        ("2", "the words were not understood"),
        ("3", "unaudited: what is there holds, proofs of the draw are missing"),
        ("4", "unfinished: it holds so far"),
        ("5", "unknown: a word list, an edition or rules are missing here"),
    )
}
"""Of commands that say more by it."""

ENVIRONMENT: Final = (
    ("NETPLAY_HOME", "the folder of key, games, words and settings, as --home"),
    ("LANGUAGE, LC_ALL, LC_MESSAGES, LANG", "the language: en, fr, de, es or ru"),
    ("XDG_DATA_HOME", "where the home lies if nothing names it"),
)
FILES: Final = (
    ("~/.local/share/netplay", "the home, unless another one is named"),
    ("~/.local/share/netplay/journal.log", "the last events of the node"),
)


def main() -> None:
    """Write all pages into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(_day()).items():
        (folder / name).write_text(text, "utf-8")


def _day() -> str:
    """Return the day that pages carry, that of the commit if it is told."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    return time.strftime("%Y-%m-%d", time.gmtime(int(told) if told else None))


def pages(day: str) -> dict[str, str]:
    """Return the name of each page and its text.

    Args:
        day: What stands at the foot, as 2026-11-27.
    """
    parser = whole_parser()
    (verbs,) = _verbs(parser)
    made = {"netplay.1": "\n".join([*_program(parser, day), ""])}
    for name, one in verbs.choices.items():
        made[f"netplay-{name}.1"] = "\n".join([*_command(name, one, day), ""])
    return made


def _program(parser: argparse.ArgumentParser, day: str) -> Iterator[str]:
    """Yield the lines of the page of the program."""
    yield from _top("netplay", parser.description or "", day)
    yield ".SH SYNOPSIS"
    yield from (r"\fBnetplay\fR [\fIOPTION\fR]...", ".br")
    yield r"\fBnetplay\fR [\fB\-\-home\fR \fIDIR\fR] \fICOMMAND\fR [\fIARGUMENT\fR]..."
    yield ".SH DESCRIPTION"
    yield _plain(parser.description or "")
    yield "There is no server: each player's own computer runs a node, and the nodes"
    yield "of those who play call each other."
    yield from (".PP", "Without a command the window opens, with a node of its own if")
    yield "none runs for this home."
    yield from _arguments(parser, "OPTIONS")
    yield ".SH COMMANDS"
    for name, does in COMMANDS.items():
        yield from (".TP", rf"\fBnetplay\-{_plain(name)}\fR(1)", _plain(does))
    yield from _told("EXIT STATUS", EXITS)
    yield from _told("ENVIRONMENT", ENVIRONMENT)
    yield from _told("FILES", FILES)


def _command(name: str, parser: argparse.ArgumentParser, day: str) -> Iterator[str]:
    """Yield the lines of the page of one command."""
    yield from _top(f"netplay-{name}", COMMANDS[name], day)
    yield ".SH SYNOPSIS"
    yield from _synopsis(parser)
    yield ".SH DESCRIPTION"
    yield _plain(parser.description or "")
    yield from _arguments(parser, "OPTIONS")
    for verbs in _verbs(parser):
        texts = {each.dest: each.help for each in verbs._choices_actions}
        for verb, one in verbs.choices.items():
            yield from (f".SH {_plain(f'netplay {name} {verb}').upper()}", ".PP")
            yield from _synopsis(one)
            yield from (".PP", _plain(one.description or texts.get(verb) or ""))
            yield from _arguments(one, None)
    yield from _told("EXIT STATUS", MORE_EXITS.get(name, EXITS))
    yield from (".SH SEE ALSO", r"\fBnetplay\fR(1)")


def _top(page: str, about: str, day: str) -> Iterator[str]:
    """Yield how a page begins."""
    version = _plain(f"netplay {VERSION}")
    yield f'.TH "{_plain(page).upper()}" "1" "{day}" "{version}" "Netplay"'
    yield from (".nh", ".ad l")  # commands are typed as they stand
    yield from (".SH NAME", rf"{_plain(page)} \- {_plain(about.rstrip('.'))}")


def _synopsis(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield how a command is typed."""
    words = parser.format_usage().split(": ", 1)[-1].removeprefix(parser.prog)
    yield rf"\fB{_plain(parser.prog)}\fR {_plain(' '.join(words.split()))}"


def _arguments(parser: argparse.ArgumentParser, title: str | None) -> Iterator[str]:
    """Yield what a parser takes: arguments and then options, but for its verbs."""
    taken = [
        each
        for each in parser._actions
        if each.help != argparse.SUPPRESS
        and not isinstance(each, argparse._SubParsersAction)
    ]
    if title and taken:
        yield f".SH {title}"
    for each in sorted(taken, key=lambda one: bool(one.option_strings)):
        shape = parser._get_formatter()
        yield ".TP"
        yield _heading(each, shape)
        yield _plain(shape._expand_help(each) if each.help else "")


def _heading(action: argparse.Action, shape: argparse.HelpFormatter) -> str:
    """Return how one argument is typed."""
    name = shape._get_default_metavar_for_positional(action)
    if action.option_strings:
        name = shape._get_default_metavar_for_optional(action)
    value = shape._format_args(action, name) if action.nargs != 0 else ""
    told = rf"\fI{_plain(value)}\fR" if value else ""
    options = ", ".join(rf"\fB{_plain(one)}\fR" for one in action.option_strings)
    return " ".join(filter(None, (options, told)))


def _told(title: str, rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a section of terms and what they mean."""
    yield f".SH {title}"
    for term, text in rows:
        yield from (".TP", rf"\fB{_plain(term)}\fR", _plain(text))


def _verbs(parser: argparse.ArgumentParser) -> list[Verbs]:
    """Return what of a parser leads to other parsers."""
    return [
        each for each in parser._actions if isinstance(each, argparse._SubParsersAction)
    ]


def _plain(text: str) -> str:
    """Return a text as troff has it, in which nothing of it means anything else."""
    safe = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{safe}" if safe.startswith((".", r"\(aq")) else safe


if __name__ == "__main__":
    main()
