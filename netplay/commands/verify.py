"""`netplay verify`: check the file of a match, trusting nobody."""

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from netplay import home
from netplay.commands.sharing import progress
from netplay.daemon.positions import checked
from netplay.formats import scoring
from netplay.formats.sheet import is_sheet
from netplay.language import _, phrase
from netplay.named_files import command_memory
from netplay.record.verify import Finding, Verdict, verify
from netplay.said import Said, worded
from netplay.sentences import Says

HELP = "check the file of a game alone: signatures, hashes, rules, draws, audit"


def add(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--json", action="store_true", help="print JSON")


STATUS: Final[Mapping[Finding, int]] = {
    "good": 0,
    "bad": 1,
    "unaudited": 3,
    "unfinished": 4,
    "unknown": 5,
}
"""The exit status of each verdict; 2 is a command that was wrong."""


def run(arguments: argparse.Namespace) -> int:
    """Check and say what was found; the exit status tells the verdict."""
    with command_memory(arguments.file):
        data = checked(arguments.file, home.find(None))
        with progress(_("checking"), len(data)) as tell:
            found = scoring.verify(data) if is_sheet(data) else verify(data, tell)
    if arguments.json:
        report = {
            "ok": found.ok,
            "verdict": found.verdict,
            "audit": str(found.audit),
            "fairness": found.fairness,
            "game": found.game,
            "entries": found.entries,
            "moves": found.moves,
            "places": found.places,
            "reason": found.reason,
            "passed": tuple(map(str, found.passed)),
            "again": tuple(map(str, found.again)),
            "apart": tuple(map(str, found.apart)),
            "claims": tuple(map(str, found.claims)),
            "owed": tuple(map(str, found.owed)),
            "sent": [
                {"name": one.name, "kind": one.kind, "entries": one.entries}
                for one in found.sent
            ],
            "contested": found.contested,
            "disputed": found.disputed,
        }
        print(json.dumps(report))
    else:
        said = *found.apart, *found.passed, *found.again, *found.claims, *found.owed
        print("\n".join([_text(found), *map(phrase, said), *_where(found)]))
    return STATUS[found.verdict]


def _where(found: Verdict) -> Iterator[str]:
    """Yield where an edition or a word list that is missing was looked for."""
    codes = {Says.EDITION_MISSING.name, Says.LIST_MISSING.name}
    if isinstance(found.said, Said) and found.said.code in codes:
        line = _(
            "It was looked for in {place}. Where the game was played it is kept: "
            "name that home, NETPLAY_HOME=DIR netplay verify FILE"
        )
        yield line.format(place=home.find(None).words)


def _text(found: Verdict) -> str:
    entries = _("entries: {count}").format(count=found.entries)
    what, why = f"{found.game}, {entries}", phrase(found.said)
    places = _("places {places}").format(places=", ".join(map(str, found.places)))
    if found.contested:
        places = _("won on time, contested")
    but = f"; {why}" if why else ""
    match found.verdict:
        case "good":
            how = _("fairness {fairness}, audit {audit}")
            how = how.format(fairness=found.fairness, audit=phrase(worded(found.audit)))
            return _("good: {what}").format(what=f"{what}, {places}, {how}{but}")
        case "unaudited":
            return _("NOT AUDITED: {what}").format(what=f"{what}, {places}: {why}")
        case "unfinished":
            how = _("unfinished, IN DISPUTE") if found.disputed else _("not finished")
            return _("good so far: {what}").format(what=f"{what}, {how}{but}")
        case "unknown":
            return _("unknown: {what}").format(what=why)
        case "bad":
            return _("not good: {what}").format(what=why)
