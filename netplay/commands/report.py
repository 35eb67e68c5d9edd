"""`netplay report`: one file to send with a complaint."""

import argparse
from datetime import UTC, datetime
from pathlib import Path

from netplay import home
from netplay.commands.sharing import add_force, spare
from netplay.daemon.reporting import report
from netplay.home import write_whole
from netplay.language import _

HELP = "write one file to send with a complaint, without anything private"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument(
        "out",
        nargs="?",
        type=Path,
        metavar="OUT.txt",
        help="where to (netplay-report-DATE.txt, here)",
    )
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the report."""
    out: Path | None = arguments.out
    if out is None:
        out = Path(f"netplay-report-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt")
    out = spare(out, arguments)
    write_whole(out, report(home.find(None)).encode())
    text = _("written to {path}: read it through, then send it with what went wrong")
    print(text.format(path=out))
    return 0
