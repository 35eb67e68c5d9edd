"""What is about the program itself: news, reports, measurements, completion."""

import argparse
import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec

import netplay
from netplay import home
from netplay.commands import COMMANDS, Command, command, window
from netplay.commands.sharing import add_force, spare
from netplay.daemon.reporting import report
from netplay.errors import Code, LocalError
from netplay.finding import news
from netplay.home import write_whole
from netplay.language import _, phrase
from netplay.parser import usage
from netplay.sentences import Says

# `netplay news`: notices of security releases, for those who want them.


def add_news(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "--from",
        dest="place",
        metavar="PLACE",
        help="look there from now on, and once a day while a node runs; a file, or an "
        "address that begins with https, which sees that you ask",
    )
    parser.add_argument("--off", action="store_true", help="look no more")


def run_news(arguments: argparse.Namespace) -> int:
    """Look now; 1 if this version has to be updated."""
    place = home.find(None)
    if arguments.off and arguments.place:
        raise LocalError(Code.USAGE, Says.NEWS_OR_OFF())
    if arguments.off:
        place.set(news.PLACE, "")
        print(phrase(Says.NEWS_ENDED()))
        return 0
    named: str = arguments.place
    note = news.first_note(place, named) if named else news.note_at(place)
    print(phrase(news.in_words(note)))
    return int(note.concerns())


# `netplay report`: one file to send with a complaint.


def add_report(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "out",
        nargs="?",
        type=Path,
        metavar="OUT.txt",
        help="where to (netplay-report-DATE.txt, here)",
    )
    add_force(parser)


def run_report(arguments: argparse.Namespace) -> int:
    """Write the report."""
    out: Path | None = arguments.out
    if out is None:
        out = Path(f"netplay-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt")
    out = spare(out, arguments)
    write_whole(out, report(home.find(None)).encode())
    text = _("written to {path}: read it through, then send it with what went wrong")
    print(text.format(path=out))
    return 0


# `netplay bench`: measure speed, as ratios in one run.


def add_bench(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    checkout = _checkout()
    known = ", ".join(_benches(checkout).BENCHES) if checkout else "tools/bench"
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=_("of {names} (all)").format(names=known),
    )
    parser.add_argument(
        "--quick", action="store_true", help="measure little: rough figures, soon"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run_bench(arguments: argparse.Namespace) -> int:
    """Measure and print.

    Raises:
        LocalError: USAGE, there is no checkout here, or no such bench.
    """
    checkout = _checkout()
    if checkout is None:
        text = _(
            "Speed is measured by tools/bench, which only a checkout of the project"
            " has. Start the command in its folder."
        )
        raise LocalError(Code.USAGE, text)
    rows: list[Any] = []
    for row in _benches(checkout).run(arguments.names, quick=arguments.quick):
        rows.append(row)
        if not arguments.json:
            text = f"{row.name:28} {row.value:12,.2f} {row.unit}"
            if row.ratio:
                text += f"   {row.ratio:.3g} x {row.versus} ({row.versus_value:,.2f})"
            print(text, flush=True)
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(rows)))
    return 0


def _checkout() -> Path | None:
    """Return the checkout of which this program is, or in which it is started."""
    places = (Path(netplay.__file__).parents[1], Path.cwd())
    return next((p for p in places if (p / "tools/bench/measuring.py").exists()), None)


def _benches(checkout: Path) -> Any:  # noqa: ANN401 (no part of the program)
    """Import what measures; processes that it starts find it, too."""
    if str(checkout) not in sys.path:
        sys.path.append(str(checkout))
        below = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (below, str(checkout))))
    return import_module("tools.bench")


# `netplay completion`: what a shell must know to complete our words.


SHELLS: Final = ("bash", "zsh", "fish")


def add_completion(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "shell",
        metavar="SHELL",
        choices=SHELLS,
        help="bash: put it into ~/.local/share/bash-completion/completions/netplay; "
        "zsh: as _netplay into a folder of $fpath; fish: into "
        "~/.config/fish/completions/netplay.fish",
    )


def run_completion(arguments: argparse.Namespace) -> int:
    """Print the script; the shell's own folder for such files takes it."""
    import shtab  # noqa: PLC0415 (only this command needs it)

    print(shtab.complete(whole_parser(), shell=arguments.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """Return one parser of all commands, for completion and manual pages.

    The program itself never makes it: that would import every command.
    """
    with usage():
        parser = argparse.ArgumentParser(
            prog="netplay",
            description=_(
                "Play word and board games with friends, from computer to computer."
            ),
        )
        parser.add_argument(
            "--version", action="store_true", help="tell the version and end"
        )
        parser.add_argument(
            "--verbose", action="store_true", help="with --version: those of all parts"
        )
        window.add(parser)
        _finish(parser)
        commands = parser.add_subparsers(metavar="COMMAND")
        for name, text in COMMANDS.items():
            module = command(name)
            one = commands.add_parser(name, help=_(text), description=_(module.HELP))
            module.add(one)
            _finish(one)
    return parser


def _finish(parser: argparse.ArgumentParser) -> None:
    """Add what every command takes, and say all in the user's language."""
    parser.add_argument(
        "--home", metavar="DIR", help="key, games, words and settings live here"
    )
    for action in parser._actions:  # noqa: SLF001 (there is no other way to them)
        action.help = _(action.help) if action.help else None


ROWS: Final[Mapping[str, Command]] = {
    "news": Command(
        HELP=(
            "notices of security releases, signed; off until you say where they"
            " are, with --from"
        ),
        add=add_news,
        run=run_news,
    ),
    "report": Command(
        HELP=("write one file to send with a complaint, without anything private"),
        add=add_report,
        run=run_report,
    ),
    "completion": Command(
        HELP="print what bash, zsh or fish needs to complete words",
        add=add_completion,
        run=run_completion,
    ),
    "bench": Command(
        HELP=("measure speed, each figure beside a yardstick of the same moment"),
        add=add_bench,
        run=run_bench,
    ),
}
"""The commands, by what is typed."""
