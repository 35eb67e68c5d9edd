"""`netplay bench`: measure speed, as ratios in one run.

What measures is no part of the program that is installed: it lies in `tools/bench` of
a checkout, and the command works where one is.
"""

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

import netplay
from netplay.errors import Code, LocalError
from netplay.language import _

HELP = "measure speed, each figure beside a yardstick of the same moment"


def add(parser: argparse.ArgumentParser) -> None:
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


def run(arguments: argparse.Namespace) -> int:
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
            print(_text(row), flush=True)
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


def _text(row: Any) -> str:  # noqa: ANN401 (a row of what measures)
    text = f"{row.name:28} {row.value:12,.2f} {row.unit}"
    if row.ratio:
        text += f"   {row.ratio:.3g} x {row.versus} ({row.versus_value:,.2f})"
    return text
