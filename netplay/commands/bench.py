"""`netplay bench`: measure speed, as ratios in one run."""

import argparse
import json

import msgspec

from netplay import bench
from netplay.language import _

HELP = "measure speed, each figure beside a yardstick of the same moment"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    known = ", ".join(bench.BENCHES)
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


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    rows = list[bench.Row]()
    for row in bench.run(arguments.names, quick=arguments.quick):
        rows.append(row)
        if not arguments.json:
            print(_text(row), flush=True)
    if arguments.json:
        print(json.dumps(msgspec.to_builtins(rows)))
    return 0


def _text(row: bench.Row) -> str:
    text = f"{row.name:28} {row.value:12,.2f} {row.unit}"
    if row.ratio:
        text += f"   {row.ratio:.3g} x {row.versus} ({row.versus_value:,.2f})"
    return text
