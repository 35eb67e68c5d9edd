"""`netplay verify`: check the file of a match, trusting nobody."""

import argparse
import json
from pathlib import Path

from netplay import home
from netplay.daemon.looking import checked
from netplay.formats import checking
from netplay.formats.sheet import is_sheet
from netplay.record.verify import Verdict, verify

HELP = "check the file of a match alone: signatures, hashes, rules, draws, audit"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Check and say what was found; exit code 1 if anything is wrong."""
    data = checked(arguments.file, home.find(None))
    found = checking.verify(data) if is_sheet(data) else verify(data)
    if arguments.json:
        report = {
            "ok": found.ok,
            "game": found.game,
            "entries": found.entries,
            "moves": found.moves,
            "places": found.places,
            "audit": found.audit,
            "reason": found.reason,
        }
        print(json.dumps(report))
    else:
        print(_text(found))
    return 0 if found.ok else 1


def _text(found: Verdict) -> str:
    """Return the verdict for people."""
    if not found.ok:
        return f"not good: {found.reason}"
    if not found.places:
        return f"good: {found.game}, {found.entries} entries, not finished"
    places = ", ".join(map(str, found.places))
    audit = found.audit or "not possible yet"
    return (
        f"good: {found.game}, {found.entries} entries, places {places}, audit {audit}"
    )
